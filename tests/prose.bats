# The prose: spelling, and the phrases that the house does without.
load common

setup() { new_folder; }
teardown() { rm -rf "$work"; }

spell() { run sh "$project/tests/spell.sh" "$@"; }

@test "los capítulos no tienen faltas" {
    cd "$project"
    spell chapters/*.nw
    ends_with 0
    silent
}

@test "README.md, CONTRIBUTING.md y CHANGELOG.md tampoco" {
    cd "$project"
    spell README.md CONTRIBUTING.md CHANGELOG.md
    ends_with 0
    silent
}

@test "una falta se encuentra, con su línea" {
    printf 'La fila se normaliza.\n\nDespues se multplica.\n' > a.nw
    spell a.nw
    ends_with 1
    says "a.nw:3: Despues"
    says "a.nw:3: multplica"
}

@test "una falta se encuentra en pies, textos alternativos y notas" {
    cat > a.nw <<'END'
``` {.table program=ch01 caption="Errror por fila"}
```
![Un piie](figures/a.svg){#fig:a
  alt="una linnea que sube"}
::: nota
Esto es una notta.
:::
END
    spell a.nw
    ends_with 1
    says "a.nw:1: Errror"
    says "a.nw:3: piie"
    says "linnea"
    says "a.nw:6: notta"
}

@test "código, fórmulas, enlaces, citas y valores no se corrigen" {
    cat > a.nw <<'END'
Prosa con [[qwerty << zxcvb]], `asdfg hjkl`, $qwertyz^2$ y fp32
y $\frac{qwertz}
{zxcvb}$, {{ch04.qwerty.zxcvb|%.2e}}, [texto](#qwertyz) y
[@qwertyz2019], (*english words*), <https://qwertyz.zxcvb/>.

```c
int qwertyz;
```

<<trozo>>=
int qwertyz = zxcvb;
@ %def qwertyz
Otra vez prosa.

$$ qwertyz
zxcvb $$
END
    spell a.nw
    ends_with 0
    silent
}

@test "cada línea conserva su número" {
    cd "$project"
    for chapter in chapters/*.nw README.md; do
        [ "$(perl tests/prose.pl "$chapter" | wc -l)" = \
            "$(wc -l < "$chapter")" ] || fail "$chapter"
    done
}

@test "el mapa de README.md tiene todos los capítulos y programas" {
    cd "$project"
    for chapter in chapters/*.nw; do
        number=${chapter#chapters/}
        number=${number%%-*}
        grep -q "^| ${number#0} · " README.md || fail "falta ${number#0}"
    done
    for program in $PROGRAMS; do
        grep -q "^| .*\`$program\`" README.md || fail "falta $program"
    done
}

@test "la lista de palabras no se repite" {
    run sh -c 'sort "$0" | uniq -d' "$project/tests/palabras.txt"
    silent
}

@test "ninguna frase de relleno" {
    cd "$project"
    for chapter in chapters/*.nw README.md CONTRIBUTING.md; do
        perl tests/prose.pl "$chapter" | tr '\n' ' ' | grep -oiE \
            -e 'es importante (destacar|señalar|mencionar|notar)' \
            -e 'cabe (señalar|destacar|mencionar)' \
            -e 'en este cap[ií]tulo (exploraremos|veremos|aprenderemos)' \
            -e 'vale la pena (señalar|destacar|mencionar)' \
            -e 'en resumen,' -e 'sumérgete|sumerjámonos' \
            -e 'sin más preámbulos?' >> "$work/found" || :
    done
    run cat "$work/found"
    silent
}

@test "se trata al lector de usted" {
    cd "$project"
    for chapter in chapters/*.nw README.md CONTRIBUTING.md; do
        perl tests/prose.pl "$chapter" | grep -noiwE \
            '(tú|ti|contigo|vosotros|puedes|debes|quieres|tienes|tus)' |
            sed "s|^|$chapter:|"
    done > "$work/found"
    run cat "$work/found"
    silent
}

# El cuaderno es el nombre de la obra, en su título; lo que se lee es el libro
workbook() { run grep -n -i -w cuaderno "$@"; }

@test "los capítulos llaman libro al libro" {
    cd "$project"
    workbook chapters/*
    ends_with 1
    printf 'Uno.\nLas pruebas del cuaderno.\n' > "$work/a.nw"
    workbook "$work/a.nw"
    says '2:Las pruebas del cuaderno.'
}
