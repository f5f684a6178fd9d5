#!/bin/sh
# acquire.sh: deja en data/ las tres particiones y comprueba sus sumas. No
# descarga nada: las fabrica el programa del capítulo 3, bit a bit las mismas en
# todas las máquinas. Si ya están bien no toca nada.
set -u
cd "$(dirname "$0")/.." || exit 2
[ $# -le 1 ] || set -- "$*"
case ${1-} in
'') ;;
--help)
    cat <<'FIN'
Uso: sh scripts/acquire.sh

Fabrica con el programa del capítulo 3 las particiones de data/ que falten o no
cuadren con data/SHA256SUMS. No descarga nada. Si ya están bien, no toca nada.
Estado de salida: 0 están y cuadran; 1 no cuadran; 2 uso incorrecto; 4 no se
pudieron fabricar.
FIN
    exit 0 ;;
*) echo "acquire.sh: no se entiende «$1» (vea --help)" >&2; exit 2 ;;
esac

sums=data/SHA256SUMS
[ -s $sums ] || { echo "acquire.sh: falta $sums, que viene con el curso" >&2
    exit 4; }
good() { sha256sum --check --status --strict $sums 2> /dev/null; }

echo "Los datos son sintéticos y los fabrica el capítulo 3. No se descarga nada."
if good; then
    echo "Ya estaban, y sus sumas cuadran: no se cambia nada."
else
    # En su sitio sólo se pone lo que cuadra
    make -s DEVICE="${DEVICE:-cpu}" tangled/.build/cpu/ch03 || {
        echo "acquire.sh: no se pudo construir el programa del capítulo 3;" \
            "¿ha ejecutado sh scripts/setup.sh?" >&2; exit 4; }
    work=$(mktemp -d -p data .acquire.XXXXXX) || exit 4
    trap 'rm -rf "$work"' EXIT
    trap 'exit 130' INT TERM
    tangled/.build/cpu/ch03 --quiet --data "$work" --output "$work/ch03.tsv" || {
        echo "acquire.sh: el capítulo 3 falla; ejecute ./tangled/ch03" >&2
        exit 4; }
    sed "s, data/, $work/," $sums > "$work/sums"
    if ! sha256sum --check --quiet --strict "$work/sums"; then
        echo "acquire.sh: lo fabricado aquí no cuadra con $sums: no se pone en" \
            "data/. Ejecute ./tangled/ch03 y mire qué comprobación falla." >&2
        exit 1
    fi
    chmod 644 "$work"/*.tsv
    rm "$work/ch03.tsv"
    mv "$work"/*.tsv data/ || exit 4
    good || { echo "acquire.sh: data/ no cuadra con $sums" >&2; exit 1; }
    echo "Hechas, y sus sumas cuadran."
fi
(cd data && wc -c train.tsv validation.tsv test.tsv) |
    awk '$2 != "total" { printf "  data/%-15s %7d bytes\n", $2, $1 }'
