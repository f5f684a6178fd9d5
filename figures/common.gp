# common.gp: el estilo que comparten las figuras. Colores de Okabe e Ito; cada
# serie tiene además su trazo y su marca, para quien no distingue los colores.
set encoding utf8
set border 3 lw 1 lc rgb '#222222'
set tics nomirror out scale 0.6
set grid ytics lt 1 lw 0.6 lc rgb 'gray' dt 3
set key top left Left reverse samplen 3 spacing 1.25
set style line 1 lc rgb '#0072B2' lw 2.2 dt 1 pt 7 ps 0.75
set style line 2 lc rgb '#D55E00' lw 2.2 dt (8,4) pt 5 ps 0.75
set style line 3 lc rgb '#009E73' lw 2.2 dt (2,3) pt 9 ps 0.95
set style line 4 lc rgb '#CC79A7' lw 2.2 dt (10,3,2,3) pt 13 ps 0.95
set style line 5 lc rgb '#E69F00' lw 2.2 dt (14,4) pt 11 ps 0.95
set style fill solid 0.85 noborder
# De quién son los datos: la etiqueta que lleva cada serie medida
device(f) = system("sed -n 's/^# device: //p' ".f)
paper(f) = device(f)[1:12] eq 'GPU de papel'
label(f) = paper(f) ? 'GPU de papel' : system("sed -n '/^# device: / { s///; s/^NVIDIA //; s/ *[(,].*//; p; q }' ".f)
