#!/bin/sh
# run.sh PROGRAMA...: ejecuta los programas extraídos, en orden, y resume.
# Se detiene en el primero que falla. Estado: el del programa que falló.
set -u
cd "$(dirname "$0")/.." || exit 2
[ $# -gt 0 ] || { sed -n '2,3s/^# //p' "$0"; exit 2; }
summary=$(mktemp) || exit 4
trap 'rm -f "$summary" "$summary.log"' EXIT
trap 'exit 130' INT TERM

value() { awk -F '\t' -v key="$1" '$1 == key { print $2 }' "$2"; }
fact() { sed -n "s/^# $1: //p" "$2"; }

number=0
for program; do
    number=$((number + 1))
    printf '[%d/%d] %s… ' "$number" $# "$program"
    eval "arguments=\${RUN_$program:-}"
    start=$(date +%s)
    # shellcheck disable=SC2154,SC2086 # las opciones son varias palabras
    "tangled/$program" $arguments --quiet 2> "$summary.log"
    status=$?
    seconds=$(($(date +%s) - start))
    if [ "$status" -ne 0 ]; then
        echo "falla"
        cat "$summary.log" >&2
        echo "run: $program terminó con estado $status; los demás no se" \
            "ejecutaron. Repítalo solo: ./tangled/$program" >&2
        exit "$status"
    fi
    tsv=outputs/$program.tsv
    echo "${seconds} s"
    printf '%-11s %6s %6s %5s s  %s\n' "$program" "$(value checks "$tsv")" \
        "$(value failures "$tsv")" "$seconds" "$(fact device "$tsv")" \
        >> "$summary"
done
echo
printf '%-11s %6s %6s %7s  %s\n' programa checks fallos tiempo dispositivo
cat "$summary"
