# scripts/cuda_headers.sh: where nvcc is says nothing about where its headers are.
load common

setup() {
    new_folder
    mkdir bin
    PATH=$work/bin:$PATH
}
teardown() { rm -rf "$work"; }

answers() { # LINES...: an nvcc of paper, which answers them
    { echo '#!/bin/sh'; printf 'echo "%s"\n' "$@"; } > bin/nvcc
    chmod +x bin/nvcc
}
headers() { run sh "$project/scripts/cuda_headers.sh"; }

@test "un nvcc que llama al de verdad, desde otra carpeta" {
    real=$(command -v nvcc) || skip "no hay nvcc"
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$real" > bin/nvcc
    chmod +x bin/nvcc
    headers
    ends_with 0
    echo '#include <cuda_runtime_api.h>' > host.c
    # shellcheck disable=SC2086
    gcc -std=c11 -c $output host.c
}

@test "cada biblioteca en su carpeta: todas, y ninguna dos veces" {
    answers 'probe.o : probe.cu /usr/include/stdio.h \' \
        '  /a/include/cuda_runtime_api.h /b/include/crt/host_defines.h \' \
        '  /a/include/vector_types.h /c/include/cublas_v2.h'
    headers
    ends_with 0
    [ "$output" = "-I/a/include -I/b/include -I/c/include" ]
}

@test "si nvcc no las encuentra, o no está, lo dice" {
    answers 'probe.o : probe.cu'
    headers
    ends_with 1
    says "nvcc no encuentra cuda_runtime_api.h"
    printf '#!/bin/sh\necho "fatal error: no such file" >&2; exit 1\n' > bin/nvcc
    headers
    never test "$status" = 0
    says "no such file"
    rm bin/nvcc
    for tool in sh mktemp rm; do ln -s "$(command -v $tool)" bin; done
    run env PATH="$work/bin" sh "$project/scripts/cuda_headers.sh"
    ends_with 1
    says "falta nvcc"
}
