# usa: outputs/ch05.tsv
load 'figures/common.gp'
set logscale xy
set xlabel 'ancho de la fila, N'
set ylabel 'mayor error sin la corrección'
set xtics (16, 64, 256, 1024, 4096)
set format y '%g'
set key bottom left
f = 'outputs/ch05.tsv'
plot f index 'missing' every ::1 using 1:3 with linespoints ls 1 title 'dy parecido a x', \
     f index 'missing' every ::1 using 1:2 with linespoints ls 2 title 'dy independiente'
