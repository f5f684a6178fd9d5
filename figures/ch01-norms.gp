# usa: outputs/ch01.tsv
set datafile separator "\t"
set boxwidth 0.26
set xlabel 'columna'
set ylabel 'valor'
set xzeroaxis lt -1 lw 1
set xrange [-0.6:5.6]
set xtics 0, 1 scale 0
set yrange [-2.5:8.5]
set ytics -2, 2
set key top center horizontal samplen 1.5 width 1
plot 'outputs/ch01.tsv' index 'norms' using ($1 - 0.28):2 with boxes ls 1 \
         fs solid 0.85 title 'la fila x', \
     'outputs/ch01.tsv' index 'norms' using 1:3 with boxes \
         lc rgb '#D55E00' lw 1.3 fs pattern 4 border title 'RMSNorm', \
     'outputs/ch01.tsv' index 'norms' using ($1 + 0.28):4 with boxes \
         lc rgb '#009E73' lw 1.3 fs solid 0.3 border title 'LayerNorm'
