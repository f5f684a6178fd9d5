# uses.awk: en el código ya resaltado, ⟨nombre⟩ enlaza con el trozo que define.
# Vale para HTML y para LaTeX (-v format=html|latex).
# -v targets=targets.tsv -v page=PÁGINA; con text.awk delante.
function latex(text) {
    gsub(/[\\{}]/, "\\\\&", text); gsub(/_/, "\\_", text)
    gsub(/[#%&$]/, "\\\\&", text)
    return text
}
BEGIN {
    FS = "\t"
    while ((getline < targets) > 0) if ($3 == "trozo") {
        id = $1; name = format == "html" ? html($5) : latex($5)
        if (name in target) continue                # sólo el primero define
        if (format == "html")
            target[name] = ($2 == page || whole ? "" : $2 ".html") "#" id
        else { gsub(/-/, ".", id); target[name] = id }
    }
    FS = " "
    opening = "⟨"; closing = "⟩"; width = length(opening)
}
function link(name) {
    if (!(name in target)) return opening name closing
    if (format == "html")
        return "<a class=\"uso\" href=\"" target[name] "\">" opening name closing "</a>"
    return "\\hyperlink{" target[name] "}{" opening name closing "}"
}
# En otra lengua, el resaltador puede ver palabras suyas dentro del nombre
function plain(name,    inner) {
    if (format == "html") gsub(/<[^>]*>/, "", name)
    else while (match(name, /\\[A-Za-z]+Tok\{[^{}]*\}/)) {
        inner = substr(name, RSTART, RLENGTH - 1)
        sub(/^[^{]*\{/, "", inner)
        name = substr(name, 1, RSTART - 1) inner substr(name, RSTART + RLENGTH)
    }
    return name
}
function links(text,    out, i, j) {
    while ((i = index(text, opening)) && (j = index(substr(text, i), closing))) {
        out = out substr(text, 1, i - 1) \
              link(plain(substr(text, i + width, j - 1 - width)))
        text = substr(text, i + j - 1 + width)
    }
    return out text
}
format == "html" {
    if (/<pre/) in_code = 1
    if (in_code) {
        $0 = links($0)
        gsub(/&gt;/, ">"); gsub(/&quot;/, "\"")       # en el texto no hacen falta
    }
    if (/<\/code><\/pre>/) in_code = 0
    print; next
}
/\\begin\{Highlighting\}/ { in_code = 1 }
in_code { $0 = links($0) }
/\\end\{Highlighting\}/ { in_code = 0 }
{ print }
