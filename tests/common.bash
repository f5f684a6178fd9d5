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
