# Readers under fire: libFuzzer on the command line, its lists, the contract, the
# predictions, the partitions and the checkpoint, a few seconds each from the
# committed corpus.
# And each fuzzer finds a fault that is planted in what it fuzzes.
# FUZZ_SECONDS=600 tests them in earnest.
load common

setup_file() {
    command -v clang > /dev/null || skip "no hay clang"
    cd "$BATS_TEST_DIRNAME/.." || return 1
    make -s DEVICE=cpu tangled/ch01 tangled/ch02 tangled/ch03 tangled/ch07 \
        tangled/ch09 tangled/.build/src/mutar.awk >&2
}
setup() { new_folder; }
teardown() { rm -rf "$work"; }

go() { # FUZZER SECONDS [FOLDER OF ITS PROGRAM]
    sh "$project/tests/fuzz/build.sh" "$1" "$work/fuzzer" ${3:+"$3"}
    mkdir -p corpus                 # it dies with the test, new inputs and all
    perl -ne 'chomp; open F, ">", "corpus/$."; print F pack "H*", $_; close F' \
        "$project/tests/fuzz/corpus/$1.hex"
    run timeout $(($2 + 60)) ./fuzzer -max_total_time="$2" -seed=1 \
        -detect_leaks=0 -timeout=10 -max_len=2000 corpus
}

holds() { # FUZZER
    go "$1" "${FUZZ_SECONDS:-2}"
    ends_with 0
    printf '%s\n' "$output" | grep -qE '^Done [0-9]+ runs'
}

finds() { # FUZZER PROGRAM RULE: in the program with that change
    rule=$work/rule
    printf '%s\n' "$3" > "$rule"
    cd "$project" || return 1
    chunk=$(sed -n 's/^en //p' "$rule")
    chapter=$(grep -lxF "<<$chunk>>=" chapters/*.nw)
    awk -f tangled/.build/src/mutar.awk "$rule" "$chapter" > "$work/chapter.nw"
    for c in chapters/*.nw; do
        if [ "$c" = "$chapter" ]; then echo "$work/chapter.nw"; else echo "$c"; fi
    done | xargs notangle -R"$2.c" > "$work/$2.c"
    cd "$work" || return 1
    go "$1" 40 "$work"
    [ "$status" != 0 ] || fail "no encontró la falta"
    printf '%s\n' "$output" | grep -qE 'no se cumple|AddressSanitizer|runtime error' ||
        fail "acabó por otra causa"
}

@test "listas y números de la línea de órdenes" { holds list; }
@test "una línea de órdenes entera" { holds options; }
@test "el contrato coincide con su oráculo" { holds contract; }
@test "predicciones" { holds answers; }
@test "particiones" { holds partition; }
@test "checkpoints" { holds checkpoint; }

@test "plantado: una lista que no cabe" {
    finds list ch01 'en armazón: números del lector
- count == capacity
+ count > capacity'
}

@test "plantado: una palabra de más que se acepta" {
    finds options ch01 'en armazón: recorre la línea de órdenes
- optind < argc
+ optind + 1 < argc'
}

@test "plantado: un elemento compartido que el contrato deja pasar" {
    finds contract ch02 'en contrato: bytes que comparten
- gap >= low->bytes
+ gap + 4 >= low->bytes'
}

@test "plantado: una palabra más larga que su sitio" {
    finds answers ch09 'en lee un fichero de respuestas
- text[40]
+ text[4]'
}

@test "plantado: un ejemplo más de los que caben" {
    finds partition ch03 'en lee una partición
- count < capacity
+ count <= capacity'
}

@test "plantado: una cabecera más larga que el fichero" {
    finds checkpoint ch07 'en lee la longitud
- value > f->size - 8
+ false'
}
