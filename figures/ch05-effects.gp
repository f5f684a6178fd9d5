# usa: outputs/ch05.tsv
load 'figures/common.gp'
set xlabel 'columna'
set ylabel 'parte de dx'
set boxwidth 0.26
set style fill solid 0.55 border
set xzeroaxis lt -1
set xrange [-0.6:7.6]
set xtics 1
set key above maxrows 1
f = 'outputs/ch05.tsv'
plot f index 'effects' every ::1 using ($1-0.28):2 with boxes ls 1 title 'directo', \
     f index 'effects' every ::1 using 1:3 with boxes ls 2 title 'normalización', \
     f index 'effects' every ::1 using ($1+0.28):4 with boxes ls 3 title 'dx, su suma'
