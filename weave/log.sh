#!/bin/sh
# log.sh LOG: el PDF no vale si algo se sale del margen, falta una letra o un
# enlace no lleva a ninguna parte. LaTeX lo dice y sigue; aquí se para.
set -eu
if grep -a -A2 -E '^Overfull \\hbox|^Missing character|undefined (reference|on input)|name\{[^}]*\} has been referenced but does not exist' "$1" >&2; then
    echo "log.sh: $1: el PDF pierde letras, se sale del margen o tiene enlaces rotos" >&2
    exit 1
fi
