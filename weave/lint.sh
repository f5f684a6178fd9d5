#!/bin/sh
# lint.sh [--strict] [--roots 'ch01.c ch02.c …'] CHAPTER...
# Says everything that is wrong with the chapters' noweb, one finding a line,
#   chapters/NN-name.nw:LINE: …
# and exits 1 if there is anything. noweb itself lets most of this through:
# it drops text silently, or tangles a program that is not the one printed.
#
# --roots   the chunks that programs are made from; a chunk that none of them
#           reaches is a mistake
# --strict  every one of those roots must be there. Without it, while a root is
#           missing the book is being written: a chunk that nobody uses, or
#           that nobody defines yet, is an «aviso» and stops nothing here (the
#           program that needs it does not tangle).
set -eu
export LC_ALL=C

strict=0 roots=
while [ $# -gt 0 ]; do
    case $1 in
    --strict) strict=1; shift ;;
    --roots) roots=${2?lint.sh: --roots pide una lista}; shift 2 ;;
    --) shift; break ;;
    -*) echo "lint.sh: opción desconocida: $1" >&2; exit 2 ;;
    *) break ;;
    esac
done
[ $# -gt 0 ] || { echo "lint.sh: no hay capítulos que revisar" >&2; exit 2; }
for chapter; do
    [ -r "$chapter" ] || { echo "lint.sh: no se puede leer $chapter" >&2; exit 2; }
done

# Composed characters: two spellings of «ó» would be two chunk names
encoding() {
    if perl -MUnicode::Normalize -e 1 2>/dev/null; then
        perl -MUnicode::Normalize -e '
            for my $file (@ARGV) {
                open my $in, "<:raw", $file or next;
                while (my $line = <$in>) {
                    next unless $line =~ /[\x80-\xff]/;
                    my $text = $line;
                    if (!utf8::decode($text)) {
                        print "$file:$.: el texto no es UTF-8 válido\n";
                    } elsif (NFC($text) ne $text) {
                        print "$file:$.: el texto no está en NFC: hay ",
                              "letras y acentos sueltos sin componer\n";
                    }
                }
            }' "$@"
    else
        awk '/\314[\200-\277]|\315[\200-\257]/ {
            print FILENAME ":" FNR ": el texto no está en NFC: hay " \
                  "letras y acentos sueltos sin componer" }' "$@"
    fi
}

noweb() {
    awk -v roots="$roots" -v strict="$strict" '
    function found(file, line, text) { print file ":" line ": " text }
    function here(text) { found(FILENAME, FNR, text) }

    # Characters, not bytes: continuation bytes of UTF-8 are not counted
    function width(text) {
        gsub(/[\200-\277]/, "", text)
        return length(text)
    }

    function close_prose() {
        if (quote_line)
            found(quote_file, quote_line, "«[[» abierto y sin cerrar en " \
                  "la prosa")
        quote_line = 0
    }

    function define(name) {
        current = name
        chunk_file = FILENAME; chunk_line = FNR; chunk_text = ""
        if (!(name in defined)) {
            order[++names] = name
            defined[name] = FILENAME
            defined_line[name] = FNR
        } else if (defined[name] != FILENAME && !((name, FILENAME) in twice)) {
            twice[name, FILENAME] = 1
            here("el trozo <<" name ">> ya está definido en " defined[name] \
                 ":" defined_line[name] "; un trozo compartido se define " \
                 "una sola vez")
        }
        in_code = 1
    }

    # Reads a line of code as noweb does: @<< and @>> are plain text, and a
    # pair <<…>> is a reference wherever it stands, strings and comments too
    function code(line,   rest, end) {
        rest = line
        gsub(/@<<|@>>/, "@", rest)
        if (rest ~ /<<<|>>>/)
            here("«<<<» o «>>>» a secas: noweb los toma por una referencia; " \
                 "escriba «@<<<» y «@>>>»")
        else {
            rest = line
            gsub(/@<</, "@", rest)
            while (match(rest, /<</)) {
                rest = substr(rest, RSTART + 2)
                if (!(end = index(rest, ">>")))
                    break
                use(substr(rest, 1, end - 1))
                rest = substr(rest, end + 2)
            }
        }
        sub(/^@@/, "@", line)
        gsub(/@<</, "<<", line)
        gsub(/@>>/, ">>", line)
        if (width(line) > 80)
            here("línea de código de " width(line) " columnas; caben 80")
        chunk_text = chunk_text line "\n"
    }

    function use(name) {
        uses[current] = uses[current] SUBSEP name
        if (!(name in used)) {
            used[name] = FILENAME
            used_line[name] = FNR
            use_order[++use_count] = name
        }
    }

    # @ %def a b: each must be a word of the chunk, or the index would lie
    function declared(line,   i, n, word, text) {
        sub(/^@ %def[ ]*/, "", line)
        n = split(line, word, / +/)
        text = chunk_text
        gsub(/[^A-Za-z0-9_]+/, " ", text)
        for (i = 1; i <= n; i++)
            if (word[i] != "" && !index(" " text " ", " " word[i] " "))
                here("«%def " word[i] "»: ese nombre no aparece en el trozo")
    }

    # Outside [[…]], << in prose stops noweb
    function prose(line,   at, end, plain) {
        plain = ""
        while (line != "") {
            if (quote_line) {
                end = index(line, "]]")
                if (!end) {
                    line = ""
                    break
                }
                line = substr(line, end + 2)
                while (substr(line, 1, 1) == "]")
                    line = substr(line, 2)
                quote_line = 0
            } else {
                at = index(line, "[[")
                if (!at) {
                    plain = plain line
                    break
                }
                plain = plain substr(line, 1, at - 1) " "
                line = substr(line, at + 2)
                quote_file = FILENAME; quote_line = FNR
            }
        }
        gsub(/@<</, "", plain)
        if (index(plain, "<<"))
            here("«<<» en la prosa: una definición mal escrita, o un " \
                 "«@<<» al que le falta la «@»")
    }

    function end_of_file() {
        if (in_code)
            found(chunk_file, chunk_line, "el trozo <<" current ">> no " \
                  "termina: falta la «@» que devuelve a la prosa")
        in_code = 0
        close_prose()
        if (crlf)
            found(last_file, crlf_line, crlf " líneas acaban en CRLF; el " \
                  "fin de línea es LF")
        crlf = 0
    }

    FNR == 1 { end_of_file(); last_file = FILENAME }
    /\r$/ {
        if (!crlf++)
            crlf_line = FNR
        sub(/\r$/, "")
    }
    /\t/ { here("tabulador; se sangra con espacios") }

    /^<<.*>>=[ ]*$/ {
        if (in_code)
            found(chunk_file, chunk_line, "el trozo <<" current ">> no " \
                  "termina: falta la «@» antes de la línea " FNR)
        close_prose()
        name = $0
        sub(/^<</, "", name)
        sub(/>>=[ ]*$/, "", name)
        define(name)
        next
    }
    /^@( |$)/ {
        if (in_code) {
            if ($0 ~ /^@ %def/)
                declared($0)
            in_code = 0
        } else {
            close_prose()
            if ($0 ~ /^@ %def/)
                here("«@ %def» fuera de un trozo")
            else if ($0 ~ /^@ *[^@ ]/)
                here("«@» al principio de una línea de prosa: noweb la borra")
        }
        sub(/^@ %def.*/, "")
        sub(/^@ ?/, "")
        prose($0)
        next
    }
    in_code { code($0); next }
    { prose($0) }

    END {
        end_of_file()
        count = split(roots, root, " ")
        draft = ""
        for (i = 1; i <= count; i++) {
            expected[root[i]] = 1
            if (root[i] in defined)
                continue
            if (strict)
                found("chapters", 0, "ningún capítulo define la raíz <<" \
                      root[i] ">>")
            else
                draft = "aviso: "
        }
        for (i = 1; i <= use_count; i++) {
            name = use_order[i]
            if (!(name in defined))
                found(used[name], used_line[name], draft "el trozo <<" name \
                      ">> se usa y no está definido")
        }

        # What nobody uses is a root, or a mistake
        head = tail = 0
        for (i = 1; i <= names; i++) {
            name = order[i]
            if (!(name in used)) {
                queue[++tail] = name
                reached[name] = 1
                if (!(name in expected))
                    found(defined[name], defined_line[name], \
                          name ~ /[.\/]/ && name !~ / / ? \
                          "la raíz <<" name ">> no la espera ningún programa" :\
                          draft "el trozo <<" name ">> se define y no se usa")
            } else if (name in expected) {
                found(used[name], used_line[name], "<<" name ">> es la raíz " \
                      "de un programa y otro trozo la usa")
            }
        }
        while (head < tail) {
            n = split(uses[queue[++head]], part, SUBSEP)
            for (i = 2; i <= n; i++)
                if (!(part[i] in reached)) {
                    reached[part[i]] = 1
                    queue[++tail] = part[i]
                }
        }
        for (i = 1; i <= names; i++)
            if (!(order[i] in reached))
                found(defined[order[i]], defined_line[order[i]], "el trozo " \
                      "<<" order[i] ">> sólo lo usan trozos que forman un " \
                      "círculo con él")
    }' "$@"
}

findings=$( { encoding "$@"; noweb "$@"; } | sort -t: -k1,1 -k2,2n)
[ -z "$findings" ] && exit 0
printf '%s\n' "$findings" >&2
count=$(printf '%s\n' "$findings" | grep -vc '^[^:]*:[0-9]*: aviso: ' || :)
[ "$count" -gt 0 ] || exit 0
echo "lint: $count por corregir; no se extrae ningún programa" >&2
exit 1
