# The whole book, made and looked at. The press's errors are in press.bats.
load common

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return 1
    make -s book > "$BATS_FILE_TMPDIR/log" 2>&1 || {
        tail -20 "$BATS_FILE_TMPDIR/log"
        return 1
    }
}
setup() { cd "$project" || return 1; }

@test "los enlaces, las etiquetas y las figuras del sitio" {
    command -v node > /dev/null || skip "no hay node"
    run node tests/links.js docs
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

@test "ninguna página lleva restos de la fuente" {
    run grep -lE '\{\{ch|&lt;&lt;[a-z]+&gt;&gt;=|\?\?\?' docs/*.html
    ends_with 1
}

@test "todo ⟨uso⟩ de un trozo es un enlace" {
    # los que quedan sueltos son los pies y las cabezas
    run awk '/<pre/ { on = 1 } on && /(^|[^>])⟨[^<>]*⟩/ { print FILENAME ": " $0 }
             /<\/pre>/ { on = 0 }' docs/[0-9]*.html
    silent
}

@test "cada página pesa poco" {
    for page in docs/*.html; do
        size=$(wc -c < "$page")
        [ "$size" -lt 350000 ] || fail "$page pesa $size"
    done
}

@test "el código de cada trozo, desplegado, está en trozos/" {
    for page in docs/[0-9A-Z]*-*.html; do
        name=${page##*/}
        here=$(grep -c 'class="trozo"' "$page" || true)
        there=$(grep -c '^"t-' "docs/trozos/${name%.html}.js" || true)
        [ "$here" = "$there" ] || fail "$page: $here trozos y $there"
    done
}

@test "el PDF: título, sin referencias perdidas, con sus letras dentro" {
    command -v pdftotext > /dev/null || skip "no hay pdftotext"
    run pdfinfo docs/libro.pdf
    says 'RMSNorm, cuaderno de trabajo'
    pdftotext docs/libro.pdf "$BATS_FILE_TMPDIR/text"
    never grep -q '??' "$BATS_FILE_TMPDIR/text"
    for sign in γ ε ≤ ✓ ⟨; do
        grep -q "$sign" "$BATS_FILE_TMPDIR/text" || fail "falta $sign"
    done
    run sh -c 'pdffonts docs/libro.pdf | awk "NR > 2 && \$(NF-4) != \"yes\""'
    silent
    run sh weave/log.sh tangled/.build/book/pdf/libro.log
    ends_with 0
}

@test "el EPUB" {
    [ -s docs/libro.epub ]
    command -v java > /dev/null && [ -r /usr/bin/epubcheck ] || skip "no hay epubcheck"
    run java -jar /usr/bin/epubcheck docs/libro.epub
    ends_with 0
}

@test "la portada lleva la versión y el commit: HTML, PDF y EPUB" {
    version=$(cat VERSION)
    commit=$(git describe --always --dirty 2> /dev/null || echo "$version")
    for front in "cat docs/index.html" "pdftotext -l 1 docs/libro.pdf -" \
        "python3 -c 'import zipfile; print(zipfile.ZipFile(
            \"docs/libro.epub\").read(\"EPUB/text/title_page.xhtml\").decode())'"
    do
        command -v "${front%% *}" > /dev/null || skip "no hay ${front%% *}"
        run sh -c "$front"
        ends_with 0
        says "Versión $version"
        says "$commit"
    done
}
