#!/bin/sh
# output.sh PROGRAMA ESTADO [ARGUMENTO...]: lo que dice tangled/PROGRAMA.
# Se ejecuta una sola vez por contenido del programa y argumentos; su .tsv va a
# un temporal, para que el libro no cambie lo que midió «make run».
set -eu
export LC_ALL=C.UTF-8
program=$1 expected=$2; shift 2
binary=tangled/$program
if [ ! -x "$binary" ]; then
    echo "falta $binary: ejecute «make $binary»"; exit 1
fi
cache=${PRESS_CACHE:-tangled/.build/book/said}
mkdir -p "$cache"
key=$(cksum < "$binary" | tr ' ' -)-$(printf '%s|' "$expected" "$@" | cksum | tr ' ' -)
said=$cache/$program-$key
if [ ! -f "$said" ]; then
    work=$(mktemp -d "$cache/tmp.XXXXXX")
    trap 'rm -rf "$work"' EXIT
    status=0
    "$binary" "$@" --output "$work/out.tsv" > "$work/said" 2>&1 < /dev/null || status=$?
    if [ "$status" != "$expected" ]; then
        echo "$binary $* acabó con estado $status y no $expected"; exit 1
    fi
    sed "s|$work/out.tsv|outputs/$program.tsv|g" "$work/said" > "$work/clean"
    mv "$work/clean" "$said"
fi
cat "$said"
