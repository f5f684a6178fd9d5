# make run: la tabla del final, y detenerse con el nombre del que falla.
load common
setup() { new_folder; mkdir -p scripts tangled outputs; cp "$project/scripts/run.sh" scripts; }
teardown() { rm -rf "$work"; }

pretend() { # PROGRAMA ESTADO
    cat > "tangled/$1" <<END
#!/bin/sh
printf '# device: CPU\n\n\n# values\nkey\tvalue\nchecks\t3\nfailures\t7\n' > outputs/$1.tsv
echo "  ✗ algo de $1" >&2
echo "\$@" > $1.arguments
exit $2
END
    chmod +x "tangled/$1"
}

@test "todos pasan: una línea por programa y la tabla" {
    pretend ch01 0
    pretend ch09 0
    RUN_ch09='--answers fichero' run sh scripts/run.sh ch01 ch09
    ends_with 0
    says "[2/2] ch09"
    [ "$(grep -c CPU <<< "$output")" -eq 2 ]
    for program in ch01 ch09; do
        grep -qE "^$program +3 +7 +[0-9]+ s +CPU$" <<< "$output" ||
            fail "la tabla no dice lo de $program"
    done
    grep -q -- '--answers fichero --quiet' ch09.arguments
}

@test "uno falla: se detiene, lo nombra y termina con su estado" {
    pretend ch01 0
    pretend ch02 3
    pretend ch03 0
    run sh scripts/run.sh ch01 ch02 ch03
    ends_with 3
    says "ch02 terminó con estado 3"
    says "algo de ch02"
    never test -e ch03.arguments
}
