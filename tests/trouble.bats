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

# plant CHAPTER SED PROGRAM: the copy, with the fault and that program rebuilt
plant() {
    cd "$BATS_FILE_TMPDIR/copy"
    cp "$BATS_FILE_TMPDIR"/good/* chapters
    sed -i "$2" "chapters/$1"
    if cmp -s "chapters/$1" "$BATS_FILE_TMPDIR/good/$1"; then
        fail "el código de $1 ha cambiado: reescriba aquí la falta $2"
    fi
    make -s DEVICE=cpu "chapter-$3" > log 2>&1 || fail "$(cat log)"
    program=$3
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
    plant 04-forward.nw \
        's|block_sum(sum) / (float)columns;|block_sum(sum) / (float)block;|' 04
    passes --m 1 --n 256
    fails --m 1 --n 257
    # r sale √(512/257) = 1.411 veces mayor, salvo por ε
    echo "$output" | awk '/peor r:/ { sub(/.*columna 0: /, ""); sub(/;/, "")
        q = $1 / $3; exit !(q > 1.410 && q < 1.412) }'
}

@test "forward: la dirección usa BLOCK" {
    plant 04-forward.nw \
        's|(int64_t)blockIdx.x \* columns|(int64_t)blockIdx.x * block|' 04
    passes --m 1 --n 257
    stopped "acceso fuera de los límites" --m 2 --n 257
}

@test "forward: falta la barrera entre warps" {
    plant 04-forward.nw '/warp_sums\[warp\] = value;/{n;d}' 04
    passes --m 1 --n 32
    stopped "lectura de memoria compartida" --m 1 --n 33
    PAPER_GPU_WATCH=off PAPER_GPU_ORDER=reverse case_of --m 1 --n 33
    [ "$status" != 86 ] || fail "PAPER_GPU_WATCH=off no calla al vigilante"
}

@test "forward: la máscara de la lectura, y la de la escritura" {
    plant 04-forward.nw \
        's|column < columns ? to_float(x_row\[column\]) : 0.0f|to_float(x_row[column])|' 04
    passes --m 1 --n 256
    stopped "acceso fuera de los límites" --m 1 --n 257
    plant 04-forward.nw '/<<escribe la fila normalizada>>=/,/^@/s|column < columns|column < block|' 04
    stopped "acceso fuera de los límites" --m 1 --n 257
}

@test "forward: se eleva al cuadrado antes de convertir" {
    plant 04-forward.nw \
        's|sum += value \* value;|sum += to_float((T)(value * value));|' 04
    passes --m 1 --n 257 --dtype fp16
    fails
    says "✓ fp32"
    says "✗ fp16"
}

@test "forward: r no se escribe" {
    plant 04-forward.nw 's|inverse_rms\[blockIdx.x\] = r;|(void)inverse_rms;|' 04
    fails --m 1 --n 257
    says "error nan"
}

@test "dx: el cubo, y el divisor" {
    plant 05-dx.nw 's|correction = r \* mean;|correction = mean;|' 05
    fails
    says "✗ x = [3, 4]"
    plant 05-dx.nw \
        '/<<calcula la corrección con el divisor N>>=/,/^@/s|(float)columns|(float)block|' 05
    passes --m 1 --n 256
    fails --m 1 --n 257
}

@test "dγ: media en lugar de suma" {
    plant 06-dgamma.nw \
        's|store(&dgamma\[column\], sum);|store(\&dgamma[column], sum / (float)rows);|' 06
    passes --m 1
    fails --m 17
}

@test "dγ: bloques de menos" {
    plant 06-dgamma.nw 's|(columns + TILE - 1) / TILE|columns / TILE|' 06
    passes --m 17 --n 256
    fails --m 17 --n 257
}
