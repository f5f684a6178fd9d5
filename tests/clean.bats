# scripts/clean.sh on a small project with traps: tracked files, links to other
# folders, files that a reader wrote.
load common

setup() {
    new_folder
    mkdir -p elsewhere project && cd project
    mkdir -p scripts chapters figures/drawn data outputs docs/figures exercises \
        tangled/.build/src tangled/.build/exercise/04 tangled/paper dist
    cp "$project/scripts/clean.sh" scripts/
    printf '<<%s>>=\n' ch04.c librmsnorm.h peers.py 'un trozo' \
        > chapters/04-forward.nw
    touch Makefile figures/ch04-a.gp figures/drawn/b.svg docs/README.md
    git init -q . && git add . && git -c user.name=x -c user.email=x@x \
        commit -q -m x
    echo ajeno > ../elsewhere/precious.tsv
    # lo que crea el curso
    printf '1234567' > tangled/.build/src/ch04.c
    ln -s "$PWD/Makefile" tangled/.build/exercise/04/Makefile
    touch tangled/librmsnorm.h tangled/librmsnorm.so tangled/peers.py
    touch tangled/ch04 tangled/ch04.c tangled/paper/watch.c docs/index.html \
        docs/libro.pdf docs/figures/ch04-a.svg figures/ch04-a.svg \
        figures/ch04-a.pdf figures/drawn/b.pdf dist/rmsnorm-0.tar.gz
    echo '# program: ch04' | tee outputs/ch04.tsv > outputs/mia.tsv
    touch outputs/ch07.safetensors data/train.tsv
    # lo que escribe el lector
    touch exercises/04.c tangled/ch04-mio.c tangled/mio.so outputs/notas.txt \
        docs/apuntes.txt figures/mia.svg data/mis.tsv
    echo 'mis cuentas' > outputs/cuentas.tsv
    made='tangled/librmsnorm.h tangled/librmsnorm.so tangled/peers.py
        tangled/ch04 tangled/ch04.c tangled/paper/watch.c docs/index.html
        docs/libro.pdf docs/figures/ch04-a.svg figures/ch04-a.svg
        figures/ch04-a.pdf figures/drawn/b.pdf dist/rmsnorm-0.tar.gz'
    mine='exercises/04.c tangled/ch04-mio.c tangled/mio.so outputs/notas.txt
        docs/apuntes.txt figures/mia.svg data/mis.tsv outputs/cuentas.tsv Makefile
        figures/ch04-a.gp figures/drawn/b.svg docs/README.md
        chapters/04-forward.nw ../elsewhere/precious.tsv'
}
teardown() { rm -rf "$work"; }

clean() { run sh scripts/clean.sh "$@" < /dev/null; }
all_there() { for f; do [ -e "$f" ] || fail "ha desaparecido $f"; done; }
all_gone() { for f; do [ ! -e "$f" ] || fail "sigue $f"; done; }

@test "el ensayo dice ruta y tamaño, y no borra nada" {
    find . ../elsewhere | sort > ../before
    clean --scope all --dry-run --yes
    ends_with 0
    for f in $made outputs/ch04.tsv outputs/ch07.safetensors data/train.tsv; do
        says "  $f"
    done
    says "tangled/.build/ (2 ficheros)"
    says "16 B  outputs/ch04.tsv"
    says "no se ha borrado nada"
    for f in $mine; do
        case $output in *"  $f"$'\n'*) fail "borraría $f" ;; esac
    done
    find . ../elsewhere | sort | cmp - ../before
}

@test "generated borra lo que se vuelve a crear, y sólo eso" {
    clean --scope generated --yes
    ends_with 0
    all_gone $made tangled/.build dist
    all_there $mine outputs/ch04.tsv outputs/ch07.safetensors data/train.tsv
}

@test "outputs, checkpoints: cada ámbito lo suyo" {
    clean --scope outputs --yes
    ends_with 0
    all_gone outputs/ch04.tsv outputs/mia.tsv
    all_there $mine $made outputs/ch07.safetensors
    clean --scope=checkpoints --yes
    ends_with 0
    all_gone outputs/ch07.safetensors
    all_there $mine $made
}

@test "all deja lo de git y lo del lector; la segunda vez no hay nada" {
    clean --scope all --yes
    ends_with 0
    all_gone $made outputs/ch04.tsv outputs/ch07.safetensors data/train.tsv
    all_there $mine
    [ -z "$(git status --porcelain -uno)" ]
    clean --scope all --yes
    ends_with 0
    says "No hay nada que borrar"
}

@test "lo que git sigue no se borra, aunque tenga nombre de creado" {
    echo '# program: ch05' > outputs/ch05.tsv
    git add -f outputs/ch05.tsv docs/libro.pdf
    clean --scope all --yes
    ends_with 0
    says "se deja outputs/ch05.tsv: git lo sigue"
    all_there outputs/ch05.tsv docs/libro.pdf
}

@test "una carpeta que es un enlace a otro sitio no se toca" {
    for folder in outputs tangled docs data; do
        mv $folder ../elsewhere/
        ln -s "../elsewhere/$folder" $folder
    done
    find ../elsewhere | sort > ../before
    clean --scope all --yes
    ends_with 0
    says "se deja outputs: outputs es un enlace"
    find ../elsewhere | sort | cmp - ../before
    all_there outputs tangled docs data
}

@test "un enlace dentro de una carpeta: no se sigue" {
    ln -s ../../elsewhere outputs/fuera
    ln -s ../../elsewhere/precious.tsv outputs/ch09.tsv
    ln -s ../../../elsewhere tangled/.build/fuera
    rm -r tangled/paper && ln -s ../../elsewhere tangled/paper
    clean --scope all --yes
    ends_with 0
    all_there $mine outputs/fuera outputs/ch09.tsv tangled/paper
    all_gone tangled/.build
}

@test "sin terminal y sin --yes no borra; nombres raros tampoco estorban" {
    printf x > 'tangled/.build/con espacio'
    printf x > "$(printf 'tangled/.build/con\nsalto')"
    clean --scope all
    ends_with 2
    says "hace falta --yes"
    all_there $made
    clean --scope generated --yes
    ends_with 0
    all_gone 'tangled/.build/con espacio' salto
}

@test "en un terminal pregunta: no deja todo; sí lo borra" {
    script -qec true /dev/null > /dev/null 2>&1 || skip "sin terminales"
    answer() {
        echo "$1" | script -qec "sh scripts/clean.sh --scope generated" \
            /dev/null
    }
    run answer n
    ends_with 1
    says "¿Borrar estos ficheros?"
    all_there $made
    run answer sí
    ends_with 0
    all_gone $made
    all_there $mine
}

@test "si git no contesta, no se borra nada" {
    rm .git/HEAD
    clean --scope all --yes
    ends_with 1
    says "git no dice qué ficheros sigue"
    all_there $made $mine
}

@test "lo que no se puede borrar se dice" {
    mkdir ../bin
    printf '#!/bin/sh\nexit 1\n' > ../bin/rm
    chmod +x ../bin/rm
    PATH=$work/bin:$PATH clean --scope outputs --yes
    ends_with 1
    says "2 ficheros no se han podido borrar"
}

@test "fuera de un proyecto, o con un uso incorrecto, no hace nada" {
    mkdir -p ../other/scripts && cp scripts/clean.sh ../other/scripts/
    run sh ../other/scripts/clean.sh --scope all --yes
    ends_with 1
    says "no es la carpeta del proyecto"
    for bad in "" "--scope" "--scope todo" "--scope all --fuerza" "all"; do
        # shellcheck disable=SC2086
        clean $bad
        ends_with 2
    done
    all_there $made $mine
    clean --help
    ends_with 0
    says "Uso: sh scripts/clean.sh"
}
