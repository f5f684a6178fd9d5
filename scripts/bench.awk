# bench.awk: el bloque rungs de ch11 --bench, resumido. Con un segundo fichero, al
# lado, lo que alcanzaba allí el kernel elegido.
function quartile(us) { return us > 0 ? median * share / us : 0 }
FNR == 1 { file++ }
/^# / { inside = $0 == "# rungs"; titles = inside; next }
/^$/ { inside = 0; next }
!inside { next }
titles { for (i = 1; i <= NF; i++) at[$i] = i; titles = 0; next }
$(at["chosen"]) != "si" && $(at["chosen"]) != "sí" { next }
{
    key = sprintf("%-9s %6s×%-6s %s", $(at["direction"]), $(at["m"]), $(at["n"]), $(at["dtype"]))
    share = $(at["share"]); median = $(at["us"])
    if (file == 2) { before[key] = share; next }
    order[++count] = key
    line[key] = sprintf("%-8s %9.2f µs   %.3f [%.3f %.3f]", $(at["rung"]), median, \
                        share, quartile($(at["q3"])), quartile($(at["q1"])))
    now[key] = share
}
END {
    if (!count) { print "bench: el fichero no tiene kernels elegidos" > "/dev/stderr"; exit 4 }
    for (i = 1; i <= count; i++) {
        key = order[i]
        print key "  " line[key] (key in before ? \
            sprintf("   publicado %.3f (%+.3f)", before[key], now[key] - before[key]) : "")
    }
}
