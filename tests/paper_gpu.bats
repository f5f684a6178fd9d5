# The paper GPU: each of its features right, and each planted fault caught, with
# the line and the threads. The programs are in tests/paper_gpu; those with no
# fault are plain CUDA, and nvcc compiles them where there is one.
load common

good="indices shared barriers warps atomics publish vectors launches halves
      limits copies runtime"

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/.." -j2 -f tests/paper_gpu/rules.mk \
        paper-tests >&2
}
setup() { cd "$BATS_TEST_DIRNAME/.." || return 1; }

programs=tangled/.build/paper-tests
faults() { run timeout 60 $programs/cpu/faults "$@"; }

# every good program, in one form and order
all_good() { # FORM ORDER
    for name in $good; do
        PAPER_GPU_ORDER=$2 run timeout 60 $programs/$1/$name
        ends_with 0
        says bien
    done
}

marked() { # NAME: the line of tests/paper_gpu/faults.cu that carries it
    grep -n "@$1\$" tests/paper_gpu/faults.cu | cut -d: -f1
}

caught() { # NAME MESSAGE [THREAD…]: it ends with 86, there, saying that
    name=$1
    faults "$name"
    ends_with 86
    says "$2"
    says "tests/paper_gpu/faults.cu:$(marked "$name")"
    shift 2
    for text; do says "$text"; done
    case $output in *'llegó al final'*) fail "siguió" ;; esac
}

@test "lo que sabe hacer, hilos hacia adelante" { all_good cpu forward; }
@test "lo que sabe hacer, hilos hacia atrás" { all_good cpu reverse; }
@test "lo que sabe hacer, hilos al azar" { all_good cpu random:1; }
@test "lo que sabe hacer, hilos al azar, con otra semilla" { all_good cpu random:77; }
@test "lo que sabe hacer, accesos entrelazados" { all_good cpu interleave:5; }
@test "lo que sabe hacer, con ucontext" { all_good ucontext forward; }
@test "lo que sabe hacer, con ucontext, al azar" { all_good ucontext random:2; }
@test "lo que sabe hacer, con ASan y UBSan" { all_good asan forward; }
@test "lo que sabe hacer, con ASan y UBSan, al azar" { all_good asan random:3; }
@test "lo que sabe hacer, con ucontext, ASan y UBSan" {
    all_good asan-ucontext reverse
}

@test "falta __syncthreads: lo ve el vigilante, en el orden normal" {
    caught missing_barrier "no ha escrito" "lee part[1]" "hilo (0,0,0)"
}

@test "falta __syncthreads: lo ve el vigilante, en cualquier orden" {
    for order in reverse random:1 random:2 random:3 interleave:1; do
        PAPER_GPU_ORDER=$order caught missing_barrier "part["
    done
}

@test "falta __syncthreads, sin vigilante: NaN en un orden y en otro no" {
    PAPER_GPU_WATCH=off PAPER_GPU_ORDER=forward faults missing_barrier
    ends_with 0
    says "96 de 128 hilos sumaron mal; el primero, NaN"
    PAPER_GPU_WATCH=off PAPER_GPU_ORDER=reverse faults missing_barrier
    says "127 de 128 hilos sumaron mal; el primero, bien"
}

@test "falta __syncthreads, sin vigilante, con ASan: NaN también" {
    run $programs/asan/faults missing_barrier
    ends_with 0
    says "96 de 128 hilos sumaron mal; el primero, NaN"
}

@test "carreras en memoria compartida" {
    caught late_reuse carrera "lee shared_value" "hilo (1,0,0)" "(0,0,0) ya"
    caught missing_syncwarp carrera "lee box[31]" "hilo (0,0,0)" \
        "hilo (31,0,0) ya lo había escrito" "ninguna barrera"
}

@test "carreras en memoria global" {
    caught same_cell carrera "el elemento 0 (de 4 bytes)" "hilo (1,0,0)"
    caught lost_update carrera "hilo (1,0,0) lee"
    caught between_blocks carrera "del bloque (0,0,0) ya lo había escrito" \
        "bloque (1,0,0)"
    caught next_block_2 carrera "bloque (1,0,0)" "elemento 0 "
    caught atomic_and_plain carrera "hilo (32,0,0) escribe"
    caught ticket carrera "del bloque (0,0,0) ya lo había escrito"
}

@test "copias que llegan tarde" {
    caught early_read "no ha escrito" "lee slot[0]" "hilo (0,0,0)"
    caught early_group "no ha escrito" "lee slot[1]"
    caught copied_by_another carrera "slot[" "ya lo había escrito"
    caught copy_past_end "fuera de los límites" "byte 256 de la reserva"
    faults endless_copies
    ends_with 86
    says "más de 256 copias pedidas y sin esperar"
}

@test "sin vigilante, lo que aún no ha llegado es un NaN" {
    PAPER_GPU_WATCH=off faults early_read
    ends_with 0
    says "leyó nan"
}

@test "programas al azar: carreras donde dice la definición, y sólo ahí" {
    for order in forward reverse random:1 interleave:1; do
        PAPER_GPU_ORDER=$order run timeout 120 $programs/cpu/random 150 11
        ends_with 0
        says "150 programas"
        says bien
    done
}

@test "sin vigilante, una actualización se pierde si los accesos se entrelazan" {
    PAPER_GPU_WATCH=off PAPER_GPU_ORDER=forward faults count_up
    says "contó 64 de 64"
    PAPER_GPU_WATCH=off PAPER_GPU_ORDER=interleave:1 faults count_up
    never test "$output" = "contó 64 de 64"
    says "contó"
}

@test "fuera de los límites" {
    caught past_end "fuera de los límites" "hilo (64,0,0) escribe 4 bytes" \
        "byte 256 de la reserva de 256 bytes"
    caught before_start "fuera de los límites" "4 bytes antes de la reserva"
    caught wide_load "fuera de los límites" "hilo (16,0,0) lee"
    caught shared_past_end "fuera de los límites" "byte 32 de a (32 bytes)"
    caught no_dynamic "fuera de los límites" "byte 0 de line (0 bytes)"
    caught misaligned "no es múltiplo de su tamaño"
}

@test "memoria que no es del kernel" {
    faults host_pointer
    ends_with 86
    says "que no es del dispositivo"
    says "memoria del host"
    faults null_pointer
    ends_with 86
    says "puntero nulo"
    faults after_free
    ends_with 86
    says "ya liberada"
    says "reserva de 400 bytes"
    caught local_of_another "la pila de otro hilo"
    caught from_the_host "fuera de un kernel, usa un puntero del dispositivo"
}

@test "memoria que nadie escribió" {
    faults unwritten
    ends_with 86
    says "que nadie ha escrito"
    says "elemento 3 "
    caught unwritten_shared "este bloque no ha escrito" "lee a[3]"
    caught half_unwritten "que nadie ha escrito" "elemento 3 (de 2 bytes)"
}

@test "una barrera a la que no llegan todos" {
    caught early_exit "que no alcanzan todos" \
        "16 hilos (desde el (0,0,0)): en __syncthreads" \
        "48 hilos (desde el (16,0,0)): sin llegar, terminaron"
    caught uneven_loop "que no alcanzan todos"
    caught barrier_and_warp "que no alcanzan todos" "en __shfl_xor_sync"
    caught two_barriers "en una barrera y otros en otra"
}

@test "warps que no se encuentran" {
    caught outside_mask "no está en su propia máscara" "hilo (16,0,0)"
    caught absent_lane "un carril que no participa"
    caught departed_lane "un carril que no participa"
    caught two_operations "operaciones distintas" "en __shfl_up_sync"
    PAPER_GPU_ORDER=reverse caught two_masks "máscara"
}

@test "esas faltas, también sin ganchos y con los dos cambios de contexto" {
    for form in ucontext asan asan-ucontext; do
        for name in early_exit two_barriers barrier_and_warp outside_mask \
            absent_lane two_operations; do
            run timeout 60 $programs/$form/faults $name
            ends_with 86
            says "tests/paper_gpu/faults.cu:$(marked $name)"
        done
    done
}

@test "los hilos que giran sin fin se detienen" {
    caught forever "dan vueltas"
    caught locked_forever "dan vueltas"
}

@test "una pila que no basta" {
    faults too_deep
    ends_with 86
    says "agotó su pila"
    says "kernel too_deep"
}

@test "demasiada memoria compartida estática" {
    faults too_much_static
    ends_with 86
    says "más de 49152 bytes"
}

@test "ASan ve lo que se sale de una reserva" {
    for name in past_end before_start no_dynamic after_free; do
        run timeout 60 $programs/asan/faults $name
        never test "$status" = 0
        says AddressSanitizer
        says "faults.cu:"
    done
    run $programs/asan/faults shared_past_end
    never test "$status" = 0
    says "index 8 out of bounds"
}

@test "sin vigilante, las bandas ven una escritura fuera de los límites" {
    PAPER_GPU_WATCH=off faults past_end
    ends_with 86
    says "escribió fuera de una reserva"
    says "0 bytes después del final de la reserva de 256 bytes"
}

@test "PAPER_GPU_WATCH=report sigue, cuenta y falla al final" {
    PAPER_GPU_WATCH=report faults lost_update
    ends_with 86
    says "llegó al final"
    says "el vigilante encontró"
}

@test "fugas, si se piden" {
    PAPER_GPU_LEAKS=1 faults leak
    ends_with 86
    says "sin liberar, la reserva de 444 bytes"
    says "faults.cu:$(marked leak)"
    PAPER_GPU_LEAKS=1 run $programs/cpu/indices
    ends_with 0
}

@test "fallos a petición" {
    PAPER_GPU_FAIL=malloc:3,memcpy:2 run $programs/cpu/runtime fail
    ends_with 0
    PAPER_GPU_FAIL=launch:2 run $programs/cpu/limits fail
    ends_with 0
}

@test "un ajuste que no se entiende detiene todo antes de empezar" {
    for setting in ORDER=sideways ORDER=random ORDER=random:x ORDER=random:-1 \
        FAIL=malloc FAIL=malloc:0 FAIL=mallow:1 FAIL=malloc:1x WATCH=maybe; do
        run env "PAPER_GPU_$setting" $programs/cpu/indices
        ends_with 2
        says "PAPER_GPU_${setting%%=*}"
        case $output in *bien*) fail "llegó a ejecutar" ;; esac
    done
}

@test "el filtro: las mismas líneas, el mismo texto con mawk y con gawk" {
    filter=tangled/.build/src/paper/launch.awk
    for source in tests/paper_gpu/*.cu; do
        for awk in mawk gawk; do
            command -v $awk > /dev/null || continue
            for locale in C C.UTF-8; do
                LC_ALL=$locale $awk -f $filter "$source" \
                    > "$BATS_TEST_TMPDIR/out"
                [ "$(wc -l < "$BATS_TEST_TMPDIR/out")" = \
                    $(($(wc -l < "$source") + 1)) ]
                [ -f "$BATS_TEST_TMPDIR/first" ] ||
                    cp "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/first"
                cmp "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/first"
            done
        done
        rm "$BATS_TEST_TMPDIR/first"
    done
}

@test "el filtro dice dónde no se cierra un lanzamiento" {
    printf 'int a;\nvoid f() { k<<<1, 2(x); }\n' > "$BATS_TEST_TMPDIR/bad.cu"
    run awk -f tangled/.build/src/paper/launch.awk "$BATS_TEST_TMPDIR/bad.cu"
    never test "$status" = 0
    says "bad.cu:2: "
}

@test "los programas buenos son CUDA: nvcc los compila" {
    command -v nvcc > /dev/null || skip "no hay nvcc"
    for name in $good; do
        [ "$name" != runtime ] || continue
        run nvcc -std=c++17 -arch=sm_80 -Itests/paper_gpu -c \
            -o "$BATS_TEST_TMPDIR/$name.o" "tests/paper_gpu/$name.cu"
        ends_with 0
    done
    # shellcheck disable=SC2046
    run gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -c \
        $(sh scripts/cuda_headers.sh) -o "$BATS_TEST_TMPDIR/runtime.o" \
        tests/paper_gpu/runtime.c
    ends_with 0
}
