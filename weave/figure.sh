#!/bin/sh
# figure.sh NOMBRE: dibuja figures/NOMBRE.gp en .svg y .pdf, con el estilo de
# figures/common.gp. El SVG sale sin fondo y con la tinta del tema: en oscuro se
# lee igual, también como <img>. Con una línea «# alto: 400» en el .gp, el dibujo
# mide 480×400 en vez de 480×320.
set -eu
export LC_ALL=C.UTF-8
press=$(dirname "$0")
name=$1
height=$(sed -n 's/^# alto: //p' "figures/$name.gp") height=${height:-320}
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
draw() { # TERMINAL SALIDA
    gnuplot -e "set terminal $1; set output '$2'" figures/common.gp "figures/$name.gp" > "$work/said" 2>&1 ||
        { sed "s|^|figures/$name.gp: |" "$work/said" >&2; exit 1; }
    if grep -qi 'warning' "$work/said"; then sed "s|^|figures/$name.gp: |" "$work/said" >&2; fi
    [ -s "$2" ] || { echo "figures/$name.gp: no dibujó nada" >&2; exit 1; }
}
draw "svg dynamic size 480,$height font 'DejaVu Sans,13' linewidth 1" "$work/raw.svg"
draw "pdfcairo size 12cm,$(awk "BEGIN { print $height / 40 }")cm font 'DejaVu Sans,9' linewidth 1.1 rounded" "$work/out.pdf"
LC_ALL=C sed -E -f "$press/svg.sed" "$work/raw.svg" > "$work/out.svg"
mv "$work/out.pdf" "figures/$name.pdf"
mv "$work/out.svg" "figures/$name.svg"
