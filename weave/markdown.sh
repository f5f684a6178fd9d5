#!/bin/sh
# markdown.sh DIR VERSIÓN COMMIT CAPÍTULO...: deja en DIR un Markdown por capítulo, y las
# tablas de lo que hay en cada uno. Sólo toca lo que ha cambiado: de eso depende
# que un capítulo editado rehaga su página y no el libro entero.
set -eu
export LC_ALL=C
PATH=$PATH:/usr/lib/noweb:/usr/local/lib/noweb
press=$(dirname "$0")
dir=$1 version=$2 commit=$3; shift 3
mkdir -p "$dir/nav"
work=$(mktemp -d "$dir/tmp.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
step() { awk "$@" > "$work/next" && mv "$work/next" "$work/text"; }

markup "$@" > "$work/tokens"
finduses < "$work/tokens" > "$work/text"
mkdir "$work/new"
step -v tables="$work/new" -f "$press/text.awk" -f "$press/chunks.awk" "$work/text"
step -v press="$press" -f "$press/measured.awk" -f "$press/data.awk" "$work/text"
step -v anchors="$work/new/anchors.tsv" -f "$press/text.awk" \
     -f "$press/anchors.awk" "$work/text"
awk -v dir="$work/new" -f "$press/split.awk" "$work/text"

# Las páginas que no son capítulos, y por dónde se va de una a otra
new=$work/new
awk -v version="$version" -v commit="$commit" -f "$press/front.awk" \
    "$new/anchors.tsv" "$press/portada.md" > "$new/index.md"
index() {
    awk -v part="$1" -f "$press/text.awk" -f "$press/indices.awk" \
        "$new/chunks.tsv" "$new/uses.tsv" "$new/identifiers.tsv"
}
index chunks > "$new/indices.md"
index identifiers > "$new/identificadores.md"
cp "$press/bibliografia.md" "$new/bibliografia.md"
awk -f "$press/site.awk" "$new/index.md" "$new/indices.md" "$new/identificadores.md" \
    "$new/bibliografia.md" \
    >> "$new/anchors.tsv"
# targets.tsv es anchors.tsv sin líneas: no cambia porque el texto se mueva
cut -f1-4,7 "$new/anchors.tsv" > "$new/targets.tsv"
mkdir "$new/nav"
awk -v dir="$new/nav" -f "$press/text.awk" -f "$press/nav.awk" "$new/anchors.tsv"

for file in "$new"/nav/* "$new"/*.*; do
    name=${file#"$new"/}
    cmp -s "$file" "$dir/$name" || cp "$file" "$dir/$name.tmp.$$"
done
for file in "$dir"/*.tmp.$$ "$dir"/nav/*.tmp.$$; do
    [ ! -f "$file" ] || mv "$file" "${file%.tmp.*}"
done
# Un capítulo que ya no está no deja su página
for file in "$dir"/*.md; do
    [ -f "$work/new/${file##*/}" ] || [ ! -f "$file" ] || rm "$file"
done
