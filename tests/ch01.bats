# What chapter 1's own checks cannot say: that each of them fails when it
# should, and what the reader is told about a row that cannot be used.
load common

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/.." tangled/ch01.c
    cp "$BATS_TEST_DIRNAME/../tangled/ch01.c" "$BATS_FILE_TMPDIR/ch01.c"
    cd "$BATS_FILE_TMPDIR"
    gcc -std=c11 -g -O1 -ffp-contract=off -fsanitize=address,undefined \
        -fno-sanitize-recover=all -o good ch01.c -lm
}
setup() { new_folder; }
teardown() { rm -rf "$work"; }

ch01() { run "$BATS_FILE_TMPDIR/good" "$@"; }

# fault 'SED' 'WHAT FAILS': plants it; the program must say so and end with 1
fault() {
    sed "$1" "$BATS_FILE_TMPDIR/ch01.c" > bad.c
    never cmp -s bad.c "$BATS_FILE_TMPDIR/ch01.c"
    gcc -std=c11 -O0 -ffp-contract=off -w -o bad bad.c -lm
    run ./bad --quiet
    ends_with 1
    says "✗ $2"
}

refused() { # MESSAGE OPTION...: ends with 2 and writes nothing
    message=$1
    shift
    ch01 "$@"
    ends_with 2
    says "$message"
    says "ch01 --help"
    never test -e outputs/ch01.tsv
}

@test "la fila de ejemplo, paso a paso" {
    ch01
    ends_with 0
    says "2 media                12.500000"
    says "3 raíz(media + ε)       3.535534"
    says "4 r = 1 / raíz          0.282843"
    says "5 y = x · r · γ         0.848528     1.131371"
    says "dx, por la fórmula     -0.090510     0.067882"
    says "0 fallos"
}

@test "la fila del lector; sin --dy, sólo su forward" {
    ch01 --x 3,4 --gamma 2,0.5 --epsilon 1e-6
    ends_with 0
    says "5 y = x · r · γ         1.697056     0.565685"
    never grep -q "dx, por la fórmula" <<< "$output"
    ch01 --x -1 --dy 2
    ends_with 0
    says "dx, por la fórmula"
}

@test "las filas de los extremos admitidos pasan todas las comprobaciones" {
    ch01 --quiet --x 1e100,-1e-100,0 --gamma 1e100,1e-100,-1 \
        --dy 1,1e100,1e-100 --epsilon 1e-100
    ends_with 0
    silent
    ch01 --quiet --x 0,0 --dy 1,1 --epsilon 1e100
    ends_with 0
}

@test "la fila del lector sólo cambia su bloque de resultados" {
    ch01 --quiet
    mv outputs/ch01.tsv first
    ch01 --quiet --x 7,8,9
    for block in norms scale loss; do
        sed -n "/^# $block\$/,/^\$/p" first > a
        sed -n "/^# $block\$/,/^\$/p" outputs/ch01.tsv > b
        [ -s a ] && cmp a b
    done
}

@test "una fila que no sirve se rechaza, con el motivo" {
    refused "se leen 3 y --x tiene 2" --gamma 1,2,3
    refused "se leen 1 y --x tiene 2" --x 3,4 --dy 1
    refused "no es un número finito" --x 3,nan
    refused "no es un número finito" --x 3,-inf
    refused "no es un número finito" --x 1e999
    refused "1e+200 no es 0 ni mide entre" --x 1e200,1
    refused "1e-200 no es 0 ni mide entre" --dy 1,1e-200
    refused "más de 8 números" --x 1,2,3,4,5,6,7,8,9
    refused "elemento vacío" --x 3,,4
    refused "valor vacío" --x ""
    refused "no es un número" --x 3,cuatro
    refused "no es positivo" --epsilon 0
    refused "no es positivo" --epsilon -1e-6
    refused "no es un número finito" --epsilon nan
    refused "no está entre" --epsilon 1e-300
}

@test "falta: otra media" {
    fault '/w->mean = sum/s/w->columns/(w->columns + 1)/' \
        "la salida coincide con la de hypot"
    says "✗ los cinco pasos"
    says "✗ las cuatro sensibilidades"
}

@test "falta: ε fuera de la raíz, aunque sólo cambie las últimas cifras" {
    fault 's/sqrt(w->mean + w->epsilon);/sqrt(w->mean) + w->epsilon;/' \
        "y_0² · 12.500001 = 9"
    says "✗ sin γ, la media de los cuadrados"
    says "✗ el r de la fila nula"
}

@test "falta: una salida recortada" {
    fault 's/w->y\[i\] = \(.*\);/w->y[i] = fmin(1, \1);/' \
        "normalizar no es recortar"
    says "✗ con γ = [1, 1] se conserva la proporción"
}

@test "falta: un signo perdido" {
    fault 's/w->y\[i\] = \(.*\);/w->y[i] = fabs(\1);/' \
        "cambiar el signo de x sólo cambia el de la salida"
    run ./bad --quiet --x -1,1
    ends_with 1
    says "✗ cada salida tiene el signo"
}

@test "falta: sin γ, en y, en dx y en dγ" {
    fault 's/ \* w->inverse_rms \* w->gamma\[i\];/ * w->inverse_rms;/' \
        "la salida con γ"
    fault 's/double u = dy\[i\] \* w->gamma\[i\];/double u = dy[i];/' \
        "dx con esos pesos"
    fault 's/dgamma\[i\] += dy\[i\]/dgamma[i] += u/' \
        "salida y dγ con pesos"
}

@test "falta: dx sin lo que cambia la normalización" {
    fault 's/ - w->x\[i\] \* r \* r \* r \* mean_ux//' \
        "dx coincide con la sensibilidad medida"
    says "✗ dx y dγ de [3, 4]"
    fault 's/r \* r \* r \* mean_ux/r * r * mean_ux/' \
        "dx coincide con la sensibilidad medida"
}

@test "falta: dγ sin r, y dγ que pisa en vez de sumar" {
    fault '/dgamma\[i\] +=/s/ \* r;/;/' "dγ coincide con mover cada peso"
    says "✗ dγ de la fila [4, -3]"
    fault 's/dgamma\[i\] +=/dgamma[i] =/' "dγ de las dos filas, sumado"
}

@test "falta: una LayerNorm que no resta la media" {
    fault 's/output\[i\] = (w->x\[i\] - mean)/output[i] = w->x[i]/' \
        "LayerNorm es RMSNorm de la fila centrada"
    says "✗ LayerNorm de [3, 4]"
    says "✗ [5, 5]: LayerNorm da ceros"
}

@test "falta: un ε fijo, una salida desplazada, una escala propia" {
    fault 's/sqrt(w->mean + w->epsilon);/sqrt(w->mean + 1e-6);/' \
        "caso negativo: sin ε"
    fault 's/w->y\[i\] = \(.*\);/w->y[i] = \1 + 1e-9;/' \
        "la fila nula da ceros"
    says "✗ cambiar el signo de x"
    fault 's/sqrt(w->mean + w->epsilon);/sqrt(w->mean + 1e-3);/' \
        "multiplicar x por 1000"
}

@test "falta: se escribe un número que no es el calculado" {
    fault 's/0.848709, 1.131235/0.848708, 1.131235/' \
        "salida y pérdida con x_0 = 3.001"
    fault 's/0.373352/0.373353/' "los dos términos de dx"
    fault 's/1.979899, 0.565685/1.979899, 0.565686/' \
        "dγ de las dos filas"
}

@test "falta: un NaN, que llega hasta la peor diferencia" {
    fault 's/1e-6 \* w->root/NAN/' "dx coincide con la sensibilidad medida"
    says "✗ las cuatro sensibilidades"
}
