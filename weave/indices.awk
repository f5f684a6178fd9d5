# indices.awk: las páginas de índices, de chunks.tsv, uses.tsv e identifiers.tsv
# (en ese orden). -v part=chunks|identifiers elige cuál. Ordena como en español. Con text.awk delante.
BEGIN { FS = "\t" }
FILENAME ~ /chunks.tsv$/ {
    number[$1] = $2; name[$1] = $6
    if ($5 == 1) { first[++names] = $1; label_of[$6] = $1 }
    parts[$6] = parts[$6] " " $1
    if ($7 != "" && $5 == 1) roots[++root_count] = $1
}
FILENAME ~ /uses.tsv$/ { users[$1] = users[$1] " " $2 }
FILENAME ~ /identifiers.tsv$/ {
    ident[++idents] = $1; qualifier[$1] = $2
    definers[$1] = $3; ident_users[$1] = $4
}
function escape(text) { gsub(/[\\`*_{}\[\]<>#|~^$@]/, "\\\\&", text); return text }
function shown(text,    out, i, j) {
    while ((i = index(text, "[[")) && (j = index(text, "]]"))) {
        out = out escape(substr(text, 1, i - 1)) "`" substr(text, i + 2, j - i - 2) "`"
        text = substr(text, j + 2)
    }
    return out escape(text)
}
function refs(list,    n, a, i, out) {
    n = split(list, a, " ")
    for (i = 1; i <= n; i++) out = out (i > 1 ? ", " : "") "[" number[a[i]] "](#" a[i] ")"
    return out
}
# Sólo lo que no define: usar un nombre donde se define no es noticia
function other(list, without,    n, a, i, out) {
    n = split(list, a, " ")
    for (i = 1; i <= n; i++)
        if (index(" " without " ", " " a[i] " ") == 0) out = out " " a[i]
    return out
}
# Lo que está en todas partes se resume por capítulos
function usage(list,    n, a, i, c, seen, out, count) {
    n = split(list, a, " ")
    if (n <= 3) return refs(list)
    for (i = 1; i <= n; i++) {
        c = number[a[i]]; sub(/\..*$/, "", c)
        if (c in seen) continue
        seen[c] = 1; count++
        out = out ", [" c "](#" chapter_id(c) ")"
    }
    return n " trozos " (count > 1 ? "de los capítulos " : "del capítulo ") substr(out, 3)
}
function chapter_id(c) { return "ch" (c ~ /^[0-9]$/ ? "0" c : c) }
function sort(list, keys, n,    i, j, x, k) {       # inserción: son cientos
    for (i = 2; i <= n; i++) {
        x = list[i]; k = keys[i]
        for (j = i - 1; j >= 1 && keys[j] > k; j--) {
            list[j + 1] = list[j]; keys[j + 1] = keys[j]
        }
        list[j + 1] = x; keys[j + 1] = k
    }
}
function defined(list,    n, a, i, out) {
    n = split(list, a, " ")
    for (i = 1; i <= n; i++) out = out (i > 1 ? ", " : "") "[" number[a[i]] "](#" a[i] "){.def}"
    return out
}
function files(    i, n, key) {
    print "## Ficheros {#indice-archivos .unnumbered}\n"
    print "Cada archivo, con sus líneas numeradas, y los trozos de los que sale:" \
          " el índice de su programa.\n\n::: indice"
    for (i = 1; i <= root_count; i++) key[i] = collation(name[roots[i]])
    sort(roots, key, root_count)
    for (i = 1; i <= root_count; i++)
        print "- [`tangled/" name[roots[i]] "`](codigo/" name[roots[i]] ".html) " defined(parts[name[roots[i]]])
    print ":::\n"
}
function all_chunks(    i, n, key) {
    print "## Trozos {#indice-trozos .unnumbered}\n\n::: indice"
    for (i = 1; i <= names; i++) key[i] = collation(name[first[i]])
    sort(first, key, names)
    for (i = 1; i <= names; i++) {
        n = name[first[i]]
        print "- ⟨" shown(n) "⟩ " defined(parts[n]) \
              (n in users ? "; [usado en]{.menor} " usage(users[n]) : "")
    }
    print ":::"
}
function all_identifiers(    i, n, key, used) {
    print "::: indice"
    for (i = 1; i <= idents; i++) key[i] = collation(ident[i])
    sort(ident, key, idents)
    for (i = 1; i <= idents; i++) {
        n = ident[i]; used = other(ident_users[n], definers[n])
        print "- `" n "`" \
              (qualifier[n] != "" ? " [`" qualifier[n] "`]{.calificador}" : "") \
              " " defined(definers[n]) \
              (used != "" ? "; [usado en]{.menor} " usage(used) : "")
    }
    print ":::"
}
END {
    if (part == "chunks") {
        print "# Índice de trozos {#indices .unnumbered}\n"
        print "Cada trozo lleva el número de su capítulo y su orden en él.\n"
        files(); all_chunks()
    } else {
        print "# Índice de identificadores {#identificadores .unnumbered}\n"
        print "Los que se ejecutan en la GPU llevan su calificador.\n"
        all_identifiers()
    }
}
