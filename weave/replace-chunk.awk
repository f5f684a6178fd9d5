# replace-chunk.awk -v chunk=NOMBRE -v file=FICHERO: copia un capítulo poniendo
# el contenido de FICHERO como cuerpo del trozo. Con -v extract=1 escribe sólo el
# cuerpo original. Termina con 1 si el trozo no está o tiene varias partes.
BEGIN { opening = "<<" chunk ">>=" }
$0 == opening {
    found++; inside = 1
    if (extract) next
    print
    if (file != "") {
        print "#line 1 \"" file "\""
        while ((getline line < file) > 0) print escaped(line)
    }
    next
}
inside && /^@( |$)/ { inside = 0 }
inside && extract { print plain($0) }
!extract && !inside { print }
END { exit found != 1 }

# Lo que escribe el lector es C; noweb necesita protegidos sus ángulos.
function escaped(s) { gsub(/<</, "@<<", s); gsub(/>>/, "@>>", s); return s }
function plain(s) { gsub(/@<</, "<<", s); gsub(/@>>/, ">>", s); return s }
