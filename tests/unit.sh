#!/bin/sh
# unit.sh tests/unit_chNN.c: compiles a cmocka test under the sanitizers and
# runs it. The test includes the program's readable tangle, «#include
# "chNN.c"», with its main renamed.
set -eu
test=$1
program=tangled/.build/test/$(basename "$test" .c)
tangle=$(sed -n 's/^#include "\(ch[0-9]*\.c\)".*/\1/p' "$test")
[ -z "$tangle" ] || make -s "tangled/$tangle"
mkdir -p "${program%/*}"
gcc -std=c11 -g -O1 -ffp-contract=off -Wall -Wextra -Wno-unused-function \
    -fsanitize=address,undefined -fno-sanitize-recover=all \
    -Itangled -Itangled/paper -o "$program" "$test" -lcmocka -lm
CMOCKA_MESSAGE_OUTPUT=TAP exec "$program"
