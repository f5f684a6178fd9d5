# indices.awk: la página de índices, de chunks.tsv, uses.tsv e identifiers.tsv
# (en ese orden). Ordena como en español. Con text.awk delante.
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
function sort(list, keys, n,    i, j, x, k) {       # inserción: son cientos
    for (i = 2; i <= n; i++) {
        x = list[i]; k = keys[i]
        for (j = i - 1; j >= 1 && keys[j] > k; j--) {
            list[j + 1] = list[j]; keys[j + 1] = keys[j]
        }
        list[j + 1] = x; keys[j + 1] = k
    }
}
END {
    print "# Índices {#indices .unnumbered}\n"
    print "Cada trozo lleva el número del capítulo y su orden dentro de él. Aquí" \
          " están todos por su nombre; después, lo que definen.\n"
    print "## Archivos {#indice-archivos .unnumbered}\n"
    print "Los trozos de los que sale un archivo. Son el índice de cada programa.\n"
    print "::: indice"
    for (i = 1; i <= root_count; i++) key[i] = collation(name[roots[i]])
    sort(roots, key, root_count)
    for (i = 1; i <= root_count; i++)
        print "- `tangled/" name[roots[i]] "`: " refs(parts[name[roots[i]]])
    print ":::\n"
    print "## Trozos {#indice-trozos .unnumbered}\n"
    print "::: indice"
    for (i = 1; i <= names; i++) key[i] = collation(name[first[i]])
    sort(first, key, names)
    for (i = 1; i <= names; i++) {
        n = name[first[i]]
        print "- ⟨" shown(n) "⟩ " refs(parts[n]) \
              (n in users ? "; [usado en]{.menor} " refs(users[n]) : "")
    }
    print ":::\n"
    print "## Identificadores {#indice-identificadores .unnumbered}\n"
    print "Los que se ejecutan en la GPU llevan su calificador.\n"
    print "::: indice"
    for (i = 1; i <= idents; i++) key[i] = collation(ident[i])
    sort(ident, key, idents)
    for (i = 1; i <= idents; i++) {
        n = ident[i]; used = other(ident_users[n], definers[n])
        print "- `" n "`" (qualifier[n] != "" ? " [`" qualifier[n] "`]{.calificador}" : "") \
              " " refs(definers[n]) \
              (used != "" ? "; [usado en]{.menor} " refs(used) : "")
    }
    print ":::"
}
