#!/bin/sh
# unit.sh tests/unit_NAME.c: compiles a cmocka test under the sanitizers and
# runs it. The test includes a program's readable tangle, «#include "chNN.c"»,
# with its main renamed; if the program has kernels, they come along, on the
# paper GPU. The library's code is compiled alone, with its header.
set -eu
test=$1
made=tangled/.build
name=$(basename "$test" .c)
program=$(sed -n 's/^#include "\([a-z0-9]*\)\.c".*/\1/p' "$test")
[ -n "$program" ] || { echo "$test: no incluye ningún programa"; exit 1; }
mkdir -p $made/test

objects=
case " $PROGRAMS " in
*" $program "*) make -s DEVICE=cpu "tangled/$program.c" "$made/asan/$program" ;;
*)                                                    # the library, alone
    make -s DEVICE=cpu "tangled/$program.c" "tangled/$program.h" \
        "$made/src/paper/cuda_runtime_api.h" ;;
esac
case " $KERNELS " in
*" $program "*) objects="$made/asan/${program}_kernels.o $made/asan/paper/*.o" ;;
esac
gcc -std=c11 -g -O1 -ffp-contract=off -Wall -Wextra -Wno-unused-function \
    -fsanitize=address,undefined -fno-sanitize-recover=all \
    -Itangled -I$made/src/paper -c -o "$made/test/$name.o" "$test"
# shellcheck disable=SC2046,SC2086
g++ -fsanitize=address,undefined -o "$made/test/$name" "$made/test/$name.o" \
    $objects -lcmocka $(make -s DEVICE=cpu "libs-$program")
CMOCKA_MESSAGE_OUTPUT=TAP exec "$made/test/$name"
