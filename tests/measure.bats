# scripts/measure_gpu.sh with an nvcc, a compute-sanitizer and an nvidia-smi of
# paper: what it writes down, and that a tool that complains is a failure.
load common

setup_file() {
    make -s -j2 -C "$BATS_TEST_DIRNAME/.." DEVICE=cpu tangled/.build/cpu/ch04 >&2
}
setup() {
    new_folder
    mkdir -p cuda/bin
    ln -s "$project/tangled/.build/src/paper" cuda/include
    cat > cuda/bin/nvcc << END
#!/bin/sh
for word; do [ "\$before" != -o ] || out=\$word; before=\$word; done
case " \$* " in
*' -M '*) echo "probe.o: $work/cuda/include/cuda_runtime_api.h" ;;
*' -c '*) : > "\$out" ;;
*) cp "$project/tangled/.build/cpu/\$(basename "\$out")" "\$out" ;;
esac
END
    cat > cuda/bin/compute-sanitizer << 'END'
#!/bin/sh
tool=$2
shift 4
"$@" > /dev/null || exit
echo "========= ERROR SUMMARY: 0 errors"
[ "$tool" != "$COMPLAINS" ] || exit 9
END
    printf '#!/bin/sh\necho 580.1.2\n' > cuda/bin/nvidia-smi
    chmod +x cuda/bin/*
    PATH=$work/cuda/bin:$PATH
    export PAPER_GPU_WATCH=off
}
teardown() { rm -rf "${work:-/nonexistent}"; }

@test "anota el controlador y resume lo que dijo cada herramienta" {
    COMMIT=abc SANITIZE=1 run sh "$project/scripts/measure_gpu.sh" \
        "$project/tangled/.build/src" out ch04
    ends_with 0
    says "pasa   ch04, synccheck: ERROR SUMMARY: 0 errors"
    grep -qx '# nvidia_driver: 580.1.2' out/ch04.tsv
    grep -qx '# program: sanitizer' out/sanitizer.tsv
    grep -qx '# nvidia_driver: 580.1.2' out/sanitizer.tsv
    grep -qx 'ch04	racecheck	0	ERROR SUMMARY: 0 errors' out/sanitizer.tsv
    grep -qx 'runs	4' out/sanitizer.tsv
    grep -qx 'clean	4' out/sanitizer.tsv
}

@test "un programa que falla se cuenta con sus palabras; y el uso" {
    PAPER_GPU_FAIL=malloc:1 run sh "$project/scripts/measure_gpu.sh" \
        "$project/tangled/.build/src" out ch04
    ends_with 1
    says "FALLA  ch04 (estado 3)"
    says "cudaErrorMemoryAllocation"
    run sh "$project/scripts/measure_gpu.sh" --help
    ends_with 0
    says "FUENTES DESTINO"
    run sh "$project/scripts/measure_gpu.sh" solo
    ends_with 2
}

@test "una herramienta que se queja es un fallo, y se anota" {
    COMPLAINS=racecheck COMMIT=abc SANITIZE=1 run sh \
        "$project/scripts/measure_gpu.sh" "$project/tangled/.build/src" out ch04
    ends_with 1
    says "FALLA  ch04, racecheck"
    grep -qx 'ch04	racecheck	9	ERROR SUMMARY: 0 errors' out/sanitizer.tsv
    grep -qx 'clean	3' out/sanitizer.tsv
}
