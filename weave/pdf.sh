#!/bin/sh
# pdf.sh DIR SALIDA VERSIÓN COMMIT: el libro en PDF, de los Markdown de DIR
set -eu
export LC_ALL=C.UTF-8
press=$(dirname "$0")
dir=$1 out=$2 version=$3 commit=$4
work=$dir/pdf
mkdir -p "$work"
trap 'exit 130' INT TERM HUP

# Los capítulos, sin las páginas que sólo tiene el sitio
chapters=$(for file in "$dir"/[0-9A-Z]*-*.md; do echo "$file"; done | LC_ALL=C sort)
pandoc "$press/latex/presentacion.md" --to latex --top-level-division=chapter \
    --output "$work/presentacion.tex"
pandoc $chapters "$dir/bibliografia.md" "$dir/indices.md" "$dir/identificadores.md" \
    --from markdown-implicit_figures+autolink_bare_uris \
    --to latex --top-level-division=chapter --metadata-file "$press/libro.yaml" \
    --metadata targets="$dir/targets.tsv" --citeproc \
    --lua-filter "$press/filters/latex.lua" --syntax-definition "$press/cuda.xml" \
    --highlight-style "$press/latex/impresion.theme" --columns=10000 --wrap=preserve \
    --fail-if-warnings --template "$press/latex/libro.tex" \
    --variable front="$(cat "$work/presentacion.tex")" \
    --variable version="$version" --variable commit="$commit" \
    --output "$work/raw.tex"
LC_ALL=C awk -v format=latex -v targets="$dir/targets.tsv" \
    -f "$press/text.awk" -f "$press/uses.awk" "$work/raw.tex" > "$work/libro.tex"

OSFONTDIR=${OSFONTDIR:-/usr/share/fonts//}; export OSFONTDIR
# Sin carpeta personal, LuaTeX guardaría lo que sabe de las fuentes en la del curso
[ -w "${HOME:-/dev/null/no}" ] || {
    TEXMFVAR=${TEXMFVAR:-$(cd "$dir/.." && pwd)/texmf}; export TEXMFVAR; }

# La primera pasada deja los números de página; la segunda los pone. Si al acabar
# no son los mismos, otra. El libro que sólo cambia por dentro se compone una vez.
run() {
    lualatex -interaction=nonstopmode -halt-on-error -file-line-error $1 \
             -output-directory="$work" "$work/libro.tex" > "$work/out" 2>&1 || {
        grep -A5 -E '^(!|[^ ]+:[0-9]+: )' "$work/out" | head -20 >&2
        echo "pdf.sh: LuaLaTeX no pudo componer el libro: $work/libro.log" >&2; exit 1; }
}
numbers() {
    cat "$work/libro.aux" "$work/libro.toc" 2>/dev/null |
        grep -E 'newlabel|contentsline|LT@' | cksum
}
# Un aux a medias, de una pasada que alguien detuvo, no dejaría componer más
tail -n 1 "$work/libro.aux" 2>/dev/null | grep -q abspage@last ||
    rm -f "$work/libro.aux" "$work/libro.toc" "$work/libro.out"
before=$(numbers)
[ -f "$work/libro.toc" ] || { run -draftmode; before=$(numbers); }
run ''
if [ "$(numbers)" != "$before" ]; then run ''; fi
sh "$press/log.sh" "$work/libro.log"
mv "$work/libro.pdf" "$out"
