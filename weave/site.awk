# site.awk: las etiquetas de las páginas que no son capítulos, como en anchors.tsv
/^#+ .*\{[^}]*#/ {
    page = FILENAME; sub(/^.*\//, "", page); sub(/\.md$/, "", page)
    id = $0; sub(/^[^{]*\{[^}]*#/, "", id); sub(/[ }].*$/, "", id)
    title = $0; sub(/^#+ +/, "", title); sub(/ *\{.*$/, "", title)
    print id "\t" page "\t" (/^# / ? "página" : "sección") "\t\t\t\t" title
}
