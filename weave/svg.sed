# svg.sed: tinta del tema en los SVG de gnuplot. Negro y gris pasan a ser la
# tinta del que mira; los colores de las series, variables que el modo oscuro
# aclara. La hoja de estilo va dentro: vale aunque el dibujo se abra solo.
s/(stroke|fill)=(['"])black\2/\1=\2currentColor\2/g
s/ color="(black|gray|white)"//g
s/stroke=(['"])gray\1/stroke="currentColor" stroke-opacity="0.28"/g
s/rgb\( *(34, *34, *34|0, *0, *0)\)/currentColor/g
s/rgb\( *0, *114, *178\)/var(--s1)/g
s/rgb\( *213, *94, *0\)/var(--s2)/g
s/rgb\( *0, *158, *115\)/var(--s3)/g
s/rgb\( *204, *121, *167\)/var(--s4)/g
s/rgb\( *230, *159, *0\)/var(--s5)/g
s/<title>.*<\/title>//
s/<desc>.*<\/desc>//
/^<svg/,/>/ s/>$/><style>svg{color:#23211d;--s1:#0072b2;--s2:#d55e00;--s3:#00805e;--s4:#b0568d;--s5:#9a6a00}@media (prefers-color-scheme:dark){svg{color:#dedbd4;--s1:#56b4e9;--s2:#f09a5a;--s3:#4fd1a5;--s4:#dd9cc6;--s5:#f0b849}}<\/style>/
