# search.awk: de las páginas HTML al índice de búsqueda, docs/busqueda.js: por
# sección, la página, la etiqueta, el título y el texto. El navegador lo carga
# al buscar y quita allí acentos y mayúsculas.
function plain(text) {
    gsub(/<annotation[^>]*>[^<]*<\/annotation>/, "", text)
    gsub(/<\/?(p|li|td|th|tr|div|pre|h[1-6]|dt|dd|summary|figcaption|caption)[^>]*>/, " ", text)
    gsub(/<[^>]*>/, "", text)
    gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text)
    gsub(/&#39;/, "'", text); gsub(/&amp;/, "\\&", text)
    gsub(/[ \n\t]+/, " ", text); sub(/^ /, "", text); sub(/ $/, "", text)
    return text
}
function flush() {
    if (title != "") print "[" js(page) "," js(id) "," js(title) "," js(plain(body)) "],"
    body = ""
}
BEGIN { print "BUSQUEDA=[" }
FNR == 1 { page = FILENAME; sub(/^.*\//, "", page); sub(/\.html$/, "", page); in_main = 0; title = "" }
/<main/ { in_main = 1; next }
/<nav class="?vecinas|<\/main>/ { if (in_main) flush(); in_main = 0; title = "" }
!in_main { next }
match($0, /<h[123] [^>]*id=[^ >]*/) {
    flush()
    id = substr($0, RSTART, RLENGTH); sub(/^.*id=/, "", id); gsub(/"/, "", id)
    title = plain($0); next
}
{ body = body $0 "\n" }
END { print "];" }
