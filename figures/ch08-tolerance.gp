# usa: outputs/ch08.tsv
# Un punto por caso: el margen y el error de su peor elemento
set logscale xy
set xrange [7e-6:1.5]
set yrange [1e-12:2]
set format x '10^{%T}'
set format y '10^{%T}'
set ytics 1e-12, 1e3
set xlabel 'margen del elemento'
set ylabel 'error del elemento'
set key bottom right samplen 1 maxrows 3 width -1 font ',11'
set label 'falla' at 2e-5, 3e-3
set label 'pasa' at 2e-5, 2e-11
of(type, result) = sprintf("< awk -F'\\t' '$1==\"%s\" && $2==\"%s\" \
    && NF==10 {print $6, $5}' outputs/ch08.tsv", result, type)
plot x with lines lc rgb '#222222' lw 1.4 notitle, \
     of('fp32', 'y')      using 1:2 ls 1 pt 6 ps 0.55 lw 1.4 title 'fp32: y', \
     of('fp32', 'dx')     using 1:2 ls 2 pt 4 ps 0.55 lw 1.4 title 'dx', \
     of('fp32', 'dgamma') using 1:2 ls 3 pt 8 ps 0.70 lw 1.4 title 'dγ', \
     of('fp16', 'y')      using 1:2 ls 1 pt 7 ps 0.55 title 'fp16: y', \
     of('fp16', 'dx')     using 1:2 ls 2 pt 5 ps 0.55 title 'dx', \
     of('fp16', 'dgamma') using 1:2 ls 3 pt 9 ps 0.70 title 'dγ'
