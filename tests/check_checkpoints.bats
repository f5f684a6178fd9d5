# scripts/check_checkpoints.sh on good checkpoints and on planted bad ones.
load common

setup_file() {
    export shop
    shop=$(mktemp -d)
    cd "$BATS_TEST_DIRNAME/.." || return 1
    make -s DEVICE=cpu tangled/.build/cpu/ch07 >&2
    mkdir -p "$shop/data" "$shop/tangled/.build/cpu" "$shop/bin"
    cp -r Makefile scripts "$shop"
    cp data/SHA256SUMS "$shop/data"
    cp tangled/.build/cpu/ch07 "$shop/tangled/.build/cpu"
    printf '#!/bin/sh\nexit 0\n' > "$shop/bin/make"
    chmod +x "$shop/bin/make"
    cd "$shop" || return 1
    timeout 200 tangled/.build/cpu/ch07 --quiet
    timeout 200 tangled/.build/cpu/ch07 --quiet --steps 2 --hidden 40
    cp -r outputs good
}
teardown_file() { rm -rf "$shop"; }

setup() {
    cd "$shop" || return 1
    rm -rf outputs
    cp -r good outputs
    PATH=$shop/bin:$PATH
    DEVICE=cpu
    export DEVICE
    file=outputs/ch07.safetensors
}

check() { run sh scripts/check_checkpoints.sh "$@"; }
rewrite() { # PYTHON: the header h and the data d, with a right checksum after
    python3 - "$file" <<FIN
import json, struct, sys, zlib
raw = open(sys.argv[1], "rb").read()
n = struct.unpack("<Q", raw[:8])[0]
h, d = json.loads(raw[8:8 + n]), bytearray(raw[8 + n:])
$1
h["__metadata__"]["crc32"] = "00000000"
text = json.dumps(h, separators=(",", ":")).encode()
text += b" " * (-len(text) % 8)
raw = struct.pack("<Q", len(text)) + text + d
crc = b'%08x' % zlib.crc32(raw)
open(sys.argv[1], "wb").write(raw.replace(b"00000000", crc, 1))
FIN
}

@test "dos redes de anchura distinta: bien las dos, y outputs/ no cambia" {
    before=$(cksum outputs/*)
    check
    ends_with 0
    says "✓ outputs/ch07.safetensors: formato, suma, formas y valores"
    says "diferencia al recargar 0, MSE en test"
    says "como en outputs/ch07.tsv"
    says "✓ outputs/ch07-trial.safetensors"
    says "no verificado en GPU. 2 comprobados, 0 mal."
    [ "$(cksum outputs/*)" = "$before" ]
}

@test "un byte cambiado, cortado, de otro formato" {
    printf X | dd of=$file bs=1 seek=2000 conv=notrunc status=none
    head -c 3000 $file > outputs/corto.safetensors
    echo hola > outputs/otro.safetensors
    check
    ends_with 1
    says "✗ $file: alterado: dice crc32"
    says "✗ outputs/corto.safetensors: truncado"
    says "✗ outputs/otro.safetensors: "
    says "✓ outputs/ch07-trial.safetensors"
    says "4 comprobados, 3 mal."
}

@test "con la suma bien: un NaN, y una forma que no es de la red" {
    command -v python3 > /dev/null || skip "sin python3"
    rewrite 'pass'
    check
    ends_with 0
    rewrite 'd[40:44] = struct.pack("<f", float("nan"))'
    check
    ends_with 1
    says "no es finito"
    cp good/ch07.safetensors $file
    rewrite 'h["linear1.weight"]["shape"] = [16, 96]'
    check
    ends_with 1
    says "no es de esta red: en linear1.weight, shape"
}

@test "pesos que no son los de la tabla" {
    cp outputs/ch07-trial.tsv outputs/ch07.tsv
    check
    ends_with 1
    says "no salieron de la misma ejecución"
}

@test "una red que no lee todo del fichero se nota al recargar" {
    mv tangled/.build/cpu/ch07 right
    cat > tangled/.build/cpu/ch07 <<'FIN'
#!/bin/sh
./right "$@" || exit
while [ "$1" != --output ]; do shift; done
sed -i 's/^reload.difference.*/reload.difference\t1e-9/' "$2"
FIN
    chmod +x tangled/.build/cpu/ch07
    check
    mv right tangled/.build/cpu/ch07
    ends_with 1
    says "dos lecturas difieren en «1e-9»"
}

@test "sin checkpoints o sin datos lo dice, y no da nada por bueno" {
    mv data/test.tsv .
    check
    mv test.tsv data/
    ends_with 4
    says "sh scripts/acquire.sh"
    rm outputs/*.safetensors
    check
    ends_with 4
    says "no hay ningún checkpoint"
    check --todos
    ends_with 2
    check --help sobra
    ends_with 2
    check --help
    ends_with 0
}
