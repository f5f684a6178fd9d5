# usa: data/published/h200/peers.tsv
# alto: 400
# Operaciones por segundo frente a operaciones por byte, y los dos techos
f = 'data/published/h200/peers.tsv'
measured(key) = system("awk -F'\\t' '$1==\"".key."\" {print $2}' ".f) + 0
peak = measured("compute.fp32.gflops")
copy = system("awk -F'\\t' '$1==\"forward\" && NF==10 && $5!=\"variant\" && $9>m \
    {m=$9} END {print m}' ".f) + 0
# Operaciones por elemento: 4 el forward, 9 el backward. Bytes: dos o tres matrices
points(column) = "< awk -F'\\t' 'NF==10 && $5+0>0 && $".column."+0>0 { \
    w = $4==\"fp32\" ? 4 : 2; k = $1==\"forward\" ? 4 : 9; \
    b = w * ($1==\"forward\" ? 2 : 3); \
    print k/b, k*$2*$3/$5*$".column."/1000}' ".f
set logscale xy
set xrange [0.25:64]
set yrange [100:120000]
set xlabel 'operaciones por byte'
set ylabel 'mil millones de operaciones por segundo'
set format y '10^{%T}'
set xtics (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64)
set key bottom right Left reverse samplen 2
roof(x) = copy * x < peak ? copy * x : peak
set label 1 'la memoria' at 3.2, copy * 3.2 * 1.35 right font ',11'
set label 2 'la aritmética' at 60, peak * 1.3 right font ',11'
set samples 400
plot roof(x) with lines lw 1.8 lc rgb '#222222' title 'límite medido', \
     points('7') using 1:2 with points ls 2 pt 4 ps 1.2 title 'el mejor de los otros', \
     points('6') using 1:2 with points ls 1 title 'libro'
