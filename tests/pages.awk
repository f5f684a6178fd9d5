# pages.awk: the pages of the book as printed, from pdftotext -bbox. Says which
# ones break where no page should, or leave half of it empty, and ends with the
# mean blank at the foot. The last page of a chapter may be short.
# In points: the text stands between TOP and FOOT, and no line of it is taller
# than LETTER.
BEGIN { TOP = 52; FOOT = 625; HALF = 0.4; LETTER = 11.4 }

function words(text) { sub(/^[^>]*>/, "", text); sub(/<\/word>.*/, "", text); return text }
function number(name) {
    match($0, name "=\"[0-9.]+\"")
    return substr($0, RSTART + length(name) + 2, RLENGTH - length(name) - 3) + 0
}
function fault(page, text) { print "página " page ": " text; faults++ }

/<page / { pages++; lowest = 0; highest = FOOT; first[pages] = last = "" }
/<word / {
    y = number("yMin"); bottom = number("yMax")
    if (y < TOP || bottom > FOOT) next
    text = words($0)
    if (y < highest - 3) { highest = y; first[pages] = text }
    else if (y < highest + 3) first[pages] = first[pages] " " text
    if (bottom > lowest + 3) { lowest = bottom; last = text; tall = bottom - y }
    else if (bottom > lowest - 3) last = last " " text
}
/<\/page>/ {
    blank[pages] = (FOOT - lowest) / (FOOT - TOP); opens[pages] = highest > 120
    if (last ~ /^[0-9A-G]+\.[0-9]+ ⟨.*≡$/) fault(pages, "un título de trozo, solo al pie")
    else if (last ~ /^[0-9A-G]+\.[0-9]/ && tall > LETTER)
        fault(pages, "un título, solo al pie")
    if (first[pages] ~ /^(Usado en|Viene de|Continúa en|Fichero tangled)/)
        fault(pages, "el pie de un trozo, solo arriba")
    if (first[pages] ~ /^[]})]/) fault(pages, "empieza por lo que cierra otra")
}
END {
    for (i = 1; i <= pages; i++) {
        total += blank[i]
        if (blank[i] > HALF && i < pages && !opens[i] && !opens[i + 1])
            empty = empty " " i ; else continue
        short++
    }
    if (short > pages / 100) fault("—", short " páginas a medias:" empty)
    mean = 100 * total / pages
    if (mean > 12) fault("—", sprintf("%.1f %% en blanco al pie", mean))
    if (verbose) printf "%d páginas; %.1f %% en blanco al pie; a medias:%s\n", pages, mean, empty
    exit faults > 0
}
