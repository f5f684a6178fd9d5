#!/bin/sh
# clean.sh: borra lo que el curso ha creado, y nada más. Sólo quita ficheros cuyo
# nombre pone alguna regla del curso, que git no sigue y que están en la carpeta
# del proyecto sin pasar por un enlace. Lo que usted escribe (exercises/*.c, sus
# notas en outputs/) no está en ninguna lista.
set -eu
LC_ALL=C.UTF-8
export LC_ALL

usage() {
    cat <<'FIN'
Uso: sh scripts/clean.sh --scope ÁMBITO [--dry-run] [--yes]

  --scope generated    programas extraídos, libro, figuras, archivos de dist/
  --scope outputs      lo que los programas midieron (outputs/*.tsv)
  --scope checkpoints  los pesos guardados (outputs/*.safetensors)
  --scope all          todo lo anterior y las particiones de data/
  --dry-run            dice qué borraría, con su tamaño, y no borra nada
  --yes                no pregunta; hace falta si no hay un terminal
  --help               escribe esta ayuda y termina

Nunca borra lo que git sigue, ni lo que escribe el lector, ni lo que está detrás
de un enlace simbólico.
Estado de salida: 0 hecho (o nada que borrar); 1 no se borró, o no todo; 2 uso
incorrecto.
FIN
}

fail() {        # fail FRASE [ESTADO]
    printf 'clean.sh: %s\n' "$1" >&2
    exit "${2:-1}"
}

scope='' dry='' yes=''
while [ $# -gt 0 ]; do
    case $1 in
    --scope) [ $# -ge 2 ] || fail "--scope necesita un ámbito (vea --help)" 2
        scope=$2; shift ;;
    --scope=*) scope=${1#--scope=} ;;
    --dry-run) dry=1 ;;
    --yes) yes=1 ;;
    --help) usage; exit 0 ;;
    *) fail "no se entiende «$1» (vea --help)" 2 ;;
    esac
    shift
done
case $scope in
generated | outputs | checkpoints) ;;
all) ;;
'') fail "falta --scope generated|outputs|checkpoints|all" 2 ;;
*) fail "--scope: «$scope» no es generated, outputs, checkpoints ni all" 2 ;;
esac

cd "$(dirname "$0")/.." || exit 2
for part in scripts chapters Makefile; do
    { [ -e $part ] && [ ! -L $part ]; } ||
        fail "$PWD no es la carpeta del proyecto: falta $part, o es un enlace"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# --- qué hay: los nombres que ponen las reglas del curso ------------------------
# Un nombre con un salto de línea no es de ninguna regla.
files() {       # files CARPETA CONDICIÓN...: sin pasar por ningún enlace
    folder=$1
    shift
    part=$folder
    while [ "$part" != . ]; do
        if [ -L "$part" ]; then
            echo "se deja $folder: $part es un enlace" >> "$work/notes"
            return
        fi
        part=$(dirname "$part")
    done
    [ -d "$folder" ] || return 0
    find -P "$folder" -maxdepth "${depth:-99}" \( "$@" \) ! -name '*
*' ! -path '*
*' -print
}
flat() {        # flat CARPETA CONDICIÓN...: los de la carpeta misma
    depth=1
    folder=$1
    shift
    files "$folder" -type f \( "$@" \)
    depth=99
}
# Un trozo con nombre de fichero es una raíz: de él salen el fichero, y el programa
# o la biblioteca de su nombre
roots() { sed -n 's/^<<\([A-Za-z0-9_]*\.[a-z]*\)>>=.*/\1/p' chapters/*.nw; }

generated() {
    files tangled/.build -type f -o -type l    # los talleres de los ejercicios
    files tangled/paper -type f
    for root in $(roots); do
        for made in "$root" "${root%.*}" "${root%.*}.so"; do
            flat tangled -name "$made" -o -name "$made.tmp"
        done
    done
    flat docs -name '*.html' -o -name '*.html.tmp' -o -name 'libro.*' -o \
        -name 'busqueda.js*' -o -name 'buscar.js*' -o -name 'ejercicio.js*'
    files docs/figures -type f -name '*.svg*'
    files docs/trozos -type f -name '*.js*'
    files docs/codigo -type f -name '*.html*'
    flat dist -name 'rmsnorm-*.tar.gz' -o -name 'rmsnorm-*.tar.gz.tmp'
    for source in figures/*.gp figures/drawn/*.svg; do
        [ -e "$source" ] || continue
        case $source in *.gp) kinds='svg pdf svg.tmp pdf.tmp' ;;
        *) kinds='pdf pdf.tmp' ;; esac
        for kind in $kinds; do
            flat "$(dirname "$source")" \
                -name "$(basename "${source%.*}").$kind"
        done
    done
}
outputs() {     # sólo las tablas que empiezan como las de un programa
    flat outputs -name '*.tsv' -o -name '*.tsv.tmp.*' | while read -r table; do
        case $(head -n 1 "$table" | tr -d '\0') in
        '# program: '*) echo "$table" ;;
        *) case $table in *.tmp.*) echo "$table" ;; esac ;;
        esac
    done
}
checkpoints() { flat outputs -name '*.safetensors' -o -name '*.safetensors.*'; }
partitions() {
    flat data -name train.tsv -o -name validation.tsv -o -name test.tsv
}

: > "$work/notes"
case $scope in
all) generated; outputs; checkpoints; partitions ;;
*) $scope ;;
esac | grep -v '/README\.md$' | sort -u > "$work/found" || :

# --- menos lo que git sigue -------------------------------------------------------
if [ -e .git ]; then
    git -c safe.directory="$PWD" -c core.quotePath=false ls-files -z \
        > "$work/git" 2> "$work/why" || fail "git no dice qué ficheros sigue, y \
sin saberlo no se borra nada: $(cat "$work/why")"
    tr '\0' '\n' < "$work/git" | sort > "$work/tracked"
    comm -12 "$work/found" "$work/tracked" |
        sed 's/^/se deja /; s/$/: git lo sigue/' >> "$work/notes"
    comm -23 "$work/found" "$work/tracked" > "$work/list"
else
    cp "$work/found" "$work/list"
fi

# --- se enseña: ruta y tamaño; tangled/.build, en una línea -------------------------
tr '\n' '\0' < "$work/list" | xargs -0 -r stat -c '%s	%n' |
    awk -F '\t' '
        function size(bytes,   u) {
            split("B kB MB GB TB", unit, " ")
            for (u = 1; bytes >= 1000 && u < 5; u++) bytes /= 1000
            return sprintf(u == 1 ? "%d %s" : "%.1f %s", bytes, unit[u])
        }
        function show(bytes, name) { printf "%9s  %s\n", size(bytes), name }
        { count++; total += $1 }
        index($2, "tangled/.build/") == 1 { build += $1; built++; next }
        { show($1, $2) }
        END {
            if (built) show(build, "tangled/.build/ (" built " ficheros)")
            if (count) print count " ficheros, " size(total)
        }' > "$work/shown"
sort -u "$work/notes"
if [ ! -s "$work/list" ]; then
    echo "No hay nada que borrar (--scope $scope)."
    exit 0
fi
cat "$work/shown"
if [ -n "$dry" ]; then
    echo "Es un ensayo: no se ha borrado nada."
    exit 0
fi

# --- se pregunta y se borra -----------------------------------------------------
if [ -z "$yes" ]; then
    [ -t 0 ] || fail "sin un terminal donde preguntar hace falta --yes; no se \
ha borrado nada" 2
    printf '¿Borrar estos ficheros? Escriba sí para hacerlo: '
    read -r answer || answer=
    case $answer in
    sí | si | Sí | Si | SÍ | SI) ;;
    *) echo "No se ha borrado nada."; exit 1 ;;
    esac
fi
tr '\n' '\0' < "$work/list" | xargs -0 rm -f -- || :
for folder in tangled/.build tangled/paper docs/figures docs/trozos docs/codigo \
    dist; do
    [ ! -d $folder ] || [ -L $folder ] || [ -L "${folder%/*}" ] ||
        find -P $folder -depth -type d -empty -delete
done
left=$(tr '\n' '\0' < "$work/list" | xargs -0 ls -d -- 2> /dev/null | wc -l)
[ "$left" = 0 ] || fail "$left ficheros no se han podido borrar"
echo "Borrado."
