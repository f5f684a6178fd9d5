# usa: outputs/ch01.tsv
set datafile separator "\t"
set style data histograms
set style histogram clustered gap 1.2
set style fill solid 0.85 noborder
set boxwidth 0.9 relative
set xlabel 'columna'
set ylabel 'valor'
set xzeroaxis lt -1 lw 1
set xrange [-0.6:5.6]
set yrange [-2.5:7.5]
set key top left
plot 'outputs/ch01.tsv' index 'norms' using 2:xtic(1) skip 1 ls 1 \
         title 'la fila x', \
     '' index 'norms' using 3 skip 1 ls 2 title 'RMSNorm', \
     '' index 'norms' using 4 skip 1 ls 3 title 'LayerNorm'
