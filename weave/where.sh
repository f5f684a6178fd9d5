#!/bin/sh
# where.sh chapters/05-dx.nw:120: la página del libro donde está esa línea. No
# necesita que los programas compilen: se le pregunta sobre todo cuando no.
set -eu
export LC_ALL=C DRAFT=1
PATH=$PATH:/usr/lib/noweb:/usr/local/lib/noweb
press=$(dirname "$0")
at=${1-}
[ -n "$at" ] || { echo "where.sh: diga dónde: make where AT=chapters/05-dx.nw:120" >&2; exit 2; }
file=${at%%:*} line=${at#*:}; line=${line%%:*}
case $line in '' | *[!0-9]*) echo "where.sh: «$at» no tiene la forma archivo:línea" >&2; exit 2 ;; esac
[ -f "$file" ] || { echo "where.sh: no existe $file" >&2; exit 2; }
lines=$(wc -l < "$file")
[ ${#line} -lt 9 ] && [ "$line" -ge 1 ] && [ "$line" -le "$lines" ] ||
    { echo "where.sh: $file tiene $lines líneas, y no una $line" >&2; exit 2; }
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
markup chapters/*.nw | finduses |
    awk -f "$press/text.awk" -f "$press/chunks.awk" 2>/dev/null |
    awk -v anchors="$work/anchors" -f "$press/text.awk" -f "$press/anchors.awk" \
        > /dev/null 2>&1
awk -F '\t' -v file="$file" -v line="$line" '
    $5 == file && $6 + 0 <= line + 0 && $6 + 0 >= best { best = $6 + 0; page = $2; id = $1 }
    END { if (page == "") exit 1; print "docs/" page ".html#" id }' "$work/anchors" ||
    { echo "where.sh: $at no está en ninguna página" >&2; exit 1; }
