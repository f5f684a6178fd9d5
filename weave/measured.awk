# measured.awk: lee lo medido. Un .tsv trae líneas «# clave: valor» de
# procedencia y luego bloques: «# nombre», los nombres de las columnas y filas.
# El bloque «values» es de claves y valores.
#
# outputs/ es esta máquina; data/published/NOMBRE/, un aparato con nombre.

function source_path(source, program) {
    return (source == "" ? "outputs/" : "data/published/" source "/") \
           program ".tsv"
}

function missing_source(source, program) {
    if (source != "")
        return "no existe " source_path(source, program)
    return "falta outputs/" program ".tsv: ejecute «make outputs/" program \
           ".tsv» (o «make run»)"
}

# Devuelve la clave del archivo leído, o "" si no existe
function load(source, program,    path, text, block, at, n, cells, i, status) {
    path = source_path(source, program)
    if (path in loaded) return loaded[path]
    loaded[path] = ""
    block = ""
    while ((status = (getline text < path)) > 0) {
        loaded[path] = path
        sub(/\r$/, "", text)
        if (text == "") { at = 0; continue }
        if (text ~ /^# [A-Za-z0-9_-]+$/) { block = substr(text, 3); at = 1; continue }
        if (text ~ /^# / && block == "") {
            i = index(text, ": ")
            if (i) fact[path, substr(text, 3, i - 3)] = substr(text, i + 2)
            continue
        }
        if (block == "values") {
            i = index(text, "\t")
            value[path, substr(text, 1, i - 1)] = substr(text, i + 1)
        } else if (at == 1) { columns[path, block] = text; at = 2 }
        else row[path, block, ++rows[path, block]] = text
    }
    close(path)
    return loaded[path]
}

# Nombre corto del aparato, el que se lee junto a cada valor
function device_label(path,    device) {
    device = fact[path, "device"]
    if (device ~ /^GPU de papel/) return "GPU de papel"
    if (device ~ /^CPU/) return "CPU"
    if (device == "") return "sin aparato"
    sub(/^NVIDIA /, "", device)
    sub(/ *[(,].*$/, "", device)
    return device
}

function provenance(path,    device, text) {
    device = fact[path, "device"]
    text = device
    if (device ~ /^GPU de papel/ && device !~ /no verificado/)
        text = text ": no verificado en GPU"
    if (fact[path, "cuda"] != "" && fact[path, "cuda"] !~ /^(-|0\.0)$/)
        text = text "; CUDA " fact[path, "cuda"]
    if (fact[path, "date"] != "") text = text "; " fact[path, "date"]
    gsub(/"/, "”", text)
    return text
}

function is_number(text) {
    return text ~ /^[-+]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][-+]?[0-9]+)?$/
}

# 1.19e-07 -> 1.19 × 10^−7^, con espacios que no se parten y el menos de imprenta
function number_markdown(text,    mantissa, exponent, i) {
    if (!is_number(text)) return escape(text)
    i = match(text, /[eE]/)
    if (i) {
        mantissa = substr(text, 1, i - 1)
        exponent = substr(text, i + 1) + 0
        if (exponent != 0)
            text = mantissa " × 10^" exponent "^"
        else text = mantissa
    }
    gsub(/-/, "−", text)
    return text
}
function escape(text) {
    gsub(/[\\`*_{}\[\]<>#|~^$@"']/, "\\\\&", text)
    return text
}
