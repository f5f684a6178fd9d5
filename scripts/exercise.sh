#!/bin/sh
# exercise.sh NN [--hint] [--answer FICHERO]: entrega y corrige el ejercicio NN.
#
# La primera vez deja exercises/NN.c, un trozo del capítulo con un hueco. Después
# lo pone en el lugar del original, construye el programa y lo ejecuta.
# Estado: 0 resuelto; 1 sin resolver; 2 uso incorrecto o no existe.
set -u
cd "$(dirname "$0")/.." || exit 2
number=${1:-}
[ "$number" != --help ] || { sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0; }
spec=exercises/$number.exercise
case $number in '' | *[!0-9]*) spec=/ ;; esac        # ../ no es un número
if [ ! -f "$spec" ]; then
    echo "exercise: no hay ejercicio «$number»; los hay para:" \
        "$(echo exercises/*.exercise | sed 's,exercises/,,g; s/\.exercise//g')" >&2
    exit 2
fi
shift
hint='' answer=exercises/$number.c
while [ $# -gt 0 ]; do
    case $1 in
    --hint) hint=1 ;;
    --answer) [ $# -ge 2 ] || { echo "exercise: falta el fichero" >&2; exit 2; }
        answer=$2; shift ;;
    *) echo "exercise: no se entiende «$1»" >&2; exit 2 ;;
    esac
    shift
done

field() {       # field CLAVE: sus valores, con las continuaciones unidas
    awk -v key="$1" '
        /^ / { if (take) line = line " " substr($0, 2); next }
        { if (take) print line; take = $1 == key
          line = substr($0, length(key) + 2) }
        END { if (take) print line }' "$spec"
}
program=$(field program) chunk=$(field chunk)
chapter=$(grep -lxF "<<$chunk>>=" chapters/*.nw) || {
    echo "exercise: ningún capítulo tiene el trozo «$chunk»" >&2; exit 2; }

starter() {
    printf '/* %s */\n' "$(field ask | fold -s -w 74 | sed '2,$s/^/   /; s/ *$//')"
    awk -v chunk="$chunk" -v extract=1 -f weave/replace-chunk.awk "$chapter" |
        sed "$(field hole)"
}

if [ ! -e "$answer" ]; then
    { starter > "$answer.tmp" && mv "$answer.tmp" "$answer"; } 2> /dev/null ||
        { echo "exercise: no se puede escribir $answer" >&2; exit 2; }
    echo "Ejercicio $number, de $chapter:"
    field ask | fold -s -w 76 | sed 's/^/  /'
    echo "Su fichero es $answer: rellene el hueco y repita la orden."
    exit 1
fi
if starter | cmp -s - "$answer"; then
    echo "✗ $answer está como se entregó: falta rellenar el hueco."
    [ -z "$hint" ] || echo "Una pista depende de cómo falla un intento:" \
        "escriba uno, aunque no esté seguro, y pídala otra vez."
    exit 1
fi

# --- un taller aparte: los mismos guiones, con un trozo cambiado ----------------
shop=tangled/.build/exercise/$number
mkdir -p "$shop/chapters" "$shop/exercises"
for part in Makefile VERSION weave scripts data; do
    ln -sfn "$PWD/$part" "$shop/$part"
done
cp "$answer" "$shop/exercises/$number.c"
for source in chapters/*.nw; do
    copy=$shop/$source
    if [ "$source" = "$chapter" ]; then
        (cd "$shop" && awk -v chunk="$chunk" -v file="exercises/$number.c" \
            -f weave/replace-chunk.awk "$OLDPWD/$source") > "$copy.tmp"
    else
        cp "$source" "$copy.tmp"
    fi
    if cmp -s "$copy.tmp" "$copy"; then rm "$copy.tmp"
    else mv "$copy.tmp" "$copy"; fi
done

log=$shop/report
if ! make -s -C "$shop" DEVICE=cpu "tangled/$program" > "$log" 2>&1; then
    echo "✗ No se puede construir $program con su trozo:"
    { grep -E "exercises/$number\.c|error|lint" "$log" || cat "$log"; } |
        head -5 | sed 's/^/  /'
    exit 1
fi
rm -f "$shop/result.tsv"
(cd "$shop" && timeout 120 "tangled/$program" --output result.tsv) \
    > "$log" 2> "$log.errors"
status=$?
echo >> "$log"
cat "$log.errors" >> "$log"
if [ "$status" -eq 0 ]; then
    echo "✓ Ejercicio $number resuelto: $(sed -n '/comprobaciones/s/\..*//p' \
        "$log"), en la GPU de papel o la CPU."
    exit 0
fi

echo "✗ Todavía no: $program termina con estado $status. Lo primero que falla:"
[ "$status" -ne 124 ] || echo "no terminó en dos minutos" >> "$log"
if [ "$status" -gt 128 ]; then
    echo "murió ahí, con la señal $((status - 128))" >> "$log"
fi
grep -E '✗|peor|falló |cudaError|^no terminó|^murió|M=[0-9]+ N=|GPU de papel: |^  kernel|runtime error' "$log" |
    grep -v 'Dispositivo\|✓' | head -8 | sed 's/^ */  /'

# La firma resume qué formas fallan, para que una pista pueda reconocerlas.
if [ -f "$shop/result.tsv" ]; then
    awk -F '\t' '
        $1 == "dtype" && $2 == "m" { for (i = 1; i <= NF; i++) at[$i] = i; on = 1; next }
        $1 == "" || /^#/ { on = 0 }
        on && $at["passed"] == "no" && $1 == "fp32" { m[$2]; n[$3] }
        function list(set, of, count,   i, s) {
            for (i = 1; i <= count; i++) if (of[i] in set) s = s "," of[i]
            return substr(s, 2)
        }
        END {
            rows = split("1 17 128", r, " ")
            widths = split("1 2 3 31 32 33 255 256 257 1000 1025 4096", w, " ")
            print "firma: filas=" list(m, r, rows) " columnas=" list(n, w, widths)
        }' "$shop/result.tsv" >> "$log"
fi
if [ -z "$hint" ]; then
    echo "Una pista: make exercise-$number HINT=1"
    exit 1
fi
field hint | while IFS= read -r rule; do
    if grep -qE -e "${rule%% => *}" "$log"; then
        echo "Pista: ${rule#* => }"
        break
    fi
done
exit 1
