# nav.awk: de anchors.tsv a lo que cada página lleva alrededor. Deja en
# DIR/PÁGINA.yaml las variables de la plantilla:
#   pagetitle el título; contents el contenido del libro, con la página señalada;
#   onpage sus secciones; around la anterior y la siguiente
# -v dir=DIR; con text.awk delante.
BEGIN { FS = "\t"; add("index", "", "Portada") }
$3 == "capítulo" { add($2, $4, $7) }
$3 == "sección" && $4 ~ /^[0-9A-Z]+\.[0-9]+$/ { 
    onpage[$2] = onpage[$2] "<li><a href=\"#" $1 "\">" numbered($4, $7) "</a></li>\n"
}
function add(page, number, title) {
    pages[++count] = page; page_number[page] = number; page_title[page] = title
}
function numbered(number, title) {
    return (number == "" ? "" : "<span class=\"num\">" number "</span> ") html(title)
}
function item(page, current) {
    return "<li" (page_number[page] == "" ? " class=\"suelta\"" : "") "><a href=\"" page ".html\"" \
           (page == current ? " aria-current=\"page\"" : "") ">" \
           numbered(page_number[page], page_title[page]) "</a></li>"
}
function contents(current,    i, out, letters) {
    for (i = 1; i <= count; i++) {
        if (page_number[pages[i]] ~ /^[A-Z]/ && !letters) {
            letters = 1; out = out "</ol>\n<p>Apéndices</p>\n<ol>\n"
        }
        if (pages[i] == "indices" && letters) out = out "</ol>\n<ol class=\"final\">\n"
        out = out item(pages[i], current) "\n"
    }
    return "<ol>\n" out "</ol>"
}
function around(i,    out, p) {
    if (i > 1) { p = pages[i - 1]
        out = "<a rel=\"prev\" href=\"" p ".html\"><span>Anterior</span> " \
              numbered(page_number[p], page_title[p]) "</a>\n" }
    if (i < count) { p = pages[i + 1]
        out = out "<a rel=\"next\" href=\"" p ".html\"><span>Siguiente</span> " \
              numbered(page_number[p], page_title[p]) "</a>" }
    return out
}
END {
    add("indices", "", "Índice de trozos")
    add("identificadores", "", "Índice de identificadores")
    add("bibliografia", "", "Bibliografía")
    for (i = 1; i <= count; i++) {
        p = dir "/" pages[i] ".yaml"
        print "variables:" > p
        print variable("page", pages[i]) > p
        print variable("pagetitle", pages[i] == "index" ? "Portada" : page_title[pages[i]]) > p
        print variable("contents", contents(pages[i])) > p
        if (pages[i] in onpage)
            print variable("onpage", "<ol>\n" onpage[pages[i]] "</ol>") > p
        print variable("around", around(i)) > p
        close(p)
    }
}
# Una cadena entre comillas de YAML es como la de JavaScript
function variable(name, text) { return "  " name ": " js(text) }
