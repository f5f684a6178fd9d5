# The whole book, made and looked at. The press's errors are in press.bats.
load common

setup_file() { sh "$BATS_TEST_DIRNAME/site.sh" book > "$BATS_FILE_TMPDIR/site"; }
setup() {
    cd "$project" || return 1
    docs=$(cat "$BATS_FILE_TMPDIR/site")
}

epubcheck=/usr/share/java/epubcheck.jar      # /usr/bin has it as a .jar too

# The validator of the W3C's specification, from npm
valid_html() { # FILE...: nothing is said of a valid page
    java -Xss4m -jar node_modules/vnu-jar/build/dist/vnu.jar --errors-only --stdout "$@"
}

@test "los enlaces, las etiquetas y las figuras del sitio" {
    command -v node > /dev/null || skip "no hay node"
    run node tests/links.js "$docs"
    ends_with 0
    says ' 0 fallos'
}

@test "ese examen ve un enlace roto, una etiqueta doble y una petición fuera" {
    command -v node > /dev/null || skip "no hay node"
    new_folder
    mkdir site
    fault() { # HTML, WHAT IT SAYS
        echo "<main id=\"a\">$1</main>" > site/p.html
        run node "$project/tests/links.js" site
        ends_with 1
        says "$2"
    }
    fault '<a href="q.html">x</a>' 'no existe q.html'
    fault '<a href="#b">x</a>' 'no tiene esa etiqueta'
    fault '<p id="a">x</p>' 'está dos veces'
    fault '<script src="https://example.org/x.js"></script>' 'pide https://example.org/x.js'
    fault '<img src="p.html">' 'imagen sin descripción'
    rm -rf "$work"
}

@test "cada trozo dice en qué línea del archivo extraído está" {
    run env LC_ALL=C awk -v tangled=tangled -f tests/places.awk tangled/.build/book/*-*.md
    ends_with 0
    never says " 0 lugares"
    sed 's/En \[ch04\.c:\([0-9]*\)/En [ch04.c:1\1/' tangled/.build/book/04-forward.md \
        > "$BATS_TEST_TMPDIR/bad.md"
    run env LC_ALL=C awk -v tangled=tangled -f tests/places.awk "$BATS_TEST_TMPDIR/bad.md"
    ends_with 1
    says "no empieza en tangled/ch04.c:1"
}

@test "ninguna página lleva restos de la fuente" {
    run grep -lE '\{\{ch|&lt;&lt;[a-z]+(&gt;&gt;|>>)=|\?\?\?' "$docs"/*.html
    ends_with 1
}

@test "todo ⟨uso⟩ de un trozo es un enlace" {
    # los que quedan sueltos son los pies y las cabezas
    run awk '/<pre/ { on = 1 } on && /(^|[^>])⟨[^<>]*⟩/ { print FILENAME ": " $0 }
             /<\/pre>/ { on = 0 }' "$docs"/[0-9A-Z]*-*.html
    silent
}

@test "el HTML de todas las páginas es válido" {
    [ -d node_modules/vnu-jar ] && command -v java > /dev/null || skip "faltan Java o lo de npm"
    run valid_html "$docs"/*.html
    ends_with 0
    silent
}

@test "ese examen ve una página que no lo es" {
    [ -d node_modules/vnu-jar ] && command -v java > /dev/null || skip "faltan Java o lo de npm"
    sed 's/<main /<p><div id=x><\/p><main /' "$docs/B-trouble.html" > "$BATS_TEST_TMPDIR/bad.html"
    run valid_html "$BATS_TEST_TMPDIR/bad.html"
    ends_with 1
    says 'error: No “p” element in scope'
}

@test "el código de cada trozo, desplegado, está en trozos/" {
    for page in "$docs"/[0-9A-Z]*-*.html; do
        name=${page##*/}
        here=$(grep -c 'class=trozo[ >]' "$page" || true)
        there=$(grep -c '^"t-' "$docs/trozos/${name%.html}.js" || true)
        [ "$here" = "$there" ] || fail "$page: $here trozos y $there"
    done
}

@test "el PDF: título, sin referencias perdidas, con sus letras dentro" {
    command -v pdftotext > /dev/null || skip "no hay pdftotext"
    run pdfinfo "$docs/libro.pdf"
    says 'RMSNorm, cuaderno de trabajo'
    pdftotext "$docs/libro.pdf" "$BATS_FILE_TMPDIR/text"
    never grep -q '??' "$BATS_FILE_TMPDIR/text"
    for sign in γ ε ≤ ✓ ⟨; do
        grep -q "$sign" "$BATS_FILE_TMPDIR/text" || fail "falta $sign"
    done
    run sh -c 'pdffonts "$0" | awk "NR > 2 && \$(NF-4) != \"yes\""' "$docs/libro.pdf"
    silent
    run sh weave/log.sh tangled/.build/book/pdf/libro.log
    ends_with 0
}

@test "el PDF: sin páginas a medias ni trozos mal cortados" {
    command -v pdftotext > /dev/null || skip "no hay pdftotext"
    pdftotext -bbox "$docs/libro.pdf" "$BATS_FILE_TMPDIR/words"
    run env LC_ALL=C awk -f tests/pages.awk "$BATS_FILE_TMPDIR/words"
    ends_with 0
    silent
}

@test "ese examen ve un título al pie, un pie arriba y páginas a medias" {
    word() { echo "<word xMin=\"56.0\" yMin=\"$1\" xMax=\"70.0\" yMax=\"$(($1 + ${3:-9}))\">$2</word>"; }
    {
        for page in 1 2 3 4; do
            echo '<page width="481.9" height="680.3">'
            case $page in
            1) word 60 Uno; word 610 4.2; word 610 '⟨suma⟩'; word 610 ≡ ;;
            2) word 60 Usado; word 60 en; word 300 fin ;;
            3) word 60 '}'; word 600 fin ;;
            4) word 60 Uno; word 600 9.10 12; word 600 Ejercicios 12 ;;
            esac
            echo '</page>'
        done
    } > "$BATS_TEST_TMPDIR/words"
    run env LC_ALL=C awk -f tests/pages.awk "$BATS_TEST_TMPDIR/words"
    ends_with 1
    says 'página 1: un título de trozo, solo al pie'
    says 'página 2: el pie de un trozo, solo arriba'
    says 'página 3: empieza por lo que cierra otra'
    says 'página 4: un título, solo al pie'
    says '1 páginas a medias: 2'
}

@test "el EPUB pasa epubcheck, que ve un enlace roto en otro" {
    [ -s "$docs/libro.epub" ]
    [ -r $epubcheck ] || skip "no hay epubcheck"
    run java -jar $epubcheck --failonwarnings "$docs/libro.epub"
    ends_with 0
    printf '# Uno\n\n[enlace](#nada)\n' | pandoc -t epub3 --metadata title=Uno \
        -o "$BATS_TEST_TMPDIR/bad.epub"
    run java -jar $epubcheck --failonwarnings "$BATS_TEST_TMPDIR/bad.epub"
    ends_with 1
    says 'ERROR(RSC-012)'
}

@test "la portada lleva la versión y el commit: HTML, PDF y EPUB" {
    version=$(cat VERSION)
    commit=$(git describe --always --dirty 2> /dev/null || echo "$version")
    for front in "cat $docs/index.html" "pdftotext -l 1 $docs/libro.pdf -" \
        "python3 -c 'import zipfile; print(zipfile.ZipFile(
            \"$docs/libro.epub\").read(\"EPUB/text/title_page.xhtml\").decode())'"
    do
        command -v "${front%% *}" > /dev/null || skip "no hay ${front%% *}"
        run sh -c "$front"
        ends_with 0
        says "Versión $version"
        says "$commit"
    done
}
