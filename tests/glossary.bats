# The glossary: in Spanish alphabetical order, and true about where each term
# is explained.
load common

setup_file() {
    # headword <TAB> chapter, a line an entry
    awk '/^:   /{ inside = 1 } inside && match($0, /\(#ch[0-9A-Z]+\)/) {
             print term "\t" substr($0, RSTART + 4, RLENGTH - 5); inside = 0 }
         !inside && /^[^ :#]/ { term = $0 }' \
        "$BATS_TEST_DIRNAME/../chapters/C-glossary.nw" > "$BATS_FILE_TMPDIR/entries"
}

@test "los términos están en orden, sin repetir" {
    cut -f1 "$BATS_FILE_TMPDIR/entries" |
        sed 's/ (.*//; s/[][*`]//g; s/γ, gamma/gamma/; s/γ/gamma/g; s/.*/\L&/
             y/áéíóúü/aeiouu/; s/ñ/n~/g' > "$BATS_TEST_TMPDIR/keys"
    [ "$(wc -l < "$BATS_TEST_TMPDIR/keys")" -gt 60 ]
    LC_ALL=C sort -u -c "$BATS_TEST_TMPDIR/keys"
}

@test "cada término aparece en el capítulo que cita" {
    cd "$BATS_TEST_DIRNAME/../chapters"
    missing=
    while IFS=$(printf '\t') read -r term chapter; do
        set -- "$chapter"-*.nw
        [ -f "$1" ] || continue
        word=$(printf %s "$term" | sed 's/[ ,(].*//; s/[][*`]//g;
                              s/^\(....\).*/\1/')
        grep -qi -- "$word" "$1" || missing="$missing $chapter:$word"
    done < "$BATS_FILE_TMPDIR/entries"
    [ -z "$missing" ] || fail "$missing"
}
