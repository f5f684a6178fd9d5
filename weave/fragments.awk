# fragments.awk: el código de los trozos de una página, para desplegarlos desde
# otras sin pedir nada a la red: docs/trozos/PÁGINA.js. -v page=PÁGINA
BEGIN { print "TROZOS[" js(page) "]={" }
/^<div id="t-[^"]*" class="trozo"/ {
    id = $0; sub(/^<div id="/, "", id); sub(/".*$/, "", id)
}
id != "" && /<pre/ { in_code = 1; body = ""; sub(/^.*<code[^>]*>/, "") }
in_code {
    last = /<\/code><\/pre>/
    if (last) sub(/<\/code><\/pre>.*$/, "")
    body = body (body == "" ? "" : "\n") $0
    if (last) { print js(id) ":" js(body) ","; in_code = 0; id = "" }
}
END { print "};" }
