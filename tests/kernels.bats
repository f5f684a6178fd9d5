# each: kernels
# Each program with kernels on the paper GPU, with its watcher, in every order in
# which a block's threads may run.
load common

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/.." DEVICE=cpu \
        "tangled/.build/cpu/$PROGRAM" >&2
}

setup() { new_folder; }
teardown() { rm -rf "$work"; }

@test "$PROGRAM: hilos hacia adelante" { passes_on_paper cpu forward; }
@test "$PROGRAM: hilos hacia atrás" { passes_on_paper cpu reverse; }
@test "$PROGRAM: hilos al azar" { passes_on_paper cpu random:1; }
@test "$PROGRAM: hilos entrelazados" { passes_on_paper cpu interleave:1; }

@test "$PROGRAM: un orden que no existe es un error que se entiende" {
    # shellcheck disable=SC2046
    PAPER_GPU_ORDER=diagonal run "$project/tangled/.build/cpu/$PROGRAM" \
        $(needed_arguments) --output r.tsv
    [ "$status" != 0 ]
    says "diagonal"
    [ ! -e r.tsv ]
}
