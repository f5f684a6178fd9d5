# usa: outputs/ch01.tsv
set datafile separator "\t"
set xlabel 'x_0'
set ylabel 'L'
set xrange [-2:10]
set key bottom right
plot 'outputs/ch01.tsv' index 'loss' using 1:2 skip 1 with lines ls 1 \
         title 'la pérdida, L', \
     '' index 'loss' using 1:(abs($1 - 3) <= 3.5 ? $3 : NaN) skip 1 \
         with lines ls 2 title 'la recta de pendiente dx_0', \
     '' index 'loss' using 1:(abs($1 - 3) < 0.01 ? $2 : NaN) skip 1 \
         with points ls 1 ps 1.2 notitle
