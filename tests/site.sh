#!/bin/sh
# site.sh TARGET: weaves the book for the tests, once for all suites, away from
# the reader's docs/, and prints the folder. TARGET is site or book.
set -eu
cd "$(dirname "$0")/.."
folder=tangled/.build/site
mkdir -p $folder
unset MAKEFLAGS MFLAGS MAKELEVEL
flock $folder make -s "$1" DOCS=$folder > $folder.log 2>&1 || {
    tail -n 20 $folder.log >&2
    exit 1
}
echo $folder
