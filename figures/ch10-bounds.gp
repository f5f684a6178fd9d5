# usa: outputs/ch10.tsv
load 'figures/common.gp'
set logscale x 2
set logscale y 10
set format y '10^{%T}'
set xrange [0.8:5200]
set yrange [1e-3:2e3]
set xlabel 'Ancho de la fila, N'
set ylabel 'Fracción del margen declarado'
set xtics (1, 4, 16, 64, 256, 1024, 4096)
set key top right vertical maxrows 3 samplen 2.5
set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb 'gray' lw 1
of(t, what, c) = sprintf("< awk -F'\\t' '/^# /{on=$0==\"# margins\"} on && $1==\"%s\" && $3==\"%s\" {print $2, $%d}' outputs/ch10.tsv", t, what, c)
plot of('fp32', 'dx', 5) using 1:2 with lines ls 2 title 'dx fp32, cota', \
     of('fp32', 'dx', 4) using 1:2 with points ls 2 title 'medido', \
     of('fp32', 'y', 5) using 1:2 with lines ls 1 title 'y fp32, cota', \
     of('fp32', 'y', 4) using 1:2 with points ls 1 title 'medido', \
     of('fp16', 'y', 5) using 1:2 with lines ls 3 title 'y fp16, cota', \
     of('fp16', 'y', 4) using 1:2 with points ls 3 title 'medido'
