# usa: outputs/ch05.tsv data/published/h200/ch05.tsv
# Esta máquina con línea; la GPU publicada, con marcas huecas
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
ours = 'outputs/ch05.tsv'
published = 'data/published/h200/ch05.tsv'
worst(t, f) = sprintf("< awk -F'\\t' '$1==\"%s\" && $3+0>0 {if ($7+0>w[$3+0]) w[$3+0]=$7+0} END {for (n in w) print n, w[n]}' %s | sort -n", t, f)
plot worst('fp32', ours) using 1:2 with linespoints ls 1 title 'fp32, '.label(ours), \
     worst('fp16', ours) using 1:2 with linespoints ls 2 title 'fp16, '.label(ours), \
     worst('fp32', published) using 1:2 with points ls 1 pt 6 ps 1.5 title 'fp32, '.label(published), \
     worst('fp16', published) using 1:2 with points ls 2 pt 4 ps 1.5 title 'fp16, '.label(published)
