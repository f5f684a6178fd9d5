# El ejercicio del capítulo 9: sin predicciones no hay resultado, lo que no se
# entiende no se adivina, y en un terminal se vuelve a preguntar.
load common

setup_file() { make -s -C "$BATS_TEST_DIRNAME/.." DEVICE=cpu tangled/ch09; }
setup() { new_folder; }
teardown() { rm -rf "$work"; }

good257=257,1,0.502,encoge,1.41
good256=256,1,1,igual,1
ch09() { run "$project/tangled/ch09" --output r.tsv "$@" < /dev/null; }
refuses() { # TEXTO: uso incorrecto, lo dice y no deja resultado
    ends_with 2
    says "$1"
    never test -e r.tsv
}

@test "sin predicciones: estado 2, ningún resultado" {
    ch09
    refuses "sin predicciones no hay resultado"
    never says "257 columnas"
}

@test "con sus diez predicciones, las compara" {
    ch09 --answers-257 $good257 --answers-256 $good256
    ends_with 0
    says "Acertó 10 de 10"
    grep -q "^257	salida	1.41	1.41145813	si" r.tsv
}

@test "una predicción fallida no es un fallo del programa" {
    ch09 --answers-257 257,1,0.502,crece,9 --answers-256 $good256
    ends_with 0
    says "Acertó 8 de 10"
    says "≠ el denominador"
}

@test "lo que no se entiende se rechaza, con su número" {
    for bad in "257,1,0.502,encoge" "257,1,0.502,encoge,1.41,7" "" \
        "257,1,x,encoge,1" "257,1,0.502,menos,1" "nan,1,0.5,encoge,1" \
        "257,1,,encoge,1" "257,1,0.502,encoge,1e999"; do
        ch09 --answers-257 "$bad" --answers-256 $good256
        refuses "--answers-257"
    done
}

@test "un fichero de respuestas: completo, incompleto, ilegible" {
    ch09 --answers "$project/data/ch09-answers.txt"
    ends_with 0
    says "Acertó 8 de 10"
    rm r.tsv
    grep -v 256.salida "$project/data/ch09-answers.txt" > some
    ch09 --answers some
    refuses "falta 256.salida"
    sed 's/^257.suma.*/257.suma = mucho/' "$project/data/ch09-answers.txt" > odd
    ch09 --answers odd
    refuses "257.suma = mucho"
    ch09 --answers nowhere
    refuses "nowhere"
}

# Quien escribe sigue al terminal: la entrada no termina hasta que acabe
typed() { # LÍNEA...: las escribe una persona en un terminal
    { for line; do sleep 0.05; printf '%s\n' "$line"; done; sleep 1; } |
        timeout 60 script -qec \
            "$project/tangled/ch09 --output r.tsv" /dev/null > screen || true
}

@test "en un terminal pregunta, y vuelve a preguntar lo que no entiende" {
    command -v script > /dev/null || skip "no está la orden script"
    typed muchos 257 1 0.502 abajo encoge 1.41 256 1 1 igual 1
    grep -q 'No se entiende «muchos»: escriba un número' screen
    grep -q 'No se entiende «abajo»: escriba crece, encoge o igual' screen
    grep -q 'Acertó 10 de 10' screen
}

@test "en un terminal, Ctrl-D se marcha sin enseñar nada" {
    command -v script > /dev/null || skip "no está la orden script"
    typed 257 "$(printf '\004')"
    grep -q 'sin predicciones no hay resultado' screen
    never grep -q '0.501953' screen
    never test -e r.tsv
}
