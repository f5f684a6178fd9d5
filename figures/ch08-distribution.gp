# usa: outputs/ch08.tsv
# alto: 440
# Distribución acumulada de las muestras de 128×257 en fp32: esta máquina y, si
# hay medidas publicadas, la GPU
ours = 'outputs/ch08.tsv'
published = 'data/published/h200/ch08.tsv'
files = ours.(system("ls ".published." 2>/dev/null") eq '' ? '' : ' '.published)
device(f) = system("sed -n 's/^# device: //p' ".f)
paper(f) = device(f)[1:12] eq 'GPU de papel'
samples(f, scope, road) = sprintf("< awk -F'\\t' '$1==\"point\" && \
    $2==\"fp32\" && $5==\"%s\" && $6 ~ /%s/ && NF==8 {print $8}' %s", \
    scope, road, f)
step(range) = (d = 10.0**floor(log10(range > 0 ? range : 1)), \
    range / d > 5 ? 2 * d : range / d > 2 ? d : d / 2)
set key at screen 0.55, 0.02 bottom center maxrows 1 samplen 2.4 font ',11'
set ytics 0, 0.25, 1
set tics font ',11'
set label 1 'fracción de las muestras' at screen 0.025, 0.53 rotate center font ',12'
set multiplot layout 2, words(files) margins 0.14, 0.97, 0.21, 0.93 \
    spacing 0.06, 0.24
do for [scope in "forward forward+backward"] {
    do for [f in files] {
        unit = paper(f) ? 1e-3 : 1.0
        set xrange [*:*]; set yrange [*:*]
        stats samples(f, scope, '.') using (unit * $1) nooutput
        set xrange [STATS_min - 0.03 * STATS_max : 1.02 * STATS_max]
        set yrange [0:1.03]
        set format y (f eq ours ? '%g' : '')
        set xtics step(STATS_max - STATS_min)
        set title (scope eq 'forward' ? (paper(f) ? 'GPU de papel (CPU)' : \
            device(f)).': ' : '').scope font ',12' offset 0, -0.6
        set xlabel ((paper(f) ? 'ms' : 'µs').' por llamada') \
            font ',12' offset 0, 0.1
        plot for [i=1:3] samples(f, scope, word('referencia kernel control', i)) \
            using (unit * $1):(1) smooth cnormal with steps ls i \
            title (f eq ours && scope eq 'forward' ? \
                   word('referencia kernel control', i) : '')
        unset label 1
    }
}
unset multiplot
