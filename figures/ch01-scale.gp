# usa: outputs/ch01.tsv
set multiplot layout 2,1 margins 0.16,0.97,0.13,0.97 spacing 0,0.06
set logscale x
set xrange [1e-6:1e3]
set datafile separator "\t"
data = 'outputs/ch01.tsv'
pick(label, column) = stringcolumn(1) eq label ? column : NaN

set logscale y
set yrange [1e-3:3e6]
set format y '10^{%T}'
set format x ''
set ylabel 'r'
set key top right
plot data index 'scale' using 2:(pick('1e-12', $3)) skip 1 with lines ls 2 \
         title 'ε = 10^{-12}', \
     '' index 'scale' using 2:(pick('1e-6', $3)) skip 1 with lines ls 1 \
         title 'ε = 10^{-6}'

unset logscale y
set yrange [0:1.15]
set format y '%g'
set format x '10^{%T}'
set ylabel 'tamaño de la salida'
set xlabel 'tamaño de la entrada (raíz cuadrática media)'
set key bottom right
plot data index 'scale' using 2:(pick('1e-12', $4)) skip 1 with lines ls 2 \
         title 'ε = 10^{-12}', \
     '' index 'scale' using 2:(pick('1e-6', $4)) skip 1 with lines ls 1 \
         title 'ε = 10^{-6}'
unset multiplot
