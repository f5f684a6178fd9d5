#!/bin/sh
# epub.sh DIR SALIDA VERSIÓN COMMIT: el libro en EPUB 3, de los Markdown de DIR
set -eu
export LC_ALL=C.UTF-8
press=$(dirname "$0")
dir=$1 out=$2 version=$3 commit=$4
temporary=$out.tmp.$$.epub
trap 'rm -f "$temporary"' EXIT
trap 'exit 130' INT TERM HUP
chapters=$(for file in "$dir"/[0-9A-Z]*-*.md; do echo "$file"; done | LC_ALL=C sort)
case $(pandoc --help) in        # pandoc 3 le cambió el nombre
*--split-level*) split=--split-level ;;
*) split=--epub-chapter-level ;;
esac
pandoc "$press/latex/presentacion.md" $chapters "$dir/bibliografia.md" \
    --from markdown-implicit_figures+autolink_bare_uris --to epub3 --mathml \
    --metadata-file "$press/libro.yaml" --metadata targets="$dir/targets.tsv" \
    --metadata whole=true \
    --metadata rights="Versión $version. Compilado desde $commit. Texto bajo CC BY 4.0" \
    --metadata identifier="rmsnorm-cuaderno-$version" \
    --citeproc --lua-filter "$press/filters/html.lua" \
    --syntax-definition "$press/cuda.xml" --columns=10000 $split=1 \
    --toc-depth=2 --css "$press/html/epub.css" --fail-if-warnings \
    --output "$temporary"
mv "$temporary" "$out"
