#!/bin/sh
# mutants.sh [--all | ID...]: construye cada mutante del capítulo 10 y lo somete
# a las comprobaciones de siempre. Lo llama «make mutants». Con OF=ch11, los del
# capítulo 11: «make mutants-11».
#
# Un mutante es un programa del libro con un cambio pequeño (mutantes.txt y
# generar.awk, en el capítulo). Sólo se repite lo que haya cambiado desde la
# última vez. Con ID, sólo esos. Termina con 1 si alguno sobrevive sin estar
# declarado equivalente, o si muere uno que lo estaba.
# Variables: OF, JOBS (2), LIST (otra lista), AT (otra carpeta de trabajo).
set -u
cd "$(dirname "$0")/.." || exit 2
build=tangled/.build
source=$build/src
of=${OF:-ch10}
case $of in     # su lista, sin las reglas de la máquina, su carpeta, sus jueces
ch10) list=$source/mutantes.txt at=$build/mutants
    judges="cpu/ch02 cpu/ch03 cpu/ch04 cpu/ch05 cpu/ch06 cpu/ch07 cpu/ch10
        asan/ch02 asan/ch03 asan/ch07" ;;
ch11) list=$source/mutantes11.txt at=$build/mutants11 judges="cpu/ch11 asan/ch11" ;;
*) echo "mutants: OF es ch10 o ch11, no «$of»" >&2; exit 2 ;;
esac
at=${AT:-$at} list=${LIST:-$list}
cpu=$build/cpu
asan=$build/asan
kernel_flags="-std=c++17 -w -g1 -O1 -ffp-contract=off -fsanitize=thread
    --param tsan-distinguish-volatile=1 -I$source/paper"
host_flags="-std=c11 -w -g1 -O1 -ffp-contract=off -I$source/paper"

field() { sed -n "s/^$1 //p" "$at/rules/$id"; }
libraries() {   # libraries PROGRAMA: las que pide el Makefile
    case $1 in
    *ch07*) cat "$at/libraries" ;;
    *) echo -lm ;;
    esac
}

plain() { sed '/^#line/d' "$@"; }     # sin lo que cambia al mover un párrafo

# --- un mutante -------------------------------------------------------------------
tangle() {      # tangle RAÍZ: la extrae del libro mutado
    # shellcheck disable=SC2086
    notangle -L -R"$1" $mutated
}

build_host() {  # build_host PROGRAMA: lo que haya cambiado en él, y lo demás
    object=$cpu/$1.o kernels=
    if changed "$1.c"; then
        object=$home/$1.o
        # shellcheck disable=SC2086
        gcc $host_flags -c -o "$object" "$home/$1.c" || return 1
    fi
    if [ -f "$cpu/${1}_kernels.o" ] && changed "${1}_kernels.cu"; then
        build_kernels "${1}_kernels" || return 1
        kernels=$home/${1}_kernels.o
    fi
    [ "$object$kernels" != "$cpu/$1.o" ] || return 2
    link "$object" "$1" "$kernels"
}

changed() {     # changed RAÍZ: ¿la mutación llega a ella?
    tangle "$1" > "$home/$1" &&
        ! sed "s,$copy,$chapter," "$home/$1" | cmp -s - "$source/$1"
}

build_kernels() {       # build_kernels NOMBRE: de NOMBRE.cu a NOMBRE.o
    awk -f "$source/paper/launch.awk" "$home/$1.cu" > "$home/$1.cpp" &&
    # shellcheck disable=SC2086
    g++ $kernel_flags -c -o "$home/$1.o" "$home/$1.cpp"
}

link() {        # link OBJETO PROGRAMA [NÚCLEOS]
    linked=${3:-$cpu/${2}_kernels.o}
    [ -f "$linked" ] || linked=
    [ -z "$linked" ] || linked="$linked $cpu/paper/paper_gpu.o $cpu/paper/watch.o"
    # shellcheck disable=SC2046,SC2086
    g++ -o "$home/$2" "$1" $linked $(libraries "$2")
}

build_asan() {  # build_asan PROGRAMA: para lo que el vigilante no mira, las locales
    sanitize="-fsanitize=address,undefined -fno-sanitize-recover=all"
    [ -f "$home/${1}_kernels.cpp" ] && ! changed "$1.c" || return 2
    # shellcheck disable=SC2086
    g++ ${kernel_flags%-fsanitize=thread*} -I$source/paper $sanitize \
        -fsanitize-coverage=trace-pc -c -o "$home/asan.o" "$home/${1}_kernels.cpp" &&
    g++ $sanitize -o "$home/asan_$1" "$asan/$1.o" "$home/asan.o" \
        "$asan/paper/paper_gpu.o" "$asan/paper/watch.o" -lm
}

build_unit() {  # build_unit unit_NOMBRE: la prueba de C, con el programa mutado
    unit=tests/$1.c
    included=$(sed -n 's/^#include "\(ch[0-9]*\)\.c".*/\1/p' "$unit")
    notangle -R"$included.c" $mutated > "$home/$included.c" || return 1
    # shellcheck disable=SC2086
    gcc $host_flags -fsanitize=address -I"$home" -c -o "$home/$1.o" "$unit" ||
        return 1
    linked=
    [ ! -f "$asan/${included}_kernels.o" ] || linked="$asan/${included}_kernels.o
        $asan/paper/paper_gpu.o $asan/paper/watch.o"
    # shellcheck disable=SC2046,SC2086
    g++ -fsanitize=address,undefined -o "$home/$1" "$home/$1.o" $linked \
        -lcmocka $(libraries "$included")
}

run() {         # run PROGRAMA REGISTRO: su estado, en $status
    case $1 in
    unit_*) CMOCKA_MESSAGE_OUTPUT=TAP
        export CMOCKA_MESSAGE_OUTPUT
        exec timeout 600 "$home/$1" ;;
    ch07*) exec timeout 600 "$home/$1" --quiet --output "$home/$1.tsv" \
        --checkpoint "$home/weights" ;;
    *) exec timeout 120 "$home/$1" --quiet --output "$home/$1.tsv" ;;
    esac > "$home/said" 2>&1 &
    process=$!
    # El primer fallo basta: no se espera a los demás
    while kill -0 $process 2> /dev/null; do
        sleep 0.1
        ! grep -q '✗\|^not ok' "$home/said" || { sleep 0.1; kill $process 2> /dev/null; }
    done
    wait $process
    status=$?
    ! grep -q '✗\|^not ok' "$home/said" || status=1
    { cat "$home/said"; echo "estado $status"; } > "$home/$2"
}

one() {
    id=$1 home=$at/$1
    mkdir -p "$home"
    chunk=$(field en)
    chapter=$(grep -lxF "<<$chunk>>=" chapters/*.nw) || {
        echo "mutants: $id: ningún capítulo define «$chunk»" >&2; return 1; }
    basename "$chapter" .nw > "$home/chapter"
    copy=$home/$(basename "$chapter")
    awk -f "$source/mutar.awk" "$at/rules/$id" "$chapter" > "$copy" || {
        echo "mutants: la regla $id ya no se puede aplicar" >&2; return 1; }
    mutated=
    for c in chapters/*.nw; do
        [ "$c" = "$chapter" ] && mutated="$mutated $copy" || mutated="$mutated $c"
    done
    # shellcheck disable=SC2086
    notangle -Rch10_kernels.cu $mutated > "$home/kernels.cu" || return 1
    kind=host
    cmp -s "$home/kernels.cu" "$at/pristine/kernels.cu" || kind=kernels

    # Lo que decide el resultado: la regla, el texto mutado y quienes lo juzgan
    key=$({ cat "$at/rules/$id" "$home/kernels.cu" "$at/judges"
        for c in $(field contra); do
            case $c in
            asan_*) c=${c#asan_} ;;
            unit_*) cat "tests/$c.c"
                c=$(sed -n 's/^#include "\(ch[0-9]*\)\.c".*/\1/p' "tests/$c.c") ;;
            esac
            # shellcheck disable=SC2086
            if [ $kind = kernels ]; then plain "$source/$c.c"
            else notangle -R"$c.c" $mutated
                notangle -R"${c}_kernels.cu" $mutated 2> /dev/null; fi
        done; } | tr -d ' \n' | cksum)
    [ "$(cat "$home/key" 2> /dev/null)" != "$key" ] || return 0
    rm -f "$home"/key "$home"/*.log "$home"/killer "$home"/trials

    if [ $kind = kernels ]; then
        tangle ch10_kernels.cu > "$home/kernels.cu" &&
        build_kernels kernels 2> "$home/build.log" || {
            echo "mutants: $id no compila: $(head -3 "$home/build.log")" >&2
            return 1; }
    fi
    built=0 watched=
    for program in $(field contra); do
        case $kind$program in
        kernelsch10) built=1; continue ;;       # de eso se encarga el jurado
        hostunit_*) build_unit "$program" ;;
        hostasan_*) build_asan "${program#asan_}" ;;
        host* | kernelsch07) build_host "$program" ;;       # con sus kernels
        *) link "$cpu/$program.o" "$program" "$home/kernels.o" ;;
        esac 2> "$home/build.log"
        case $? in
        0) built=1 ;;
        2) continue ;;          # el cambio no llega a este programa
        *) echo "mutants: $id no compila: $(head -3 "$home/build.log")" >&2
            return 1 ;;
        esac
        run "$program" watched.log
        [ $status -ne 0 ] || continue
        echo "$program $status" > "$home/killer"
        [ $status -ne 86 ] || watched=$program
        break
    done
    [ $built = 1 ] || { echo "mutants: $id no cambia ningún programa" >&2; return 1; }
    if [ $kind = kernels ]; then
        link "$cpu/ch10.o" jury "$home/kernels.o" || return 1
        PAPER_GPU_WATCH=off timeout 900 "$home/jury" --jury --quiet \
            --output "$home/trials" > "$home/said" 2>&1
        status=$?
        [ -s "$home/trials" ] || return 1
        case " $(field contra) " in
        *' ch10 '*)
            [ $status = 0 ] || [ -f "$home/killer" ] || {
                echo "ch10 $status" > "$home/killer"
                { cat "$home/said"; echo "estado $status"; } > "$home/watched.log"
            } ;;
        esac
    fi
    # ¿Se habría visto sin el vigilante? Lo dicen los casos o, si no, el programa
    if [ -n "$watched" ] && ! awk -F '\t' '/^fp/ && $6 != "si" { bad = 1 }
        /^fp/ { for (i = 7; i < NF; i += 2) bad = bad || $i > 0 }
        END { exit !bad }' "$home/trials" 2> /dev/null; then
        PAPER_GPU_WATCH=off run "$watched" alone.log
    fi
    rm -f "$home"/*.o "$home"/ch[0-9]* "$home"/unit_* "$home"/asan_* "$home/jury" "$home"/kernels.c* \
        "$copy"
    echo "$key" > "$home/key"
}

if [ "${1:-}" = --one ]; then
    one "$2" && exit 0
    echo "$2" >> "$at/broken"
    exit 0
fi

# --- todos ------------------------------------------------------------------------
# shellcheck disable=SC2086,SC2046
make -s DEVICE=cpu $source/mutar.awk $source/generar.awk $source/mutantes.txt \
    $source/mutantes11.txt $source/mutantes.awk $source/paper/launch.awk \
    $source/ch10.c $(printf "$build/%s " $judges) || exit 1
mkdir -p "$at/rules" "$at/pristine"
rm -f "$at"/rules/* "$at/broken"
awk -f $source/generar.awk chapters/*.nw "$list" > "$at/rules.txt" || exit 1
awk -v at="$at/rules" '
    /^contra / { against = $0 }
    /^en / { chunk = $0 }
    /^m / { if (out) close(out); out = at "/" $2; print against > out
            print chunk > out; print $2 > (at ".list.tmp") }
    /^[-+=m]/ { print > out }' "$at/rules.txt"
mv "$at/rules.list.tmp" "$at/list"
notangle -Rch10_kernels.cu chapters/*.nw > "$at/pristine/kernels.cu"
make -s DEVICE=cpu libs-ch07 > "$at/libraries"
plain $source/paper/*.[ch] $source/ch10.c | cksum > "$at/judges"

[ "${1:-}" != --all ] || shift
ids=${*:-$(cat "$at/list")}
for id in $ids; do
    [ -f "$at/rules/$id" ] || { echo "mutants: no hay mutante «$id»" >&2; exit 2; }
done
# shellcheck disable=SC2086
export AT="$at" LIST="$list" OF="$of"
printf '%s\n' $ids | xargs -P "${JOBS:-2}" -I{} sh "$0" --one {}
[ ! -s "$at/broken" ] || { echo "mutants: con fallos: $(xargs < "$at/broken")" >&2; exit 1; }
collect() {     # lo de cada uno vale para este commit: lo dice su clave
    awk -f $source/mutantes.awk -v of="$of" -v at="$at" -v ids="$ids" \
        -v commit="$(git describe --always --dirty 2> /dev/null || cat VERSION)" \
        -v date="$(date -u +%Y-%m-%dT%H:%M:%SZ)" /dev/null
}
if [ $# -gt 0 ]; then
    collect > "$at/short.tsv"
    status=$?
    sed -n '/^# mutants/,/^$/p' "$at/short.tsv" | cut -f1,6-
    exit $status
fi
mkdir -p outputs
# La procedencia, del programa sin mutar, que además ha de pasar
[ "$at/facts.tsv" -nt "$cpu/$of" ] ||
    "$cpu/$of" --quiet --output "$at/facts.tsv" > "$at/facts.log" 2>&1 || {
    cat "$at/facts.log" >&2; rm -f "$at/facts.tsv"
    echo "mutants: $of no pasa ni sin mutar" >&2; exit 1; }
collect > "outputs/${of}_mutants.tsv.tmp"
status=$?
mv "outputs/${of}_mutants.tsv.tmp" "outputs/${of}_mutants.tsv"
exit $status
