# The race of appendix G as far as a machine without a GPU goes: the program's
# command line, its file of results, what it decides from given times, the
# library that it calls (on the paper GPU, from Python), and make bench.
load common

setup_file() {
    cd "$BATS_TEST_DIRNAME/.." || return 1
    make -s DEVICE=cpu tangled/peers.py tangled/librmsnorm.h \
        tangled/librmsnorm.c >&2
}
setup() {
    command -v python3 > /dev/null || skip "sin python3"
    new_folder
    # PyTorch is made to be missing, also where there is one
    mkdir absent
    echo 'raise ImportError("no está", name="torch")' > absent/torch.py
    export PYTHONPATH=$work/absent:$project/tangled
    export PYTHONDONTWRITEBYTECODE=1
}
teardown() { rm -rf "$work"; }

peers() { run python3 "$project/tangled/peers.py" "$@"; }
python() { # from the standard input
    cat > test.py
    run python3 test.py
}

# The library with everything in sight, to reserve paper memory from outside
open_library() {
    made=$project/tangled/.build/cpu
    make -s -C "$project" DEVICE=cpu tangled/.build/cpu/librmsnorm.so >&2
    # shellcheck disable=SC2086
    g++ -shared -o open.so -Wl,--defsym=__executable_start=_init \
        -Wl,--defsym=__data_start=_DYNAMIC "$made/librmsnorm.o" \
        "$made/ch11_kernels.o" "$made/paper/paper_gpu.o" \
        "$made/paper/watch.o" -lm
}

@test "peers.py: la ayuda es en español, cabe en 80 columnas y no pide PyTorch" {
    peers --help
    ends_with 0
    says "Uso: peers.py [opciones]"
    says "--output FICHERO"
    says "Estado de salida"
    printf '%s\n' "$output" | grep -E '^.{81,}' > long || :
    [ ! -s long ] || fail "demasiado ancho: $(cat long)"
}

@test "peers.py: sin PyTorch dice qué falta, termina con 3 y no escribe" {
    peers --output r.tsv
    ends_with 3
    says "falta torch"
    never test -e r.tsv
}

@test "peers.py: una opción, un número o una forma que no valen: estado 2" {
    peers --velocidad 3
    ends_with 2
    says "--velocidad no existe"
    peers --output
    ends_with 2
    peers --output=
    ends_with 2
    says "--output: «» es un valor vacío"
    peers --samples 2
    ends_with 2
    peers --samples -5
    ends_with 2
    says "--samples: «-5»"
    for shape in 3x4 3x4xfp64 0x4xfp32 3x131073xbf16 1000001x4xfp32 axbxfp32 \
        3x4xfp32, -3x4xfp32; do
        peers --shapes "$shape"
        ends_with 2
        says "no es una forma"
    done
    peers sobra
    ends_with 2
    says "sobra el argumento «sobra»"
}

@test "peers.py: su fichero tiene el formato del libro" {
    python <<'FIN'
import peers
r = peers.Report("a/b/r.tsv", True)
for key in "title device kind compiler date commit seed".split():
    r.fact(key, "x  y\nz")
r.fact("program", "peers")
r.table("race", ["who", "us", "note"])
r.row("race", "libro", 1.5, "una\tnota  con\nsaltos")
r.row("race", "otro", "", "-")
r.values["race.libro.us"] = 1.5
r.check(True, "bien")
raise SystemExit(r.close())
FIN
    ends_with 0
    silent
    run awk -f "$project/tests/tsv.awk" a/b/r.tsv
    ends_with 0
    silent
    grep -qx "libro	1.5	una nota con saltos" a/b/r.tsv
    grep -qx "otro	-	-" a/b/r.tsv
    grep -qx "# title: x y z" a/b/r.tsv
    [ "$(ls a/b)" = r.tsv ] || fail "sobra: $(ls a/b)"
}

@test "peers.py: sin comprobaciones, o con una que falla, termina con 1" {
    python <<'FIN'
import peers
empty = peers.Report("r.tsv", True).close()
r = peers.Report("r.tsv", True)
r.check(True, "bien")
r.check(False, "el libro se equivoca")
print(empty, r.close())
FIN
    says "1 1"
    says "✗ el libro se equivoca"
    never test "$output" = "${output/se equivoca/}"
}

@test "peers.py: si no puede escribir, estado 4 y el resultado anterior sigue" {
    mkdir r.tsv
    python <<'FIN'
import peers
r = peers.Report("r.tsv", True)
r.check(True, "bien")
r.close()
FIN
    ends_with 4
    says "no se puede escribir r.tsv"
    [ -z "$(ls r.tsv)" ] && never ls r.tsv.tmp*
}

@test "peers.py: lo que no es un fichero sigue siendo lo que era" {
    mkfifo pipe
    python <<'FIN'
import os, peers, stat
ear = os.open("pipe", os.O_RDONLY | os.O_NONBLOCK)
r = peers.Report("pipe", True)
r.check(True, "bien")
status = r.close()
text = os.read(ear, 1000).decode()
print(status, "checks" in text, stat.S_ISFIFO(os.lstat("pipe").st_mode))
FIN
    ends_with 0
    says "0 True True"
}

@test "peers.py: las filas con otro número de celdas no se escriben" {
    python <<'FIN'
import peers
r = peers.Report("r.tsv", True)
r.table("race", ["who", "us"])
r.row("race", "libro")
FIN
    ends_with 1
    says "race: 1 celdas"
}

@test "peers.py: mediana y cuartiles, a mano" {
    python <<'FIN'
import peers
print(peers.summarize([5, 1, 4, 2, 3]), peers.summarize([1, 2, 3, 10]))
FIN
    says "(3, 2.0, 4.0) (2.5, 1.75, 4.75)"
}

@test "peers.py: la memoria que recorre una vuelta pasa de 300 megas" {
    python <<'FIN'
import peers
for shape in peers.parse_shapes(""):
    for direction, arrays in ("forward", 2), ("backward", 3):
        sets, calls = peers.plan_laps(shape, direction)
        moved = arrays * shape.rows * shape.columns * \
            {"fp32": 4, "fp16": 2, "bf16": 2}[shape.kind]
        assert sets >= 2 and sets * moved >= 300e6, (shape, sets)
        assert calls % sets == 0 and calls * moved >= 4e9, (shape, calls)
print(len(peers.parse_shapes("")), "formas")
FIN
    ends_with 0
    says "11 formas"
}

# Times by hand, with a clock of hand: who starts, what is dropped, who wins
@test "peers.py: en cada ronda empieza otro, y las dos primeras no cuentan" {
    python <<'FIN'
import peers
order = []
def lap(name, calls):
    order.append(name)
    return len(order)
peers.lap = lap
found = peers.race({n: (n, 1) for n in "abc"}, 4)
rounds = ["".join(order[i:i + 3]) for i in range(0, 18, 3)]
print(rounds)
assert rounds == ["abc", "bca", "cab", "abc", "bca", "cab"]
assert found["a"] == peers.summarize([8, 10, 15, 17]), found
FIN
    ends_with 0
}

by_hand() { # PYTHON: one race written from given times; leaves r.tsv
    cat > test.py <<'FIN'
import sys
import peers
class Player:
    def __init__(self, name): self.name = name
r = peers.Report("r.tsv", True)
for name, columns in peers.TABLES.items():
    r.table(name, columns.split())
for key in "program title device kind compiler date commit seed".split():
    r.fact(key, "x")
shape = peers.Shape(4096, 1024, "fp32")
who = [Player(n) for n in ("PyTorch", "Triton", "libro")]
times = {"copia": (10.0, 9.9, 10.1), "otra copia": (12.0, 12, 12),
         "PyTorch": (20.0, 19, 21), "Triton": (16.0, 15, 17),
         "libro": (12.5, 12, 13)}
good = [(1e-7, 0)]
errors = {n.name: good for n in who}
notes = {}
FIN
    cat >> test.py
    cat >> test.py <<'FIN'
peers.write_race(r, shape, "forward", who, times, {"copia", "otra copia"},
                 errors, notes)
peers.count_results(r)
sys.exit(r.close())
FIN
    run python3 test.py
}
has() { # BLOCK LINE: a row of r.tsv
    awk -v block="# $1" '/^# /{inside = $0 == block} inside' r.tsv |
        grep -qxF "$2" || fail "$1 no tiene «$2»: $(cat r.tsv)"
}

@test "peers.py: el límite es la regla más rápida, y el reparto sale de él" {
    by_hand <<< pass
    ends_with 0
    has limits "forward	4096	1024	fp32	copia	10.000	9.900	10.100	3355	si"
    has limits "forward	4096	1024	fp32	otra copia	12.000	12.000	12.000	2796	no"
    has race "forward	4096	1024	fp32	libro	12.500	12.000	13.000	2684	0.800	1.0e-07	-	0	-"
    has summary "forward	4096	1024	fp32	10.000	0.800	0.625	Triton	1.28	si"
    has errors "fp32	libro	1.0e-07	-	-"
    has values "forward.first	1"
    has values "forward.least_ratio	1.28"
    has values "forward.4096.1024.fp32.libro.share	0.800"
    run awk -f "$project/tests/tsv.awk" r.tsv
    ends_with 0
}

@test "peers.py: cuando el libro pierde, lo dice" {
    by_hand <<< 'times["Triton"] = (11.0, 11, 11)'
    ends_with 0
    has summary "forward	4096	1024	fp32	10.000	0.800	0.909	Triton	0.88	no"
    has values "forward.first	0"
    has values "forward.shapes	1"
    has values "forward.least_ratio	0.88"
}

@test "peers.py: un resultado incorrecto no tiene tiempo ni gana" {
    by_hand <<< 'errors["Triton"] = [(1e-7, 3)]'
    ends_with 0
    has race "forward	4096	1024	fp32	Triton	-	-	-	-	-	1.0e-07	-	3	resultado incorrecto"
    has summary "forward	4096	1024	fp32	10.000	0.800	0.500	PyTorch	1.60	si"
    by_hand <<'FIN'
r.row("race", "forward", 1, 1, "fp32", "libro", *"-----", "1.0e-07", "-", 0,
      "-")
errors["libro"] = [(float("nan"), 1)]
FIN
    ends_with 1
    says "✗ 4096×1024 fp32, forward: el libro"
    has errors "fp32	libro	nan	-	-"
    has summary "forward	4096	1024	fp32	10.000	-	0.625	Triton	nan	no"
}

@test "peers.py: quien no pudo correr tiene una fila que dice por qué" {
    by_hand <<'FIN'
del times["PyTorch"], errors["PyTorch"]
notes["PyTorch"] = "RuntimeError: no cabe"
FIN
    ends_with 0
    has race "forward	4096	1024	fp32	PyTorch	-	-	-	-	-	-	-	-	RuntimeError: no cabe"
}

# --- the library ---------------------------------------------------------------
@test "librmsnorm.h: se entiende sola, en C y en C++" {
    for way in "gcc -std=c11 -x c" "g++ -std=c++17 -x c++"; do
        # shellcheck disable=SC2086
        run $way -Wall -Wextra -Wpedantic -Werror -fsyntax-only \
            "$project/tangled/librmsnorm.h"
        # the header as a main file: nothing else may be said
        ends_with 0
    done
}

@test "librmsnorm.so: exporta lo que dice su cabecera, y nada más" {
    make -s -C "$project" DEVICE=cpu tangled/.build/cpu/librmsnorm.so >&2
    nm -D --defined-only "$project/tangled/.build/cpu/librmsnorm.so" |
        awk '{ print $3 }' | sort > exported
    grep -o 'librmsnorm_[a-z_]*(' "$project/tangled/librmsnorm.h" |
        tr -d '(' | sort > promised
    [ "$(wc -l < promised)" = 7 ] || fail "promete $(cat promised)"
    diff promised exported
}

@test "librmsnorm.so: desde Python, en papel, forward y backward son la fórmula" {
    open_library
    cp "$BATS_TEST_DIRNAME/paper_library.py" .
    run python3 paper_library.py ./open.so
    ends_with 0
    says "30 formas y 27 fuera de su sitio"
}

@test "librmsnorm.so: desde Python, un rechazo trae su frase y no escribe" {
    open_library
    python <<'FIN'
import ctypes
import peers
library = peers.Library("./open.so")
shape = peers.Shape(3, 4, "fp32")
try:
    library.forward(shape, 1 << 40, 2 << 40, 1 << 40, 3 << 40, None)
except peers.Refused as why:
    print(why)
try:
    library.backward(shape, *(i << 40 for i in range(1, 8)), 0, None)
except peers.Refused as why:
    print(why)
print(library.scratch(peers.Shape(3, 131073, "fp32")))
FIN
    ends_with 0
    says "la salida y comparte 48 bytes con x"
    says "scratch tiene 0 bytes y hacen falta"
}

# --- make bench -------------------------------------------------------------------
@test "bench: sin GPU dice que no hay nada que medir y termina con 3" {
    run env DEVICE=cpu sh "$project/scripts/bench.sh"
    ends_with 3
    says "no hay nada que medir"
    run make -C "$project" bench DEVICE=cpu
    never test "$status" = 0
    says "no hay nada que medir"
}

rungs() { # SHARE: a result of ch11 --bench
    printf '# program: ch11\n# device: NVIDIA H200\n\n\n# rungs\n'
    printf 'direction\trung\tm\tn\tdtype\tus\tq1\tq3\tgbs\tshare\tchosen\n'
    printf 'forward\tcurso\t64\t32\tfp32\t20\t20\t20\t1\t0.500\tno\n'
    printf 'forward\tgranos\t64\t32\tfp32\t10\t9\t11\t1\t%s\tsi\n' "$1"
    printf '\n\n# values\nkey\tvalue\nchecks\t1\n'
}

@test "bench: resume sólo los elegidos, con su margen y lo publicado" {
    rungs 0.900 > now.tsv
    rungs 0.950 > before.tsv
    run sh "$project/scripts/bench.sh" --table "$work/now.tsv"
    ends_with 0
    says "granos       10.00 µs   0.900 [0.818 1.000]"
    never grep -q curso <<< "$output"
    never grep -q ublicado <<< "$output"
    run sh "$project/scripts/bench.sh" --table "$work/now.tsv" \
        "$work/before.tsv"
    ends_with 0
    says "publicado 0.950 (-0.050)"
    says "en NVIDIA H200"
    for files in none.tsv "now.tsv $work/none.tsv"; do
        # shellcheck disable=SC2086
        run sh "$project/scripts/bench.sh" --table $work/$files
        ends_with 4
        says "no se puede leer $work/none.tsv"
    done
    run sh "$project/scripts/bench.sh" --table
    ends_with 2
    says "bench.sh --table FICHERO"
    run sh "$project/scripts/bench.sh" --help
    ends_with 0
}
