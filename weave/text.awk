# text.awk: funciones de texto que comparten los pasos de la prensa. Trabajan
# con octetos (LC_ALL=C): dan lo mismo en gawk y en mawk.

# Sin acentos y en minúsculas
function fold(text) {
    text = tolower(text)
    gsub(/á|Á|à|À|â|ä/, "a", text); gsub(/é|É|è|È|ê|ë/, "e", text)
    gsub(/í|Í|ì|ï/, "i", text); gsub(/ó|Ó|ò|ô|ö/, "o", text)
    gsub(/ú|Ú|ù|ü|Ü/, "u", text); gsub(/ñ|Ñ/, "n", text)
    gsub(/γ|Γ/, "gamma", text); gsub(/ε/, "epsilon", text)
    gsub(/∂/, "d", text); gsub(/Σ|σ/, "suma", text)
    return text
}

# Parte de un URL: «Reducción en el bloque» -> reduccion-en-el-bloque
function slug(text) {
    text = fold(text)
    gsub(/[^a-z0-9]+/, "-", text); sub(/^-/, "", text); sub(/-$/, "", text)
    return text
}

# Clave para ordenar como en español: la ñ tras la n, los acentos sin peso, los
# subrayados aparte; el texto mismo desempata
function collation(text,    key) {
    key = text
    gsub(/ñ|Ñ/, "n\177", key)
    key = fold(key)
    gsub(/^_+/, "", key); gsub(/_/, " ", key)
    return key "\001" text
}

function html(text) {
    gsub(/&/, "\\&amp;", text); gsub(/</, "\\&lt;", text)
    gsub(/>/, "\\&gt;", text); gsub(/"/, "\\&quot;", text)
    return text
}

# Cadena de JavaScript
function js(text) {
    gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text)
    gsub(/\n/, "\\n", text); gsub(/\t/, "\\t", text)
    return "\"" text "\""
}
