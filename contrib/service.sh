#!/bin/sh
# service.sh ETAPA RAÍZ CURSO UID ORDEN...: ejecuta la orden en la raíz de una imagen como
# la ejecutaría su servicio de docker-compose.yml: sin red, con ese usuario, sin capacidades
# ni manera de ganarlas, la raíz de sólo lectura, /tmp en memoria y el curso en /curso.
# Las variables de la imagen, en IMAGE_ENV, una por línea. Lo llama try-containers.sh.
set -eu
if [ -z "${SERVICE_INSIDE:-}" ]; then
    SERVICE_INSIDE=1 exec unshare --net --mount sh "$0" "$@"
fi
stage=$1 root=$2 course=$3 uid=$4
shift 4
mkdir -p "$root/curso"
mount --bind "$root" "$root"
mount --bind "$course" "$root/curso"
mount -t tmpfs -o mode=1777 tmpfs "$root/tmp"
mount --rbind /dev "$root/dev"
mount -t proc proc "$root/proc"
mount -o remount,bind,ro "$root"
if [ "$stage" = acquire ]; then
    for folder in data tangled; do
        mount --bind "$course/$folder" "$root/curso/$folder"
    done
    mount -o remount,bind,ro "$root/curso"
fi
IFS='
'
set -f
# shellcheck disable=SC2016,SC2086
exec env -i $IMAGE_ENV chroot "$root" sh -c 'cd /curso; uid=$1; shift
    exec setpriv --reuid "$uid" --regid "$uid" --clear-groups \
        --bounding-set=-all --inh-caps=-all --no-new-privs "$@"' sh "$uid" "$@"
