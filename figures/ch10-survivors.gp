# usa: data/published/paper/ch10_mutants.tsv
load 'figures/common.gp'
set xlabel 'mutantes que sobreviven'
set xrange [0:*<40]
set yrange [7.6:-0.6]
set offsets 0, 2, 0, 0
set grid noytics xtics
set border 1
set ytics scale 0
set boxwidth 0.6
unset key
f = 'data/published/paper/ch10_mutants.tsv'
set datafile separator '\t'
plot f index 'suites' every ::1 using ($3/2):0:(0):3:($0-0.3):($0+0.3):ytic(1) \
         with boxxyerror ls 1, \
     f index 'suites' every ::1 using 3:0:3 with labels left offset 0.6,0
