# usa: outputs/ch07.tsv data/published/h200/ch07.tsv
load 'figures/common.gp'
set xlabel 'paso'
set ylabel 'diferencia de pérdida (10^{-7})'
set yrange [0:*]
set xrange [0:*]
set key above maxrows 1
ours = 'outputs/ch07.tsv'
published = 'data/published/h200/ch07.tsv'
plot ours index 'loss' using 1:($4 * 1e7) with impulses ls 1 title label(ours), \
     published index 'loss' using 1:($4 * 1e7) with points ls 2 pt 6 title label(published)
