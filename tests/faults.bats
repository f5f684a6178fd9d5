# When the rest fails: memory that runs out, a launch that does not start, a copy
# that breaks, a full disk, a folder that may not be written, a signal at any
# moment. Always a clear message, the right status, and the old result whole.
load common

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return 1
    make -s DEVICE=cpu tangled/.build/cpu/ch01 tangled/.build/cpu/ch02 \
        tangled/.build/cpu/ch04 tangled/.build/cpu/ch05 \
        tangled/.build/cpu/ch06 tangled/.build/cpu/ch07 \
        tangled/.build/cpu/ch10_faults >&2
    gcc -shared -fPIC -O1 -o "$BATS_FILE_TMPDIR/fail.so" tests/fail_malloc.c -ldl
}
setup() {
    new_folder
    programs=$project/tangled/.build/cpu
    echo "resultado anterior" > r.tsv
}
teardown() { chmod -R u+w "$work"; rm -rf "$work"; }

whole() { # the old result, and nothing beside it
    [ "$(cat r.tsv)" = "resultado anterior" ] || fail "$1: cambió el resultado"
    [ -z "$(find . -name '*.tmp*')" ] || fail "$1: quedó $(find . -name '*.tmp*')"
}

# Makes the device fail at its first call of that kind, at the second… until the
# program gets through; every failure must be reported with the call that broke
each_point() { # KIND CALL PROGRAM [ARGUMENT…]
    kind=$1 call=$2 program=$3
    shift 3
    echo "resultado anterior" > r.tsv
    for n in $(seq 400); do
        PAPER_GPU_FAIL=$kind:$n run timeout 60 "$programs/$program" --quiet \
            --output r.tsv "$@"
        [ "$status" != 0 ] || break
        ends_with 3
        says "$program: "
        says "falló "
        says "$call"
        whole "$kind:$n"
    done
    [ "$status" = 0 ] && [ "$n" -gt "$least" ] || fail "sólo $n puntos"
    run awk -f "$project/tests/tsv.awk" r.tsv
    ends_with 0
}

@test "una reserva en el dispositivo que falla, en cada punto" {
    least=4 each_point malloc cudaErrorMemoryAllocation ch04 --m 2 --n 3
    least=8 each_point malloc cudaErrorMemoryAllocation ch05 --m 2 --n 3
    least=8 each_point malloc cudaErrorMemoryAllocation ch06 --m 2 --n 3
}

@test "un lanzamiento que falla, en cada punto" {
    least=1 each_point launch _launch ch04 --m 2 --n 3
    least=4 each_point launch _launch ch05 --m 2 --n 3
    least=6 each_point launch _launch ch06 --m 2 --n 3
}

@test "una copia que falla, en cada punto" {
    least=8 each_point memcpy cudaMemcpy ch04 --m 2 --n 3
}

@test "el entrenamiento: una reserva, un lanzamiento o una copia que falla aquí y allá" {
    for point in malloc:1 malloc:9 malloc:30 launch:1 launch:40 launch:400 \
        memcpy:1 memcpy:7 memcpy:50; do
        PAPER_GPU_FAIL=$point run timeout 60 "$programs/ch07" --quiet \
            --output r.tsv
        ends_with 3
        says "falló "
        whole $point
    done
}

# The same with the memory of the host. The C library lives without some of its
# own (the buffer of a stream); then the result must be whole.
each_host_point() { # PROGRAM [ARGUMENT…]
    program=$1
    shift
    failures=0
    for n in $(seq 300); do
        rm -f FAILED
        run timeout 60 env "LD_PRELOAD=$BATS_FILE_TMPDIR/fail.so" FAIL_MALLOC=$n \
            "$programs/$program" --output r.tsv "$@"
        [ -e FAILED ] || break
        if [ "$status" = 0 ]; then
            run awk -f "$project/tests/tsv.awk" r.tsv
            ends_with 0
            echo "resultado anterior" > r.tsv
            continue
        fi
        [ "$status" -le 4 ] || fail "memoria $n: murió"
        failures=$((failures + 1))
        printf '%s\n' "$output" | grep -qi 'memory\|memoria' ||
            fail "memoria $n: no dice qué falta"
        whole "memoria $n"
    done
    [ "$failures" -gt 3 ] || fail "sólo $failures puntos"
}

@test "una reserva en el host que falla, en cada punto" {
    each_host_point ch01 --x 3,4
    each_host_point ch02 --m 2 --n 3
    each_host_point ch04 --m 2 --n 3
}

@test "sin memoria para los hilos de papel, se dice" {
    run bash -c 'ulimit -v 160000; exec timeout 60 "$1" --quiet --output r.tsv' \
        - "$programs/ch04"
    ends_with 3
    says "sin memoria para la pila de un hilo"
    whole "sin memoria"
}

@test "una carpeta de sólo lectura" {
    [ "$(id -u)" != 0 ] || command -v setpriv > /dev/null || skip "sin setpriv"
    mkdir locked
    echo "resultado anterior" > locked/r.tsv
    chmod 755 "$work"
    chmod 555 locked
    as=
    [ "$(id -u)" != 0 ] || as="setpriv --reuid=65534 --regid=65534 --clear-groups"
    for program in ch01 ch04 ch07; do
        # a copy that the other user may run, wherever the project is
        cp "$programs/$program" program
        chmod 755 program
        # shellcheck disable=SC2086
        run timeout 60 $as ./program --output locked/r.tsv
        ends_with 4
        says "no se puede escribir locked/r.tsv"
        [ "$(ls locked)" = r.tsv ] || fail "sobra algo en locked"
        [ "$(cat locked/r.tsv)" = "resultado anterior" ]
    done
    # and the checkpoint of the training, which is the last of them
    mkdir -m 777 free
    cd free
    # shellcheck disable=SC2086
    run timeout 200 $as ../program --steps 3 --output r.tsv \
        --checkpoint ../locked/weights.safetensors
    ends_with 4
    says "no se puede escribir ../locked/weights.safetensors"
    [ "$(ls ../locked)" = r.tsv ] || fail "sobra algo en locked"
}

@test "un disco que se llena mientras se escribe el resultado" {
    for blocks in 0 1; do                # of 1 KiB: nothing fits, or a part
        run bash -c 'trap "" XFSZ; ulimit -f $2
            timeout 60 "$1" --quiet --output r.tsv 2>&1 | cat
            exit ${PIPESTATUS[0]}' - "$programs/ch04" $blocks
        ends_with 4
        says "no se puede escribir r.tsv"
        whole "disco con $blocks"
    done
}

@test "un checkpoint que no cabe deja entero el anterior" {
    mkdir outputs
    timeout 200 "$programs/ch07" --quiet --steps 3
    saved=$(find . -name '*.safetensors' | head -1)
    [ -n "$saved" ] || fail "no hay checkpoint"
    before=$(cksum < "$saved")
    run bash -c 'trap "" XFSZ; ulimit -f 1
        timeout 200 "$1" --quiet --steps 3 --seed 2 2>&1 | cat
        exit ${PIPESTATUS[0]}' - "$programs/ch07"
    ends_with 4
    [ "$(cksum < "$saved")" = "$before" ] || fail "cambió el checkpoint"
}

@test "SIGINT y SIGKILL en cualquier momento" {
    for signal in INT KILL; do
        for delay in 0.01 0.03 0.1 0.2 0.4; do
            env --default-signal=INT "$programs/ch05" --quiet --output r.tsv 3>&- &
            sleep $delay
            kill -$signal $! 2> /dev/null || :
            wait $! 2> /dev/null || :
            if [ "$(cat r.tsv)" != "resultado anterior" ]; then
                run awk -f "$project/tests/tsv.awk" r.tsv
                ends_with 0
                echo "resultado anterior" > r.tsv
            fi
        done
    done
}

# Each of those checks can fail: a program that writes in place is caught
@test "plantado: un resultado escrito en su sitio se ve perdido" {
    rule=$work/rule
    printf '%s\n' 'en armazón: escribe un fichero entero' \
        '- snprintf(temporary, sizeof temporary, "%s.tmp.%ld", path,' \
        '+ snprintf(temporary, sizeof temporary, "%s%.0ld", path,' \
        '- (long)getpid());' '+ 0L);' > "$rule"
    cd "$project" || return 1
    make -s DEVICE=cpu tangled/.build/src/mutar.awk
    awk -f tangled/.build/src/mutar.awk "$rule" chapters/D-frame.nw \
        > "$work/D-frame.nw"
    for c in chapters/*.nw; do
        if [ "$c" = chapters/D-frame.nw ]; then echo "$work/D-frame.nw"
        else echo "$c"; fi
    done | xargs notangle -Rch01.c > "$work/ch01.c"
    cd "$work" || return 1
    gcc -std=c11 -w -o bad ch01.c -lm
    run bash -c 'trap "" XFSZ; ulimit -f 0; ./bad --quiet --output r.tsv'
    ends_with 4
    never test "$(cat r.tsv 2> /dev/null)" = "resultado anterior"
}

@test "plantado: una reserva que nadie mira se ve" {
    cat > bad.c << 'END'
#include <stdlib.h>
#include <string.h>
int main(void) { char *p = malloc(100); strcpy(p, "hola"); return p[0] == 0; }
END
    gcc -O0 -fno-builtin -o bad bad.c
    run timeout 60 env "LD_PRELOAD=$BATS_FILE_TMPDIR/fail.so" FAIL_MALLOC=1 ./bad
    [ "$status" -gt 128 ] || fail "debía morir"
}
