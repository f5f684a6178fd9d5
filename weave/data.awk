# data.awk: pone lo medido en su sitio. Lee y escribe líneas con lugar.
#   {{ch04.fp32.worst_error}}, {{h200:ch04.clave|%.2e}}   un valor
#   ```{.table program=ch04 block=cases columns="m,n"}     una tabla
#   ```{.output program=ch01 args="--x 3,4"}               lo que dice un programa
# Una tabla lleva las filas de esta máquina y, si el libro publica las de una GPU,
# también esas, cada grupo con su aparato; si son las mismas, una vez y con los dos.
# Con source=here o source=h200, sólo unas.
# Lo que no se encuentra es un error con archivo y línea; ningún número medido
# se escribe a mano, y ninguno se muestra sin su aparato.

BEGIN { PUBLISHED = "h200" }

function fault(text) {
    print path ":" line ": " text > "/dev/stderr"; failed = 1
}
function put(text) { print path "\t" line "\t" text }

# clave=valor clave="valor con espacios" -> attribute[]
function parse_attributes(text,    key, i, rest) {
    split("", attribute)
    sub(/^[^{]*\{/, "", text); sub(/\}[^}]*$/, "", text)
    while (match(text, /[A-Za-z][A-Za-z-]*=("[^"]*"|[^ "]+)/)) {
        rest = substr(text, RSTART + RLENGTH)
        text = substr(text, RSTART, RLENGTH)
        i = index(text, "=")
        key = substr(text, 1, i - 1); text = substr(text, i + 1)
        gsub(/^"|"$/, "", text)
        attribute[key] = text
        text = rest
    }
}

function used(source, program,    file) {
    file = source_path(source, program)
    if ((path, file) in used_seen) return
    used_seen[path, file] = 1
    used_here = used_here "\n" file
}

# --- un valor -----------------------------------------------------------------
function measured(text,    whole, format, source, program, key, file, shown, i) {
    whole = text
    if (i = index(text, "|")) { format = substr(text, i + 1); text = substr(text, 1, i - 1) }
    if (i = index(text, ":")) { source = substr(text, 1, i - 1); text = substr(text, i + 1) }
    i = index(text, ".")
    program = substr(text, 1, i - 1); key = substr(text, i + 1)
    if (!i || program !~ /^[a-zA-Z0-9_]+$/ || key == "") {
        fault("«{{" whole "}}» no tiene la forma {{programa.clave}}")
        return "?"
    }
    file = load(source, program)
    if (file == "") { fault("{{" whole "}}: " missing_source(source, program)); return "?" }
    if (!((file, key) in value)) {
        fault("{{" whole "}}: " file " no tiene el valor «" key "»")
        return "?"
    }
    shown = value[file, key]
    if (format != "") {
        if (format !~ /^%[-+ 0#]*[0-9]*(\.[0-9]+)?[eEfFgGdi]%?%?$/) {
            fault("{{" whole "}}: el formato debe ser como %.2e o %d"); return "?"
        }
        if (!is_number(shown)) {
            fault("{{" whole "}}: «" shown "» no es un número"); return "?"
        }
        shown = sprintf(format, shown + 0)
    }
    used(source, program)
    return "[" number_markdown(shown) "]{.medido}[" escape(device_label(file)) \
           "]{.aparato title=\"" provenance(file) "\"}"
}

function resolve(text,    out, i, j) {
    while ((i = index(text, "{{")) && (j = index(substr(text, i), "}}"))) {
        out = out substr(text, 1, i - 1) measured(substr(text, i + 2, j - 3))
        text = substr(text, i + j + 1)
    }
    return out text
}

# --- una tabla ------------------------------------------------------------------
function column_index(file, block, name, quiet,    n, a, i) {
    n = split(columns[file, block], a, "\t")
    for (i = 1; i <= n; i++) if (a[i] == name) return i
    if (!quiet) fault("el bloque «" block "» de " file " no tiene la columna «" name \
          "»: tiene " columns_list(file, block))
    return 0
}
function columns_list(file, block,    text) {
    text = columns[file, block]; gsub(/\t/, ", ", text); return text
}

# where="dtype=fp32,m=17|128": todas las condiciones; cada una, con alternativas
function keeps(cells,    i) {
    for (i = 1; i <= conditions; i++)
        if (!index("|" condition_is[i] "|", "|" cells[condition_at[i]] "|")) return 0
    return 1
}

# Pone en cell[] las filas pedidas de un archivo, tras las que ya hay, y dice
# cuántas; con quiet, lo que le falte al archivo no es un error
function gather(file, block, quiet,    n, wanted, at, cells, i, j, e, kept) {
    n = split(attribute["columns"] != "" ? attribute["columns"] : \
              join_columns(file, block), wanted, ",")
    for (i = 1; i <= n; i++) {
        sub(/^ +/, "", wanted[i]); sub(/ +$/, "", wanted[i])
        at[i] = column_index(file, block, wanted[i], quiet)
        if (!at[i]) return 0
    }
    conditions = split(attribute["where"], cells, ",")
    for (i = 1; i <= conditions; i++) {
        e = index(cells[i], "=")
        if (!e) { fault("where=\"" attribute["where"] "\": falta un ="); return 0 }
        condition_at[i] = column_index(file, block, substr(cells[i], 1, e - 1), quiet)
        condition_is[i] = substr(cells[i], e + 1)
        if (!condition_at[i]) return 0
    }
    for (i = 1; i <= rows[file, block]; i++) {
        split(row[file, block, i], cells, "\t")
        if (!keeps(cells)) continue
        if (attribute["head"] != "" && kept >= attribute["head"] + 0) break
        kept++
        for (j = 1; j <= n; j++) {
            cell[gathered + kept, j] = cells[at[j]]
            if (!is_number(cells[at[j]]) && cells[at[j]] !~ /^([-+]?(nan|inf)|—|-)?$/)
                worded[j] = 1
        }
    }
    if (!kept && !quiet)
        fault("ninguna fila de «" block "» cumple where=\"" attribute["where"] "\"")
    gathered += kept
    return kept
}

function device_span(file) {
    return "[" escape(device_label(file)) "]{.aparato title=\"" provenance(file) "\"}"
}
# De quién es un grupo de filas
function group(file, published) {
    if (published) return "Publicado: " device_label(file)
    if (fact[file, "device"] ~ /^GPU de papel/)
        return "Esta máquina, sin GPU: GPU de papel, no verificado en GPU"
    return "Esta máquina: " device_label(file)
}

function table(    file, other, block, source, program, n, names, wanted, i, j, \
               shown, mine, theirs, equal, label) {
    program = attribute["program"]; source = attribute["source"]
    block = attribute["block"]
    if (program == "" || block == "") {
        fault(".table pide program= y block="); return
    }
    file = load(source == "here" ? "" : source, program)
    if (file == "") { fault(missing_source(source, program)); return }
    if (!((file, block) in columns)) {
        fault(file " no tiene el bloque «" block "»"); return
    }
    n = split(attribute["columns"] != "" ? attribute["columns"] : \
              join_columns(file, block), wanted, ",")
    if (attribute["names"] != "") {
        if (split(attribute["names"], names, ",") != n) {
            fault("names= y columns= tienen distinto número de columnas"); return
        }
    } else for (i = 1; i <= n; i++) names[i] = "`" wanted[i] "`"
    gathered = 0; split("", cell); split("", worded)
    mine = gather(file, block)
    if (!mine) return
    used(source == "here" ? "" : source, program)
    label = device_span(file)
    # Lo publicado, si el libro lo tiene y no se ha pedido una sola fuente
    if (source == "" && (other = load(PUBLISHED, program)) != "" && (other, block) in columns)
        theirs = gather(other, block, 1)
    if (theirs) {
        used(PUBLISHED, program)
        equal = mine == theirs
        for (i = 1; i <= mine && equal; i++)
            for (j = 1; j <= n; j++) if (cell[i, j] != cell[mine + i, j]) equal = 0
        label = equal ? label ", " device_span(other) ": lo mismo en los dos" : ""
    }
    put("")
    put("::: {.tabla" (attribute["id"] != "" ? " #" attribute["id"] : "") "}")
    put("")
    shown = ""
    for (j = 1; j <= n; j++) shown = shown "| " names[j] " "
    put(shown "|")
    shown = ""
    for (j = 1; j <= n; j++) shown = shown (j in worded ? "|:--" : "|--:")
    put(shown "|")
    for (i = 1; i <= (equal ? mine : gathered); i++) {
        if (theirs && !equal && (i == 1 || i == mine + 1)) {
            shown = "| [" escape(i == 1 ? group(file) : group(other, 1)) "]{.grupo} "
            for (j = 2; j <= n; j++) shown = shown "| "
            put(shown "|")
        }
        shown = ""
        for (j = 1; j <= n; j++) shown = shown "| " number_markdown(cell[i, j]) " "
        put(shown "|")
    }
    put("")
    put(": " (attribute["caption"] != "" ? resolve(attribute["caption"]) " " : "") label)
    put("")
    put(":::")
    put("")
}
function join_columns(file, block,    text) {
    text = columns[file, block]; gsub(/\t/, ",", text); return text
}

# --- lo que dice un programa ------------------------------------------------------
function output(    program, args, command, text, status, head, tail, n) {
    program = attribute["program"]; args = attribute["args"]
    if (program == "") { fault(".output pide program="); return }
    if (args ~ /[;&|<>`$\\'"(){}]/) {
        fault(".output: args= no puede llevar signos de la shell"); return
    }
    head = attribute["head"] + 0; tail = attribute["tail"] + 0
    if (!head && !tail) head = 1000000
    command = "sh " press "/output.sh " program " " \
              (attribute["status"] == "" ? 0 : attribute["status"] + 0) " " args " 2>&1"
    n = 0
    while ((command | getline text) > 0) said[++n] = text
    if ((status = close(command)) != 0) {
        fault(n ? said[1] : "no se pudo ejecutar " program); return
    }
    put("")
    put("~~~~~~ {.salida}")
    put("$ ./tangled/" program (args == "" ? "" : " " args))
    for (status = 1; status <= n; status++) {
        if (status <= head || status > n - tail) put(said[status])
        else if (status == (head ? head + 1 : 1)) put("…")
    }
    put("~~~~~~")
    put("")
}

# --- al pie de cada capítulo: dónde se midió lo que muestra -----------------------
function colophon(    n, a, i, file, mark, text) {
    if (used_here == "") return
    put("")
    put("::: procedencia")
    put("**Dónde se midió lo que muestra este capítulo.**")
    put("")
    n = split(substr(used_here, 2), a, "\n")
    for (i = 1; i <= n; i++)
        if (a[i] ~ /^outputs/ && fact[a[i], "device"] ~ /^GPU de papel/) {
            put("Esta copia se tejió en una máquina sin GPU: lo que lleva la" \
                " etiqueta *GPU de papel* no está verificado en GPU.")
            put("")
            break
        }
    n = split(substr(used_here, 2), a, "\n")
    for (i = 1; i <= n; i++) {
        file = a[i]
        text = "- [" escape(device_label(file)) "]{.aparato} `" file "`: " \
               escape(provenance(file))
        if (fact[file, "compiler"] != "") text = text "; " escape(fact[file, "compiler"])
        if (fact[file, "driver"] != "" && fact[file, "driver"] !~ /^(-|0\.0)$/)
            text = text "; controlador " escape(fact[file, "driver"])
        if (fact[file, "commit"] != "") text = text "; commit `" fact[file, "commit"] "`"
        if (fact[file, "command"] != "") text = text "; `" fact[file, "command"] "`"
        put(text ".")
    }
    put(":::")
    used_here = ""
}

{
    i = index($0, "\t"); here = substr($0, 1, i - 1)
    text = substr($0, i + 1); j = index(text, "\t")
    if (here != path && path != "") { colophon(); fence = "" }
    path = here
    line = substr(text, 1, j - 1); text = substr(text, j + 1)
}
fence != "" {
    if (text ~ "^ *" fence "[`~]*[ \t]*$") {
        closing = line
        if (filling != "") line = fence_line       # el error, donde se abre
        if (filling == "table") table()
        else if (filling == "output") output()
        else put(text)
        line = closing
        fence = ""; filling = ""
    } else if (filling == "") put(text)
    else if (text !~ /^[ \t]*$/)
        fault("el bloque ." filling " se llena solo: no escriba nada dentro")
    next
}
match(text, /^ *(```+|~~~+)/) {
    fence = substr(text, RSTART, RLENGTH); sub(/^ */, "", fence)
    fence_line = line
    filling = text ~ /\{[^}]*\.table/ ? "table" : text ~ /\{[^}]*\.output/ ? "output" : ""
    if (filling != "") parse_attributes(text)
    else put(text)
    next
}
{ put(index(text, "{{") ? resolve(text) : text) }
END { if (path != "") colophon(); exit failed && !ENVIRON["DRAFT"] }
