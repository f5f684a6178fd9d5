# usa: outputs/ch03.tsv
set datafile separator "\t"
set logscale xy
set xrange [1e-20:1]
set yrange [1e-17:30]
set format x '10^{%T}'
set format y '10^{%T}'
set xtics 1e-20, 1e4
set ytics 1e-16, 1e4
set xlabel 'paso h, en la escala de la fila'
set ylabel 'error relativo'
set key center left
plot 'outputs/ch03.tsv' index 'steps' using 1:2 skip 1 \
         with linespoints ls 1 title 'diferencias centrales', \
     '' index 'steps' using 1:3 skip 1 \
         with linespoints ls 2 title 'paso complejo'
