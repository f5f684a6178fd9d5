# The mutants of chapters 10 and 11: a short set that must die, and what keeps their
# tables honest. All of them: make mutants mutants-11.
load common

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return 1
    make -s -j2 DEVICE=cpu tangled/.build/src/mutar.awk \
        tangled/.build/src/generar.awk tangled/.build/src/mutantes.txt \
        tangled/.build/src/mutantes11.txt tangled/.build/src/mutantes.awk \
        tangled/.build/cpu/ch10 >&2
}
setup() {
    new_folder
    cd "$project" || return 1
    source=tangled/.build/src
}
teardown() { rm -rf "$work"; }

rules() { # [LIST]: all of them, also those that the machine writes
    awk -f $source/generar.awk chapters/*.nw "$source/${1:-mutantes.txt}"
}

mutants() { # LIST ID…: in a folder of their own
    list=$1
    shift
    LIST=$list AT=$work/at run sh scripts/mutants.sh "$@"
}

@test "cada regla se aplica todavía, una vez, a un trozo del libro" {
    rules > "$work/list"
    rules mutantes11.txt >> "$work/list"
    [ "$(grep -c '^m [^.]* ' "$work/list")" -ge 60 ] || fail "pocos a mano"
    [ "$(grep -c '^m [a-z]*\.' "$work/list")" -ge 60 ] || fail "pocos a máquina"
    awk -v at="$work" '/^en / { chunk = $0 }
        /^m / { out = at "/" $2 ".rule"; if (out in seen) exit 1; seen[out]
                print chunk > out }
        /^[-+]/ { print > out }' "$work/list"
    for rule in "$work"/*.rule; do
        chunk=$(sed -n 's/^en //p' "$rule")
        chapter=$(grep -lxF "<<$chunk>>=" chapters/*.nw) || fail "sin «$chunk»"
        awk -f $source/mutar.awk "$rule" "$chapter" > "$work/copy"
        never cmp -s "$work/copy" "$chapter"
    done
    [ "$(find "$work" -name '*.rule' | wc -l)" = "$(grep -c '^m ' "$work/list")" ]
}

@test "una regla que ya no se puede aplicar detiene la orden" {
    printf 'contra ch04\nen calcula r con el divisor N\nm old un cambio\n- (float)filas\n+ 1\n' \
        > "$work/list"
    mutants "$work/list" old
    ends_with 1
    says "«(float)filas» está 0 veces en «calcula r con el divisor N»"
    printf 'contra ch04\nen reducción del bloque\nm twice un cambio\n- / 32\n+ / 16\n' \
        > "$work/list"
    mutants "$work/list" twice
    ends_with 1
    says "está 2 veces"
}

@test "unos pocos: cada uno muere por lo que debe matarlo" {
    mutants $source/mutantes.txt forward-block block-barrier dx-no-gamma \
        dgamma-mean compare-nan contract-4097 adam-no-first dx.6.2
    ends_with 0
    says "dx.6.2	ch05	"
    says "forward-block	ch04	los 72 casos"
    says "block-barrier	ch04	vigilante: sin escribir"
    says "dx-no-gamma	ch05	"
    says "dgamma-mean	ch06	suma, no media"
    says "compare-nan	ch04	un guardián"
    says "contract-4097	ch02	un guardián"
    says "adam-no-first	ch07	un guardián"
}

@test "unos pocos de los kernels rápidos" {
    export OF=ch11
    mutants $source/mutantes11.txt edge-read ring-wait phase-group choose-75
    ends_with 0
    says "edge-read	ch11	vigilante: sin escribir"
    says "ring-wait	ch11	vigilante: sin escribir"
    says "phase-group	ch11	vigilante: carrera"
    says "choose-75	ch11	la elección"
}

@test "plantado: un superviviente es un error, y un equivalente que muere también" {
    printf 'contra ch04\nen reducción del bloque\nm alive escribe otro carril\n- if (lane == 0)\n+ if (lane == 31)\n' \
        > "$work/list"
    mutants "$work/list" alive
    ends_with 1
    says "sobrevive"
    printf 'contra ch04\nen calcula r con el divisor N\nm dies BLOCK\n- (float)columns\n+ (float)block\n= porque sí\n' \
        > "$work/list"
    mutants "$work/list" dies
    ends_with 1
}

published() { # LIST TABLE: they name the same, and none survives
    rules "$1" | awk '/^m / { print $2 }' | sort > "$work/now"
    awk -F '\t' '/^# / { on = $0 == "# mutants" || $0 == "# equivalents"; next }
        on && $1 != "" && $1 != "id" { print $1 }' \
        "data/published/paper/$2" | sort > "$work/then"
    diff "$work/now" "$work/then"
    grep -qx "survived	0" "data/published/paper/$2"
}

@test "las tablas publicadas son las de estos mutantes, y ninguno sobrevive" {
    published mutantes.txt ch10_mutants.tsv
    published mutantes11.txt ch11_mutants.tsv
}
