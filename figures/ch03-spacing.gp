# usa: outputs/ch03.tsv
set datafile separator "\t"
set logscale xy 2
set xrange [2**-30:2**20]
set yrange [2**-54:2**14]
set format x '2^{%L}'
set format y '2^{%L}'
set xtics 2**-30, 2**10
set ytics 2**-50, 2**10
set xlabel 'valor'
set ylabel 'distancia al número siguiente'
set key bottom right
# fp16's last octave ends at 65504, with no next power of two to draw it to
set arrow from 2**15, 2**5 to 65504, 2**5 nohead ls 1
plot 'outputs/ch03.tsv' index 'spacing' using 1:3 skip 1 \
         with steps ls 2 title 'bf16', \
     '' index 'spacing' using 1:2 skip 1 with steps ls 1 title 'fp16', \
     '' index 'spacing' using 1:4 skip 1 with steps ls 3 title 'fp32'
