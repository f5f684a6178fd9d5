#!/bin/sh
# measure_gpu.sh FUENTES DESTINO [PROGRAMA...]: compila los programas extraídos
# y los ejecuta en una máquina con GPU que sólo tiene CUDA y gcc (sin noweb).
#
#   FUENTES   carpeta con chNN.c y chNN_kernels.cu (tangled/.build/src)
#   DESTINO   donde quedan los TSV, los informes y los de compute-sanitizer
#
# Variables: ARCH (native), COMMIT (el que se anota), SANITIZE=1 añade las
# cuatro herramientas de compute-sanitizer, LIBRARIES y HEADERS para ch07.
# Estado: 0 si todo compiló y pasó; 1 si algo falló; 2 uso incorrecto.
set -u
[ $# -ge 2 ] || { sed -n '2,12s/^# \{0,1\}//p' "$0"; exit 2; }
sources=$1 target=$2
shift 2
[ -d "$sources" ] || { echo "measure_gpu: no existe $sources" >&2; exit 2; }
command -v nvcc > /dev/null || { echo "measure_gpu: falta nvcc" >&2; exit 2; }
[ $# -gt 0 ] || set -- ch02 ch04 ch05 ch06 ch06_wrong ch07 ch08 ch09
cuda=$(dirname "$(dirname "$(realpath "$(command -v nvcc)")")")
mkdir -p "$target"
failed=0

# shellcheck disable=SC2086 # las bibliotecas son varias palabras
compile() {     # compile PROGRAMA: deja $target/bin/PROGRAMA
    mkdir -p "$target/bin"
    gcc -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror \
        "-DCOMMIT=\"${COMMIT:-desconocido}\"" -I"$cuda/include" \
        ${HEADERS:+-I"$HEADERS"} -c -o "$target/bin/$1.o" "$sources/$1.c" &&
    nvcc -arch="${ARCH:-native}" -O3 -lineinfo -Werror all-warnings -c \
        -o "$target/bin/$1_kernels.o" "$sources/$1_kernels.cu" &&
    case $1 in
    ch07*) libraries="${LIBRARIES:--ljansson -lz} -lcublas" ;;
    *) libraries= ;;
    esac &&
    nvcc -arch="${ARCH:-native}" -o "$target/bin/$1" "$target/bin/$1.o" \
        "$target/bin/$1_kernels.o" $libraries
}

run() {         # run PROGRAMA TSV [ORDEN...]: lo ejecuta sin nadie delante
    name=$1 output=$2
    shift 2
    case $name in
    ch09) "$@" "$target/bin/$name" --answers data/ch09-answers.txt \
        --output "$output" ;;
    ch08) "$@" "$target/bin/$name" --output "$output" \
        ${1:+--sweep no --warmup 1 --samples 2 --calls 1} ;;  # bajo sanitizador
    *) "$@" "$target/bin/$name" --output "$output" ;;
    esac
}

verdict() {     # verdict ESTADO NOMBRE
    if [ "$1" -eq 0 ]; then echo "pasa   $2"; else
        echo "FALLA  $2 (estado $1)"; failed=1; fi
}

for program; do
    if ! compile "$program" > "$target/$program.build" 2>&1; then
        echo "FALLA  $program: no compila"; cat "$target/$program.build"
        failed=1; continue
    fi
    run "$program" "$target/$program.tsv" > "$target/$program.txt" 2>&1
    verdict $? "$program"
    [ -n "${SANITIZE:-}" ] || continue
    for tool in memcheck racecheck initcheck synccheck; do
        [ "$program$tool" != ch06_wrongracecheck ] || continue
        run "$program" "$target/bin/sanitized.tsv" \
            compute-sanitizer --tool $tool --error-exitcode 9 \
            > "$target/$program.$tool" 2>&1
        verdict $? "$program, $tool: $(grep -h 'ERROR SUMMARY\|RACECHECK SUMMARY' \
            "$target/$program.$tool" | tail -1 | sed 's/=* *//')"
    done
done
exit $failed
