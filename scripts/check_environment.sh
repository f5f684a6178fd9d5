#!/bin/sh
# check_environment.sh: mira si esta máquina puede con el curso, y con qué parte.
# Termina con un cálculo de verdad: el programa del capítulo 2.
set -u
cd "$(dirname "$0")/.." || exit 2

usage() {
    cat <<'FIN'
Uso: sh scripts/check_environment.sh [--json]

Un veredicto por línea: ✓ bien; · nota, no estorba; ! aviso, una parte del curso
no podrá hacerse; ✗ grave, no se puede trabajar. Lo que no está bien lleva debajo
el remedio. Con DEVICE=gpu, que falte la GPU es grave.

  --json    lo mismo, como un objeto JSON
  --help    escribe esta ayuda y termina

Estado de salida: 0 bien; 1 algún aviso; 2 uso incorrecto; 3 algo grave.
FIN
}
json=
fail() { echo "check_environment.sh: $1" >&2; exit 2; }
[ $# -le 1 ] || fail "no se entiende «$2» (vea --help)"
case ${DEVICE-} in '' | cpu | gpu) ;; *) fail "DEVICE=«$DEVICE» no es gpu ni cpu" ;; esac
case ${1-} in
'') ;;
--json) json=1 ;;
--help) usage; exit 0 ;;
*) fail "no se entiende «$1» (vea --help)" ;;
esac
work=$(mktemp -d) || exit 3
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
LC_ALL=C.UTF-8
export LC_ALL

# Versiones con las que el curso se ha visto funcionar. Otra no es un fallo.
known() {
    case $1 in
    gcc | g++) echo '12.2 13.3 14.2' ;;
    make) echo '4.3 4.4' ;;
    noweb) echo '2.12 2.13' ;;
    pandoc) echo '2.17 3.1' ;;
    gnuplot) echo '5.4 6.0' ;;
    lualatex) echo '1.15 1.18' ;;
    clang) echo '14.0 19.1' ;;
    bats) echo '1.8' ;;
    nvcc) echo '13.0' ;;
    esac
}

verdict() {     # verdict bien|nota|aviso|grave GRUPO NOMBRE HALLADO REMEDIO
    printf '%s\t%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "$(known "$3")" \
        "${5-}" >> "$work/checks"
}
judge() {       # judge GRUPO NOMBRE VERSIÓN: bien, o nota si no es conocida
    for version in $(known "$2"); do
        case $3 in "$version" | "$version".* | "$version"[-+]*)
            verdict bien "$1" "$2" "$3"; return ;; esac
    done
    if [ -z "$(known "$2")" ]; then verdict bien "$1" "$2" "$3"
    else verdict nota "$1" "$2" "$3" "no la hemos probado; si algo falla, pruebe \
una de las conocidas"; fi
}
severity() {    # un programa sin el que no se trabaja, o sin el que falta algo
    case $1 in programas) echo grave ;; *) echo aviso ;; esac
}
setup() { echo "sh scripts/setup.sh $1"; }

tool() {        # tool GRUPO NOMBRE [ORDEN]
    command=${3-$2}
    if ! command -v "$command" > /dev/null 2>&1; then
        verdict "$(severity "$1")" "$1" "$2" "no está" "$(setup "$1")"
        return
    fi
    case $2 in
    noweb) text=$(dpkg-query -W -f '${Version}' noweb 2> /dev/null) ;;
    pdftotext) text=$(pdftotext -v 2>&1) ;;
    *) text=$(timeout 20 "$command" --version < /dev/null 2>&1 |
        sed 's/.*really Hunspell//') ;;
    esac
    version=$(printf '%s\n' "$text" |
        grep -oE '(^|[^0-9A-Za-z.])v?[0-9]+(\.[0-9]+)+' | head -n 1 |
        sed 's/^[^0-9]*//')
    [ "$2" != gcc ] && [ "$2" != g++ ] ||
        version=$("$command" -dumpfullversion 2> /dev/null)
    if [ -n "$version" ]; then judge "$1" "$2" "$version"
    else verdict bien "$1" "$2" "está"; fi
}
header() {      # header GRUPO CABECERA
    if printf '#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>
#include <setjmp.h>\n#include <%s>\n' "$2" |
        gcc -E -o /dev/null - > /dev/null 2>&1
    then verdict bien "$1" "$2" "está"
    else verdict "$(severity "$1")" "$1" "$2" "no está" "$(setup "$1")"; fi
}

# --- lo que hay -------------------------------------------------------------------
folder() {
    free=$(df -Pk . | awk 'NR == 2 { print int($4 / 1024) }')
    probe=outputs/.probe.$$
    if ! { mkdir -p outputs && : > "$probe"; } 2> /dev/null; then
        verdict grave sistema carpeta "no se puede escribir en outputs/" \
            "mire de quién son los ficheros: ls -ld . outputs"
    elif [ "${free:-0}" -lt 1000 ]; then
        verdict aviso sistema carpeta "${free:-?} MB libres" \
            "el libro y las pruebas piden cerca de 1 GB"
    else
        verdict bien sistema carpeta "se puede escribir; $free MB libres"
    fi
    rm -f "$probe"
}
machine() {
    name=$(uname -m)
    case $(uname -s)/$name in
    Linux/x86_64) verdict bien sistema máquina "Linux $name" ;;
    *) verdict nota sistema máquina "$(uname -s) $name" "sólo se ha probado en \
Linux x86_64; en otra, la GPU de papel va más despacio" ;;
    esac
}
packages() {    # los del grupo, fuentes incluidas, donde los hay de Debian
    absent=$(sh scripts/setup.sh --missing "$1" 2> /dev/null) || return
    if [ -z "$absent" ]; then verdict bien "$1" paquetes "no falta ninguno"
    else verdict "$(severity "$1")" "$1" paquetes \
        "faltan: $(echo $absent)" "$(setup "$1")"; fi
}
machine
folder
packages programas
for name in gcc g++ make git perl; do tool programas $name; done
tool programas noweb notangle
for name in jansson.h zlib.h cblas.h; do
    header programas $name
done
packages libro
for name in pandoc gnuplot lualatex rsvg-convert clang wasm-ld; do
    tool libro $name
done
packages pruebas
tool pruebas bats
header pruebas cmocka.h
for name in hunspell pdftotext node; do tool pruebas $name; done

# --- la GPU: nvcc, controlador, tarjeta -----------------------------------------
absent=nota broken=aviso
[ "${DEVICE-}" != gpu ] || absent=grave broken=grave
paper="los kernels van a la GPU de papel"
steps="pasos, en el capítulo 2: «Preparar el camino de la GPU»"
[ $absent = nota ] || paper="DEVICE=gpu la exige"
cards() {       # nombre, controlador y compute capability, una línea por tarjeta
    timeout 30 nvidia-smi --query-gpu=name,driver_version,compute_cap \
        --format=csv,noheader 2> /dev/null | grep ','
}
release='' usable=''
if command -v nvcc > /dev/null 2>&1; then
    release=$(nvcc --version 2>&1 | sed -n 's/.*release \([0-9.]*\).*/\1/p')
    if [ -n "$release" ]; then judge gpu nvcc "$release"
    else verdict $absent gpu nvcc "no contesta" "$steps"; fi
else
    verdict $absent gpu nvcc "no está" "$paper; $steps"
fi
if ! command -v nvidia-smi > /dev/null 2>&1; then
    verdict $absent gpu controlador "no está (nvidia-smi)" "$paper; $steps"
elif ! cards > "$work/cards"; then
    verdict $broken gpu controlador \
        "nvidia-smi no encuentra ninguna tarjeta" "reinicie; en un contenedor, \
falta el NVIDIA Container Toolkit en el anfitrión"
else
    top=$(timeout 30 nvidia-smi | sed -n 's/.*CUDA Version: *\([0-9.]*\).*/\1/p')
    driver=$(awk -F ', *' 'NR == 1 { print $2 }' "$work/cards")
    if [ -n "$release" ] && [ -n "$top" ] &&
        ! printf '%s\n' "$release" "$top" | sort -VC; then
        verdict $broken gpu controlador \
            "$driver: llega a CUDA $top y nvcc es $release" \
            "actualice el controlador, o instale un Toolkit no mayor que $top"
    else
        verdict bien gpu controlador "$driver, hasta CUDA ${top:-?}"
        [ -z "$release" ] || usable=1
    fi
    while IFS= read -r card; do
        verdict bien gpu tarjeta "$(echo "$card" | awk -F ', *' \
            '{ print $1 ", compute capability " $3 }')"
    done < "$work/cards"
fi

# --- un cálculo de verdad: el capítulo 2, en cada dispositivo --------------------
compute() {     # compute cpu|gpu NOMBRE
    program=tangled/.build/$1/ch02
    if ! MAKEFLAGS='' timeout 300 make -s DEVICE="$1" "$program" \
        > "$work/build" 2>&1; then
        verdict grave cálculo "$2" "el programa del capítulo 2 no se construye: \
$(grep -m 1 -E 'error|rror:|\*\*\*' "$work/build" | cut -c 1-90)" \
            "make DEVICE=$1 chapter-02, y lea el primer error"
        return
    fi
    timeout 120 "$program" --output "$work/ch02.tsv" > "$work/run" 2>&1
    status=$?
    line=$(grep -m 1 'elementos calculados' "$work/run" | sed 's/^ *//')
    if [ $status = 0 ] && [ -n "$line" ]; then
        verdict bien cálculo "$2" "${line#✓ }"
    else
        verdict grave cálculo "$2" "ch02 termina con estado $status: $(grep -m 1 \
            -E '✗|ch02:|GPU de papel:' "$work/run" | sed 's/^ *//' |
            cut -c 1-90)" "make DEVICE=$1 chapter-02 && ./tangled/ch02; no siga \
hasta que pase"
    fi
}
compute cpu "GPU de papel"
if [ -n "$usable" ]; then compute gpu GPU; fi

# --- se cuenta ------------------------------------------------------------------
status=0
if grep -q '^aviso' "$work/checks"; then status=1; fi
if grep -q '^grave' "$work/checks"; then status=3; fi
awk -F '\t' -v json="$json" -v status="$status" '
    function text(s) {
        gsub(/\\/, "\\\\", s); gsub(/"/, "\\\"", s); gsub(/[\001-\037]/, " ", s)
        return "\"" s "\""
    }
    function many(what) {
        return count[what] + 0 " " what (count[what] == 1 ? "" : "s")
    }
    BEGIN {
        mark["bien"] = "✓"; mark["nota"] = "·"
        mark["aviso"] = "!"; mark["grave"] = "✗"
        word = status == 0 ? "bien" : status == 1 ? "avisos" : "grave"
        if (json) printf "{\n  \"status\": %d,\n  \"verdict\": %s,\n  \"checks\": [",
            status, text(word)
    }
    json {
        printf "%s\n    {\"verdict\": %s, \"group\": %s, \"name\": %s, " \
            "\"found\": %s, \"known\": %s, \"remedy\": %s}", (NR > 1 ? "," : ""),
            text($1), text($2), text($3), text($4), text($5), text($6)
        next
    }
    $2 != group { group = $2; print (NR > 1 ? "\n" : "") group }
    {
        printf "  %s %s: %s%s\n", mark[$1], $3, $4,
            $5 != "" ? " (conocidas: " $5 ")" : ""
        if ($6 != "") print "      " $6
        count[$1]++
    }
    END {
        if (json) { print "\n  ]\n}"; exit }
        printf "\n%d bien, %s, %s, %s.", count["bien"],
            many("nota"), many("aviso"), many("grave")
        print status == 3 ? " Así no se puede trabajar." :
            status ? " Se puede trabajar; una parte no." :
            " Esta máquina sirve."
    }' "$work/checks" || exit 3
exit $status
