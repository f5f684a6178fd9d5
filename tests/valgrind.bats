# The programs under valgrind, on the paper GPU: its fibers tell valgrind where
# their stacks are. And a planted fault of each kind is seen.
load common

setup_file() {
    command -v valgrind > /dev/null || skip "no hay valgrind"
    make -s -j2 -C "$BATS_TEST_DIRNAME/.." DEVICE=cpu tangled/.build/cpu/ch01 \
        tangled/.build/cpu/ch02 tangled/.build/cpu/ch03 \
        tangled/.build/cpu/ch04 tangled/.build/cpu/ch05 \
        tangled/.build/cpu/ch06 tangled/.build/cpu/ch10_faults >&2
}
setup() { new_folder; programs=$project/tangled/.build/cpu; }
teardown() { rm -rf "$work"; }

grind() { # COMMAND…
    PAPER_GPU_WATCH=off run timeout 200 valgrind -q --error-exitcode=9 \
        --leak-check=full --errors-for-leak-kinds=definite "$@"
}

clean() { # PROGRAM [ARGUMENT…]
    program=$1
    shift
    grind "$programs/$program" --quiet --output r.tsv "$@"
    ends_with 0
    silent
    run awk -f "$project/tests/tsv.awk" r.tsv
    ends_with 0
}

@test "ch01" { clean ch01; }
@test "contrato" { clean ch02 --m 2 --n 3; }
@test "oráculo" { clean ch03; }
@test "forward" { clean ch04 --m 3 --n 33; }
@test "dx" { clean ch05 --m 3 --n 33; }
@test "dgamma" { clean ch06 --m 9 --n 33 --dtype fp16; }

@test "plantado: un valor que nadie escribió, memoria perdida, memoria ajena" {
    cat > bad.c << 'END'
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
    int *p = malloc(3 * sizeof *p);
    const char which = argv[1][0];
    if (which == 'u' && p[argc] == 7) puts("siete");
    if (which == 'o') p[argc + 1] = p[argc + 2] = 1;
    if (which != 'l') free(p);
    if (which == 'l') p = NULL;
    return 0;
}
END
    gcc -g -O0 -w -o bad bad.c
    grind ./bad ninguna
    ends_with 0
    for which in u o l; do
        grind ./bad $which
        ends_with 9
    done
}
