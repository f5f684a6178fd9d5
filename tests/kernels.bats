# each: kernels
# Each program with kernels, on the paper GPU, in every order in which a block's
# threads may run, plain (with its watchers) and under ASan and UBSan.
load common

setup_file() {
    make -s -j2 -C "$BATS_TEST_DIRNAME/.." DEVICE=cpu \
        "tangled/.build/cpu/$PROGRAM" "tangled/.build/asan/$PROGRAM" >&2
}

setup() { new_folder; }
teardown() { rm -rf "$work"; }

passes() { # BUILD ORDER
    PAPER_GPU_ORDER=$2 run timeout 240 \
        "$project/tangled/.build/$1/$PROGRAM" --output r.tsv
    ends_with 0
    says ", 0 fallos."
    says "no verificado en GPU"
    grep -qx "# order: $2" r.tsv || fail "no dice su orden: $2"
    run awk -f "$project/tests/tsv.awk" r.tsv
    ends_with 0
}

@test "$PROGRAM: hilos hacia adelante" { passes cpu forward; }
@test "$PROGRAM: hilos hacia atrás" { passes cpu reverse; }
@test "$PROGRAM: hilos al azar" { passes cpu random:1; }
@test "$PROGRAM: hilos al azar, con otra semilla" { passes cpu random:2; }

@test "$PROGRAM: hilos entrelazados" { passes cpu interleave:1; }

@test "$PROGRAM: con ASan y UBSan, hacia adelante" { passes asan forward; }
@test "$PROGRAM: con ASan y UBSan, hacia atrás" { passes asan reverse; }
@test "$PROGRAM: con ASan y UBSan, al azar" { passes asan random:3; }
@test "$PROGRAM: con ASan y UBSan, entrelazados" { passes asan interleave:3; }

@test "$PROGRAM: un orden que no existe es un error que se entiende" {
    PAPER_GPU_ORDER=diagonal run timeout 60 \
        "$project/tangled/.build/cpu/$PROGRAM" --output r.tsv
    [ "$status" != 0 ]
    says "diagonal"
    [ ! -e r.tsv ]
}
