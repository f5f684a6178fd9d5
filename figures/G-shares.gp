# usa: data/published/h200/peers.tsv
# alto: 620
# Parte del límite que alcanza cada participante; una línea por forma
f = 'data/published/h200/peers.tsv'
set datafile separator tab
race = "< awk -F'\\t' -v OFS='\\t' 'NF==14 && ($1==\"forward\" || $1==\"backward\") \
    {s=$2\"×\"$3\" \"$4; if (!(s in n)) n[s]=++c; "
points(d, who) = race."if ($1==\"".d."\" && $5==\"".who."\" && $10+0>0) \
    print $10, -n[s]}' ".f
shapes(d) = race."if ($1==\"".d."\" && $5==\"libro\") print 0, -n[s], s}' ".f
stats shapes('forward') using 2 nooutput
who(i) = word('libro PyTorch torch.compile Triton', i)
unset grid
set grid xtics ytics lt 1 lw 0.5 lc rgb 'gray' dt 3
set xrange [0:1.06]
set yrange [STATS_min-0.6:-0.4]
set xtics 0, 0.2, 1
set tics font ',11'
set arrow 1 from first 1, graph 0 to first 1, graph 1 nohead lw 1.2 lc rgb '#222222'
set multiplot layout 2, 1 margins 0.27, 0.97, 0.19, 0.965 spacing 0, 0.1
do for [k=1:2] {
    d = word('forward backward', k)
    set title d font ',12' offset 0, -0.6
    set xlabel (k == 2 ? 'parte del límite' : '') font ',12' offset 0, 0.3
    if (k == 2) {
        set key at screen 0.5, 0.008 bottom center vertical maxrows 2 Left \
            reverse samplen 1 width -2 font ',12'
    } else { unset key }
    plot shapes(d) using 1:2:ytic(3) with points pt -1 notitle, \
        for [i=4:1:-1] points(d, who(i)) using 1:2 with points ls i \
        ps (i == 1 ? 1.1 : 0.9) title who(i)
}
unset multiplot
