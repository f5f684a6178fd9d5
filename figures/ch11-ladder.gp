# usa: data/published/h200/ch11_bench.tsv
# GB/s de cada peldaño con 16384×4096 bf16, y los dos límites
load 'figures/common.gp'
f = 'data/published/h200/ch11_bench.tsv'
bars(direction) = sprintf("< awk -F'\\t' '$1==\"%s\" && $3==16384 && NF==11 {print $2, $9}' %s", direction, f)
limit(what) = real(system(sprintf("awk -F'\\t' '$1==\"%s\" && $3==16384 && NF==9 {if ($9>m) m=$9} END {print m}' %s", what, f)))
set boxwidth 0.6
set yrange [0:*]
set ylabel 'GB/s útiles'
set xrange [-0.6:5.6]
set key above maxrows 2
set xtics ('curso' 0, 'granos' 1, 'curso' 3, 'franjas' 4, 'anillo' 5)
set arrow from -0.5, limit('copy') to 1.5, limit('copy') nohead ls 4 front
set arrow from 2.5, limit('add') to 5.5, limit('add') nohead ls 4 front
plot bars('forward') using 0:2 with boxes ls 1 title 'forward', \
     bars('backward') using ($0 + 3):2 with boxes ls 2 title 'backward', \
     NaN with lines ls 4 title 'límite medido: copia, suma'
