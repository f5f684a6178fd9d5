#!/bin/sh
# bench.sh: los kernels rápidos frente a lo que la memoria permite. Mide con
# «ch11 --bench» y resume: de cada forma, qué parte del límite medido en la misma
# ejecución alcanza el kernel elegido, y cuánto alcanzaba en lo publicado.
#
#   bench.sh                       mide y resume (lo llama make bench)
#   bench.sh --table FICHERO [PUBLICADO]   sólo resume
#
# No es una prueba: ningún tiempo hace fallar nada. Estado: 0 si midió; 3 si no
# hay GPU, y entonces no hay nada que medir; 4 si falta un fichero.
set -eu
cd "$(dirname "$0")/.."
LC_ALL=C.UTF-8
export LC_ALL
measured=outputs/ch11_bench.tsv
published=data/published/h200/ch11_bench.tsv

usage() { sed -n '2,10s/^# \{0,1\}//p' "$0"; }

table() { # FICHERO [PUBLICADO]
    for file; do
        [ -f "$file" ] && [ -r "$file" ] ||
            { echo "bench: no se puede leer $file" >&2; exit 4; }
    done
    echo
    echo "Parte del límite: 1 es la copia (forward) o la suma (backward) más"
    echo "rápida de esta ejecución. Entre corchetes, con los cuartiles."
    [ $# -lt 2 ] ||
        echo "Publicado: $2, en $(sed -n 's/^# device: //p' "$2")."
    awk -F '\t' -f scripts/bench.awk "$@"
}

case ${1:-} in
--table) shift
    [ $# = 1 ] || [ $# = 2 ] || { usage >&2; exit 2; }
    table "$@"; exit ;;
'') ;;
--help) usage; exit 0 ;;
*) usage >&2; exit 2 ;;
esac

if [ "${DEVICE:-$(scripts/device.sh)}" != gpu ]; then
    echo "bench: aquí no hay una GPU que usar, y no hay nada que medir." >&2
    echo "  La GPU de papel comprueba los kernels; sus tiempos no son de" \
        "una GPU." >&2
    exit 3
fi
make DEVICE=gpu tangled/ch11
./tangled/ch11 --bench --output "$measured"
if [ -f "$published" ]; then table "$measured" "$published"
else table "$measured"; fi
