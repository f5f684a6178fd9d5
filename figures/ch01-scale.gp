# usa: outputs/ch01.tsv
set datafile separator "\t"
set multiplot layout 2,1 margins 0.15,0.96,0.18,0.97 spacing 0,0.07
set logscale x
set xrange [1e-6:1e3]
set xtics 1e-6, 1e3
set mxtics 1
data = 'outputs/ch01.tsv'
pick(label, value) = stringcolumn(1) eq label ? value : NaN

set logscale y
set yrange [1e-3:3e6]
set ytics 1e-3, 1e3
set mytics 1
set format y '10^{%T}'
set format x ''
set ylabel 'r'
set key top right
plot data index 'scale' using 2:(pick('1e-12', $3)) with lines ls 2 \
         title 'ε = 10^{-12}', \
     data index 'scale' using 2:(pick('1e-6', $3)) with lines ls 1 \
         title 'ε = 10^{-6}'

unset logscale y
set yrange [0:1.15]
set ytics 0, 0.5
set format y '%g'
set format x '10^{%T}'
set ylabel 'salida'
set xlabel 'raíz cuadrática media de la fila' offset 0,0.4
unset key
plot data index 'scale' using 2:(pick('1e-12', $4)) with lines ls 2, \
     data index 'scale' using 2:(pick('1e-6', $4)) with lines ls 1
unset multiplot
