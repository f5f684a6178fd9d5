# What chapter 3's own checks cannot say: that each of them fails when it
# should, that the partitions are the ones in git, and the reader's experiments.
load common

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/.." tangled/ch03.c
    cp "$BATS_TEST_DIRNAME/../tangled/ch03.c" "$BATS_FILE_TMPDIR/ch03.c"
    cd "$BATS_FILE_TMPDIR"
    gcc -std=c11 -g -O1 -ffp-contract=off -fsanitize=address,undefined \
        -fno-sanitize-recover=all -o good ch03.c -lm
}
setup() { new_folder; }
teardown() { rm -rf "$work"; }

ch03() { run "$BATS_FILE_TMPDIR/good" "$@"; }

# fault 'SED' 'WHAT FAILS'...: plants it; the program must say so and end with 1
fault() {
    sed "$1" "$BATS_FILE_TMPDIR/ch03.c" > bad.c
    never cmp -s bad.c "$BATS_FILE_TMPDIR/ch03.c"
    shift
    gcc -std=c11 -O0 -ffp-contract=off -w -o bad bad.c -lm
    run ./bad --quiet
    ends_with 1
    for what; do
        says "✗ $what"
    done
}

@test "todo concuerda, y lo comprobado es la referencia" {
    ch03
    ends_with 0
    says "y = [0.848528, 1.131371]"
    says "dx = [-0.090510, 0.067882]"
    says "Comprueba la referencia, no un"
    says "0 fallos"
}

@test "concuerda con cualquier semilla" {
    for seed in 2 3 5 8 13 21 34 55 89 144; do
        ch03 --quiet --seed $seed
        ends_with 0
        silent
    done
}

# --- the partitions -----------------------------------------------------------

@test "las particiones son las de data/SHA256SUMS, hasta el último bit" {
    ch03 --quiet
    ends_with 0
    run sha256sum -c "$project/data/SHA256SUMS"
    ends_with 0
    [ "$(wc -l < "$project/data/SHA256SUMS")" = 3 ]
    [ "$(wc -l < data/train.tsv)" = 3201 ]
    [ "$(head -1 data/test.tsv | tr '\t' '\n' | wc -l)" = 17 ]
}

@test "las particiones no dependen de la semilla ni de las licencias del compilador" {
    ch03 --quiet --seed 77
    run sha256sum -c "$project/data/SHA256SUMS"
    ends_with 0
    gcc -O3 -march=native -ffast-math -w -o fast "$BATS_FILE_TMPDIR/ch03.c" -lm
    rm -r data
    run ./fast --quiet
    run sha256sum -c "$project/data/SHA256SUMS"
    ends_with 0
}

@test "una segunda ejecución no toca ninguna" {
    ch03
    says "data/train.tsv: 3200 ejemplos, escrito"
    touch -d 2001-01-01 data/*.tsv
    stat -c '%n %i %Y' data/*.tsv > before
    ch03
    says "data/train.tsv: 3200 ejemplos, ya estaba, igual"
    stat -c '%n %i %Y' data/*.tsv | cmp - before
    [ "$(ls data)" = "$(printf 'test.tsv\ntrain.tsv\nvalidation.tsv')" ]
}

@test "una partición cambiada, cortada o alargada se vuelve a escribir" {
    ch03 --quiet
    sed -i '7s/^-*0/9/' data/train.tsv
    head -c 5000 data/test.tsv > cut && mv cut data/test.tsv
    echo 1 >> data/validation.tsv
    never sha256sum --status -c "$project/data/SHA256SUMS"
    ch03
    says "data/train.tsv: 3200 ejemplos, escrito"
    run sha256sum -c "$project/data/SHA256SUMS"
    ends_with 0
}

@test "otra carpeta, y una que no puede ser" {
    ch03 --quiet --data other
    ends_with 0
    [ -f other/test.tsv ]
    never test -e data
    echo x > file
    ch03 --data file
    ends_with 4
    says "no se puede escribir file/train.tsv"
}

# --- the reader's experiments ---------------------------------------------------

@test "los dos métodos hallan una falta puesta, y su informe va aparte" {
    ch03 --quiet
    cp outputs/ch03.tsv before
    for name in correction square gamma block average; do
        ch03 --fault $name
        ends_with 1
        says "✗ paso complejo"
        says "✗ diferencias centrales"
        says "y el"
        says "outputs/ch03-trial.tsv"
        cmp outputs/ch03.tsv before
    done
}

@test "ejercicio 3.2: los pasos que pasan" {
    for step in 1e-3 1e-4 1e-5 1e-6; do
        ch03 --quiet --step $step
        ends_with 0
    done
    for step in 1e-1 1e-2 1e-7 1e-12; do
        ch03 --step $step
        ends_with 1
        says "✗ diferencias centrales"
        says "✓ paso complejo"
        says "1 fallo."
    done
}

@test "ejercicio 3.3: lo que algunas formas no ven" {
    ch03 --fault average
    says "3×1, fallan"
    never grep -qE '^ +1×[12], fallan' <<< "$output"
    ch03 --fault block
    [ "$(grep -oE '^ +[0-9]+×[0-9]+' <<< "$output" | sort -u | xargs)" = \
        "17×33 2×3 5×257" ] || fail "otras formas"
}

@test "ejercicio 3.5: un módulo esconde la derivada al paso complejo" {
    sed 's/x_row\[column\] \* x_row\[column\];/fabs(x_row[column]) * fabs(x_row[column]);/' \
        "$BATS_FILE_TMPDIR/ch03.c" > bad.c
    never cmp -s bad.c "$BATS_FILE_TMPDIR/ch03.c"
    gcc -std=c11 -O1 -ffp-contract=off -o bad bad.c -lm
    run ./bad
    ends_with 1
    says "✗ paso complejo"
    says "✓ diferencias centrales"
    says "✗ sin ninguna falta"
    says "✗ dx sin el término de corrección: 0 derivadas fuera"
    says "3 fallos"
}

@test "ejercicio 3.6: -ffast-math pierde NaN e infinito" {
    gcc -std=c11 -O2 -ffast-math -w -o fast "$BATS_FILE_TMPDIR/ch03.c" -lm
    run ./fast
    ends_with 1
    says "✗ fp16: ida y vuelta"
    says "✗ bf16: ida y vuelta"
    says "✓ fp16: 31744 puntos medios"
}

@test "opciones que no valen" {
    for option in "--fault nada" "--step 0" "--step -1e-3" "--step x" \
        "--step nan"; do
        # shellcheck disable=SC2086
        ch03 $option
        ends_with 2
        says "ch03 --help"
        never test -e outputs
        never test -e data
    done
}

# --- each check, seen to fail -----------------------------------------------------

@test "falta: el forward divide por N + 1" {
    fault 's|sum / columns + epsilon|sum / (columns + 1) + epsilon|' \
        "fila [3, 4]: y =" "paso complejo" "diferencias centrales"
}

@test "falta: el forward olvida epsilon" {
    fault 's|sum / columns + epsilon|sum / columns|' \
        "paso complejo" "diferencias centrales"
}

@test "falta: el backward lleva r² en vez de r³" {
    fault 's|r \* r \* (r \* mean)|r * (r * mean)|' \
        "fila [3, 4], dy = [1, 2]: dx" "paso complejo" "diferencias centrales"
}

@test "falta: el backward sin corrección" {
    fault 's|- x_row\[column\] \* r \* r \* (r \* mean)|- 0|' \
        "fila [3, 4], dy = [1, 2]: dx" "paso complejo" "diferencias centrales"
}

@test "falta: en el backward, otro signo, y una suma en vez de la media" {
    fault 's|- x_row\[column\] \* r|+ x_row[column] * r|' \
        "fila [3, 4], dy = [1, 2]: dx" "paso complejo" "diferencias centrales"
    fault 's|mean /= columns;|;|' \
        "fila [3, 4], dy = [1, 2]: dx" "paso complejo" "diferencias centrales"
}

@test "falta: dgamma olvida r, o toma el de la primera fila" {
    fault 's|^ *\* inverse_rms\[row\];|;|' \
        "paso complejo" "diferencias centrales"
    fault 's|^ *\* inverse_rms\[row\];|* inverse_rms[0];|' \
        "paso complejo" "diferencias centrales"
}

@test "falta: sólo está mal el camino de fp32" {
    fault '/oracle_forward_fp32(size_t/,/^}/s|y_row\[column\] = x_row\[column\] \* r|y_row[column] = (1 + 1e-3f) * x_row[column] * r|' \
        "fp32, 17×257" "fp32, 128×257"
}

@test "falta: empates hacia arriba, números hacia abajo, sin subnormales" {
    fault 's|(int)rint(ldexp(fabs(value), -octave) \* f.steps)|(int)floor(ldexp(fabs(value), -octave) * f.steps + 0.5)|' \
        "fp16: 31744 puntos medios" "bf16: 32640 puntos medios"
    fault 's|(int)rint(|(int)floor(|' "fp16: 31744 puntos medios" "un redondeo"
    fault 's|if (octave > 0) { octave -= 1; steps += f.steps; }|octave -= 1; steps += f.steps;|' \
        "fp16: ida y vuelta" "bf16: ida y vuelta"
}

@test "falta: fp16 a través de float, redondeado dos veces" {
    fault 's|return to_short(value, half_format);|return to_short((float)value, half_format);|' \
        "un redondeo"
}

@test "falta: NaN pasa a infinito, infinito pasa a número" {
    fault 's/| f.infinity | f.steps \/ 2);/| f.infinity);/' "fp16: ida y vuelta"
    fault 's/pattern < f.infinity ? pattern : f.infinity/pattern/; s/if (isinf(value)) return/if (0) return/' \
        "fp16: ida y vuelta"
}

@test "falta: siete cifras no bastan para un float" {
    fault 's|%.9g|%.7g|g' "data/train.tsv" "data/validation.tsv" "data/test.tsv"
}

@test "falta: otro generador hace otras particiones" {
    sed 's/0xbf58476d1ce4e5b9u/0xbf58476d1ce4e5bbu/' \
        "$BATS_FILE_TMPDIR/ch03.c" > bad.c
    gcc -std=c11 -O1 -w -o bad bad.c -lm
    run ./bad --quiet
    run sha256sum --status -c "$project/data/SHA256SUMS"
    ends_with 1
}

@test "falta: la derivada, con medio paso o de otra pérdida" {
    fault 's|(above - below) / (2 \* h)|(above - below) / h|' \
        "diferencias centrales"
    fault 's|sum += p->dy\[i\] \* cimag(y\[i\])|sum += cimag(y[i])|' \
        "paso complejo" "sin ninguna falta"
}
