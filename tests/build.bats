# What the Makefile promises: a build that is interrupted, or that fails, leaves
# nothing that the next one would take for finished.
load common

setup() {
    new_folder
    cp -r "$project/Makefile" "$project/weave" "$project/scripts" \
        "$project/VERSION" .
    mkdir chapters bin
    cat > chapters/01-x.nw <<'END'
<<ch01.c>>=
int main(void)
{
    return 0;
}
@
END
    for root in $ROOTS; do
        case $root in paper/*) printf '<<%s>>=\n\n@\n' "$root" ;; esac
    done > chapters/A-paper.nw
    export DEVICE=cpu
}
teardown() { rm -rf "$work"; }

# In bin/, a COMMAND that writes half of its output and then hangs
half_made() { # COMMAND
    cat > "bin/$1" <<'END'
#!/bin/sh
out=/dev/stdout
while [ $# -gt 0 ]; do
    [ "$1" != -o ] || out=$2
    shift
done
printf 'int main(void' > "$out"
: > hanging
exec sleep 60
END
    chmod +x "bin/$1"
}

# Starts make in a process group of its own and sends it a signal mid-command
interrupt() { # SIGNAL TARGET
    rm -f hanging
    # (a shell starts what is in the background deaf to INT)
    PATH=$work/bin:$PATH setsid env --default-signal=INT make "$2" > log 2>&1 3>&- &
    make=$!
    for _ in $(seq 100); do
        [ ! -f hanging ] || break
        sleep 0.05
    done
    [ -f hanging ] || fail "no llegó a la orden: $(cat log)"
    kill "-$1" "-$make"
    wait $make || :
}

whole() { # the next build makes the real program
    run make chapter-01
    ends_with 0
    run tangled/ch01
    ends_with 0
}

@test "se interrumpe al extraer: no queda nada, y se rehace" {
    for signal in INT TERM KILL; do
        half_made notangle
        interrupt $signal tangled/ch01.c
        [ ! -e tangled/ch01.c ] || fail "queda a medias ($signal)"
        rm bin/notangle
    done
    whole
}

@test "se interrumpe al compilar: no queda nada, y se rehace" {
    for signal in INT TERM KILL; do
        half_made gcc
        interrupt $signal tangled/.build/cpu/ch01.o
        [ ! -e tangled/.build/cpu/ch01.o ] || fail "queda a medias ($signal)"
        rm bin/gcc
    done
    whole
}

@test "se interrumpe al enlazar: no queda nada, y se rehace" {
    make tangled/.build/cpu/ch01.o
    for signal in INT TERM KILL; do
        half_made gcc
        interrupt $signal tangled/.build/cpu/ch01
        [ ! -e tangled/.build/cpu/ch01 ] || fail "queda a medias ($signal)"
        rm bin/gcc
    done
    whole
}

@test "se interrumpe al copiar el programa: no queda nada, y se rehace" {
    make tangled/.build/cpu/ch01 tangled/ch01.c
    cat > bin/cp <<'END'
#!/bin/sh
/bin/cp "$@"
printf half > "$2"
: > hanging
exec sleep 60
END
    chmod +x bin/cp
    for signal in INT TERM KILL; do
        interrupt $signal tangled/ch01
        [ ! -e tangled/ch01 ] || fail "queda a medias ($signal)"
    done
    rm bin/cp
    whole
}

@test "un error deja lo anterior entero" {
    whole
    before=$(cksum < tangled/ch01.c)
    sed -i 's/return 0/<<no está>>/' chapters/01-x.nw
    run make chapter-01
    [ "$status" != 0 ]
    [ "$(cksum < tangled/ch01.c)" = "$before" ]
}

@test "un error del compilador nombra el capítulo y la línea" {
    sed -i 's/return 0/return cero/' chapters/01-x.nw
    run make chapter-01
    ends_with 2
    says "chapters/01-x.nw:4"
}

@test "un cambio de prosa no recompila" {
    whole
    before=$(stat -c %Y%i tangled/.build/cpu/ch01.o)
    sleep 1
    printf '\nMás prosa.\n' >> chapters/01-x.nw
    run make chapter-01
    ends_with 0
    [ "$(stat -c %Y%i tangled/.build/cpu/ch01.o)" = "$before" ]
}

@test "DEVICE cambiado cambia el programa" {
    whole
    run make -n DEVICE=gpu tangled/ch01
    says "tangled/.build/gpu/ch01"
}

@test "un capítulo sin programa y un dispositivo que no existe se dicen en español" {
    for name in 4 99 A; do
        run make chapter-$name
        ends_with 2
        says "el capítulo «$name» no tiene programa"
        says " 01 02 "
    done
    DEVICE=tpu run make chapter-01
    ends_with 2
    says "DEVICE=«tpu» no es gpu ni cpu"
    DEVICE='' run make chapter-01
    ends_with 0
    run tangled/ch01
    ends_with 0
}

@test "make fuzz no empieza sin saber cuánto durar" {
    for seconds in x 0 -1 1.5 "1 2"; do
        run timeout 20 make fuzz "SECONDS=$seconds"
        ends_with 2
        says "SECONDS=«$seconds» no es un número de segundos"
    done
}

@test "make where dice qué le falta" {
    for at in '' chapters/01-x.nw chapters/01-x.nw:x chapters/01-x.nw:0 \
        chapters/01-x.nw:999 chapters/01-x.nw:99999999999999999999 chapters:1 \
        chapters/99-no.nw:1; do
        run make where "AT=$at"
        ends_with 2
        says "where.sh: "
        never grep -qE 'line [0-9]|\[:|parameter' <<< "$output"
    done
}

@test "make -j run con lo que usa sus resultados: cada programa, una vez" {
    cat > chapters/01-x.nw <<'FIN'
<<ch01.c>>=
#include <stdio.h>
int main(void)
{
    FILE *log = fopen("executions", "a");
    FILE *result = fopen("outputs/ch01.tsv", "w");
    fputs("una\n", log);
    fputs("# device: CPU\n", result);
    return fclose(log) | fclose(result);
}
@
FIN
    mkdir outputs
    run make -j3 PROGRAMS=ch01 run outputs/ch01.tsv
    ends_with 0
    [ "$(wc -l < executions)" = 1 ] || fail "$(wc -l < executions) veces"
    rm outputs/ch01.tsv
    run make -j3 PROGRAMS=ch01 outputs/ch01.tsv
    ends_with 0
    [ "$(wc -l < executions)" = 2 ] || fail "sin run no se rehace"
}
