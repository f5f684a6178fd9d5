# usa: outputs/ch09.tsv
load 'figures/common.gp'
set key above maxrows 1
set xlabel 'ancho de la fila, N'
set ylabel 'salida de una fila de unos'
set xrange [0:600]
set yrange [0.9:1.5]
set xtics (1, 64, 128, 256, 512)
f = 'outputs/ch09.tsv'
plot f index 'sweep' every ::1 using 1:4 with lines ls 2 title 'divisor BLOCK', \
     f index 'sweep' every ::1 using 1:3 with lines ls 1 title 'divisor N'
