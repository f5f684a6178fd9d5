#!/bin/sh
# run.sh [SUITE...]: runs the tests, all or those named (lint, setup, unit…).
# ONLY='ch04' narrows the suites that run once a program to that one. make calls
# it, with the programs in PROGRAMS and KERNELS.
#
# A suite is a file of tests/: NAME.bats, unit_NAME.c (cmocka) or browser.js (the
# site in Chromium). A bats file with a line «# each: LIST» is run once for each
# program of the list, with its name in $PROGRAM. The lists: programs, kernels (the programs with kernels),
# sound (those that are not wrong on purpose), hosts (programs without kernels).
# All speak TAP; tests/suite.sh shows it and counts, and this says again what
# failed and closes with «N passed, N failed, N skipped». A whole run builds
# everything first and then runs two suites at a time.
set -eu
cd "$(dirname "$0")/.."
unset MAKEFLAGS MFLAGS MAKELEVEL SUITE
if [ -z "${PROGRAMS:-}" ]; then
    echo "run.sh: lo llama make; use «make test» o «make test SUITE=lint»" >&2
    exit 2
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
LC_ALL=C.UTF-8
export LC_ALL scratch

wanted() { # NAME ARGUMENT...: is it among those asked for?
    name=$1
    shift
    [ $# -gt 0 ] || return 0
    for suite; do
        case $name in "$suite" | "${suite}_"*) return 0 ;; esac
    done
    return 1
}

sound='' hosts=''
for program in $KERNELS; do
    case $program in *_wrong | *_faults) ;; *) sound="$sound $program" ;; esac
done
for program in $PROGRAMS; do
    case " $KERNELS " in
    *" $program "*) ;;
    *) hosts="$hosts $program" ;;
    esac
done

# One line a suite: its file and, if it has one, its program
for file in tests/*.bats tests/unit_*.c tests/browser.js; do
    name=$(basename "$file")
    wanted "${name%.*}" "$@" || continue
    case $(sed -n 's/^# each: //p' "$file") in
    programs) each=$PROGRAMS ;;
    kernels) each=$KERNELS ;;
    sound) each=$sound ;;
    hosts) each=$hosts ;;
    *) echo "$file"; continue ;;
    esac
    for program in $each; do
        case " ${ONLY:-$each} " in *" $program "*) echo "$file $program" ;; esac
    done
done > "$scratch/suites"
[ -s "$scratch/suites" ] || {
    echo "run.sh: no hay ninguna prueba «$*» ${ONLY:+para $ONLY}" >&2
    exit 2
}

slots=1
if [ $# = 0 ]; then
    echo "Compilando los programas, también con sanitizadores..."
    slots=2
    for program in $PROGRAMS; do
        echo "tangled/$program tangled/.build/asan/$program"
    done | xargs make -s -k -j2 DEVICE=cpu || :    # the suites will say it
fi
export slots
start=$(date +%s)
xargs -P $slots -L 1 sh tests/suite.sh < "$scratch/suites" || :

# A suite that left no count died: it has failed
passed=0 failed=0 skipped=0
while read -r suite; do
    counts=$scratch/$(echo "$suite" | tr '/ ' '__').count
    if [ -s "$counts" ]; then
        read -r p f s < "$counts"
    else
        echo "  ✗ $suite no llegó a contar" | tee "$counts.failed"
        p=0 f=1 s=0
    fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done < "$scratch/suites"
if [ "$failed" != 0 ]; then
    echo
    echo "── lo que ha fallado"
    cat "$scratch"/*.failed
fi
echo
echo "$(wc -l < "$scratch/suites") suites en $(($(date +%s) - start)) s"
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
