#!/bin/sh
# dist.sh: el archivo de la versión, para quien tiene gcc, g++ y make y nada más:
# los programas ya extraídos, la GPU de papel y los lanzamientos ya traducidos. Con
# el libro, si está tejido. Mismo contenido, mismos bytes. Lo llama «make dist».
set -eu
cd "$(dirname "$0")/.."
LC_ALL=C.UTF-8
export LC_ALL
umask 022
if [ -z "${PROGRAMS:-}" ]; then
    echo "dist.sh: lo llama make; use «make dist»" >&2
    exit 2
fi
version=$(cat VERSION)
name=rmsnorm-$version
out=${DIST:=dist}/$name.tar.gz
: "${DOCS:=docs}"        # las pruebas ponen otros
case $COMMIT in *dirty*)
    echo "dist.sh: aviso: hay cambios sin commit; el archivo lo dice" \
        "($COMMIT)" >&2 ;;
esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
top=$work/$name
mkdir -p "$top/paper" "$top/data" "$top/outputs" "$DIST"

# --- programas: para leer, y lo que además compila sin awk ----------------------
for root in $ROOTS; do
    case $root in      # no lo que hace falta para mutar los capítulos
    paper/* | *.c | *.cu | *.h | *.py) cp "tangled/$root" "$top/$root" ;;
    esac
done
for program in $KERNELS; do
    (cd tangled && awk -f paper/launch.awk "${program}_kernels.cu") \
        > "$top/${program}_kernels.cpp"
done
cp VERSION LICENSE LICENSE-text CHANGELOG.md scripts/librmsnorm.map \
    scripts/cuda_headers.sh "$top"
cp outputs/README.md "$top/outputs"
cp data/README.md data/SHA256SUMS data/ch09-answers.txt "$top/data"
cp -R data/published "$top/data"
sed "s/@VERSION@/$version/; s/@COMMIT@/$COMMIT/" scripts/dist/LEAME.md \
    > "$top/LEAME.md"

# --- un Makefile corto, con las opciones del grande -----------------------------
{
    echo "# rmsnorm $version ($COMMIT). Vea LEAME.md"
    echo "PROGRAMS := $PROGRAMS"
    echo "KERNELS  := $KERNELS"
    for program in $PROGRAMS; do
        for device in cpu gpu; do
            libraries=$(make -s --no-print-directory DEVICE=$device \
                "libs-$program")
            [ "$libraries" = -lm ] ||
                echo "${program}_LIBS_$device := ${libraries% -lm}"
        done
        arguments=$(eval "echo \"\${RUN_$program:-}\"")
        [ -z "$arguments" ] || echo "RUN_$program := $arguments"
    done
    echo "CFLAGS   := $CFLAGS" | sed 's/ -Werror//g'
    echo "CXXFLAGS := $CXXFLAGS" | sed 's/ -Werror//g'
    echo "WATCHED  := $WATCHED"
    cat scripts/dist/programs.mk
} > "$top/Makefile"

# --- el libro, si está ------------------------------------------------------------
if [ -f "$DOCS/index.html" ]; then
    mkdir "$top/docs"
    cp -R "$DOCS/." "$top/docs"
    rm -f "$top/docs/README.md"
    find "$top/docs" -name '*.tmp' -delete
    book="con el libro"
else
    book="sin el libro (make book lo teje)"
fi

# --- empaquetar: en orden, sin dueño y con la fecha del commit --------------------
date=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2> /dev/null || echo 0)}
find "$top" -type d -exec chmod 755 {} +
find "$top" -type f -exec chmod 644 {} +
tar -C "$work" --sort=name --mtime="@$date" --owner=0 --group=0 \
    --numeric-owner --format=ustar -cf "$work/archive.tar" "$name"
gzip -9n < "$work/archive.tar" > "$out.tmp"
mv "$out.tmp" "$out"
echo "$out, $book:"
sha256sum "$out"
