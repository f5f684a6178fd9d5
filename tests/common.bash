# What the bats files share. Each test has its own empty folder, $work.
project=$(cd "$BATS_TEST_DIRNAME/.." && pwd)

new_folder() {
    work=$(mktemp -d)
    cd "$work" || return 1
}

# Ends the test with what the last `run` printed
fail() {
    printf '%s\n' "$*"
    printf 'estado %s:\n%s\n' "${status-}" "${output-}"
    return 1
}

says() { # TEXT: the last `run` printed it
    case $output in *"$1"*) ;; *) fail "no dice: $1" ;; esac
}

silent() {
    [ -z "$output" ] || fail "debía callar"
}

ends_with() { # STATUS
    [ "$status" = "$1" ] || fail "debía terminar con estado $1"
}

never() { # COMMAND...: it must not succeed («!» alone does not stop bats)
    if "$@"; then
        fail "no debía cumplirse: $*"
    fi
}

# What $PROGRAM cannot run without, from the Makefile: RUN_chNN
needed_arguments() {
    name=RUN_$PROGRAM
    echo "${!name//data\//$project/data/}"
}

# A run as varied as the whole one and shorter, where it is run many times
short_run() {
    case $PROGRAM in
    ch07) echo --steps 10 ;;
    ch10) echo --jury ;;
    esac
}

# The program, as BUILD makes it, passes its checks in that ORDER of threads
passes_on_paper() { # BUILD ORDER
    # shellcheck disable=SC2046
    PAPER_GPU_ORDER=$2 run timeout 240 "$project/tangled/.build/$1/$PROGRAM" \
        $(needed_arguments) $(short_run) --output r.tsv
    ends_with 0
    says ", 0 fallos."
    says "no verificado en GPU"
    grep -qx "# order: $2" r.tsv || fail "no dice su orden: $2"
    run awk -f "$project/tests/tsv.awk" r.tsv
    ends_with 0
}
