# usa: outputs/ch08.tsv
# alto: 480
# Medianas del barrido: esta máquina y, si hay medidas publicadas, la GPU
ours = 'outputs/ch08.tsv'
published = 'data/published/h200/ch08.tsv'
files = ours.(system("ls ".published." 2>/dev/null") eq '' ? '' : ' '.published)
device(f) = system("sed -n 's/^# device: //p' ".f)
name(f) = device(f)[1:12] eq 'GPU de papel' ? 'GPU de papel (CPU)' : device(f)
scope(k) = k <= 2 ? 'forward' : 'forward+backward'
road(k) = k % 2 ? 'referencia' : 'kernel'
medians(f, group, k, column) = sprintf("< awk -F'\\t' '$1==\"%s\" && \
    $5==\"%s\" && $6==\"%s\" && NF==13 {print $%d, $10}' %s", \
    group, scope(k), road(k), column, f)
all(f) = "< awk -F'\\t' '/^(rows|columns)/ && NF==13 {print $10}' ".f
sizes(f, group, column) = sprintf("< awk -F'\\t' '$1==\"%s\" && NF==13 \
    {print $%d}' %s", group, column, f)
fixed(f, group, column) = system(sprintf("awk -F'\\t' '$1==\"%s\" \
    {print $%d; exit}' %s", group, column, f))
set logscale xy
set format y '10^{%T}'
set tics font ',11'
set key at screen 0.52, 0.02 bottom center maxrows 2 width -1 samplen 2 font ',11'
set multiplot layout 2, words(files) margins 0.14, 0.97, 0.27, 0.94 \
    spacing 0.12, 0.19
do for [i=1:2] {
    do for [f in files] {
        group = word('rows columns', i)
        set xrange [*:*]; set yrange [*:*]
        stats sizes(f, group, 2 + i) nooutput
        least = STATS_min; most = STATS_max
        stats all(f) nooutput
        set xrange [0.7 * least : 1.5 * most]
        set yrange [10.0**floor(log10(STATS_min)):10.0**ceil(log10(STATS_max))]
        set xlabel (i == 1 ? 'M, con N = '.fixed(f, group, 4) : \
            'N, con M = '.fixed(f, group, 3)) font ',12' offset 0, 0.2
        set title (i == 1 ? name(f) : '') font ',12' offset 0, -0.6
        set ylabel (f eq ours ? 'µs por llamada' : '') font ',12'
        plot for [k=1:4] medians(f, group, k, 2 + i) using 1:2 \
            with linespoints ls k ps 0.6 \
            title (i == 1 && f eq ours ? scope(k).', '.road(k) : '')
    }
}
unset multiplot
