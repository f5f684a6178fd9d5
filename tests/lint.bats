# Every rule of weave/lint.sh, seen to fire on a small bad chapter.
load common

setup() { new_folder; }
teardown() { rm -rf "$work"; }

chapter() { # [FILE]: the chapter's text from the standard input
    cat > "${1:-01.nw}"
}

good() {
    chapter 01.nw <<'END'
# Título

Prosa con [[código << 1]] y un acento: canción.

<<ch01.c>>=
<<saluda al lector>>
kernel@<<<1, 2@>>>(x);
int y = x << 3;
@ %def y

<<saluda al lector>>=
puts("¡hola!");
@
END
}

lint() { # [OPTION...]
    run sh "$project/weave/lint.sh" "$@" --roots 'ch01.c' ./*.nw
}

fires() { # TEXT: stops, and says so
    ends_with 1
    says "$1"
    says "no se extrae ningún programa"
}

@test "un capítulo correcto no dice nada" {
    good
    lint --strict
    ends_with 0
    silent
}

@test "los capítulos de este libro pasan" {
    cd "$project"
    run sh weave/lint.sh --strict --roots "$ROOTS" chapters/*.nw
    ends_with 0
    silent
}

@test "un trozo que se usa y no está definido" {
    good
    printf '<<saluda al lector>>=\n<<despide>>\n@\n' >> 01.nw
    lint
    fires "./01.nw:15: el trozo <<despide>> se usa y no está definido"
}

@test "un par de desplazamientos que noweb se comería" {
    printf '<<ch01.c>>=\nx = a << b >> c;\n@\n' | chapter
    lint
    fires "./01.nw:2: el trozo << b >> se usa y no está definido"
}

@test "una referencia dentro de una cadena" {
    printf '<<ch01.c>>=\nputs("<<hola>>");\n@\n' | chapter
    lint
    fires "./01.nw:2: el trozo <<hola>> se usa y no está definido"
}

@test "una raíz que ningún programa espera" {
    good
    printf '<<ch11.c>>=\n1\n@\n' | chapter 11.nw
    lint
    fires "./11.nw:1: la raíz <<ch11.c>> no la espera ningún programa"
}

@test "un trozo que se define y no se usa" {
    good
    printf '<<saluda al lectro>>=\n1\n@\n' | chapter 11.nw
    lint
    fires "./11.nw:1: el trozo <<saluda al lectro>> se define y no se usa"
}

@test "trozos que sólo se usan en círculo" {
    good
    printf '<<a>>=\n<<b>>\n@\n<<b>>=\n<<a>>\n@\n' | chapter 11.nw
    lint
    fires "./11.nw:1: el trozo <<a>> sólo lo usan trozos que forman un círculo"
}

@test "una raíz que falta: aviso al escribir, error al terminar" {
    printf '<<a>>=\n1\n@\n' | chapter
    lint
    ends_with 0
    says "./01.nw:1: aviso: el trozo <<a>> se define y no se usa"
    lint --strict
    fires "ningún capítulo define la raíz <<ch01.c>>"
    says "./01.nw:1: el trozo <<a>> se define y no se usa"
}

@test "un trozo definido en dos capítulos" {
    good
    printf '<<saluda al lector>>=\n1\n@\n' | chapter 02.nw
    lint
    fires "./02.nw:1: el trozo <<saluda al lector>> ya está definido en ./01.nw:11"
}

@test "un lanzamiento sin @" {
    printf '<<ch01.c>>=\nk<<<1, 2>>>(x);\n@\n' | chapter
    lint
    fires "./01.nw:2: «<<<» o «>>>» a secas"
}

@test "un >>> sin @" {
    printf '<<ch01.c>>=\nk@<<<1, 2>>>(x);\n@\n' | chapter
    lint
    fires "./01.nw:2: «<<<» o «>>>» a secas"
}

@test "un tabulador" {
    printf '<<ch01.c>>=\n\tx;\n@\n' | chapter
    lint
    fires "./01.nw:2: tabulador"
}

@test "una línea de 81 columnas; 80 con acentos caben" {
    { echo '<<ch01.c>>='; printf '%080d\n' 0 | sed 's/00/ñé/g'
      echo @; } | chapter
    lint
    ends_with 0
    silent
    { echo '<<ch01.c>>='; printf '%081d\n' 0; echo @; } | chapter
    lint
    fires "./01.nw:2: línea de código de 81 columnas"
}

@test "un lanzamiento cuenta como se teje: @<<< son tres columnas" {
    { echo '<<ch01.c>>='; printf '%074d@<<<@>>>\n' 0; echo @; } | chapter
    lint
    ends_with 0
    { echo '<<ch01.c>>='; printf '%075d@<<<@>>>\n' 0; echo @; } | chapter
    lint
    fires "./01.nw:2: línea de código de 81 columnas"
}

@test "texto que no está en NFC" {
    printf 'cancio\314\201n\n<<ch01.c>>=\n1\n@\n' | chapter
    lint
    fires "./01.nw:1: el texto no está en NFC"
}

@test "texto que no es UTF-8" {
    perl -MUnicode::Normalize -e 1 || skip "sin Unicode::Normalize"
    printf 'canci\363n\n<<ch01.c>>=\n1\n@\n' | chapter
    lint
    fires "./01.nw:1: el texto no es UTF-8 válido"
}

@test "sin perl, los acentos sueltos se ven igual" {
    mkdir bin
    printf '#!/bin/sh\nexit 1\n' > bin/perl
    chmod +x bin/perl
    printf 'cancio\314\201n\n<<ch01.c>>=\n1\n@\n' | chapter
    PATH=$work/bin:$PATH lint
    fires "./01.nw:1: el texto no está en NFC"
}

@test "un trozo sin terminar al final del capítulo" {
    printf '<<ch01.c>>=\n1\n' | chapter
    lint
    fires "./01.nw:1: el trozo <<ch01.c>> no termina"
}

@test "un trozo sin terminar antes del siguiente" {
    printf '<<ch01.c>>=\n<<b>>\n<<b>>=\n1\n@\n' | chapter
    lint
    fires "./01.nw:1: el trozo <<ch01.c>> no termina: falta la «@» antes de la línea 3"
}

@test "fin de línea CRLF" {
    printf '# T\r\n<<ch01.c>>=\r\n1\n@\n' | chapter
    lint
    fires "./01.nw:1: 2 líneas acaban en CRLF"
}

@test "una definición mal escrita en la prosa" {
    printf 'texto\n <<b>>=\n<<ch01.c>>=\n1\n@\n' | chapter
    lint
    fires "./01.nw:2: «<<» en la prosa"
}

@test "un [[ que no se cierra" {
    printf 'texto [[a\n<<ch01.c>>=\n1\n@\n' | chapter
    lint
    fires "./01.nw:1: «[[» abierto y sin cerrar"
}

@test "una línea de prosa que noweb recortaría" {
    printf 'texto\n@ Pérez dice\n<<ch01.c>>=\n1\n@\n' | chapter
    lint
    fires "./01.nw:2: «@» al principio de una línea de prosa"
}

@test "un %def de un nombre que no está" {
    printf '<<ch01.c>>=\nint uno;\n@ %%def uno dos\n' | chapter
    lint
    fires "./01.nw:3: «%def dos»: ese nombre no aparece en el trozo"
}

@test "un %def que no cierra ningún trozo" {
    good
    printf '@ %%def y\n' >> 01.nw
    lint
    fires "./01.nw:14: «@ %def» fuera de un trozo"
}

@test "una raíz que otro trozo usa" {
    good
    printf '<<ch02.c>>=\n<<ch01.c>>\n@\n' | chapter 02.nw
    run sh "$project/weave/lint.sh" --roots 'ch01.c ch02.c' ./*.nw
    fires "./02.nw:2: <<ch01.c>> es la raíz de un programa y otro trozo la usa"
}

@test "dice todo lo que ve, no sólo lo primero" {
    printf '<<ch01.c>>=\n\tk<<<1>>>;\n<<a>>\n' | chapter
    printf '<<zz>>=\n1\n@\n' | chapter 02.nw
    lint
    fires "lint: 5 por corregir"
}

@test "cada awk dice lo mismo" {
    printf '<<ch01.c>>=\n\tñk<<<1>>>;\n<<a>>\n@ %%def q\nx <<\n' | chapter
    lint
    first=$output
    mkdir bin
    for awk in gawk mawk original-awk busybox; do
        command -v $awk > /dev/null || continue
        printf '#!/bin/sh\nexec %s "$@"\n' \
            "$([ $awk = busybox ] && echo busybox awk || echo $awk)" > bin/awk
        chmod +x bin/awk
        PATH=$work/bin:$PATH lint
        [ "$output" = "$first" ] || fail "$awk dice otra cosa que: $first"
    done
}

@test "es rápido: todo el libro en menos de un segundo" {
    cd "$project"
    start=$(date +%s%N)
    sh weave/lint.sh --roots "$ROOTS" chapters/*.nw || :
    [ $((($(date +%s%N) - start) / 1000000)) -lt 1000 ]
}

@test "la construcción se detiene en lo que dice" {
    cp -r "$project/Makefile" "$project/weave" "$project/scripts" \
        "$project/VERSION" .
    mkdir chapters
    printf '<<ch01.c>>=\n\tint main(void) { return 0; }\n@\n' |
        chapter chapters/01-x.nw
    run make DEVICE=cpu tangled/ch01.c
    ends_with 2
    says "chapters/01-x.nw:2: tabulador"
    [ ! -e tangled/ch01.c ]
    sed -i 's/\t//' chapters/01-x.nw
    run make DEVICE=cpu tangled/ch01.c
    ends_with 0
    [ -s tangled/ch01.c ]
}
