# Chapter 7 from outside: the same bits twice, the checkpoint read back, damaged
# ones refused, a killed run, other programs that read the file.
load common

setup_file() {
    make -s -C "$BATS_TEST_DIRNAME/.." DEVICE=cpu \
        tangled/.build/cpu/ch07 >&2
    export trained
    trained=$(mktemp -d)
    cd "$trained" && timeout 120 \
        "$BATS_TEST_DIRNAME/../tangled/.build/cpu/ch07" --quiet
}
teardown_file() { rm -rf "$trained"; }

setup() {
    program=$project/tangled/.build/cpu/ch07
    new_folder
    unset PAPER_GPU_ORDER
    cp "$trained/outputs/ch07.safetensors" good.safetensors
    cp -r "$trained/data" data
}
teardown() { rm -rf "$work"; }

go() { run timeout 120 "$program" "$@"; }

refuses() { # FILE TEXT
    go --load "$1"
    ends_with 1
    says "$2"
}

@test "dos entrenamientos dan el mismo fichero, en cualquier orden de hilos" {
    for order in forward reverse random:3; do
        PAPER_GPU_ORDER=$order go --quiet --checkpoint again.safetensors
        ends_with 0
        cmp again.safetensors good.safetensors || fail "difiere con $order"
        rm again.safetensors
    done
}

@test "otra semilla da otro fichero" {
    go --quiet --steps 2 --seed 2 --checkpoint other.safetensors
    ends_with 0
    never cmp -s other.safetensors good.safetensors
}

@test "--load evalúa y da el error del entrenamiento" {
    go --load good.safetensors --output loaded.tsv
    ends_with 0
    for key in test.reference test.kernel; do
        before=$(grep "^$key	" "$trained/outputs/ch07.tsv")
        [ "$before" = "$(grep "^$key	" loaded.tsv)" ] ||
            fail "$key: $before"
    done
    [ ! -e outputs/ch07.safetensors ]
}

@test "lo que no es la ejecución del libro no pisa sus resultados" {
    mkdir outputs
    echo tabla > outputs/ch07.tsv
    echo pesos > outputs/ch07.safetensors
    go --load good.safetensors
    ends_with 0
    go --steps 1
    ends_with 0
    [ "$(cat outputs/ch07.tsv outputs/ch07.safetensors | tr '\n' ' ')" = \
        "tabla pesos " ]
    [ -s outputs/ch07-trial.tsv ] && [ -s outputs/ch07-trial.safetensors ]
}

@test "un checkpoint de otra anchura se rechaza, y sirve con la suya" {
    go --quiet --steps 20 --hidden 257 --checkpoint wide.safetensors
    ends_with 0
    refuses wide.safetensors "en linear1.weight, shape debía ser"
    go --quiet --hidden 257 --load wide.safetensors
    ends_with 0
}

@test "ficheros truncados, alterados, ajenos, imposibles: cada uno su mensaje" {
    head -c 5000 good.safetensors > cut
    refuses cut "truncado"
    head -c 4 good.safetensors > shorter
    refuses shorter "truncado"
    { cat good.safetensors; echo; } > longer
    refuses longer "sobran datos"
    { head -c 3000 good.safetensors; printf '\001'
      tail -c +3002 good.safetensors; } > changed
    refuses changed "alterado"
    sed 's/linear2/linear3/' good.safetensors > renamed
    refuses renamed "alterado"
    refuses "$program" "no es safetensors"
    : > empty
    refuses empty "truncado"
    refuses absent "no se puede abrir"
    refuses data "no se puede leer"
    refuses /dev/zero "mide más de"
}

@test "interrumpido mientras entrena o guarda, el checkpoint de antes sirve" {
    for delay in 0.1 0.4 0.8 1.2 1.6 2.0; do
        "$program" --quiet --steps 3 --seed 5 \
            --checkpoint good.safetensors 3>&- &
        sleep $delay
        kill -KILL $! 2> /dev/null || :
        wait $! || :
        go --quiet --load good.safetensors
        ends_with 0
    done
}

@test "una carpeta que no existe se dice" {
    go --quiet --steps 1 --checkpoint no/existe/x.safetensors
    ends_with 4
    says "no se puede escribir"
}

@test "otro lector, escrito aparte, lee los mismos tensores" {
    command -v python3 > /dev/null || skip "sin python3"
    run python3 "$project/tests/read_safetensors.py" good.safetensors
    ends_with 0
    says "linear1.weight	96x16"
    says "linear1.bias	96	"
    says "norm.weight	96	"
    says "linear2.weight	1x96"
    says "linear2.bias	1	"
    says "metadata	step	100"
}

@test "el paquete safetensors de Python lo abre y lee lo mismo" {
    python3 -c 'import safetensors, numpy' 2> /dev/null ||
        skip "este Python no tiene safetensors y numpy"
    run python3 "$project/tests/read_safetensors.py" good.safetensors
    expected=$output
    run python3 "$project/tests/read_safetensors.py" --package \
        good.safetensors
    ends_with 0
    [ "$output" = "$expected" ] || fail "leyó otra cosa que: $expected"
}

@test "con un terminal se ve el progreso; sin él, no" {
    command -v script > /dev/null || skip "sin script"
    run script -qec "timeout 120 $program --steps 20" /dev/null
    ends_with 0
    says "kernel: 20 de 20"
    go --steps 1
    case $output in *"1 de 1"*) fail "progreso sin terminal" ;; esac
}

@test "opciones que no valen" {
    for arguments in "--steps 0" "--steps 1.5" "--batch 0" "--batch 3201" \
        "--hidden 0" "--hidden 4097" "--learning-rate nan" \
        "--learning-rate x" "--learning-rate 0" "--learning-rate -1"; do
        # shellcheck disable=SC2086
        go $arguments
        ends_with 2
        says "ch07: --"
    done
}

@test "unos datos que no se leen enteros se dicen, y no se reparan" {
    head -n 100 data/train.tsv > short && mv short data/train.tsv
    go --steps 1
    ends_with 2
    says "data/train.tsv tiene 99 ejemplos"
    [ "$(wc -l < data/train.tsv)" = 100 ]
}

@test "sin datos, los hace, y son los mismos" {
    rm -r data
    go --quiet --steps 1
    ends_with 0
    for part in train validation test; do
        cmp "data/$part.tsv" "$trained/data/$part.tsv"
    done
}
