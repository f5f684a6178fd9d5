# --seed: the same data with the same seed, other data with another. The programs
# that have random data, in one small case each.
load common

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return 1
    for program in ch03 ch04 ch05 ch06; do
        make -s DEVICE=cpu "tangled/.build/cpu/$program" >&2
    done
}
setup() { new_folder; }
teardown() { rm -rf "$work"; }

measured() { # PROGRAM SEED OPTION...: what it measured, without its provenance
    program=$1 seed=$2
    shift 2
    timeout 60 "$project/tangled/.build/cpu/$program" --quiet --seed "$seed" \
        --output r.tsv "$@"
    sed '/^# [a-z_]*: /d' r.tsv
}

@test "la misma semilla, los mismos números; otra, otros" {
    for program in ch03 ch04 ch05 ch06; do
        options='--m 5 --n 33'
        [ $program != ch03 ] || options=
        for seed in 1 18446744073709551615; do
            # shellcheck disable=SC2086
            measured $program $seed $options > $seed.a
            # shellcheck disable=SC2086
            measured $program $seed $options > $seed.b
            [ -s $seed.a ] && cmp $seed.a $seed.b
        done
        ! cmp -s 1.a 18446744073709551615.a ||
            fail "$program: la semilla no cambia nada"
    done
}
