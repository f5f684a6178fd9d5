# scripts/check_environment.sh in a small copy of the project, with a PATH that
# has links to this machine's commands, so that one can be taken away.
load common

setup_file() {
    export shop
    shop=$(mktemp -d)
    cd "$BATS_TEST_DIRNAME/.." || return 1
    cp -r Makefile VERSION weave scripts chapters figures "$shop"
    mkdir "$shop/bin"
    find /usr/local/bin /usr/bin /bin -maxdepth 1 ! -type d \
        ! -name 'nvcc*' ! -name 'nvidia-*' -exec ln -sf -t "$shop/bin" {} +
}
teardown_file() { rm -rf "$shop"; }

setup() {
    new_folder
    cd "$shop" || return 1
    mkdir "$work/bin"
    whole=$PATH
    PATH=$work/bin:$shop/bin
    unset DEVICE
}
teardown() { PATH=$whole; hash -r; rm -rf "$work"; }

check() { run sh scripts/check_environment.sh "$@"; }
stub() { # COMMAND BODY
    printf '#!/bin/sh\n%s\n' "$2" > "$work/bin/$1"
    chmod +x "$work/bin/$1"
}
without() { # COMMAND...: a PATH where it is not
    PATH=$work/bin:$shop/bin
    rm -rf "$work/less"
    cp -rP "$shop/bin" "$work/less"
    for command; do unlink "$work/less/$command"; done
    PATH=$work/bin:$work/less
}
computed() { # what was built once is used as it is
    [ -x tangled/.build/cpu/ch02 ] || make -s DEVICE=cpu tangled/.build/cpu/ch02
    stub make ':'
}

@test "aquí: todo bien, con un cálculo de verdad; sin GPU, una nota" {
    check
    ends_with 0
    says "✓ paquetes: no falta ninguno"
    grep -q '[✓·] noweb: [0-9]' <<< "$output" || fail
    says "(conocidas: "
    says "· nvcc: no está"
    says "Preparar el camino de la GPU"
    says "✓ GPU de papel: 100003 elementos calculados y comprobados"
    says "0 avisos, 0 graves. Esta máquina sirve."
}

@test "--json dice lo mismo" {
    computed
    check --json
    ends_with 0
    node -e '
        const e = JSON.parse(process.argv[1]);
        if (e.status !== 0 || e.verdict !== "bien" || e.checks.length < 15 ||
            !e.checks.some(c => c.name === "gcc" && c.found && c.known &&
                c.verdict === "bien" && c.group === "programas"))
            process.exit(1)' "$output" || fail "no es el JSON debido"
}

@test "sin noweb no se trabaja; sin pandoc falta una parte" {
    computed
    without pandoc
    check
    ends_with 1
    says "! pandoc: no está"
    says "sh scripts/setup.sh libro"
    without notangle
    check
    ends_with 3
    says "✗ noweb: no está"
    says "sh scripts/setup.sh programas"
    says "no se puede trabajar"
    check --json
    ends_with 3
    says '"verdict": "grave", "group": "programas", "name": "noweb"'
}

@test "un paquete sin órdenes, como una fuente, también se echa en falta" {
    computed
    command -v dpkg-query > /dev/null || skip "no es Debian"
    stub dpkg-query "$(command -v dpkg-query) \"\$@\" |
        sed 's/fonts-dejavu-extra=installed//'"
    check
    ends_with 1
    says "! paquetes: faltan: fonts-dejavu-extra"
    says "sh scripts/setup.sh libro"
}

@test "sin una cabecera, o con un compilador que nadie ha probado" {
    computed
    stub gcc 'case "$*" in -dumpfullversion) echo 99.1.0 ;; *) exit 1 ;; esac'
    check
    ends_with 3
    says "· gcc: 99.1.0 (conocidas: "
    says "no la hemos probado"
    says "✗ jansson.h: no está"
}

@test "un cálculo que sale mal es grave, por bien que esté lo demás" {
    computed
    cp tangled/.build/cpu/ch02 good
    printf '#!/bin/sh\necho "  ✗ el dispositivo calcula mal"\nexit 1\n' \
        > tangled/.build/cpu/ch02
    check
    ends_with 3
    says "ch02 termina con estado 1: ✗ el dispositivo calcula mal"
    printf '#!/bin/sh\nexit 0\n' > tangled/.build/cpu/ch02
    check
    ends_with 3
    mv good tangled/.build/cpu/ch02
}

@test "si el programa no se construye, dice por qué" {
    stub make 'echo "ch02.c:7: error: algo"; exit 2'
    check
    ends_with 3
    says "no se construye: ch02.c:7: error: algo"
    stub make "printf '%s\n' 'ch02.c:7: error: \"a\\b\"'; exit 2"
    check --json
    ends_with 3
    node -e 'if (!JSON.parse(process.argv[1]).checks.some(
        c => c.found.endsWith(`error: "a\\b"`))) process.exit(1)' \
        "$output" || fail "no es el JSON debido"
}

@test "con DEVICE=gpu, que no haya GPU es grave" {
    computed
    DEVICE=gpu check
    ends_with 3
    says "✗ nvcc: no está"
    says "DEVICE=gpu la exige"
}

gpu() { # DRIVER'S CUDA, NVCC'S RELEASE
    stub nvidia-smi "case \$1 in
        --query*) echo 'NVIDIA Uno, 580.1, 9.0' ;;
        *) echo '| Driver Version: 580.1  CUDA Version: $1 |' ;; esac"
    stub nvcc "echo 'Cuda compilation tools, release $2, V$2.1'"
}

@test "una GPU: tarjeta, controlador y un cálculo en ella" {
    gpu 13.0 13.0
    stub make 'mkdir -p tangled/.build/gpu
        printf "#!/bin/sh\necho \"  ✓ 5 elementos calculados\"\n" \
            > tangled/.build/gpu/ch02
        chmod +x tangled/.build/gpu/ch02'
    check
    ends_with 0
    says "✓ nvcc: 13.0 (conocidas: 13.0)"
    says "✓ controlador: 580.1, hasta CUDA 13.0"
    says "✓ tarjeta: NVIDIA Uno, compute capability 9.0"
    says "✓ GPU: 5 elementos calculados"
    rm -r tangled/.build/gpu
}

@test "un controlador más viejo que nvcc, o que no ve la tarjeta: aviso" {
    computed
    gpu 9.2 13.0
    check
    ends_with 1
    says "! controlador: 580.1: llega a CUDA 9.2 y nvcc es 13.0"
    stub nvidia-smi 'echo "No devices were found"; exit 6'
    check
    ends_with 1
    says "NVIDIA Container Toolkit"
}

@test "uso incorrecto y ayuda" {
    check --rapido
    ends_with 2
    check --json sobra
    ends_with 2
    says "«sobra»"
    DEVICE=tpu check
    ends_with 2
    says "DEVICE=«tpu» no es gpu ni cpu"
    check --help
    ends_with 0
    says "Estado de salida"
}
