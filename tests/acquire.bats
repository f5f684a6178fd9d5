# scripts/acquire.sh in a small copy of the project.
load common

setup_file() {
    export shop
    shop=$(mktemp -d)
    cd "$BATS_TEST_DIRNAME/.." || return 1
    mkdir "$shop/data"
    cp -r Makefile VERSION weave scripts chapters figures "$shop"
    cp data/SHA256SUMS "$shop/data"
}
teardown_file() { rm -rf "$shop"; }
setup() { cd "$shop" || return 1; }

acquire() { run timeout 120 sh scripts/acquire.sh "$@"; }
state() { (cd data && stat -c '%n %i %Y %s' -- * .[!.]* 2> /dev/null | sort); }

@test "hace las tres particiones sin red, y sus sumas cuadran" {
    alone=
    if unshare -rn true 2> /dev/null; then alone='unshare -rn'; fi
    run $alone timeout 120 sh scripts/acquire.sh
    ends_with 0
    says "No se descarga nada."
    says "Hechas, y sus sumas cuadran."
    says "data/train.tsv"
    sha256sum -c --quiet data/SHA256SUMS
    [ "$(ls -A data)" = "$(printf 'SHA256SUMS\ntest.tsv\ntrain.tsv\nvalidation.tsv')" ]
    [ ! -e outputs/ch03.tsv ]
}

@test "la segunda vez no cambia nada" {
    before=$(state)
    acquire
    ends_with 0
    says "Ya estaban"
    [ "$(state)" = "$before" ] || fail "$before"
}

@test "un fichero estropeado, o que falta, se rehace" {
    sed -i '2s/1/2/' data/train.tsv
    rm data/test.tsv
    acquire
    ends_with 0
    says "Hechas"
    sha256sum -c --quiet data/SHA256SUMS
}

@test "si lo fabricado no cuadra, no se pone" {
    cp data/SHA256SUMS sums
    sed -i '1s/^./x/; 1s/^x/0/' data/SHA256SUMS
    cmp -s sums data/SHA256SUMS && sed -i '1s/^0/1/' data/SHA256SUMS
    before=$(state)
    acquire
    ends_with 1
    says "no cuadra con data/SHA256SUMS"
    [ "$(state)" = "$before" ] || fail "$before"
    cp sums data/SHA256SUMS
}

@test "sin compilador lo dice; y el uso incorrecto" {
    rm -f data/train.tsv
    mkdir -p bin
    printf '#!/bin/sh\nexit 1\n' > bin/make
    chmod +x bin/make
    PATH=$shop/bin:$PATH acquire
    ends_with 4
    says "sh scripts/setup.sh"
    acquire --rapido
    ends_with 2
    acquire --help sobra
    ends_with 2
    acquire --help
    ends_with 0
    says "No descarga nada"
}
