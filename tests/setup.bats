# scripts/setup.sh on imitated machines: a PATH with stand-ins for the package
# tools, which keep their state in files.
#   installed  what is installed      lists   what apt's lists know
#   mirror     what an update brings  calls   the apt-get calls
load common

setup() {
    new_folder
    mkdir scripts bin
    cp "$project/scripts/setup.sh" scripts/
    for tool in sh cat cut sed tr mktemp rm mv cp cmp grep tail mkdir env dirname; do
        ln -s "$(command -v $tool)" bin/$tool
    done
    sh scripts/setup.sh --list | tee mirror > lists
    { echo libc6; } | tee -a mirror >> lists
    : > installed
    : > calls
    stub id 'case $1 in -u) cat uid ;; -g) echo 1000 ;; esac'
    echo 0 > uid
    stub dpkg-query 'shift 2; for p; do grep -qx "$p" installed &&
        printf "%s=installed " "$p"; done; exit 0'
    stub apt-cache 'shift 2; for p; do
        if grep -qx "$p" lists; then echo "Package: $p"; fi; done'
    stub apt-get 'while case $1 in -y) shift ;; -o) shift 2 ;; *) false ;; esac
        do :; done
        echo "$*" >> calls
        case $1 in
        update) cat mirror > lists ;;
        -s) shift 2; for p; do echo "Inst $p (1)"; done ;;
        install) shift
            for p; do grep -qx "$p" lists || { echo "E: no $p"; exit 100; }; done
            echo "Need to get 12 MB of archives."
            for p; do echo "Setting up $p (1) ..."; echo "$p" >> installed; done
        esac'
}
teardown() { rm -rf "$work"; }

stub() { # COMMAND BODY
    printf '#!/bin/sh\n%s\n' "$2" > "bin/$1"
    chmod +x "bin/$1"
}

setup_sh() {
    run env PATH="$work/bin" sh scripts/setup.sh "$@" < /dev/null
}

all_installed() { sh scripts/setup.sh --list > installed; }

@test "si no falta nada, calla y no toca apt" {
    all_installed
    setup_sh
    ends_with 0
    silent
    [ ! -s calls ]
}

@test "en esta máquina, con todo instalado, tarda menos de dos segundos" {
    mkdir here
    cp -r scripts here
    start=$(date +%s%N)
    run sh here/scripts/setup.sh < /dev/null
    [ $((($(date +%s%N) - start) / 1000000)) -lt 2000 ]
    ends_with 0
    silent
}

@test "como root instala lo que falta, y sólo eso" {
    all_installed
    sed -i -e /^noweb/d -e /^bats/d installed
    setup_sh
    ends_with 0
    says "Instalando: noweb bats"
    says "descarga: 12 MB"
    says "2 de 2 paquetes instalados"
    grep -qx 'install noweb bats' calls
    never grep -qx update calls
    setup_sh
    silent
}

@test "un programa que ya está, venga de donde venga, no se instala" {
    all_installed
    sed -i -e /^pandoc/d -e /^nodejs/d installed
    stub pandoc :
    stub node :
    setup_sh
    ends_with 0
    silent
}

@test "una máquina recién hecha: pide antes las listas" {
    : > lists
    setup_sh
    ends_with 0
    says "Actualizando la lista de paquetes"
    [ "$(head -n 1 calls)" = update ]
    [ "$(sort installed)" = "$(sh scripts/setup.sh --list | sort)" ]
}

@test "si la instalación falla con listas viejas, las pide y repite" {
    stub apt-get 'while case $1 in -y) shift ;; -o) shift 2 ;; *) false ;; esac
        do :; done
        echo "$1" >> calls
        case $1 in
        update) : > updated ;;
        install) [ -f updated ] || { echo "E: 404 Not Found"; exit 100; } ;;
        esac'
    setup_sh
    ends_with 0
    [ "$(grep -v -e -s calls | tr '\n' ' ')" = "install update install " ]
}

@test "si la instalación falla, enseña las palabras de apt y termina con 1" {
    stub apt-get 'case "$*" in *" -s "*) ;; *install*)
        echo "E: disco lleno"; exit 100 ;; esac'
    setup_sh
    ends_with 1
    says "E: disco lleno"
    says "no se pudo instalar"
}

@test "un paquete que la distribución no ofrece" {
    sed -i /^noweb/d lists mirror
    setup_sh
    ends_with 1
    says "la distribución no ofrece: noweb"
    [ ! -s installed ]
}

@test "sin chromium (Ubuntu) se sigue; y la segunda vez calla" {
    sed -i /^chromium/d lists mirror
    setup_sh
    ends_with 0
    says "La distribución no ofrece chromium; se sigue sin ello."
    setup_sh
    ends_with 0
    silent
}

@test "sin root y con sudo, instala a través de sudo" {
    echo 1000 > uid
    stub sudo '[ "$1" = -n ] && exit 0; echo "sudo $*" >> calls; exec "$@"'
    setup_sh
    ends_with 0
    grep -q '^sudo env .*apt-get -y' calls
}

@test "sin root ni sudo, escribe la orden y termina con 1" {
    echo 1000 > uid
    all_installed
    sed -i -e /^noweb/d -e /^bats/d installed
    setup_sh
    ends_with 1
    says "su -c 'apt-get update && apt-get install -y --no-install-recommends noweb bats'"
    [ ! -s calls ]
}

@test "sudo que pide contraseña, y sin terminal: escribe la orden" {
    echo 1000 > uid
    stub sudo 'exit 1'
    setup_sh
    ends_with 1
    says "su -c 'apt-get update"
    [ ! -s calls ]
}

@test "una máquina sin apt dice qué instalar" {
    rm bin/apt-get
    setup_sh
    ends_with 1
    says "no usa los paquetes de Debian"
    says "noweb"
}

@test "crea las carpetas y un .env con UID y GID, sin perder lo del lector" {
    all_installed
    echo 1234 > uid
    printf 'OTRA=1\nUID=7\n' > .env
    setup_sh
    ends_with 0
    [ -d tangled ] && [ -d outputs ] && [ -d docs ] && [ -d data ]
    [ "$(cat .env)" = "$(printf 'OTRA=1\nUID=1234\nGID=1000')" ]
}

@test "--folders: carpetas y .env, y nada más" {
    setup_sh --folders
    ends_with 0
    silent
    [ -d tangled ] && [ -d outputs ] && [ -d docs ] && [ -d data ]
    [ "$(cat .env)" = "$(printf 'UID=0\nGID=1000')" ]
    [ ! -s calls ]
}

@test "--list escribe un paquete por línea; por grupos también" {
    run sh scripts/setup.sh --list
    ends_with 0
    says noweb
    says bats
    [ "$(sh scripts/setup.sh --list | sort | uniq -d)" = "" ]
    run sh scripts/setup.sh --list programas
    says noweb
    [ "${output#*bats}" = "$output" ] || fail "bats no es de programas"
    sh scripts/setup.sh --list > all
    never grep -v '^[a-z0-9.+-]*$' all
}

@test "--missing dice los que faltan, y no instala ni crea nada" {
    all_installed
    sed -i -e /^fonts-dejavu-extra/d -e /^chromium/d installed
    setup_sh --missing
    ends_with 0
    [ "$output" = fonts-dejavu-extra ] || fail
    setup_sh --missing programas
    silent
    [ ! -s calls ] && [ ! -e .env ] && [ ! -e tangled ]
}

@test "cada paquete existe en esta distribución" {
    command -v apt-cache > /dev/null || skip "sin apt"
    apt-cache show libc6 > /dev/null 2>&1 || skip "apt no tiene listas"
    # shellcheck disable=SC2046
    apt-cache show --no-all-versions $(sh "$project/scripts/setup.sh" --list) \
        2> /dev/null | sed -n 's/^Package: //p' > offered
    for package in $(sh "$project/scripts/setup.sh" --list); do
        grep -qx "$package" offered || [ "$package" = chromium ] ||
            fail "no existe: $package"
    done
}

@test "lo de npm se instala una vez, y otra si cambia la lista" {
    all_installed
    echo uno > package-lock.json
    stub npm 'echo "$*" >> npm_calls; mkdir -p node_modules; echo ruido'
    setup_sh
    ends_with 0
    says "Instalando en node_modules"
    never says ruido
    grep -q '^ci .*--ignore-scripts' npm_calls
    setup_sh
    silent
    [ "$(wc -l < npm_calls)" = 1 ]
    echo dos > package-lock.json
    setup_sh programas libro
    silent
    setup_sh
    [ "$(wc -l < npm_calls)" = 2 ]
}

@test "si npm falla, enseña sus palabras, sigue y la próxima vez repite" {
    all_installed
    echo uno > package-lock.json
    stub npm 'mkdir -p node_modules; echo "npm error sin red"; exit 1'
    setup_sh
    ends_with 0
    says "npm error sin red"
    says "make test omitirá esas pruebas"
    stub npm 'mkdir -p node_modules'
    setup_sh
    ends_with 0
    says "Listo"
}

@test "package-lock.json fija versiones y no nombra ningún servidor" {
    never grep -q '"resolved"' "$project/package-lock.json"
    [ "$(grep -c '"integrity"' "$project/package-lock.json")" = \
        "$(grep -c '^    "node_modules/' "$project/package-lock.json")" ]
    never grep -E '"(axe-core|playwright-core|vnu-jar)": "[^0-9]' "$project/package.json"
}

@test "--help y el uso incorrecto" {
    run sh scripts/setup.sh --help
    ends_with 0
    says "Uso: sh scripts/setup.sh"
    run sh scripts/setup.sh --no-existe
    ends_with 2
    says "argumento desconocido: --no-existe"
}
