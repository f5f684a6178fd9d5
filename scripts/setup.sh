#!/bin/sh
# setup.sh: everything that the workbook needs, from the distribution's own
# packages, and what only the tests of the site need, from npm, in node_modules.
# Run it again whenever you like: when nothing is missing it says nothing and
# takes no time.
set -eu
cd "$(dirname "$0")/.."

# group, package, the command that makes the package unnecessary (or -), and
# ? for a package that some distributions do not have
packages() {
    cat <<'END'
programas gcc              gcc
programas g++              g++
programas libc6-dev        -
programas binutils         ld
programas make             make
programas git              git
programas noweb            notangle
programas perl             -
programas libblas-dev      -
programas libjansson-dev   -
programas zlib1g-dev       -
libro     pandoc           pandoc
libro     gnuplot-nox      gnuplot
libro     texlive-luatex   -
libro     texlive-latex-recommended -
libro     texlive-lang-spanish -
libro     lmodern          -
libro     fonts-dejavu-core -
libro     fonts-dejavu-extra -
libro     fonts-texgyre    -
libro     fonts-texgyre-math - ?
libro     librsvg2-bin     rsvg-convert
libro     clang            clang
libro     lld              wasm-ld
pruebas   libcmocka-dev    -
pruebas   bats             bats
pruebas   hunspell         hunspell
pruebas   hunspell-es      -
pruebas   python3          python3
pruebas   poppler-utils    pdftotext
pruebas   valgrind         valgrind
pruebas   libclang-rt-dev  - ?
pruebas   util-linux       setpriv
pruebas   chromium         chromium ?
pruebas   nodejs           node
pruebas   npm              npm
pruebas   epubcheck        epubcheck
END
}

usage() {
    cat <<'END'
Uso: sh scripts/setup.sh [OPCIÓN] [GRUPO...]

Instala los paquetes de Debian o Ubuntu que falten, y en node_modules lo que usan
las pruebas del sitio (package-lock.json), y crea las carpetas locales.
Sin grupos, todos: programas (extraer y compilar), libro (tejerlo), pruebas.

  --list     escribe la lista de paquetes, uno por línea, y termina
  --missing  escribe los que faltan, uno por línea, y termina
  --folders  sólo las carpetas y .env, para usar contenedores; no instala nada
  --help     escribe esta ayuda y termina

Necesita ser root o tener sudo; si no, escribe la orden que hay que ejecutar.
Estado de salida: 0 si no falta nada, 1 si algo falta todavía, 2 si el uso es
incorrecto.
END
}

fail() {
    printf 'setup.sh: %s\n' "$1" >&2
    exit "${2:-1}"
}

list=0 only_ask=0 folders=0 groups=
for argument; do
    case $argument in
    --help) usage; exit 0 ;;
    --list) list=1 ;;
    --missing) only_ask=1 ;;
    --folders) folders=1 ;;
    programas | libro | pruebas) groups="$groups $argument" ;;
    *) fail "argumento desconocido: $argument (vea --help)" 2 ;;
    esac
done
groups="${groups:-programas libro pruebas} "

wanted() {
    packages | while read -r group package command optional; do
        case " $groups" in
        *" $group "*) echo "$package $command $optional" ;;
        esac
    done
}

if [ $list = 1 ]; then
    wanted | cut -d ' ' -f 1
    exit 0
fi

# --- folders, and .env with the owner that containers write files as ----------
make_folders() {
    mkdir -p tangled outputs docs data
    uid=${SUDO_UID:-$(id -u)} gid=${SUDO_GID:-$(id -g)}
    if grep -qx "UID=$uid" .env && grep -qx "GID=$gid" .env; then return; fi \
        2> /dev/null
    { [ ! -f .env ] || grep -v -e '^UID=' -e '^GID=' .env || :
      printf 'UID=%s\nGID=%s\n' "$uid" "$gid"; } > .env.tmp
    mv .env.tmp .env
}
if [ $only_ask = 0 ]; then make_folders; fi
[ $folders = 0 ] || exit 0

log=$(mktemp)
trap 'rm -f "$log"' EXIT
trap 'exit 130' INT TERM

# --- the tests' own packages, and the end ----------------------------------------
# node_modules holds a copy of the list that it was made from
finish() {
    case $groups in *' pruebas '*) ;; *) exit 0 ;; esac
    [ -f package-lock.json ] || exit 0
    cmp -s package-lock.json node_modules/.made-from && exit 0
    echo "Instalando en node_modules lo que usan las pruebas del sitio..."
    npm ci --no-audit --no-fund --no-update-notifier --ignore-scripts \
        > "$log" 2>&1 < /dev/null || {
        tail -n 5 "$log" >&2
        echo "npm no pudo instalarlo (¿hay red?): make test omitirá esas" \
            "pruebas hasta que sh scripts/setup.sh lo consiga" >&2
        exit 0
    }
    cp package-lock.json node_modules/.made-from
    echo "Listo: las pruebas del sitio tienen lo suyo."
    exit 0
}

# --- what is missing ------------------------------------------------------------
command -v apt-get > /dev/null && command -v dpkg-query > /dev/null ||
    fail "esta máquina no usa los paquetes de Debian. Instale usted, con su \
gestor de paquetes, el equivalente de:
$(wanted | cut -d ' ' -f 1 | tr '\n' ' ')"

# shellcheck disable=SC2046
installed=" $(dpkg-query -W -f '${Package}=${db:Status-Status} ' \
    $(wanted | cut -d ' ' -f 1) 2> /dev/null || :) "

missing() { # REQUIRED|OPTIONAL
    wanted | while read -r package command optional; do
        case $1$optional in REQUIRED | OPTIONAL'?') ;; *) continue ;; esac
        case $installed in *" $package=installed "*) continue ;; esac
        [ "$command" != - ] && command -v "$command" > /dev/null && continue
        printf ' %s' "$package"
    done
}
required=$(missing REQUIRED)
if [ $only_ask = 1 ]; then
    printf '%s\n' "$required" | tr ' ' '\n' | sed 1d
    exit 0
fi
optional=$(missing OPTIONAL)
[ -n "$required$optional" ] || finish

# Splits what is missing into what apt's lists have and what they lack. libc6
# stands for a machine whose lists were never fetched.
look_up() {
    known=" $(apt-cache show --no-all-versions libc6 $required $optional \
        2> /dev/null | sed -n 's/^Package: //p' | tr '\n' ' ')"
    available='' unknown='' absent='' fresh=1
    case $known in *' libc6 '*) ;; *) fresh=0 ;; esac
    for package in $required; do
        case $known in
        *" $package "*) available="$available $package" ;;
        *) unknown="$unknown $package" fresh=0 ;;
        esac
    done
    for package in $optional; do
        case $known in
        *" $package "*) available="$available $package" ;;
        *) absent="$absent $package" ;;
        esac
    done
}
look_up
[ -n "$required$available" ] || [ $fresh = 0 ] || finish

# --- who installs ---------------------------------------------------------------
as_root=
if [ "$(id -u)" != 0 ]; then
    if command -v sudo > /dev/null && { [ -t 0 ] || sudo -n true 2> /dev/null; }
    then
        as_root=sudo
    else
        printf 'setup.sh: faltan paquetes y hace falta ser root. Ejecute:\n\n'
        printf "  su -c 'apt-get update && apt-get install -y "
        printf "%s%s'\n\n" "--no-install-recommends" "$available$unknown"
        printf 'y después, otra vez, sh scripts/setup.sh\n'
        exit 1
    fi >&2
fi
apt() {
    $as_root env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -y \
        -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
        -o APT::Install-Recommends=false "$@" < /dev/null 2>&1
}

# Says, at most ten times, how many of TOTAL there are
advance() { # COUNT TOTAL WORD
    [ $((($1 - 1) * 10 / $2)) = $(($1 * 10 / $2)) ] ||
        printf '  %s de %s paquetes %s\n' "$1" "$2" "$3"
}

# Runs apt, keeping its words for when it fails, and says how far it got
step() { # TOTAL ARGUMENT...
    total=$1
    shift
    [ "$total" -gt 0 ] || total=1
    : > "$log"
    { apt "$@" || echo "E: apt-get $?"; } | {
        failed=0 fetched=0 configured=0
        while IFS= read -r line; do
            printf '%s\n' "$line" >> "$log"
            case $line in
            'E: apt-get '*) failed=1 ;;
            *'Waiting for cache lock'*)
                [ -n "${waited-}" ] || echo "  esperando a que otro apt acabe"
                waited=1 ;;
            'Need to get '*)
                size=${line#Need to get }
                printf '  descarga: %s\n' "${size%% of archives*}" ;;
            Get:*)
                fetched=$((fetched + 1))
                [ "$1" != install ] || advance $fetched $total descargados ;;
            'Setting up '*)
                configured=$((configured + 1))
                advance $configured $total instalados ;;
            esac
        done
        return $failed
    }
}

refreshed=0
refresh() {
    [ $refreshed = 0 ] || return 1
    refreshed=1
    echo "Actualizando la lista de paquetes de la distribución..."
    step 0 update
}

if [ $fresh = 0 ]; then
    refresh || :
    look_up
fi
[ -z "$unknown" ] || {
    tail -n 5 "$log" >&2
    fail "la distribución no ofrece:$unknown. ¿Hay red? En Ubuntu, ¿está \
activado «universe»?"
}
[ -z "$absent" ] || echo "La distribución no ofrece$absent; se sigue sin ello."
[ -n "$available" ] || finish

count() {
    apt -s install $available | grep -c '^Inst ' || :
}
echo "Instalando:$available"
echo "(la primera vez puede tardar varios minutos)"
step "$(count)" install $available || {
    # The lists may be older than the archive
    refresh && step "$(count)" install $available
} || {
    tail -n 20 "$log" >&2
    fail "no se pudo instalar; arriba están las últimas palabras de apt-get"
}
echo "Listo: no falta ningún paquete."
finish
