# each: kernels
# The GPU road as far as a machine without a GPU goes: it compiles for each
# architecture, and the program says that there is no usable device.
load common

setup() {
    command -v nvcc > /dev/null ||
        skip "no hay nvcc: el camino de la GPU no se compila aquí"
    new_folder
}
teardown() { rm -rf "${work:-/nonexistent}"; }

architectures="75 80 86 90 100 120"

@test "$PROGRAM: sus kernels se compilan para sm_75 … sm_120" {
    make -s -C "$project" DEVICE=cpu \
        "tangled/.build/src/${PROGRAM}_kernels.cu"
    known=$(nvcc --list-gpu-code)
    codes=
    for sm in $architectures; do
        case $known in
        *sm_$sm*) codes="$codes -gencode arch=compute_$sm,code=sm_$sm" ;;
        *) echo "# este nvcc no conoce sm_$sm" >&3 ;;
        esac
    done
    [ -n "$codes" ] || fail "nvcc no conoce ninguna"
    cd "$project"
    # shellcheck disable=SC2086
    run nvcc -t 2 -O3 -lineinfo -Werror all-warnings $codes -c \
        -o "$work/kernels.o" "tangled/.build/src/${PROGRAM}_kernels.cu"
    ends_with 0
    silent
    cd "$work"
    command -v cuobjdump > /dev/null || return 0
    run cuobjdump --list-elf kernels.o
    for sm in $architectures; do
        case $codes in *sm_$sm*) says "sm_$sm" ;; esac
    done
}

@test "$PROGRAM: los ficheros extraídos, solos, forman el programa de GPU" {
    make -s -C "$project" DEVICE=cpu "tangled/$PROGRAM.c" \
        "tangled/${PROGRAM}_kernels.cu"
    cp "$project/tangled/$PROGRAM.c" "$project/tangled/${PROGRAM}_kernels.cu" .
    # shellcheck disable=SC2046
    gcc -std=c11 -O2 -Wall -Wextra -Wpedantic -Werror \
        $(sh "$project/scripts/cuda_headers.sh") -c "$PROGRAM.c"
    # shellcheck disable=SC2046
    nvcc -arch=sm_90 -O3 -o "$PROGRAM" "$PROGRAM.o" "${PROGRAM}_kernels.cu" \
        $(make -s -C "$project" DEVICE=gpu "libs-$PROGRAM")
    run "./$PROGRAM" --help
    ends_with 0
}

@test "$PROGRAM: sin una GPU utilizable termina con 3 y dice por qué" {
    nvidia-smi -L 2> /dev/null | grep -q '^GPU' && skip "aquí hay una GPU"
    make -s -C "$project" DEVICE=gpu ARCH=sm_90 "tangled/.build/gpu/$PROGRAM"
    # shellcheck disable=SC2046
    run "$project/tangled/.build/gpu/$PROGRAM" $(needed_arguments) \
        --output r.tsv
    ends_with 3
    says "No hay una GPU utilizable"
    [ ! -e r.tsv ]
}
