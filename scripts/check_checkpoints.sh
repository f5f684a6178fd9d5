#!/bin/sh
# check_checkpoints.sh: comprueba cada checkpoint de outputs/ con el programa que
# los escribe. No entrena, y no cambia ningún fichero de outputs/.
set -u
cd "$(dirname "$0")/.." || exit 2
[ $# -le 1 ] || set -- "$*"
case ${1-} in
'') ;;
--help)
    cat <<'FIN'
Uso: sh scripts/check_checkpoints.sh

De cada outputs/*.safetensors comprueba, con el capítulo 7: que tiene el formato,
que su suma cuadra, que las formas son las de la red, que todos los pesos son
finitos, y que dos redes nuevas que lo leen dan salidas con diferencia 0. Del que
acaba de entrenar esta máquina comprueba además que su error es el de la tabla.
DEVICE=gpu|cpu elige el dispositivo.
Estado de salida: 0 todos bien; 1 alguno no; 2 uso incorrecto; 3 no hay GPU
utilizable; 4 no hay ninguno, o falta con qué comprobarlos.
FIN
    exit 0 ;;
*) echo "check_checkpoints.sh: no se entiende «$1» (vea --help)" >&2; exit 2 ;;
esac

fail() { printf 'check_checkpoints.sh: %s\n' "$1" >&2; exit "$2"; }
value() { awk -F '\t' -v key="$1" '$1 == key { print $2 }' "$2"; }
fact() { sed -n "s/^# $1: //p" "$2"; }

set -- outputs/*.safetensors
[ -e "$1" ] || [ -L "$1" ] || fail "no hay ningún checkpoint en outputs/. \
Los escribe ./tangled/ch07" 4
sha256sum --check --status --strict data/SHA256SUMS 2> /dev/null ||
    fail "faltan los datos, o no cuadran: sh scripts/acquire.sh" 4
device=${DEVICE:-$(sh scripts/device.sh)}
program=tangled/.build/$device/ch07
make -s DEVICE="$device" "$program" ||
    fail "no se pudo construir el programa del capítulo 7" 4
work=$(mktemp -d) || exit 4
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

bad=0
for file; do
    # La anchura de la red va en la cabecera; si no se lee, ch07 dirá por qué
    hidden=$(head -c 4096 "$file" 2> /dev/null | tr -d '\0' |
        grep -ao '"norm.weight":{[^}]*"shape":\[[0-9]\{1,4\}\]' |
        sed 's/.*\[//; s/\]//' | head -n 1)
    timeout 300 "$program" --load "$file" --hidden "${hidden:-96}" \
        --output "$work/loaded.tsv" > "$work/said" 2>&1
    status=$?
    problem=
    case $status in
    0) ;;
    1) problem=$(grep -m 1 '✗' "$work/said" | sed "s/^ *✗ //; s|^$file: ||") ;;
    3) cat "$work/said" >&2; exit 3 ;;
    *) problem="ch07 terminó con estado $status: $(tail -n 1 "$work/said")" ;;
    esac
    if [ $status = 0 ]; then
        reload=$(value reload.difference "$work/loaded.tsv")
        [ "$reload" = 0 ] || problem="dos lecturas difieren en «$reload»"
    fi
    table=${file%.safetensors}.tsv compared=
    if [ -z "$problem" ] && [ -f "$table" ] &&
        [ "$(fact device "$table")" = "$(fact device "$work/loaded.tsv")" ]; then
        now=$(value test.kernel "$work/loaded.tsv")
        then=$(value test.kernel "$table")
        if [ -n "$then" ] && [ "$now" != "$then" ]; then
            problem="MSE en test $now, y $table dice $then: no salieron de la \
misma ejecución"
        elif [ -n "$then" ]; then compared=", MSE en test $now como en $table"
        fi
    fi
    if [ -z "$problem" ]; then
        printf '✓ %s: formato, suma, formas y valores; diferencia al recargar 0%s\n' \
            "$file" "$compared"
    else
        bad=$((bad + 1))
        printf '✗ %s: %s\n' "$file" "$problem"
        echo "    no lo use; vuelva a crearlo con ./tangled/ch07, o bórrelo"
    fi
done
echo "$(fact device "$work/loaded.tsv" 2> /dev/null | sed \
    's/^GPU de papel.*/&: no verificado en GPU/; s/$/. /')$#" \
    "comprobados, $bad mal."
[ $bad = 0 ]
