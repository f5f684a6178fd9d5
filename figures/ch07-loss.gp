# usa: outputs/ch07.tsv
load 'figures/common.gp'
set xlabel 'paso'
set ylabel 'error cuadrático medio'
set yrange [0:*]
set xrange [0:*]
set key top right
plot 'outputs/ch07.tsv' index 'loss' using 1:2 with lines ls 1 \
         title 'entrenamiento, referencia', \
     '' index 'loss' using 1:3 every 4 with points ls 2 \
         title 'entrenamiento, kernel', \
     '' index 'validation' using 1:3 with linespoints ls 3 \
         title 'validación, kernel'
