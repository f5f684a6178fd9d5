# each: hosts
# Programs without kernels under AddressSanitizer and UBSan.
load common

setup() { new_folder; }
teardown() { rm -rf "$work"; }

@test "$PROGRAM con ASan y UBSan: ni fugas ni comportamiento indefinido" {
    make -s -C "$project" DEVICE=cpu "tangled/.build/asan/$PROGRAM" >&2
    # shellcheck disable=SC2046
    run timeout 240 "$project/tangled/.build/asan/$PROGRAM" \
        $(needed_arguments) --output r.tsv
    ends_with 0
    says ", 0 fallos."
    run awk -f "$project/tests/tsv.awk" r.tsv
    ends_with 0
}
