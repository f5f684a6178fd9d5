# split.awk: quita el lugar de cada línea y reparte los capítulos en -v dir=DIR
{
    i = index($0, "\t"); path = substr($0, 1, i - 1)
    text = substr($0, i + 1); text = substr(text, index(text, "\t") + 1)
    if (path != last) {
        if (out != "") close(out)
        last = path; sub(/^.*\//, "", path); sub(/\.nw$/, "", path)
        out = dir "/" path ".md"
    }
    print text > out
}
