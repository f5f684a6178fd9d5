# usa: outputs/ch01.tsv
set datafile separator "\t"
set xlabel 'x_0'
set ylabel 'L'
set xrange [-2:10]
set key bottom right
set ytics 2, 0.5
set yrange [1.8:3.6]
plot 'outputs/ch01.tsv' index 'loss' using 1:2 with lines ls 1 \
         title 'la pérdida, L', \
     '' index 'loss' using 1:(abs($1 - 3) <= 3.5 ? $3 : NaN) \
         with lines ls 2 title 'la recta de pendiente dx_0', \
     '' index 'loss' using 1:(abs($1 - 3) < 0.01 ? $2 : NaN) \
         with points ls 1 ps 1.2 notitle
