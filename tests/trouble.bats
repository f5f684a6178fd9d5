# Appendix B is true: each fault of its tables is planted in a copy of the
# chapters, and the commands of its row tell it as the row says.
load common

setup_file() {
    cd "$BATS_TEST_DIRNAME/.."
    mkdir "$BATS_FILE_TMPDIR/copy"
    cp -r Makefile VERSION chapters scripts weave "$BATS_FILE_TMPDIR/copy"
    cp -r chapters "$BATS_FILE_TMPDIR/good"
    cd "$BATS_FILE_TMPDIR/copy"
    make -s DEVICE=cpu chapter-04 chapter-05 chapter-06 >&2
}

# plant PROGRAM CHAPTER CHUNK TEXT FAULT: the copy, with FAULT for TEXT wherever
# it is in that chunk, and the program rebuilt. If the chapter says it in another
# way now, the message shows what it says.
plant() {
    cd "$BATS_FILE_TMPDIR/copy"
    cp "$BATS_FILE_TMPDIR"/good/* chapters
    program=$1
    CHUNK=$3 TEXT=$4 FAULT=$5 run perl -0777 -i -pe '
        my ($chunk, $text, $fault) = @ENV{qw(CHUNK TEXT FAULT)};
        my $found;
        s{(^<<\Q$chunk\E>>=\n)(.*?)(?=^@)}{
            my ($head, $code) = ($1, $2);
            $found .= $code;
            $head . ($code =~ s/\Q$text\E/$fault/gr)
        }gems;
        die "no hay ningún trozo ⟨$chunk⟩\n" if !defined $found;
        die "no está «$text»; ahora dice:\n$found" if index($found, $text) < 0;
        ' "chapters/$2"
    [ "$status" = 0 ] || fail "El código que esta prueba estropea ha cambiado en \
chapters/$2, trozo ⟨$3⟩. Ponga aquí el de ahora, y vea si el apéndice B sigue \
siendo cierto."
    make -s DEVICE=cpu "chapter-$1" > log 2>&1 || fail "con la falta ($5) no se \
construye: $(cat log)"
}

case_of() { run "./tangled/ch$program" --output case.tsv "$@"; }
passes() { case_of "$@"; ends_with 0; }
fails() { case_of "$@"; ends_with 1; }
stopped() { # WHAT OPTION...: the paper GPU stops it, saying what
    message=$1
    shift
    case_of "$@"
    ends_with 86
    says "$message"
}

@test "forward: la media divide por BLOCK" {
    plant 04 04-forward.nw "calcula r con el divisor N" "(float)columns" \
        "(float)block"
    passes --m 1 --n 256
    fails --m 1 --n 257
    # r sale √(512/257) = 1.411 veces mayor, salvo por ε
    echo "$output" | awk '/peor r:/ { sub(/.*columna 0: /, ""); sub(/;/, "")
        q = $1 / $3; exit !(q > 1.410 && q < 1.412) }'
}

@test "forward: la dirección usa BLOCK" {
    plant 04 04-forward.nw "kernel forward" "blockIdx.x * columns" \
        "blockIdx.x * block"
    passes --m 1 --n 257
    stopped "acceso fuera de los límites" --m 2 --n 257
}

@test "forward: falta la barrera entre warps" {
    plant 04 04-forward.nw "reducción del bloque" \
        "warp_sums[warp] = value;
    __syncthreads();" "warp_sums[warp] = value;"
    passes --m 1 --n 32
    stopped "lectura de memoria compartida" --m 1 --n 33
    PAPER_GPU_WATCH=off PAPER_GPU_ORDER=reverse case_of --m 1 --n 33
    [ "$status" != 86 ] || fail "PAPER_GPU_WATCH=off no calla al vigilante"
}

@test "forward: la máscara de la lectura, y la de la escritura" {
    plant 04 04-forward.nw "suma los cuadrados de la fila" \
        "column < columns ? to_float(x_row[column]) : 0.0f" \
        "to_float(x_row[column])"
    passes --m 1 --n 256
    stopped "acceso fuera de los límites" --m 1 --n 257
    plant 04 04-forward.nw "escribe la fila normalizada" "column < columns" \
        "column < block"
    stopped "acceso fuera de los límites" --m 1 --n 257
}

@test "forward: se eleva al cuadrado antes de convertir" {
    plant 04 04-forward.nw "suma los cuadrados de la fila" "value * value" \
        "to_float((T)(value * value))"
    passes --m 1 --n 257 --dtype fp16
    fails
    says "✓ fp32"
    says "✗ fp16"
}

@test "forward: r no se escribe" {
    plant 04 04-forward.nw "kernel forward" "inverse_rms[blockIdx.x] = r;" \
        "(void)inverse_rms;"
    fails --m 1 --n 257
    says "error nan"
}

@test "dx: el cubo, y el divisor" {
    plant 05 05-dx.nw "calcula la corrección con el divisor N" "r * mean" "mean"
    fails
    says "✗ x = [3, 4]"
    plant 05 05-dx.nw "calcula la corrección con el divisor N" "(float)columns" \
        "(float)block"
    passes --m 1 --n 256
    fails --m 1 --n 257
}

@test "dγ: media en lugar de suma" {
    plant 06 06-dgamma.nw "suma los ocho grupos y convierte" \
        "store(&dgamma[column], sum);" \
        "store(&dgamma[column], sum / (float)rows);"
    passes --m 1
    fails --m 17
}

@test "dγ: bloques de menos" {
    plant 06 06-dgamma.nw "lanzador dgamma" "(columns + TILE - 1) / TILE" \
        "columns / TILE"
    passes --m 17 --n 256
    fails --m 17 --n 257
}
