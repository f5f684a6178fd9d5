# usa: outputs/ch07.tsv
load 'figures/common.gp'
set xlabel 'paso'
set ylabel 'diferencia de pérdida (10^{-7})'
set yrange [0:*]
set xrange [0:*]
unset key
plot 'outputs/ch07.tsv' index 'loss' using 1:($4 * 1e7) with impulses ls 1
