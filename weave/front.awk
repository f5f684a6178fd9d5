# front.awk: la portada, de portada.md y anchors.tsv. La línea «[contenido]» se
# cambia por los capítulos con sus secciones. -v version=V -v commit=C
BEGIN { FS = "\t" }
FILENAME ~ /anchors.tsv$/ {
    if ($3 == "capítulo") { chapter[++chapters] = $1; number[$1] = $4; title[$1] = $7 }
    next
}
$0 == "[contenido]" {
    print "```{=html}\n<ol class=\"partes\">"
    for (i = 1; i <= chapters; i++) {
        print "```\n"
        print "```{=html}\n<li>\n```\n"
        print "[[" number[chapter[i]] "]{.num} " title[chapter[i]] "](#" chapter[i] ")\n"
        print "```{=html}\n</li>"
    }
    print "</ol>\n```"
    next
}
{ gsub(/@VERSION@/, version); gsub(/@COMMIT@/, commit); print }
