#!/bin/sh
# build.sh destino: compila banco y comprobación, un programa por tipo
set -e
cd "$(dirname "$0")"; d=${1:-.build}; mkdir -p $d
for t in ${2:-float:fp32 __half:fp16 __nv_bfloat16:bf16}; do
  w=$d/src_${t#*:}; mkdir -p $w; cp *.cuh *.cu *.h $w/; (cp gen_variants.py $w/; cd $w; python3 gen_variants.py ${t%:*})
  for p in bench check; do
    nvcc -std=c++17 -O3 -arch=sm_90 -DSPIN_LIMIT=4000000 $w/$p.cu -o $d/${p}_${t#*:} -Xptxas -v 2>$d/${p}_${t#*:}.log || { grep -E "error" $d/${p}_${t#*:}.log; exit 1; }
  done; done; ls -la $d
