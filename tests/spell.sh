#!/bin/sh
# spell.sh FILE...: Spanish spelling of the prose of chapters and Markdown, with
# tests/palabras.txt for the book's own terms. Prints FILE:LINE: word.
set -eu
here=$(dirname "$0")
words=$(mktemp)
trap 'rm -f "$words"' EXIT
sed '/^#/d' "$here/palabras.txt" > "$words"
for file; do
    [ -r "$file" ] || { echo "$file: no se puede leer"; failed=1; continue; }
    # -a answers each line with its unknown words and an empty line
    perl "$here/prose.pl" "$file" | sed 's/^/^/' |
        hunspell -a -i UTF-8 -d es_ES -p "$words" |
        awk -v file="$file" '
            NR == 1 { line = 1; next }
            /^$/ { line++ }
            /^[&#] / { print file ":" line ": " $2; failed = 1 }
            END {
                if (!NR) print file ": hunspell no responde (¿hunspell-es?)"
                exit failed || !NR
            }' || failed=1
done
exit ${failed:-0}
