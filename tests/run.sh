#!/bin/sh
# run.sh [SUITE...]: runs the tests, all or those named (lint, setup, unit…).
# ONLY='ch04' narrows the suites that run once a program to that one.
#
# A suite is a file of tests/: NAME.bats, or unit_NAME.c (cmocka). A bats file
# with a line «# each: programs» or «# each: kernels» is run once for each of
# the Makefile's PROGRAMS or KERNELS, in $PROGRAM. Both kinds speak TAP; this
# runner shows it, adds it up and closes with «N passed, N failed, N skipped».
# A suite that dies, or that runs fewer tests than it announced, has failed.
set -eu
cd "$(dirname "$0")/.."
unset MAKEFLAGS MFLAGS MAKELEVEL SUITE
: "${PROGRAMS:=}" "${KERNELS:=}" "${ROOTS:=}"
if [ -z "$PROGRAMS" ]; then
    echo "run.sh: lo llama make; use «make test» o «make test SUITE=lint»" >&2
    exit 2
fi
LC_ALL=C.UTF-8 SUITE_LIMIT=${SUITE_LIMIT:-300}
export PROGRAMS KERNELS ROOTS LC_ALL

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
echo "0 0 0" > "$scratch/totals"

now() { date +%s; }

# Runs one suite, showing its TAP; adds to the totals
report() { # LABEL COMMAND...
    label=$1
    shift
    start=$(now)
    BATS_FILE_TMPDIR=$(mktemp -d -p "$scratch")      # bats < 1.4 has none
    export BATS_FILE_TMPDIR
    echo
    echo "── $label"
    { timeout --foreground -k 5 "$SUITE_LIMIT" "$@" 2>&1 && echo "exit: 0" ||
        echo "exit: $?"; } | {
        passed=0 failed=0 skipped=0 planned= status=1
        while IFS= read -r line; do
            case $line in
            'exit: '*) status=${line#exit: } ;;
            1..[0-9]*) planned=$((${planned:-0} + ${line#1..})) ;;
            'ok '*'# skip'* | 'ok '*'# SKIP'*)
                skipped=$((skipped + 1))
                echo "  - ${line#ok * }" ;;
            'ok '*)
                passed=$((passed + 1))
                line=${line#ok * }
                echo "  ✓ ${line#- }" ;;
            'not ok '*)
                failed=$((failed + 1))
                line=${line#not ok * }
                echo "  ✗ ${line#- }" ;;
            'TAP version '*) ;;
            *) echo "    $line" ;;
            esac
        done
        ran=$((passed + failed + skipped))
        if [ "$status" = 124 ]; then
            echo "  ✗ pasó de $SUITE_LIMIT s y se detuvo"
            failed=$((failed + 1))
        elif [ "${planned:-0}" != "$ran" ] || [ $ran = 0 ]; then
            echo "  ✗ anunció ${planned:-0} pruebas y terminó $ran"
            failed=$((failed + 1))
        elif [ "$status" != 0 ] && [ $failed = 0 ]; then
            echo "  ✗ terminó con estado $status"
            failed=$((failed + 1))
        fi
        echo "  $passed bien, $failed mal, $skipped omitidas;" \
             "$(($(now) - start)) s"
        read -r p f s < "$scratch/totals"
        echo "$((p + passed)) $((f + failed)) $((s + skipped))" \
            > "$scratch/totals"
    }
}

wanted() { # NAME ARGUMENT...: is it among those asked for?
    name=$1
    shift
    [ $# -gt 0 ] || return 0
    for suite; do
        case $name in "$suite" | "${suite}_"*) return 0 ;; esac
    done
    return 1
}

found=0
for file in tests/*.bats tests/unit_*.c; do
    [ -f "$file" ] || continue
    name=$(basename "$file")
    name=${name%.*}
    wanted "$name" "$@" || continue
    found=1
    case $file in
    *.c) report "$name" sh tests/unit.sh "$file" ;;
    *)
        case $(sed -n 's/^# each: //p' "$file") in
        programs) each=$PROGRAMS ;;
        kernels) each=$KERNELS ;;
        *) each= ;;
        esac
        [ -n "$each" ] || report "$name" bats --tap "$file"
        for PROGRAM in $each; do
            case " ${ONLY:-$each} " in
            *" $PROGRAM "*) ;;
            *) continue ;;
            esac
            export PROGRAM
            report "$name: $PROGRAM" bats --tap "$file"
        done ;;
    esac
done
[ $found = 1 ] || { echo "run.sh: no hay ninguna prueba «$*»" >&2; exit 2; }

read -r passed failed skipped < "$scratch/totals"
echo
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
