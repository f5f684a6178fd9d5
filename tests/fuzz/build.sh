#!/bin/sh
# build.sh NAME OUT [FOLDER]: compiles tests/fuzz/NAME.c with libFuzzer, ASan and
# UBSan. It includes a program's readable tangle, from tangled/ or from FOLDER.
set -eu
cd "$(dirname "$0")/../.."
name=$1 out=$2 folder=${3:-tangled}
made=tangled/.build
program=$(sed -n 's/^#include "\(ch[0-9]*\)\.c".*/\1/p' "tests/fuzz/$name.c")
objects=
if [ -f "tangled/${program}_kernels.cu" ]; then
    objects="$made/cpu/${program}_kernels.o $made/cpu/paper/paper_gpu.o
        $made/cpu/paper/watch.o -lstdc++ -Wl,--allow-multiple-definition"
fi
# shellcheck disable=SC2046,SC2086
clang -std=c11 -g -O1 -w -ffp-contract=off \
    -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined \
    -I"$folder" -Itests -I$made/src/paper -o "$out" "tests/fuzz/$name.c" \
    $objects $(make -s DEVICE=cpu "libs-$program")
