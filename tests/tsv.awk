# tsv.awk: is this the output of one of the workbook's programs, whole and well
# formed? Says what is wrong with it and exits 1. The format is in appendix D.
function wrong(text) {
    printf "%s:%d: %s\n", FILENAME, FNR, text
    failed = 1
}

BEGIN { FS = "\t"; place = "facts" }

place == "facts" && /^# [a-z_]+: / {
    key = substr($0, 3, index($0, ":") - 3)
    fact[key] = substr($0, length(key) + 5)
    next
}
/^$/ { blank++; place = "between"; next }

# A block: two blank lines, its name, its columns, its rows
place == "between" {
    if (blank != 2)
        wrong("los bloques se separan con dos líneas en blanco")
    if ($0 !~ /^# [a-z_0-9]+$/)
        wrong("se esperaba el nombre de un bloque")
    block = substr($0, 3)
    if (block in seen)
        wrong("bloque repetido: " block)
    if ("values" in seen)
        wrong("el bloque values es el último")
    seen[block] = 1
    blank = 0
    place = "columns"
    next
}
place == "columns" { columns = NF; place = "rows"; next }
place == "rows" {
    if (NF != columns)
        wrong(NF " campos en un bloque de " columns " columnas")
    for (i = 1; i <= NF; i++)
        if (($i == "" && block == "values") || $i ~ /\r|^ | $/)
            wrong("campo vacío o con espacios sobrantes")
    if (block == "values") {
        if ($1 in value)
            wrong("valor repetido: " $1)
        value[$1] = $2
    }
    next
}
{ wrong("línea que no es de procedencia ni de un bloque") }

END {
    count = split("program title device kind compiler date commit seed", \
                  needed, " ")
    for (i = 1; i <= count; i++)
        if (fact[needed[i]] == "")
            wrong("falta la procedencia «" needed[i] "»")
    if (!("values" in seen))
        wrong("no acaba en el bloque values")
    if (value["checks"] !~ /^[1-9][0-9]*$/)
        wrong("ninguna comprobación")
    if (value["failures"] != "0")
        wrong("comprobaciones que fallaron: " value["failures"])
    exit failed
}
