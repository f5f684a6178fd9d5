# The press, seen to stop at each thing it cannot weave, with file and line.
load common

setup() {
    new_folder
    mkdir chapters outputs figures tangled
    ln -s "$project/weave" weave
    cp "$project/chapters/references.bib" chapters
    results
    good > chapters/01-uno.nw
}
teardown() { rm -rf "$work"; }

results() {
    printf '# program: ch01\n# device: CPU (de prueba)\n\n\n# cases\ndtype\tm\tworst\nfp32\t1\t1.5e-07\nfp16\t17\t2e-3\n\n\n# values\nkey\tvalue\nbest\t-1.5e-09\nword\tsí\n' \
        > outputs/ch01.tsv
}

good() {
    cat <<'END'
# Uno {#ch01}

Con [[suma]] se llega al [capítulo](#ch01), a ⟨suma⟩ y a [[<<suma>>]].

<<ch01.c>>=
int main(void) { return 0; }
<<suma>>
@

## Sección

<<suma>>=
static int suma(void);
@ %def suma

<<suma>>=
static __global__ int otra(void);
@ %def otra

Vale {{ch01.best}} y {{ch01.best|%.2e}}.

```{.table program=ch01 block=cases columns="dtype,worst" names="Tipo,Peor" caption="Casos." where="m=1|17"}
```
END
}

weave() { # [ORDER FOR SED THAT SPOILS THE CHAPTER]
    [ $# = 0 ] || sed -i "$1" chapters/01-uno.nw
    run sh weave/markdown.sh book 0.1 abc chapters/*.nw
}

stops() { # LINE TEXT
    never [ "$status" = 0 ]
    says "chapters/01-uno.nw:$1: "
    says "$2"
    [ ! -e book/01-uno.md ] || fail "dejó un Markdown a medias"
}

page() {
    weave && sh weave/page.sh 01-uno book page.html
}

@test "un capítulo correcto se teje, y con su aparato" {
    weave
    ends_with 0
    silent
    grep -q 'Vale \[−1.5 × 10^−9^\]{.medido}\[CPU\]{.aparato' book/01-uno.md
    grep -q '\[−1.50 × 10^−9^\]' book/01-uno.md
    grep -q '| fp16 | 2 × 10^−3^ |' book/01-uno.md
    grep -q 'number="1.1"' book/01-uno.md
}

@test "valor desconocido" {
    weave 's/{{ch01.best}}/{{ch01.besst}}/'
    stops 20 'no tiene el valor «besst»'
}

@test "valor de un programa que no se ha ejecutado: dice qué ejecutar" {
    weave 's/{{ch01.best}}/{{ch02.best}}/'
    stops 20 'ejecute «make outputs/ch02.tsv»'
}

@test "valor de un aparato que no está publicado" {
    weave 's/{{ch01.best}}/{{h100:ch01.best}}/'
    stops 20 'no existe data/published/h100/ch01.tsv'
}

@test "referencia sin clave, y formato que no lo es" {
    weave 's/{{ch01.best}}/{{best}}/; s/|%.2e/|%s/'
    stops 20 'no tiene la forma'
    says 'el formato debe ser'
}

@test "formato de número en un valor que no lo es" {
    weave 's/{{ch01.best|/{{ch01.word|/'
    stops 20 'no es un número'
}

@test "columna, bloque y condición desconocidos" {
    weave 's/"dtype,worst"/"dtype,wrost"/'
    stops 22 'no tiene la columna «wrost»'
    good > chapters/01-uno.nw
    weave 's/block=cases/block=casos/'
    stops 22 'no tiene el bloque «casos»'
    good > chapters/01-uno.nw
    weave 's/m=1|17/m=3/'
    stops 22 'ninguna fila'
}

published() { # ROW...: what a GPU published for the same table
    mkdir -p data/published/h200
    printf '# program: ch01\n# device: NVIDIA H200\n\n\n# cases\ndtype\tm\tworst\n' \
        > data/published/h200/ch01.tsv
    printf '%b\n' "$@" >> data/published/h200/ch01.tsv
}

@test "dos máquinas: cada grupo de filas con su aparato, y el de papel lo dice" {
    published 'fp32\t1\t2.5e-07' 'fp16\t17\t3e-3' 'fp16\t64\t1'
    weave
    ends_with 0
    grep -q '^| \[Esta máquina: CPU\]{.grupo} | |$' book/01-uno.md
    grep -q '^| \[Publicado: H200\]{.grupo} | |$' book/01-uno.md
    [ "$(grep -c '^| fp' book/01-uno.md)" = 4 ]
    grep -q '`data/published/h200/ch01.tsv`' book/01-uno.md
    page
    [ "$(grep -c '<th scope=rowgroup colspan="2"' page.html)" = 2 ]
    sed -i 's/^# device: CPU.*/# device: GPU de papel (CPU x)/' outputs/ch01.tsv
    weave
    grep -q 'Esta máquina, sin GPU: GPU de papel, no verificado en GPU' book/01-uno.md
    grep -q 'se tejió en una máquina sin GPU' book/01-uno.md
}

@test "dos máquinas que dan lo mismo: las filas una vez y los dos aparatos" {
    published 'fp32\t1\t1.5e-07' 'fp16\t17\t2e-3'
    weave
    ends_with 0
    [ "$(grep -c '^| fp' book/01-uno.md)" = 2 ]
    grep -q '^: Casos. \[CPU\]{.aparato.*}, \[H200\]{.aparato.*}: lo mismo en los dos$' book/01-uno.md
}

@test "una sola máquina, si se pide o si lo publicado no lo tiene" {
    published 'fp32\t1\t2.5e-07'
    weave 's/{.table/{.table source=here/'
    never grep -q grupo book/01-uno.md
    weave 's/source=here/source=h200/'
    grep -q '^: Casos. \[H200\]' book/01-uno.md
    never grep -q grupo book/01-uno.md
    published 'fp32\t3\t2.5e-07'
    weave 's/source=h200 //'
    ends_with 0
    grep -q '^: Casos. \[CPU\]' book/01-uno.md
    never grep -q grupo book/01-uno.md
}

@test "nombres que no casan con las columnas" {
    weave 's/names="Tipo,Peor"/names="Tipo"/'
    stops 22 'distinto número de columnas'
}

@test "una tabla no se escribe a mano" {
    weave '/{.table/a | 1 | 2 |'
    stops 23 'se llena solo'
}

@test "enlace a una etiqueta que no existe" {
    weave 's/(#ch01)/(#ch10)/'
    stops 3 'el enlace #ch10 no lleva a ninguna parte'
}

@test "enlace a un trozo que no existe" {
    weave 's/\[\[<<suma>>\]\]/[[<<resta>>]]/'
    stops 3 'ningún trozo ⟨resta⟩'
}

@test "trozo usado y sin definir" {
    weave '7s/suma/resta/'
    stops 5 'usa ⟨resta⟩, que nadie define'
}

@test "etiqueta repetida" {
    weave 's/^## Sección/## Sección {#ch01}/'
    stops 10 'la etiqueta #ch01 ya está en chapters/01-uno.nw:1'
}

@test "dos títulos de capítulo" {
    weave 's/^## Sección/# Sección {#otra}/'
    stops 10 'segundo título'
}

@test "figura que no existe, figura sin dibujar y figura sin descripción" {
    weave '$a \\n![Pie.](figures/no.svg){#fig:no alt="Una."}'
    stops 25 'no existe la figura figures/no.svg'
    good > chapters/01-uno.nw
    touch figures/no.gp
    weave '$a \\n![Pie.](figures/no.svg){#fig:no alt="Una."}'
    stops 25 'ejecute «make figures»'
    good > chapters/01-uno.nw
    echo '<svg/>' > figures/no.svg
    weave '$a \\n![Pie.](figures/no.svg){#fig:no}'
    stops 25 'no tiene alt='
}

program() { # BODY
    printf '#!/bin/sh\n%s\n' "$1" > tangled/ch01
    chmod +x tangled/ch01
}

@test "salida de un programa: se ejecuta, se guarda y se repite si cambia" {
    program 'echo "uno $1 $2"; echo x >> ran'
    weave '$a \\n```{.output program=ch01 args="--x 3,4"}\n```'
    ends_with 0
    grep -q '^\$ ./tangled/ch01 --x 3,4$' book/01-uno.md
    grep -q '^uno --x 3,4$' book/01-uno.md
    weave
    [ "$(wc -l < ran)" = 1 ]
    program 'echo "dos"; echo x >> ran'
    weave
    grep -q '^dos$' book/01-uno.md
    [ "$(wc -l < ran)" = 2 ]
}

@test "programa sin compilar: dice qué ejecutar" {
    weave '$a \\n```{.output program=ch01}\n```'
    stops 25 'ejecute «make tangled/ch01»'
}

@test "programa que falla: el libro no lo esconde" {
    program 'exit 1'
    weave '$a \\n```{.output program=ch01}\n```'
    stops 25 'estado 1 y no 0'
    program 'echo no; exit 2'
    weave 's/program=ch01}/program=ch01 status=2}/'
    ends_with 0
}

@test "los argumentos no llegan a la shell" {
    program 'true'
    weave '$a \\n```{.output program=ch01 args="; touch mal"}\n```'
    stops 25 'signos de la shell'
    [ ! -e mal ]
}

@test "DRAFT teje lo que hay y avisa de lo demás" {
    sed -i 's/{{ch01.best}}/{{ch01.besst}}/' chapters/01-uno.nw
    DRAFT=1 run sh weave/markdown.sh book 0.1 abc chapters/*.nw
    ends_with 0
    says 'no tiene el valor «besst»'
    [ -s book/01-uno.md ]
}

@test "lo que no cambia no se toca" {
    weave
    find book -type f -exec touch -d 2001-01-01 {} +
    weave
    [ -z "$(find book -newermt 2002-01-01 -type f)" ] || fail "$(find book -newermt 2002-01-01)"
}

@test "trozos enlazados en los dos sentidos" {
    page
    grep -q '<a class=uso href=#t-suma>⟨suma⟩</a>' page.html
    grep -q 'Continúa en <a href=#n3>1.3</a>' page.html
    grep -q 'Viene de <a href=#n2>1.2</a>' page.html
    grep -q 'Usado en ⟨ch01.c⟩ <a href=#n1>1.1</a>' page.html
    grep -q '<a href=#n2 class=cita><code>suma</code></a>' page.html
    sh weave/page.sh identificadores book index.html
    grep -q '__global__' index.html
}

@test "capítulos de dos cifras y apéndices: en su orden y con su número" {
    for name in 02-dos 10-diez G-siete; do
        printf '# %s {#ch%s}\n\n## Sección\n' "$name" "${name%%-*}" > "chapters/$name.nw"
    done
    weave
    ends_with 0
    sh weave/page.sh 10-diez book page.html
    [ "$(sed -n '/class=contenido/,/<\/nav>/s/.*href=\([0-9A-Z][^.]*\).*/\1/p' page.html |
        tr '\n' ' ')" = "01-uno 02-dos 10-diez G-siete " ] || fail "$(cat page.html)"
    grep -q '<span class=num>10</span>' page.html
    grep -q '<p>Apéndices</p>' page.html
    grep -q '>10.1</a>' page.html
    sh weave/page.sh G-siete book page.html
    grep -q '>G.1</a>' page.html
}

@test "un número no se separa de su unidad" {
    printf '\nGasta un 5 %% en 3 µs, y 7 msx.\n' >> chapters/01-uno.nw
    page
    nbsp=$(printf '\302\240')
    grep -q "un 5$nbsp% en 3${nbsp}µs, y 7 msx" page.html
}

printed() { # the chapter as LaTeX
    weave
    pandoc book/01-uno.md --from markdown-implicit_figures --to latex \
        --metadata targets=book/targets.tsv --lua-filter weave/filters/latex.lua > page.tex
}

@test "impreso: la tabla de dos máquinas flota, y cada grupo ocupa su ancho" {
    mkdir -p data/published/h200
    sed 's/device: CPU (de prueba)/device: NVIDIA H200/; s/1.5e-07/1.5e-08/' outputs/ch01.tsv \
        > data/published/h200/ch01.tsv
    printed
    grep -q '^\\begin{table}\[!htb\].*label{ch01-tabla-1}' page.tex
    [ "$(grep -c '^\\multicolumn{2}{@{}l@{}}{\\bfseries' page.tex)" = 2 ]
    never grep -q 'begin{longtable}' page.tex
}

@test "impreso: una tabla larga repite su cabecera y agrupa lo que se repite" {
    {
        printf '# program: ch01\n# device: CPU (de prueba)\n\n\n# cases\ndtype\tm\tworst\n'
        for m in $(seq 60); do printf 'fp%s\t%s\t%s\n' $((16 * (1 + m / 31))) "$m" "$m"; done
        printf '\n\n# values\nkey\tvalue\nbest\t1\n'
    } > outputs/ch01.tsv
    sed -i 's/columns=.* caption/columns="dtype,m,worst" names="Tipo,M,Peor" caption/
        s/ where="[^"]*"//' chapters/01-uno.nw
    printed
    [ "$(grep -c '^M & Peor ' page.tex)" = 2 ]
    grep -q '^\\multicolumn{2}{@{}l@{}}{\\bfseries Tipo: fp16} \\\\\*$' page.tex
    [ "$(grep -c 'bfseries Tipo: ' page.tex)" = 2 ]
    [ "$(grep -c '^[0-9]* & [0-9]* ' page.tex)" = 60 ]
}

@test "impreso: por dónde se parte el código" {
    printf '\n<<suma>>=\n%s\n@\n' 'int a;
int b;
int c(void)
{
    return a;
}

int d = f(1,
    2);
int e;
int f;
int g;' >> chapters/01-uno.nw
    printed
    # tras la línea en blanco, bien; en la llamada, mal; ante lo que cierra, nunca
    grep -q '^\\trozocodigo{00000013100}{200}{700}{900}' page.tex
    # y un trozo corto, por ningún sitio
    grep -q '^\\trozocodigo{}' page.tex
}

@test "una página no pide nada a otro sitio" {
    page
    never grep -E '(src|<link[^>]*href)="?(https?:)?//' page.html
    never grep -E '@import|url\(' "$project/weave/html/libro.css"
    never grep -E 'fetch\(|XMLHttpRequest|import\(' "$project"/weave/html/*.js
}

@test "una página que no sale deja la anterior" {
    page
    cksum page.html > before
    printf '\n[@nadie2000]\n' >> book/01-uno.md
    run sh weave/page.sh 01-uno book page.html
    never [ "$status" = 0 ]
    cksum page.html | cmp - before
    [ "$(echo page.html*)" = page.html ]
}

@test "el registro de LaTeX: líneas que se salen, letras y enlaces perdidos" {
    echo 'todo bien' > log
    run sh weave/log.sh log
    ends_with 0
    for bad in 'Overfull \hbox (3.0pt too wide) in paragraph at lines 1--2' \
        'Missing character: There is no ₀ (U+2080) in font x!' \
        'LaTeX Warning: Hyper reference `t.no'"'"' on page 3 undefined on input line 8.'; do
        echo "$bad" > log
        run sh weave/log.sh log
        ends_with 1
    done
}

@test "figura: sigue el modo oscuro y no lleva fondo" {
    cp "$project/figures/common.gp" figures
    printf '# usa: nada\nplot x with lines ls 1 title "ñ ε"\n' > figures/uno.gp
    run sh weave/figure.sh uno
    ends_with 0
    grep -q 'prefers-color-scheme' figures/uno.svg
    grep -q 'var(--s1)' figures/uno.svg
    grep -q 'currentColor' figures/uno.svg
    never grep -qi "fill=.\(white\|#ffffff\)" figures/uno.svg
    [ -s figures/uno.pdf ]
    echo 'plot "no-existe.tsv"' > figures/dos.gp
    run sh weave/figure.sh dos
    ends_with 1
    says 'figures/dos.gp'
    [ ! -e figures/dos.svg ]
}

@test "dónde está una línea" {
    run sh weave/where.sh chapters/01-uno.nw:14
    ends_with 0
    says 'docs/01-uno.html#t-suma'
    run sh weave/where.sh chapters/01-uno.nw:11
    says 'docs/01-uno.html#ch01-seccion'
    run sh weave/where.sh chapters/02.nw:1
    ends_with 2
}
