#!/bin/sh
# tangle.sh ROOT OUT [-L]: extracts a root chunk from all chapters.
# OUT is replaced whole, and only when its content changes, so that an edit of
# one chapter recompiles the programs that it reaches and no other.
set -eu
root=$1 out=$2 lines=${3:-}
temporary=$out.tmp.$$
trap 'rm -f "$temporary"' EXIT
trap 'exit 130' INT TERM
mkdir -p "$(dirname "$out")"
if ! words=$(notangle $lines -R"$root" chapters/*.nw 2>&1 > "$temporary"); then
    printf '%s\n' "$words" |
        sed -e 's/^undefined chunk name: \(.*\)/  \1 se usa y no está definido/' \
            -e 's/^The root module \(.*\) was not defined.*/  ningún capítulo define \1/' >&2
    echo "tangle.sh: no se puede extraer $root" >&2
    exit 1
fi
cmp -s "$temporary" "$out" || mv "$temporary" "$out"
