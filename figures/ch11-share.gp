# usa: data/published/h200/ch11_bench.tsv
# Fracción del límite de los núcleos elegidos, forma a forma
load 'figures/common.gp'
f = 'data/published/h200/ch11_bench.tsv'
chosen(direction) = sprintf("< awk -F'\\t' '$1==\"%s\" && $11==\"si\" {print $3\"×\"$4\" \"$5, $10}' OFS='\\t' %s", direction, f)
set datafile separator "\t"
set yrange [0:1.08]
set xrange [-0.5:10.5]
set ylabel 'fracción del límite'
set xtics rotate by -35 left font ',10'
set bmargin 6.5
set rmargin 11
set key above maxrows 2
set arrow from graph 0, first 0.97 to graph 1, first 0.97 nohead lc rgb '#0072B2' dt 3
set arrow from graph 0, first 0.92 to graph 1, first 0.92 nohead lc rgb '#D55E00' dt 3
plot chosen('forward') using 0:2:xtic(1) with points ls 1 ps 1.2 title 'forward (meta 0.97)', \
     chosen('backward') using 0:2 with points ls 2 ps 1.2 title 'backward (meta 0.92)'
