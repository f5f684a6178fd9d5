# usa: data/published/h200/ch11_bench.tsv
# alto: 620
# Lo que mueve cada peldaño, una línea por forma; al lado, el que se elige
f = 'data/published/h200/ch11_bench.tsv'
set datafile separator tab
rungs = "< awk -F'\\t' -v OFS='\\t' '/^# /{inside=$0==\"# rungs\"} \
    inside && NF==11 && $1!=\"direction\" \
    {s=$3\"×\"$4\" \"$5; if (!(s in n)) n[s]=++c; if ($1==\"%s\" && %s) print %s}' %s"
some(d, test) = sprintf(rungs, d, test, '$9/1000, -n[s], s, $2', f)
limit(d) = sprintf(rungs, d, '$11!="no"', '$9/$10/1000, -n[s]', f)
kind(i) = word('$11!="no" $11=="no"&&$2=="curso" $11=="no"&&$2!="curso"', i)
name(i) = i == 1 ? 'el elegido' : i == 2 ? 'el del curso' : 'los otros peldaños'
stats some('forward', kind(1)) using 2 nooutput
least = STATS_min
stats limit('backward') using 1 nooutput
unset grid
set grid xtics ytics lt 1 lw 0.5 lc rgb 'gray' dt 3
set xrange [0:1.05*STATS_max]
set yrange [least-0.6:-0.4]
set y2range [least-0.6:-0.4]
set y2tics scale 0
set xtics 0, 1
set tics font ',11'
set multiplot layout 2, 1 margins 0.27, 0.77, 0.19, 0.965 spacing 0, 0.1
do for [k=1:2] {
    d = word('forward backward', k)
    set title d font ',12' offset 0, -0.6
    set xlabel (k == 2 ? 'TB/s' : '') font ',12' offset 0, 0.7
    if (k == 2) {
        set key at screen 0.5, 0.008 bottom center vertical maxrows 2 Left \
            reverse samplen 1 width -2 font ',12'
    } else { unset key }
    plot some(d, kind(1)) using (0):2:ytic(3) with points pt -1 notitle, \
        some(d, kind(1)) using (0):2:y2tic(4) axes x1y2 with points pt -1 notitle, \
        for [i=(k == 1 ? 2 : 3):2:-1] some(d, kind(i)) using 1:2 with points ls i ps 0.9 title name(i), \
        some(d, kind(1)) using 1:2 with points ls 1 ps 1.1 title name(1), \
        limit(d) using 1:2 with points pt 2 ps 0.8 lw 1.5 lc rgb '#222222' title 'el límite'
}
unset multiplot
