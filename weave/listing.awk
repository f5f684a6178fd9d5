# listing.awk: la página de un archivo extraído: sus líneas numeradas y, al margen,
# el trozo de cada una. Lee places.tsv y el archivo, en ese orden; con text.awk
# delante. -v root=NOMBRE
BEGIN {
    FS = "\t"
    up = "../"; rest = root
    while (sub(/^[^\/]*\//, "", rest)) up = up "../"
    print "<!DOCTYPE html>\n<html lang=es>\n<head>\n<meta charset=utf-8>"
    print "<meta name=viewport content=\"width=device-width, initial-scale=1\">"
    print "<title>" root " · RMSNorm, cuaderno de trabajo</title>"
    print "<meta name=color-scheme content=\"light dark\">"
    print "<script>try { var t = localStorage.getItem('tema');" \
          " if (t) document.documentElement.dataset.tema = t; } catch (e) {}</script>"
    print "<link rel=stylesheet href=" up "libro.css>\n</head>\n<body>"
    print "<header class=barra><a class=marca href=" up "index.html>RMSNorm, cuaderno de trabajo</a></header>"
    print "<main class=archivo>\n<h1><code>tangled/" root "</code></h1>"
}
FILENAME ~ /places.tsv$/ {
    if ($1 != root) next
    if ($2 == 0) start = "<a href=\"" up $4 ".html#" $5 "\">" $3 "</a>"
    link[$2] = "<a href=" up $4 ".html#" $5 ">" $3 "</a>"; next
}
FNR == 1 {
    printf "%s", "<p>Extraído del trozo " start ". Junto a la línea en que empieza un trozo está su número,"\
          " que enlaza con el capítulo que lo explica.</p>\n<pre class=lineas tabindex=0><code>"
}
{ printf "%s<b id=L%d>%s</b>%s", (FNR > 1 ? "\n" : ""), FNR, link[FNR], html($0) }
END { print "</code></pre>\n</main>\n</body>\n</html>" }
