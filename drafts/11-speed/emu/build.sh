#!/bin/sh
# emu/build.sh BULK tipo...: compila la prueba emulada en .emu/
set -e
cd "$(dirname "$0")/.."; mkdir -p .emu; b=$1; shift
cp args.h .emu/; python3 gen_variants.py "$@"; cp variants.h .emu/
for f in device ring forward backward table; do sed 's/__shared__ uint64_t full\[MAX_SLOTS\], bell\[2\];/uint64_t *full = (uint64_t *)(emu_static() + 8192), *bell = full + MAX_SLOTS;/; s/__shared__ uint64_t bell\[2\];/uint64_t *bell = (uint64_t *)(emu_static() + 8192);/; s/__shared__ unsigned epoch;/unsigned \&epoch = *(unsigned *)(emu_static() + 8448);/; s/extern __shared__ __align__(128) char shared\[\];/char *shared = emu_dynamic();/; s/__shared__ float \([a-z]*\)\(\[.*\]\);/typedef float emu_t\2; emu_t \&\1 = *(emu_t *)emu_static();/; s/extern __shared__ __align__(16) char shared\[\];/char *shared = emu_dynamic();/' $f.cuh > .emu/$f.cuh; done
cp emu/emu.h emu/test.cpp .emu/
g++ -std=c++17 -O1 -g -w -DEMU_BULK=$b -I/usr/local/cuda/include -I.emu .emu/test.cpp -o .emu/test$b -L/usr/local/cuda/lib64 -lcudart_static -ldl -lrt -lpthread
