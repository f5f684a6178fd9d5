#!/bin/sh
# page.sh PÁGINA DIR SALIDA: una página HTML a partir de DIR/PÁGINA.md, y al lado,
# en trozos/, su código para las demás
set -eu
export LC_ALL=C.UTF-8
press=$(dirname "$0")
page=$1 dir=$2 out=$3
temporary=$out.tmp.$$
trap 'rm -f "$temporary" "$temporary".raw' EXIT
trap 'exit 130' INT TERM HUP
pandoc "$dir/$page.md" --from markdown-implicit_figures+autolink_bare_uris --to html5 --mathml \
    --metadata-file "$press/libro.yaml" \
    --metadata page="$page" --metadata targets="$dir/targets.tsv" \
    --metadata suppress-bibliography="$([ "$page" = bibliografia ] && echo false || echo true)" \
    --citeproc --lua-filter "$press/filters/html.lua" \
    --syntax-definition "$press/cuda.xml" --wrap=none --columns=10000 \
    --fail-if-warnings --template "$press/html/pagina.html" \
    --defaults "$dir/nav/$page.yaml" \
    --output "$temporary.raw"
LC_ALL=C sed -E -f "$press/html/aligera.sed" "$temporary.raw" |
    LC_ALL=C awk -v format=html -v page="$page" -v targets="$dir/targets.tsv" \
    -f "$press/text.awk" -f "$press/uses.awk" > "$temporary"
pieces=$(dirname "$out")/trozos
mkdir -p "$pieces"
LC_ALL=C awk -v page="$page" -f "$press/text.awk" -f "$press/fragments.awk" \
    "$temporary" > "$temporary.raw"
mv "$temporary.raw" "$pieces/$page.js"
# Sin las comillas que HTML no pide
LC_ALL=C sed -E 's# (class|id|href)="([A-Za-z0-9_.:/\#-]+)"# \1=\2#g' "$temporary" \
    > "$temporary.raw"
mv "$temporary.raw" "$out"
