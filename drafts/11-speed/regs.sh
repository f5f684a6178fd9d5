#!/bin/sh
# regs.sh arch tipo: registros y derrames de cada variante
python3 gen_variants.py $2; nvcc -std=c++17 -O3 -arch=$1 -Xptxas -v -c probe.cu -o /tmp/probe.o 2>/tmp/ptxas.txt || cat /tmp/ptxas.txt
python3 - <<'E'
import re,subprocess
t=open('/tmp/ptxas.txt').read()
names=re.findall(r"Compiling entry function '(\S+)'",t)
dem=subprocess.run(['c++filt'],input="\n".join(names),capture_output=True,text=True).stdout.split("\n")
info=re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores.*?\n.*?Used (\d+) registers",t)
for n,i in zip(dem,info): print(i[2],"spill",i[1],n.replace("__nv_bfloat16","bf16")[5:100].replace("(backward_args)",""))
E
