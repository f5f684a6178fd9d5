#!/bin/sh
# suite.sh FILE [PROGRAM]: runs one suite for tests/run.sh, shows what it says
# and leaves its counts. A suite that dies, or that runs fewer tests than it
# announced, has failed.
set -eu
file=$1
PROGRAM=${2-}
limit=${SUITE_LIMIT:-1200}
name=$(basename "$file")
label=${name%.*}${PROGRAM:+: $PROGRAM}
count=$scratch/$(echo "$file${2+ $2}" | tr '/ ' '__').count
BATS_FILE_TMPDIR=$(mktemp -d -p "$scratch")        # bats < 1.4 has none
export PROGRAM BATS_FILE_TMPDIR

start() {
    case $file in
    *.c) timeout --foreground -k 5 "$limit" sh tests/unit.sh "$file" ;;
    *) timeout --foreground -k 5 "$limit" bats --tap "$file" ;;
    esac
}

show() {
    begin=$(date +%s) passed=0 failed=0 skipped=0 planned=0 status=1
    echo
    echo "── $label"
    while IFS= read -r line; do
        case $line in
        'exit: '*) status=${line#exit: } ;;
        1..[0-9]*) planned=$((planned + ${line#1..})) ;;
        'TAP version '* | '# ok - '*) ;;
        'ok '*'# '[Ss][Kk][Ii][Pp]*)
            skipped=$((skipped + 1))
            line=${line#ok * }
            echo "  - ${line%%# [Ss][Kk]*}(omitida:${line##*# [Ss][Kk][Ii][Pp]})" ;;
        'ok '*)
            passed=$((passed + 1))
            line=${line#ok * }
            echo "  ✓ ${line#- }" ;;
        'not ok '*)
            failed=$((failed + 1))
            line=${line#not ok * }
            echo "  ✗ ${line#- }" ;;
        *) echo "    $line" ;;
        esac
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
        echo "  ✗ $problem"
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
