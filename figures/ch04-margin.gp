# usa: outputs/ch04.tsv
load 'figures/common.gp'
set logscale x 2
set xrange [0.8:5200]
set yrange [0:1.15]
set key center left
set xlabel 'ancho de la fila, N'
set ylabel 'error / margen declarado'
set xtics (1, 4, 16, 64, 256, 1024, 4096)
set arrow from graph 0, first 1 to graph 1, first 1 nohead ls 4
set label 'margen' at graph 0.03, first 1.07
same(t, n) = sprintf("< awk -F'\\t' '$1==\"%s\" && $3+0>0 {if ($7+0>w[$3+0]) w[$3+0]=$7+0} END {for (n in w) print n, w[n]}' outputs/ch04.tsv | sort -n", t)
plot same('fp32', 0) using 1:2 with linespoints ls 1 title 'fp32', \
     same('fp16', 0) using 1:2 with linespoints ls 2 title 'fp16'
