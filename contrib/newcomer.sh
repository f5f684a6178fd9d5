#!/bin/sh
# newcomer.sh [--first] [URL]: las dos órdenes de README.md en un Debian recién hecho
# que sólo tiene git, con el tiempo de cada una; con --first, sólo la primera. Sin URL
# clona este repositorio. SUITE=trixie en el entorno pide otra versión de Debian.
# Necesita ser root, debootstrap, unos 4 GB en /var/tmp y media hora.
set -eu
first=
if [ "${1-}" = --first ]; then first=1; shift; fi
cd "$(dirname "$0")/.."
# shellcheck source=contrib/base.sh
. contrib/base.sh
shop=${SHOP:-$(mktemp -d -p /var/tmp newcomer.XXXXXX)}
root=$shop/root
echo "En $shop"
make_base "$root" git
git clone -q --no-hardlinks "${1:-.}" "$root/root/curso"
git -C "$root/root/curso" log -1 --format='commit %h'
mountpoint -q "$root/proc" || mount -t proc proc "$root/proc"
mountpoint -q "$root/dev" || mount --rbind --make-rslave /dev "$root/dev"
trap 'umount -R "$root/proc" "$root/dev"' EXIT
trap 'exit 130' INT TERM
cp /etc/resolv.conf "$root/etc/resolv.conf" 2> /dev/null || :

try() { # try ORDEN: como quien la copia de README.md
    echo "── $1"
    start=$(date +%s)
    status=0
    chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb \
        sh -c "cd /root/curso && $1" > "$shop/log" 2>&1 || status=$?
    tail -n "${2:-6}" "$shop/log" | sed 's/^/   /'
    echo "── estado $status, $(($(date +%s) - start)) s"
    [ $status = 0 ] || { cp "$shop/log" "$shop/failed.log"; exit 1; }
}
try 'sh scripts/setup.sh && make chapter-04 && ./tangled/ch04'
try 'sh scripts/setup.sh'
[ -n "$first" ] || try 'sh scripts/setup.sh && make test' 12
echo "Para borrar lo de esta prueba: rm -rf $shop"
