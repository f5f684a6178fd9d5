# shellcheck shell=sh
# base.sh: lo que comparten try-containers.sh y newcomer.sh. Se incluye con «.».
# make_base CARPETA [PAQUETES]: un Debian mínimo recién hecho, con debootstrap, del
# mismo archivo de paquetes que usa esta máquina.
fail() { printf '%s: %s\n' "$(basename "$0")" "$1" >&2; exit 1; }
[ "$(id -u)" = 0 ] || fail "hace falta ser root (debootstrap y chroot)"

make_base() {
    command -v debootstrap > /dev/null || fail "falta debootstrap"
    [ ! -e "$1" ] || return 0
    mirror=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.sources \
        /etc/apt/sources.list.d/*.list 2> /dev/null | awk '
        /^deb / { for (i = 2; i <= NF; i++) if ($i ~ /^[a-z+]+:/) { print $i; exit } }
        /^URIs:/ { print $2; exit }')
    [ -n "$mirror" ] || fail "la configuración de apt no dice de qué archivo"
    suite=${SUITE:-bookworm}
    echo "debootstrap $suite…"
    debootstrap --variant=minbase ${2:+--include="$2"} "$suite" "$1.part" \
        "$mirror" > "$1.log" 2>&1 || {
        tail -n 5 "$1.log" >&2; fail "debootstrap no terminó"; }
    mv "$1.part" "$1"
}
