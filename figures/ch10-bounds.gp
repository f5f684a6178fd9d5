# usa: outputs/ch10.tsv
# alto: 520
set datafile separator "\t"
set multiplot layout 2,1 margins 0.16,0.97,0.125,0.985 spacing 0,0.03
set logscale x 2
set logscale y 10
set format y '10^{%T}'
set xrange [0.8:5200]
set yrange [4e-4:3e2]
set ytics 1e-3, 10
set xtics (1, 4, 16, 64, 256, 1024, 4096)
set format x ''
set ylabel 'fracción del margen'
set key top left horizontal maxrows 1 samplen 2.2 width 1
set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb 'gray' lw 1.4
set label 2 'el margen' at graph 0.985, first 1.9 right textcolor rgb 'gray'
of(t, what, c) = sprintf("< awk -F'\\t' '/^# /{on=$0==\"# margins\"} on && $1==\"%s\" && $3==\"%s\" {print $2 \"\\t\" $%d}' outputs/ch10.tsv", t, what, c)
set label 1 'fp32' at graph 0.985, graph 0.93 right font ',15'
plot for [i=1:4] of('fp32', word('y r dx dgamma', i), 5) using 1:2 \
         with lines ls i title word('y r dx dγ', i), \
     for [i=1:4] of('fp32', word('y r dx dgamma', i), 4) using 1:2 \
         with points ls i notitle
set label 1 'fp16'
unset key
set format x '%g'
set xlabel 'ancho de la fila, N' offset 0,0.4
set xtics (1, 4, 16, 64, 256, 1024, 4096)
plot for [i=1:4] of('fp16', word('y r dx dgamma', i), 5) using 1:2 \
         with lines ls i title word('y r dx dγ', i), \
     for [i=1:4] of('fp16', word('y r dx dgamma', i), 4) using 1:2 \
         with points ls i notitle
unset multiplot
