#!/bin/sh
# measure_gpu.sh FUENTES DESTINO [PROGRAMA...]: compila los programas extraídos
# y los ejecuta en una máquina con GPU que sólo tiene CUDA y gcc (sin noweb).
#
#   FUENTES   carpeta con chNN.c y chNN_kernels.cu (tangled/.build/src)
#   DESTINO   donde quedan los TSV, los informes y los de compute-sanitizer,
#             con su resumen en sanitizer.tsv
#
# Variables: ARCH (native), COMMIT (el que se anota), SANITIZE=1 añade las
# cuatro herramientas de compute-sanitizer, LIBRARIES y HEADERS para ch07.
# Estado: 0 si todo compiló y pasó; 1 si algo falló; 2 uso incorrecto.
set -u
usage() { sed -n '2,12s/^# \{0,1\}//p' "$0"; }
[ "${1-}" != --help ] || { usage; exit 0; }
[ $# -ge 2 ] || { usage >&2; exit 2; }
sources=$1 target=$2
shift 2
[ -d "$sources" ] || { echo "measure_gpu: no existe $sources" >&2; exit 2; }
command -v nvcc > /dev/null || { echo "measure_gpu: falta nvcc" >&2; exit 2; }
[ $# -gt 0 ] || set -- ch02 ch04 ch05 ch06 ch06_wrong ch07 ch08 ch09 \
    ch10 ch10_faults ch11
cuda=$(sh "$(dirname "$0")/cuda_headers.sh") || exit 2
mkdir -p "$target"
rm -f "$target/bin/sanitizer"
failed=0

# shellcheck disable=SC2086 # cabeceras y bibliotecas son varias palabras
compile() {     # compile PROGRAMA: deja $target/bin/PROGRAMA
    mkdir -p "$target/bin"
    gcc -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror \
        "-DCOMMIT=\"${COMMIT:-desconocido}\"" $cuda \
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
    set -- "$@" "$target/bin/$name" --output "$output"
    case $name in
    ch07) set -- "$@" --checkpoint "${output%.tsv}.safetensors" ;;
    ch09) set -- "$@" --answers data/ch09-answers.txt ;;
    esac
    # Bajo compute-sanitizer importan los accesos, no las repeticiones
    [ "$1" != timeout ] || [ "$name" != ch08 ] ||
        set -- "$@" --warmup 1 --samples 2 --calls 1 --sweep no
    "$@"
}

add_driver() {  # al TSV del programa, la versión exacta del controlador
    version=$(nvidia-smi --query-gpu=driver_version --format=csv,noheader \
        2> /dev/null | head -1)
    [ -z "$version" ] || [ ! -s "$target/$1.tsv" ] ||
        sed -i "/^# driver: /a # nvidia_driver: $version" "$target/$1.tsv"
}

verdict() {     # verdict ESTADO NOMBRE
    if [ "$1" -eq 0 ]; then echo "pasa   $2"; else
        echo "FALLA  $2 (estado $1)"; failed=1; fi
}

sanitize() {    # sanitize PROGRAMA HERRAMIENTA: deja el informe y su estado
    run "$1" "$target/bin/$1-$2.tsv" timeout 240 \
        compute-sanitizer --tool "$2" --error-exitcode 9 \
        > "$target/$1.$2" 2>&1
    echo $? > "$target/bin/$1.$2.status"
}

for program; do
    if ! compile "$program" > "$target/$program.build" 2>&1; then
        echo "FALLA  $program: no compila"; cat "$target/$program.build"
        failed=1; continue
    fi
    run "$program" "$target/$program.tsv" > "$target/$program.txt" 2>&1
    status=$?
    add_driver "$program"
    verdict $status "$program"
    [ $status = 0 ] || grep -E "✗|^$program: |cudaError|^GPU de papel: " \
        "$target/$program.txt" | head -n 4 | sed 's/^ */       /'
    # ch10_faults llama él mismo a las cuatro herramientas, y deben quejarse
    [ -n "${SANITIZE:-}" ] && [ "$program" != ch10_faults ] || continue
    for tool in memcheck racecheck initcheck synccheck; do
        sanitize "$program" $tool &
    done
    wait
    for tool in memcheck racecheck initcheck synccheck; do
        status=$(cat "$target/bin/$program.$tool.status")
        summary=$(grep -h '=.* SUMMARY' "$target/$program.$tool" | tail -1 |
            sed 's/=* *//')
        verdict "$status" "$program, $tool: $summary"
        printf '%s\t%s\t%s\t%s\n' "$program" $tool "$status" "$summary" \
            >> "$target/bin/sanitizer"
    done
    facts=$target/$program.tsv
done

# El resumen lleva la procedencia de los programas
[ ! -s "$target/bin/sanitizer" ] || {
    echo '# program: sanitizer'
    echo '# title: compute-sanitizer sobre los programas'
    sed -n '3,/^$/p' "$facts" | sed '/^$/d'
    printf '\n\n# runs\nprogram\ttool\tstatus\tsummary\n'
    cat "$target/bin/sanitizer"
    awk -F '\t' '{ clean += $3 == 0 } END {
        print "\n\n# values\nkey\tvalue\nruns\t" NR "\nclean\t" clean + 0 }' \
        "$target/bin/sanitizer"
} > "$target/sanitizer.tsv"
exit $failed
