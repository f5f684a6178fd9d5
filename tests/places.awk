# places.awk CHAPTER.md...: where the foot of a chunk says that it stands in an
# extracted file, its first line stands. -v tangled=DIR
/^:::::: \{\.trozo / { chunk = $0; code = 0; begun = 0; first = "" }
/^:::::: \{\.trozo / { sub(/ number=.*/, "", chunk); sub(/.*#/, "", chunk) }
/^~~~~~~/ { code++; next }
code == 1 && !begun { begun = 1; first = $0; sub(/⟨.*/, "", first); sub(/^ +/, "", first); sub(/ +$/, "", first) }
match($0, /En \[[^:\]]*:[0-9]+\]\(codigo\/[^)]*\)/) {
    split(substr($0, RSTART + 4, RLENGTH - 4), part, /[:\]]/)
    file = tangled "/" part[1]; line = part[2] + 0
    if (!((file, 1) in text)) {
        n = 0
        while ((getline read_line < file) > 0) text[file, ++n] = read_line
        close(file)
    }
    if (first == "") next                           # it begins with another chunk
    checked++
    if (!index(text[file, line], first)) {
        print FILENAME ": " chunk " no empieza en " file ":" line ": " first
        failed = 1
    }
}
END { print checked + 0 " lugares"; exit failed || !checked }
