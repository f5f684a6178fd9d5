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
notangle $lines -R"$root" chapters/*.nw > "$temporary"
cmp -s "$temporary" "$out" || mv "$temporary" "$out"
