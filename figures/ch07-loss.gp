# usa: outputs/ch07.tsv data/published/h200/ch07.tsv
load 'figures/common.gp'
set xlabel 'paso'
set ylabel 'error cuadrático medio'
set yrange [0:*]
set xrange [0:*]
set key top right
ours = 'outputs/ch07.tsv'
published = 'data/published/h200/ch07.tsv'
plot ours index 'loss' using 1:2 with lines ls 1 \
         title 'referencia, '.label(ours), \
     ours index 'loss' using 1:3 every 4 with points ls 2 \
         title 'kernel, '.label(ours), \
     ours index 'validation' using 1:3 with linespoints ls 3 \
         title 'en validación, '.label(ours), \
     published index 'loss' using 1:3 every 4::2 with points ls 4 pt 6 \
         title 'kernel, '.label(published), \
     '' index 'validation' using 1:3 with points ls 5 pt 8 ps 1.6 \
         title 'en validación, '.label(published)
