# each: programs
# What every program promises on its command line (appendix D), run on the CPU.
load common

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/.." DEVICE=cpu \
        "tangled/.build/cpu/$PROGRAM" >&2
}

setup() {
    program=$project/tangled/.build/cpu/$PROGRAM
    arguments=$(needed_arguments)
    new_folder
    unset PAPER_GPU_ORDER
}
teardown() { rm -rf "$work"; }

go() { # ARGUMENT...: runs the program, 120 s at most
    # shellcheck disable=SC2086
    run timeout 120 "$program" $arguments "$@"
}

good_tsv() { # FILE
    run awk -f "$project/tests/tsv.awk" "$1"
    ends_with 0
}

# Another run's result, to be seen untouched
old_result() {
    mkdir -p outputs
    echo "resultado anterior" > "outputs/$PROGRAM.tsv"
}
untouched() {
    [ "$(cat "outputs/$PROGRAM.tsv")" = "resultado anterior" ] ||
        fail "el resultado anterior cambió"
    [ "$(ls outputs)" = "$PROGRAM.tsv" ] || fail "sobra: $(ls outputs)"
}

@test "$PROGRAM: --help explica en español y termina con 0" {
    go --help
    ends_with 0
    says "Uso: $PROGRAM [opciones]"
    says "--seed N"
    says "--output FICHERO"
    says "--quiet"
    says "Estado de salida"
    [ ! -e outputs ]
}

@test "$PROGRAM: una ayuda que no se pudo escribir no pasa por éxito" {
    [ -c /dev/full ] || skip "sin /dev/full"
    run bash -c '"$0" --help > /dev/full' "$program"
    ends_with 4
    says "no se puede escribir la salida: no queda sitio"
    run bash -c '"$0" --help >&-' "$program"
    ends_with 4
}

@test "$PROGRAM: la ayuda cabe en 80 columnas" {
    go --help
    printf '%s\n' "$output" | grep -E '^.{81,}' > long || :
    [ ! -s long ] || fail "demasiado ancho: $(cat long)"
}

@test "$PROGRAM: sin argumentos comprueba, informa y termina con 0" {
    go
    ends_with 0
    says "$PROGRAM · "
    says "Dispositivo: "
    says "✓"
    says ", 0 fallos."
    says "outputs/$PROGRAM.tsv"
    case " $KERNELS " in
    *" $PROGRAM "*) says "no verificado en GPU" ;;
    esac
    good_tsv "outputs/$PROGRAM.tsv"
    grep -qx "# program: $PROGRAM" "outputs/$PROGRAM.tsv"
    case " $KERNELS " in
    *" $PROGRAM "*) kind=paper ;;
    *) kind=cpu ;;
    esac
    grep -qx "# kind: $kind" "outputs/$PROGRAM.tsv" || fail "no es $kind"
    [ "$(ls outputs)" = "$PROGRAM.tsv" ] || [ "$PROGRAM" = ch07 ] ||
        fail "deja además: $(ls outputs)"
}

@test "$PROGRAM: --quiet calla; los decimales llevan punto en todo idioma" {
    LC_ALL=es_ES.UTF-8 LANG=es_ES.UTF-8 go --quiet --output r.tsv
    ends_with 0
    silent
    good_tsv r.tsv
    never grep -E '^[^#].*[0-9],[0-9]' r.tsv
}

@test "$PROGRAM: una opción desconocida es un error de uso" {
    old_result
    go --no-existe
    ends_with 2
    says "opción desconocida"
    says "--no-existe"
    says "--help"
    go -wxyz
    ends_with 2
    says "opción desconocida o que no lleva valor: -wxyz"
    untouched
}

@test "$PROGRAM: argumentos que sobran, valores que faltan o no valen" {
    old_result
    for bad in sobra --seed "--seed abc" "--seed -1" "--seed 1x" \
        "--seed 99999999999999999999999" --output --output= --seed=; do
        # shellcheck disable=SC2086
        go $bad
        ends_with 2
        says "$PROGRAM: "
    done
    untouched
}

@test "$PROGRAM: una carpeta que no se puede crear se dice antes de calcular" {
    go --output no/existe/r.tsv
    ends_with 4
    says "no se puede escribir no/existe/r.tsv"
    [ -z "$(ls)" ]
}

@test "$PROGRAM: una carpeta donde se espera un fichero, antes de calcular" {
    mkdir here
    for place in here here/ .; do
        go --output $place
        ends_with 4
        says "no se puede escribir $place: es una carpeta"
        never grep -q ✓ <<< "$output"
    done
    [ -z "$(ls here)" ] || fail "sobra: $(ls here)"
}

@test "$PROGRAM: un disco lleno deja el resultado anterior entero" {
    old_result
    run bash -c 'trap "" XFSZ; ulimit -f 0; "$0" "$@" --quiet 2>&1 | cat
                 exit ${PIPESTATUS[0]}' "$program" $arguments
    ends_with 4
    says "no se puede escribir"
    untouched
}

@test "$PROGRAM: una salida llena no pasa por éxito" {
    [ -c /dev/full ] || skip "sin /dev/full"
    run bash -c '"$0" "$@" > /dev/full' "$program" $arguments
    ends_with 4
}

@test "$PROGRAM: interrumpido a la mitad, deja el resultado anterior entero" {
    old_result
    for signal in INT TERM KILL; do
        for delay in 0.001 0.005 0.02 0.1; do
            env --default-signal=INT "$program" $arguments --quiet 3>&- &
            sleep $delay
            kill -$signal $! 2> /dev/null || :
            wait $! || :
            if [ "$(cat "outputs/$PROGRAM.tsv")" != "resultado anterior" ]; then
                good_tsv "outputs/$PROGRAM.tsv"       # it had time to finish
                old_result
            fi
        done
    done
    for extra in outputs/*; do
        case $extra in
        *.tsv | *.safetensors) ;;
        *.tmp.*) ;;        # KILL between writing and renaming: never read
        *) fail "sobra $extra" ;;
        esac
    done
}

@test "$PROGRAM: los ficheros extraídos se compilan solos en otra carpeta" {
    make -s -C "$project" DEVICE=cpu "tangled/$PROGRAM"
    cp "$project/tangled/$PROGRAM.c" .
    never grep -n '^ *# *include *"' "$PROGRAM.c"
    case " $KERNELS " in
    *" $PROGRAM "*)
        cp "$project/tangled/${PROGRAM}_kernels.cu" .
        never grep -n '^ *# *include *"' "${PROGRAM}_kernels.cu" ;;
    *)
        gcc -std=c11 -O2 -ffp-contract=off -Wall -Wextra -Wpedantic -Werror \
            -o "$PROGRAM" "$PROGRAM.c" -lm
        # shellcheck disable=SC2086
        run "./$PROGRAM" $arguments --quiet
        ends_with 0 ;;
    esac
    never grep -n '^#line' "$PROGRAM.c"
}
