# anchors.awk: da nombre y número a lo que se puede enlazar (capítulos,
# secciones, figuras, tablas, ejercicios, trozos) y comprueba los enlaces y las
# figuras. Lee y escribe líneas con lugar; deja en -v anchors=ARCHIVO
#   id  página  clase  número  archivo  línea  título

function fault(text) {
    print path ":" line ": " text > "/dev/stderr"; failed = 1
}
function put(text) { print path "\t" line "\t" text }

function page_of(file) { sub(/^.*\//, "", file); sub(/\.nw$/, "", file); return file }

function anchor(id, kind, number, title) {
    if (id in anchored) {
        fault("la etiqueta #" id " ya está en " anchored[id]); return
    }
    anchored[id] = path ":" line
    record[++records] = id "\t" page "\t" kind "\t" number "\t" path "\t" line \
                        "\t" title
}

function id_in(text) {
    return match(text, /\{[^{}]*#[A-Za-z][A-Za-z0-9:_.-]*/) ? \
           after_hash(substr(text, RSTART, RLENGTH)) : ""
}
function after_hash(text) { sub(/^.*#/, "", text); return text }

# El título sin marcas, para índices
function plain(text) {
    gsub(/\{[^{}]*\}/, "", text); gsub(/[`*\\]/, "", text)
    gsub(/\[\[|\]\]/, "", text)
    gsub(/\]\([^)]*\)/, "", text); gsub(/\[/, "", text); gsub(/\]/, "", text)
    sub(/^#+ +/, "", text); sub(/ +$/, "", text)
    return text
}

function attributes(text, extra) {          # añade a {…}, o lo crea
    if (text ~ /\{[^{}]*\}[ ]*$/) { sub(/\}[ ]*$/, " " extra "}", text); return text }
    return text " {" extra "}"
}

function heading(text,    level, id, number) {
    match(text, /^#+/); level = RLENGTH
    id = id_in(text)
    if (level == 1) {
        if (chapter_line) { fault("segundo título de capítulo: el primero está en la línea " chapter_line); return }
        chapter_line = line
        if (id == "") { id = chapter_id; text = attributes(text, "#" id) }
        number = chapter
        section = 0; subsection = 0
    } else {
        if (id == "") {
            id = chapter_id "-" slug(plain(text))
            if (id in anchored) id = id "-" line
            text = attributes(text, "#" id)
        }
        if (level == 2) { number = chapter "." ++section; subsection = 0 }
        else if (level == 3) number = chapter "." section "." ++subsection
        else number = ""
    }
    anchor(id, level == 1 ? "capítulo" : "sección", number, plain(text))
    put(attributes(text, "number=\"" number "\""))
}

function figure(text,    target, id, number) {
    number = chapter "." ++figures
    id = id_in(text)
    if (!match(text, /\]\([^)]*\)/)) { fault("figura sin archivo"); return }
    target = substr(text, RSTART + 2, RLENGTH - 3)
    if (id == "") { id = chapter_id "-figura-" figures; text = attributes(text, "#" id) }
    if (text !~ /alt="[^"]+"/)
        fault("la figura " target " no tiene alt=\"…\": quien no la ve, ¿qué lee?")
    missing_figure(target)
    anchor(id, "figura", number, plain(text))
    put(attributes(text, "number=\"" number "\""))
}

function missing_figure(target,    source, test) {
    if ((getline test < target) >= 0) { close(target); return }
    source = target; sub(/\.svg$/, ".gp", source)
    if ((getline test < source) >= 0) {
        close(source)
        fault("falta " target ": ejecute «make figures»")
    } else fault("no existe la figura " target " ni " source)
}

function links(text,    id) {
    gsub(/`[^`]*`/, "", text)
    while (match(text, /\]\(#[^) ]*\)/)) {
        id = substr(text, RSTART + 3, RLENGTH - 4)
        wanted[++wants] = id; wanted_at[wants] = path ":" line
        text = substr(text, RSTART + RLENGTH)
    }
}

# El pie de una figura puede ocupar varias líneas: se espera a que acabe
function flush_figure() {
    if (held == "") return
    where = line; line = held_line; links(held); figure(held); line = where
    held = ""
}

{
    i = index($0, "\t"); here = substr($0, 1, i - 1)
    text = substr($0, i + 1); j = index(text, "\t")
    if (here != path) {
        flush_figure()
        path = here; page = page_of(path)
        chapter = page; sub(/-.*$/, "", chapter)
        chapter_id = "ch" chapter; sub(/^0/, "", chapter)
        chapter_line = 0; section = 0; figures = 0; tables = 0; exercises = 0
        fence = ""
    }
    line = substr(text, 1, j - 1); text = substr(text, j + 1)
}
fence != "" { if (text ~ "^ *" fence) fence = ""; put(text); next }
held != "" {
    if (text ~ /^ *$/) { flush_figure(); put(text) }
    else held = held " " text
    next
}
match(text, /^ *(```+|~~~+)/) {
    fence = substr(text, RSTART, RLENGTH); sub(/^ */, "", fence)
    put(text); next
}
text ~ /^#+ / { links(text); heading(text); next }
text ~ /^!\[/ { held = text; held_line = line; next }
text ~ /^:::+ .*\.trozo / {
    number = text; sub(/^.*number="/, "", number); sub(/".*$/, "", number)
    name = text; sub(/^.* name="/, "", name); sub(/"( root="[^"]*")?\}$/, "", name)
    gsub(/\\"/, "\"", name); gsub(/\\\\/, "\\", name)
    anchor(id_in(text), "trozo", number, name)
    put(text); next
}
text ~ /^:::+ *(ejercicio|\{[^}]*\.ejercicio)/ {
    number = chapter "." ++exercises
    id = id_in(text)
    match(text, /^:+/); colons = substr(text, 1, RLENGTH)
    if (id == "") id = chapter_id "-ejercicio-" exercises
    anchor(id, "ejercicio", number, "")
    put(colons " {.ejercicio #" id " number=\"" number "\"}"); next
}
text ~ /^:::+ *\{[^}]*\.tabla[ }]/ {
    number = chapter "." ++tables
    id = id_in(text)
    if (id == "") { id = chapter_id "-tabla-" tables; text = attributes(text, "#" id) }
    anchor(id, "tabla", number, "")
    put(attributes(text, "number=\"" number "\"")); next
}
{
    links(text)
    if (text ~ /(\]|^:::.*)\{[^}]*#[A-Za-z]/) {
        id = id_in(text); if (id != "") anchor(id, "lugar", "", "")
    }
    put(text)
}
END {
    flush_figure()
    for (i = 1; i <= wants; i++)
        if (!(wanted[i] in anchored) && wanted[i] !~ /^(indices|indice-(archivos|trozos)|identificadores|bibliografia)$/) {
            print wanted_at[i] ": el enlace #" wanted[i] \
                  " no lleva a ninguna parte" > "/dev/stderr"
            failed = 1
        }
    for (i = 1; i <= records; i++) print record[i] > anchors
    exit failed && !ENVIRON["DRAFT"]
}
