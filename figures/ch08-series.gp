# usa: data/published/h200/ch08_drift.tsv
# Las 50 muestras de fp16, forward+backward, en el orden en que se tomaron: la
# pasada en que la máquina cambió de ritmo
f = 'data/published/h200/ch08_drift.tsv'
device = system("sed -n 's/^# device: //p' ".f)
samples(road) = sprintf("< awk -F'\\t' '$1==\"point\" && $2==\"fp16\" && \
    $5==\"forward+backward\" && $6==\"%s\" && NF==8 {print $7, $8}' %s", road, f)
set logscale y
set xrange [-1:50]
set yrange [10:150]
set ytics (10, 20, 50, 100)
set xlabel 'número de la muestra'
set ylabel 'µs por llamada'
set key at graph 0.02, 0.62 top left samplen 1.5
set title device.', fp16, 128×257, forward+backward' font ',12'
plot samples('referencia') with linespoints ls 1 lw 1 ps 0.5 title 'referencia', \
     samples('kernel')     with linespoints ls 2 lw 1 ps 0.5 title 'kernel', \
     samples('control')    with linespoints ls 3 lw 1 ps 0.6 title 'control'
