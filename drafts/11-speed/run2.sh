#!/bin/bash
cd "$(dirname "$0")"; chmod +x bench_* check_*
T0=$SECONDS
for t in fp32 fp16 bf16; do timeout 50 ./check_$t > $OUT/check_$t.txt 2>&1 & done; wait
for t in fp32 fp16 bf16; do echo "== $t"; grep -E "MAL|FALLA|:" $OUT/check_$t.txt | grep -v "^variante" | head -12; tail -1 $OUT/check_$t.txt; done
echo "check $((SECONDS-T0)) s"
timeout 20 ./bench_fp32 launch $OUT/r.tsv > $OUT/launch.txt 2>&1; grep -E "empty|forward" $OUT/launch.txt | cut -c1-110 | head -24
for s in "16384 4096 bf16" "32768 4097 bf16" "4096 4096 fp32" "32768 1024 bf16" "2048 65536 bf16" "4096 257 fp32" "8192 8192 bf16" "2048 16384 bf16" "256 131072 bf16" "32768 4097 fp32" "4096 4096 fp16"; do
  set -- $s; t=$SECONDS; timeout 40 ./bench_$3 $1 $2 $3 $OUT/r.tsv 2>&1 | cut -c1-190; echo "($((SECONDS-t)) s)"
done
echo "bench $((SECONDS-T0)) s"
M=gpu__time_duration.sum,dram__bytes_read.sum,dram__bytes_write.sum,lts__t_sectors_op_read.sum,lts__t_sectors_op_write.sum,lts__t_sector_hit_rate.pct,l1tex__t_sector_hit_rate.pct,sm__cycles_active.avg,sm__cycles_active.min,sm__cycles_active.max,smsp__issue_active.avg.pct_of_peak_sustained_active,dram__throughput.avg.pct_of_peak_sustained_elapsed,lts__throughput.avg.pct_of_peak_sustained_elapsed,sm__warps_active.avg.pct_of_peak_sustained_active
for r in long_scoreboard barrier short_scoreboard mio_throttle lg_throttle membar not_selected wait math_pipe_throttle sleeping no_instruction branch_resolve; do M=$M,smsp__average_warps_issue_stalled_${r}_per_issue_active.ratio; done
for s in "16384 4096 bf16 forward" "16384 4096 bf16 backward" "2048 65536 bf16 forward" "2048 65536 bf16 backward" "32768 1024 bf16 backward"; do
  set -- $s
  L=$(grep -P "^$1\t$2\t$3\t$4\t" $OUT/r.tsv | grep -v -E "course|hint|r4|r8|suelto" | sort -t$'\t' -k6,6n | head -1 | cut -f5)
  ONLY="$L" timeout 30 ncu --clock-control none --csv --kernel-name regex:"forward_once|forward_rows|backward_ring|ruler_vector" --launch-count 3 --metrics $M ./bench_$3 $1 $2 $3 /dev/null > $OUT/ncu_$1_$2_$4.csv 2>&1; echo "ncu $s: $L $(wc -l < $OUT/ncu_$1_$2_$4.csv)"
done
cat $OUT/ncu_*.csv > $OUT/ncu.csv; rm $OUT/ncu_*.csv
cuobjdump --dump-sass bench_bf16 2>/dev/null | gzip > $OUT/sass_bf16.gz
echo "total $((SECONDS-T0)) s"
