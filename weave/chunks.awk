# chunks.awk: de las fichas de noweb (markup | finduses) a Markdown con lugar.
#
# Cada línea de salida es  ARCHIVO <TAB> LÍNEA <TAB> texto,  para que los pasos
# siguientes puedan decir dónde está lo que no entienden. Los trozos salen como
# bloques .trozo con cabeza, código y pie. Los enlaces entre trozos los calcula
# este programa con todos los capítulos delante; por eso no hace falta noidx.
#
# -v tables=DIR: deja en DIR chunks.tsv, uses.tsv, identifiers.tsv y places.tsv, de
# donde salen los índices, los enlaces del código resaltado y las páginas de los
# archivos extraídos.

{ token[NR] = $0 }

function chapter_of(path) {
    sub(/^.*\//, "", path); sub(/-.*$/, "", path); sub(/\.nw$/, "", path)
    sub(/^0/, "", path)
    return path
}
function escape(text) {
    gsub(/[\\`*_{}\[\]<>#|~^$@]/, "\\\\&", text)
    return text
}
function code(text) {
    return index(text, "`") ? "`` " text " ``" : "`" text "`"
}
# El nombre de un trozo puede llevar [[código]]
function name_markdown(name,    out, i, j) {
    while ((i = index(name, "[[")) && (j = index(name, "]]"))) {
        out = out escape(substr(name, 1, i - 1)) \
              code(substr(name, i + 2, j - i - 2))
        name = substr(name, j + 2)
    }
    return out escape(name)
}
function name_plain(name) { gsub(/\[\[|\]\]/, "", name); return name }

function language(name) {
    if (name ~ /\.(c|h|cu|cpp)$/) return "cuda"
    if (name ~ /\.awk$/) return "awk"
    if (name ~ /\.sh$/) return "bash"
    if (name ~ /\.py$/) return "python"
    return name ~ /\.[a-z]+$/ ? "default" : "cuda"
}

# Primera vuelta: quién define, quién usa
function survey(    k, t, label, name, ident) {
    for (k = 1; k <= NR; k++) {
        t = token[k]
        if (t ~ /^@file /) { path = substr(t, 7); line = 1; count = 0 }
        else if (t == "@nl" || t == "@index nl") { line++
            if (in_code && t == "@nl") {
                body[label] = body[label] "\n"
                if (opened) piece(label, "@nl", ""); else opened = 1
            } }
        else if (t ~ /^@begin code/) { in_code = 1; opened = 0 }
        else if (t ~ /^@end code/) in_code = 0
        else if (in_code && t ~ /^@defn /) {
            name = substr(t, 7)
            label = "t-" slug(name_plain(name))
            if (!(name in parts)) {
                if (label in slug_taken) label = label "-bis"
                slug_taken[label] = 1
                first[name] = label; name_order[++names] = name
            } else label = first[name] ":" (parts[name] + 1)
            parts[name]++
            part[name, parts[name]] = label
            labels[++chunks] = label
            chunk_name[label] = name; chunk_part[label] = parts[name]
            chunk_path[label] = path; chunk_line[label] = line
            chunk_number[label] = chapter_of(path) "." ++count
            label_at[k] = label
        }
        else if (in_code && t ~ /^@text /) {
            body[label] = body[label] substr(t, 7)
            if (t ~ /[^ ]$/) piece(label, "@text", "")
        }
        else if (in_code && t ~ /^@use /) {
            name = substr(t, 6)
            piece(label, "@use", name)
            if (!((name, label) in user_seen)) {
                user_seen[name, label] = 1
                users[name] = users[name] " " label
                uses[label] = uses[label] (uses[label] == "" ? "" : "\n") name
            }
        }
        else if (in_code && t ~ /^@index defn /) {
            ident = substr(t, 13)
            if (!((ident, label) in defines)) {
                defines[ident, label] = 1
                if (!(ident in defined_in)) { defined_in[ident] = label
                    idents[++ident_count] = ident }
                defined_all[ident] = defined_all[ident] " " label
                defs_of[label] = defs_of[label] " " ident
            }
        }
        else if (in_code && t ~ /^@index use /) {
            ident = substr(t, 12)
            if (!((ident, label) in ident_seen)) {
                ident_seen[ident, label] = 1
                used_all[ident] = used_all[ident] " " label
            }
        }
    }
}

# --- dónde cae cada trozo en los archivos que se extraen -------------------------
function piece(label, kind, name) {
    if (kind == "@text" && piece_kind[label, pieces[label]] == "@text") return
    piece_kind[label, ++pieces[label]] = kind
    piece_name[label, pieces[label]] = name
}

# Recorre un trozo como lo hace notangle: todas sus partes, una tras otra, y sin
# el último salto de línea. at_line es la línea del archivo root en que se está
function extract(name, root, depth,    p, i, n, label, kind) {
    if (depth > 60) return                          # un círculo: lo dice lint.sh
    for (p = 1; p <= parts[name]; p++) {
        if (p > 1) at_line++
        label = part[name, p]
        if (!((label, root) in place)) {
            place[label, root] = at_line
            placed[label] = placed[label] (placed[label] == "" ? "" : "\n") root
        }
        n = pieces[label]
        if (piece_kind[label, n] == "@nl") n--
        for (i = 1; i <= n; i++) {
            kind = piece_kind[label, i]
            if (kind == "@nl") at_line++
            else if (kind == "@text") own(label, root)
            else extract(piece_name[label, i], root, depth + 1)
        }
    }
}
function own(label, root) {
    if (at_line == owned_line || owner == label) return
    owner = label; owned_line = at_line
    owned[++owners] = root "\t" at_line "\t" chunk_number[label] "\t" \
                      page_of(chunk_path[label]) "\t" label
}
function page_of(path) { sub(/^.*\//, "", path); sub(/\.nw$/, "", path); return path }
function extract_all(    i, label) {
    for (i = 1; i <= names; i++)
        if (!(name_order[i] in users) && name_order[i] ~ /\.[a-z]+$/) {
            at_line = 1; owner = ""; owned_line = 0
            label = first[name_order[i]]
            home[name_order[i]] = chunk_path[label]
            owned[++owners] = name_order[i] "\t0\t" chunk_number[label] "\t" \
                              page_of(chunk_path[label]) "\t" label
            extract(name_order[i], name_order[i], 1)
        }
}
# El lugar de un trozo: en el programa de su capítulo, si está; si no, en el primero
function where(label,    n, a, i, root) {
    n = split(placed[label], a, "\n")
    if (!n) return ""
    root = a[1]
    for (i = n; i >= 1; i--) if (home[a[i]] == chunk_path[label]) root = a[i]
    return " En [" root ":" place[label, root] "](codigo/" root ".html#L" \
           place[label, root] ")" (n == 1 ? "" : n == 2 ? " y otro archivo" : \
           " y otros " n - 1 " archivos") "."
}

# Los trozos se resaltan en la lengua del archivo al que van a parar
function spread_language(    i, changed, name, a, n, j) {
    for (i = 1; i <= names; i++)
        if (!(name_order[i] in users)) lang[name_order[i]] = language(name_order[i])
    do {
        changed = 0
        for (i = 1; i <= chunks; i++) {
            name = chunk_name[labels[i]]
            if (!(name in lang)) continue
            n = split(uses[labels[i]], a, "\n")
            for (j = 1; j <= n; j++)
                if (!(a[j] in lang)) { lang[a[j]] = lang[name]; changed = 1 }
        }
    } while (changed)
}

# __global__ o __device__, si el trozo define así la función
function qualifier(ident, label,    text, at, head, rest) {
    text = body[label]
    while (match(text, "(^|[^A-Za-z0-9_])" ident "[ \n]*\\(")) {
        head = substr(text, 1, RSTART)
        rest = substr(text, RSTART + RLENGTH)
        at = match(head, /[;{}][^;{}]*$/)
        if (at) head = substr(head, at + 1)
        if (head ~ /__global__/) return "__global__"
        if (head ~ /__device__/) return "__device__"
        text = rest
    }
    return ""
}

function reference(label) { return "[" chunk_number[label] "](#" label ")" }

# «⟨uno⟩ 4.1, 4.3; ⟨otro⟩ 5.2»: los lugares, agrupados por nombre
function places(list,    a, n, i, out, last, name) {
    n = split(list, a, " ")
    for (i = 1; i <= n; i++) {
        name = chunk_name[a[i]]
        if (name == last) out = out ", " reference(a[i])
        else out = out (i > 1 ? "; " : "") "⟨" name_markdown(name) "⟩ " \
                   reference(a[i])
        last = name
    }
    return out
}

function foot(label,    name, out, n, a, i, list, p) {
    name = chunk_name[label]; p = chunk_part[label]
    if (p > 1)
        out = out " [Viene de " reference(part[name, p - 1]) "]{.salto}."
    if (p < parts[name])
        out = out " [Continúa en " reference(part[name, p + 1]) "]{.salto}."
    if (p == 1) {
        if (name in users) out = out " Usado en " places(users[name]) "."
        else if (name ~ /\.[a-z]+$/)
            out = out " Fichero [" code("tangled/" name) "](codigo/" name \
                  ".html){.archivo}."
    }
    if (name in users || p > 1) out = out where(label)
    n = split(defs_of[label], a, " ")
    if (n) {
        for (i = 1; i <= n; i++) list = list (i > 1 ? ", " : "") code(a[i])
        out = out " Define " list "."
    }
    return substr(out, 2)
}

function attribute(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return text }

function put(text) { print path "\t" line "\t" text }

function chunk(label, text,    name, at_line, n, a, i, shown) {
    name = chunk_name[label]; shown = line; line = chunk_line[label]
    put("")
    put(":::::: {.trozo #" label " number=\"" chunk_number[label] \
        "\" name=\"" attribute(name_plain(name)) "\"" \
        (name in users || name !~ /\.[a-z]+$/ ? "" : " root=\"" name "\"") "}")
    put("::: cabeza")
    put("[" chunk_number[label] "]{.num} [⟨" name_markdown(name) "⟩]{.nombre} [" \
        (chunk_part[label] > 1 ? "+≡" : "≡") "]{.signo}")
    put(":::")
    put("")
    put("~~~~~~ {." lang[name] " .codigo}")
    n = split(text, a, "\n")
    for (i = 1; i <= n; i++) put(a[i])
    if (n && a[n] == "") put("")       # el resaltador se come la última en blanco
    put("~~~~~~")
    put("")
    text = foot(label)
    if (text != "") { put("::: pie"); put(text); put(":::") }
    put("::::::")
    put("")
    line = shown
}

# El código citado en la prosa enlaza con el trozo que lo define
function quoted(text, ident, idents_here, heading) {
    if (!heading && idents_here == 1 && length(ident) > 2 && ident in defined_in)
        return "[" code(text) "](#" defined_in[ident] "){.cita}"
    return code(text)
}

function weave(    k, t, in_docs, prose, fence, quote, q, qn, qi, label, text, \
               open, mark) {
    for (k = 1; k <= NR; k++) {
        t = token[k]
        if (t ~ /^@file /) { path = substr(t, 7); line = 1; fence = 0; prose = "" }
        else if (t ~ /^@begin docs/) in_docs = 1
        else if (t ~ /^@end docs/) {
            if (prose != "") put(prose)
            in_docs = 0; prose = ""
        }
        else if (t ~ /^@begin code/) { in_code = 1; open = 0; text = "" }
        else if (t ~ /^@end code/) {
            in_code = 0; sub(/\n$/, "", text); chunk(label, text)
        }
        else if (in_code) {
            if (t ~ /^@defn /) label = label_at[k]
            else if (t ~ /^@text /) text = text substr(t, 7)
            else if (t ~ /^@use /) text = text "⟨" name_plain(substr(t, 6)) "⟩"
            else if (t == "@nl") { line++; if (open) text = text "\n"; open = 1 }
            else if (t == "@index nl") line++
        }
        else if (t == "@quote") { quote = 1; q = ""; qn = 0; qi = "" }
        else if (t == "@endquote") {
            quote = 0
            if (fence) prose = prose "[[" q "]]"
            else prose = prose quoted(q, qi, qn, prose ~ /^#/)
        }
        else if (quote && t ~ /^@index use /) {
            if (substr(t, 12) != qi) qn++
            qi = substr(t, 12)
        }
        else if (quote && t ~ /^@text /) q = q substr(t, 7)
        else if (quote && t ~ /^@use /) {
            # [[<<nombre>>]] en la prosa: enlace al trozo
            mark = substr(t, 6)
            if (!(mark in first)) fault("no hay ningún trozo ⟨" mark "⟩")
            prose = prose "[⟨" name_markdown(mark) "⟩](#" first[mark] "){.uso}"
            while (token[k + 1] != "@endquote" && k < NR) k++
            k++; quote = 0
        }
        else if (in_docs && t ~ /^@text /) prose = prose substr(t, 7)
        else if (in_docs && t == "@nl") {
            if (prose ~ /^ *(```|~~~)/) fence = !fence
            put(prose); prose = ""; line++
        }
        else if (t == "@nl" || t == "@index nl") line++
        else if (t ~ /^@fatal/) { print "noweb: " substr(t, 8) > "/dev/stderr"
            failed = 1 }
    }
}

function fault(text) {
    print path ":" line ": " text > "/dev/stderr"; failed = 1
}

function write_tables(    i, l, n, a, j, out) {
    out = tables "/chunks.tsv"
    for (i = 1; i <= chunks; i++) {
        l = labels[i]
        print l "\t" chunk_number[l] "\t" chunk_path[l] "\t" chunk_line[l] "\t" \
              chunk_part[l] "\t" chunk_name[l] "\t" \
              (chunk_name[l] in users || chunk_name[l] !~ /\.[a-z]+$/ ? "" : "raíz") > out
    }
    close(out)
    out = tables "/uses.tsv"
    printf "" > out
    for (i = 1; i <= names; i++) {
        n = split(users[name_order[i]], a, " ")
        for (j = 1; j <= n; j++) print name_order[i] "\t" a[j] > out
    }
    close(out)
    out = tables "/places.tsv"
    printf "" > out
    for (i = 1; i <= owners; i++) print owned[i] > out
    close(out)
    out = tables "/identifiers.tsv"
    printf "" > out
    for (i = 1; i <= ident_count; i++) {
        l = defined_in[idents[i]]
        print idents[i] "\t" qualifier(idents[i], l) "\t" \
              substr(defined_all[idents[i]], 2) "\t" \
              substr(used_all[idents[i]], 2) > out
    }
    close(out)
}

END {
    survey()
    for (i = 1; i <= chunks; i++) {
        n = split(uses[labels[i]], a, "\n")
        for (j = 1; j <= n; j++) if (!(a[j] in first)) {
            path = chunk_path[labels[i]]; line = chunk_line[labels[i]]
            fault("el trozo ⟨" chunk_name[labels[i]] "⟩ usa ⟨" a[j] \
                  "⟩, que nadie define")
        }
    }
    spread_language()
    extract_all()
    weave()
    if (tables != "") write_tables()
    exit failed && !ENVIRON["DRAFT"]
}
