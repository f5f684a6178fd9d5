#!/bin/bash
# run1.sh: en la máquina con GPU, desde la carpeta con los programas
cd "$(dirname "$0")"; chmod +x bench_* check_*
nvidia-smi --query-gpu=name,driver_version,clocks.sm,clocks.mem,temperature.gpu --format=csv,noheader
T0=$SECONDS
for t in fp32 fp16 bf16; do timeout 60 ./check_$t > $OUT/check_$t.txt 2>&1 & done; wait
for t in fp32 fp16 bf16; do echo "== $t"; grep -E "MAL|FALLA|:" $OUT/check_$t.txt | grep -v "^variante" | head -12; tail -1 $OUT/check_$t.txt; done
echo "check $((SECONDS-T0)) s"
timeout 30 ./bench_fp32 launch $OUT/r.tsv > $OUT/launch.txt 2>&1; grep -E "empty|forward" $OUT/launch.txt | cut -c1-110 | head -70
for s in "16384 4096 bf16" "32768 4097 bf16" "4096 4096 fp32" "32768 1024 bf16" "2048 65536 bf16" "4096 257 fp32" "8192 8192 bf16" "2048 16384 bf16" "256 131072 bf16" "32768 4097 fp32" "4096 4096 fp16"; do
  set -- $s; t=$SECONDS; timeout 40 ./bench_$3 $1 $2 $3 $OUT/r.tsv 2>&1 | cut -c1-170; echo "($((SECONDS-t)) s)"
done
which cuobjdump >/dev/null && timeout 20 cuobjdump --dump-sass bench_bf16 2>/dev/null | gzip > $OUT/sass_bf16.gz
echo "total $((SECONDS-T0)) s"
