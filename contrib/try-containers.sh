#!/bin/sh
# try-containers.sh [ETAPA...]: construye con buildah las etapas acquire y cpu del
# Dockerfile y ejecuta en ellas las órdenes del curso, sin motor de contenedores.
# Como base, un Debian hecho con debootstrap. Necesita ser root, buildah, unos 10 GB
# en /var/tmp y media hora. service.sh imita a los servicios de Compose; la GPU no se
# prueba. De las pruebas ejecuta las de un programa; todas, con TESTS= en el entorno.
set -eu
cd "$(dirname "$0")/.."
. contrib/base.sh
command -v buildah > /dev/null || fail "falta buildah"
[ $# -gt 0 ] || set -- acquire cpu
uid=${TRY_UID:-1234}
shop=${SHOP:-$(mktemp -d -p /var/tmp containers.XXXXXX)}
echo "En $shop"
export BUILDAH_ISOLATION=chroot STORAGE_DRIVER=vfs TMPDIR="$shop"
printf '{"default":[{"type":"insecureAcceptAnything"}]}\n' > "$shop/policy.json"

store() { # buildah, con su almacén aparte
    command=$1
    shift
    buildah --root "$shop/store" --runroot "$shop/run" "$command" \
        --signature-policy "$shop/policy.json" "$@"
}
plain() { buildah --root "$shop/store" --runroot "$shop/run" "$@"; }
trap 'plain umount --all > /dev/null 2>&1 || :' EXIT
trap 'exit 130' INT TERM

make_base "${BASE:-$shop/debian}"
if ! plain inspect --type image localhost/debian:1 > /dev/null 2>&1; then
    c=$(store from scratch)
    plain add -q "$c" "${BASE:-$shop/debian}" / > /dev/null
    store commit -q "$c" localhost/debian:1 > /dev/null
    plain rm "$c" > /dev/null
fi

# El curso, en una carpeta de otro usuario, como la de un lector. Sin enlaces a los
# objetos de este repositorio, que cambiarían de dueño con ella.
rm -rf "$shop/curso"
git clone -q --no-hardlinks . "$shop/curso"
mkdir -p "$shop/curso/outputs" "$shop/curso/tangled" "$shop/curso/docs"
chown -R "$uid:$uid" "$shop/curso"

inside() { # inside ETAPA ORDEN...: como el servicio (service.sh)
    stage=$1
    shift
    echo "── $stage: $*" | head -n 1
    start=$(date +%s) status=0
    IMAGE_ENV=$(plain inspect --format \
        '{{range .OCIv1.Config.Env}}{{println .}}{{end}}' "$stage")
    export IMAGE_ENV
    sh contrib/service.sh "$stage" "$(plain mount "$stage")" "$shop/curso" \
        "$uid" "$@" > "$shop/said" 2>&1 || status=$?
    tail -n 12 "$shop/said" | sed 's/^/   /'
    echo "── estado $status, $(($(date +%s) - start)) s"
    [ $status = 0 ] || fail "$stage: todo lo que dijo, en $shop/said"
}
for stage; do
    start=$(date +%s)
    store bud --layers --pull-never --build-arg UID="$uid" \
        --build-arg GID="$uid" --build-arg DEBIAN_IMAGE=localhost/debian:1 \
        --target "$stage" --tag "localhost/rmsnorm:$stage" . \
        > "$shop/$stage.log" 2>&1 || {
        tail -n 30 "$shop/$stage.log" >&2; fail "$stage no se construye"; }
    size=$(plain images --format '{{.Size}}' "localhost/rmsnorm:$stage")
    echo "── $stage: construida en $(($(date +%s) - start)) s; $size"
    plain rm "$stage" > /dev/null 2>&1 || :
    store from --pull-never --name "$stage" "localhost/rmsnorm:$stage" \
        > /dev/null
    inside "$stage" sh -euc '# La raíz no se escribe; sin capacidades; sólo lo
        id -u
        grep -q "^[^ ]* / [^ ]* ro" /proc/self/mounts
        for set in Inh Prm Eff Bnd Amb; do
            grep "^Cap$set:.0000000000000000$" /proc/self/status
        done
        grep "^NoNewPrivs:.1" /proc/self/status
        grep "lo:" /proc/net/dev
        [ "$(grep -c : /proc/net/dev)" = 1 ]
        touch /tmp/x'
    case $stage in
    acquire)
        inside acquire sh -euc '# El curso no se escribe; data y tangled, sí
            touch data/.x tangled/.x
            rm data/.x tangled/.x
            if touch ./x outputs/x 2> /dev/null; then exit 1; fi'
        inside acquire sh scripts/acquire.sh
        inside acquire sh scripts/acquire.sh ;;
    cpu)
        inside cpu sh scripts/check_environment.sh
        inside cpu make chapter-04 run
        inside cpu sh scripts/check_checkpoints.sh
        inside cpu make figures book
        inside cpu pdfinfo docs/libro.pdf
        inside cpu sh scripts/clean.sh --scope generated --dry-run
        # shellcheck disable=SC2086
        inside cpu make test ${TESTS-SUITE=programs ONLY=ch04} ;;
    esac
done
stray=$(find "$shop/curso" ! -user "$uid" | head -n 5)
[ -z "$stray" ] || fail "hay ficheros que no son del lector: $stray"
echo "Todo lo creado es del usuario $uid. Para borrar lo de esta prueba: rm -rf $shop"
