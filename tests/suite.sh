#!/bin/sh
# suite.sh FILE [PROGRAM]: runs one suite for tests/run.sh, shows what it says
# and leaves its counts, and what failed beside them. A suite that dies,
# or that runs fewer tests than it announced, has failed.
set -eu
file=$1
PROGRAM=${2-}
limit=${SUITE_LIMIT:-1200}
name=$(basename "$file")
label=${name%.*}${PROGRAM:+: $PROGRAM}
count=$scratch/$(echo "$file${2+ $2}" | tr '/ ' '__').count
BATS_FILE_TMPDIR=$(mktemp -d -p "$scratch")        # bats < 1.4 has none
export PROGRAM BATS_FILE_TMPDIR

fault() { # TEXT: a failure, here and in the list at the end
    echo "  ✗ $1"
    echo "  ✗ $label: $1" >> "$count.failed"
}

start() {
    case $file in
    *.js) if command -v node > /dev/null; then
        timeout --foreground -k 5 "$limit" node "$file"
    else
        printf '1..1\nok 1 el sitio en un navegador # SKIP no hay node\n'
    fi ;;
    *.c) timeout --foreground -k 5 "$limit" sh tests/unit.sh "$file" ;;
    *) timeout --foreground -k 5 "$limit" bats --tap "$file" ;;
    esac
}

show() {
    begin=$(date +%s) passed=0 failed=0 skipped=0 planned=0 status=1
    echo
    echo "── $label"
    after=0                         # lines still to repeat after a failure
    while IFS= read -r line; do
        case $line in
        'exit: '*) status=${line#exit: } ;;
        1..[0-9]*) planned=$((planned + ${line#1..})) ;;
        'TAP version '* | '# ok - '*) ;;
        'ok '*'# '[Ss][Kk][Ii][Pp]*)
            skipped=$((skipped + 1)) after=0
            line=${line#ok * }
            echo "  - ${line%%# [Ss][Kk]*}(omitida:${line##*# [Ss][Kk][Ii][Pp]})" ;;
        'ok '*)
            passed=$((passed + 1)) after=0
            line=${line#ok * }
            echo "  ✓ ${line#- }" ;;
        'not ok '*)
            failed=$((failed + 1)) after=13
            line=${line#not ok * }
            fault "${line#- }" ;;
        *) echo "    $line"
            [ $after = 0 ] || echo "      $line" >> "$count.failed" ;;
        esac
        [ $after = 0 ] || after=$((after - 1))
    done
    ran=$((passed + failed + skipped))
    problem=
    if [ "$status" = 124 ]; then
        problem="pasó de $limit s y se detuvo"
    elif [ "$planned" != $ran ] || [ $ran = 0 ]; then
        problem="anunció $planned pruebas y terminó $ran"
    elif [ "$status" != 0 ] && [ $failed = 0 ]; then
        problem="terminó con estado $status"
    fi
    if [ -n "$problem" ]; then
        failed=$((failed + 1))
        fault "$problem"
    fi
    echo "  $passed bien, $failed mal, $skipped omitidas;" \
         "$(($(date +%s) - begin)) s"
    echo "$passed $failed $skipped" > "$count"
}

run() {
    { start 2>&1 && echo "exit: 0" || echo "exit: $?"; } | show
}

# Alone, as it goes; beside another, whole and when it ends
if [ "${slots:-1}" = 1 ]; then
    run
else
    run > "$count.text"
    flock "$scratch" cat "$count.text"
fi
