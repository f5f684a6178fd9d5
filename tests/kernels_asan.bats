# each: sound
# The kernels again, without the watcher and under AddressSanitizer and UBSan.
# Not those that are wrong on purpose: it is the watcher that stops them.
load common

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/.." DEVICE=cpu \
        "tangled/.build/asan/$PROGRAM" >&2
}

setup() { new_folder; }
teardown() { rm -rf "$work"; }

@test "$PROGRAM con ASan y UBSan: hilos hacia adelante" {
    passes_on_paper asan forward
}
@test "$PROGRAM con ASan y UBSan: hilos hacia atrás" {
    passes_on_paper asan reverse
}
@test "$PROGRAM con ASan y UBSan: hilos al azar" {
    passes_on_paper asan random:3
}
@test "$PROGRAM con ASan y UBSan: hilos entrelazados" {
    passes_on_paper asan interleave:3
}
