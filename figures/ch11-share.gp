# usa: data/published/h200/ch11_bench.tsv
# alto: 440
# Fracción del límite de los kernels elegidos; una línea por forma, y las metas
f = 'data/published/h200/ch11_bench.tsv'
set datafile separator tab
chosen(direction) = sprintf("< awk -F'\\t' -v OFS='\\t' '$1==\"%s\" && $11==\"si\" \
    {print $10, -n++, $3\"×\"$4\" \"$5}' %s", direction, f)
unset grid
set grid xtics ytics lt 1 lw 0.5 lc rgb 'gray' dt 3
set xrange [0.3:1.03]
set yrange [-10.6:0.6]
set xtics 0.3, 0.1, 1
set tics font ',11'
set lmargin at screen 0.28
set xlabel 'fracción del límite' font ',12'
set key below maxrows 2 Left reverse samplen 1.5 font ',12'
set arrow from 0.97, graph 0 to 0.97, graph 1 nohead lc rgb '#0072B2' lw 1.5 dt 2
set arrow from 0.92, graph 0 to 0.92, graph 1 nohead lc rgb '#D55E00' lw 1.5 dt 4
plot chosen('forward') using 1:2:ytic(3) with points ls 1 ps 1.1 title 'forward; su meta, 0.97', \
     chosen('backward') using 1:2 with points ls 2 ps 1.1 title 'backward; su meta, 0.92'
