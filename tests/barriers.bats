# each: sound
# Each __syncthreads of each program's kernels, taken away alone: the paper GPU
# must stop it, whatever the order of the threads. The line stays, empty, so
# that the message names the right one.
load common

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/.." DEVICE=cpu \
        "tangled/.build/cpu/$PROGRAM" >&2
}

setup() {
    new_folder
    cp -r "$project/Makefile" "$project/VERSION" "$project/weave" \
        "$project/scripts" "$project/chapters" .
    mkdir -p tangled/.build
    cp -a "$project/tangled/.build/lint" "$project/tangled/.build/src" \
        "$project/tangled/.build/cpu" tangled/.build/
    kernels=tangled/.build/src/${PROGRAM}_kernels.cu
    cp "$kernels" whole.cu
}
teardown() { rm -rf "$work"; }

barrier='__syncthreads();'

without_barrier() { # N: the N-th one; 0, none
    awk -v n="$1" -v barrier="$barrier" '
        index($0, barrier) && ++seen == n { sub(/__syncthreads\(\)/, "(void)0") }
        { print }' whole.cu > "$kernels"
    rm -f "tangled/.build/cpu/${PROGRAM}"{,_kernels.o,_kernels.cpp}
    make -s -o "$kernels" "tangled/.build/cpu/$PROGRAM"
}

@test "$PROGRAM: sin una de sus barreras, la GPU de papel lo dice" {
    count=$(grep -cF "$barrier" whole.cu || :)
    if [ "$count" = 0 ]; then
        ! grep -q __shared__ whole.cu ||
            fail "memoria compartida y ninguna barrera"
        return 0
    fi
    without_barrier 0
    # shellcheck disable=SC2046
    run "tangled/.build/cpu/$PROGRAM" $(needed_arguments) --quiet
    ends_with 0
    for n in $(seq "$count"); do
        without_barrier "$n"
        never cmp -s whole.cu "$kernels"
        for order in forward reverse random:1; do
            # shellcheck disable=SC2046
            PAPER_GPU_ORDER=$order run timeout 120 \
                "tangled/.build/cpu/$PROGRAM" $(needed_arguments) --quiet
            [ "$status" != 0 ] || fail "la barrera $n no se echa de menos"
            [ "$status" != 124 ] || fail "la barrera $n: se queda esperando"
            says "chapters/"
            says "GPU de papel: "
        done
    done
}
