# make dist: the archive is the same twice, names no machine, and its programs are
# built where there is nothing but gcc, g++ and make.
load common

setup_file() {
    export made
    made=$(mktemp -d)
    cd "$BATS_TEST_DIRNAME/.." || return 1
    mkdir -p "$made/docs/figures"
    echo '<html>' | tee "$made/docs/index.html" > "$made/docs/libro.pdf"
    touch "$made/docs/README.md" "$made/docs/index.html.tmp"
    make -s dist DIST="$made/one" DOCS="$made/docs" >&2 || return 1
    cp -R "$made/docs" "$made/later"
    touch -d 2001-01-01 "$made/later/index.html"
    chmod 600 "$made/later/index.html"
    # as another user too, where root may look like one
    other='unshare -U --map-user=1234 --map-group=1234'
    [ "$($other id -u 2> /dev/null)" = 1234 ] || other=
    (umask 077; TZ=Asia/Tokyo LC_ALL=C $other make -s dist DIST="$made/two" \
        DOCS="$made/later") >&2
    make -s dist DIST="$made/three" DOCS=/none >&2
    # gcc and make alone: what they call, and what a recipe says
    mkdir "$made/bin"
    for tool in sh make gcc g++ as ld mkdir rm mv; do
        ln -s "$(command -v $tool)" "$made/bin/$tool"
    done
}
teardown_file() { rm -rf "$made"; }

setup() {
    new_folder
    version=$(cat "$project/VERSION")
    archive=$made/one/rmsnorm-$version.tar.gz
    unset MAKEFLAGS DEVICE CFLAGS CXXFLAGS
}
teardown() { rm -rf "$work"; }

unpack() { tar xzf "$archive" && cd "rmsnorm-$version"; }
alone() { run env -i PATH="$made/bin" HOME="$work" LC_ALL=C.UTF-8 "$@"; }

@test "dos veces, los mismos bytes: otras fechas, permisos, zona y usuario" {
    cmp "$archive" "$made/two/rmsnorm-$version.tar.gz"
}

@test "en orden, sin dueño, con la fecha del commit" {
    tar tzf "$archive" > names
    LC_ALL=C.UTF-8 sort names | cmp - names
    [ -z "$(grep -v "^rmsnorm-$version/" names)" ]
    tar tvzf "$archive" --full-time --numeric-owner > long
    [ "$(awk '{ print $2, $4, $5 }' long | sort -u | wc -l)" = 1 ]
    grep -q ' 0/0 ' long
    never grep -vE '^(drwxr-xr-x|-rw-r--r--)' long
}

@test "trae programas, GPU de papel, sumas, medidas, licencias y libro" {
    tar tzf "$archive" > names
    for file in Makefile LEAME.md VERSION CHANGELOG.md LICENSE LICENSE-text \
        data/SHA256SUMS data/published/h200/ch04.tsv docs/index.html \
        docs/libro.pdf; do
        grep -qx "rmsnorm-$version/$file" names || fail "falta $file"
    done
    for root in $ROOTS; do
        case $root in mut*.* | generar.awk) continue ;; esac
        grep -qx "rmsnorm-$version/$root" names || fail "falta $root"
    done
    for program in $KERNELS; do
        grep -qx "rmsnorm-$version/${program}_kernels.cpp" names
    done
    never grep -E 'docs/README|\.tmp$|\.nw$|\.git|exercises' names
    tar tzf "$made/three/rmsnorm-$version.tar.gz" > names
    never grep docs/ names
}

@test "no nombra esta máquina; lo traducido no tiene lanzamientos" {
    unpack
    never grep -rnF -e "$project" -e "$(hostname)" -e "$HOME/" .
    never grep -n '<<<' ./*_kernels.cpp
    grep -q '#line 1 "ch04_kernels.cu"' ch04_kernels.cpp
    grep -q "commit \`" LEAME.md
    never grep -rn '@[A-Z]*@' LEAME.md Makefile
}

@test "con gcc y make, sin noweb ni pandoc: el capítulo 4 pasa sus casos" {
    unpack
    for tool in notangle pandoc awk git perl; do
        alone sh -c "command -v $tool || echo no está"
        [ "$output" = "no está" ] || fail "debía faltar $tool"
    done
    alone make ch04
    ends_with 0
    alone ./ch04
    ends_with 0
    says "no verificado en GPU"
    says ", 0 fallos."
    grep -q '^# program: ch04' outputs/ch04.tsv
    [ "$(awk -F '\t' '$1 ~ /^fp(16|32)$/ { n++ } END { print n }' \
        outputs/ch04.tsv)" -ge 72 ]
}

@test "con nvcc, el programa de GPU" {
    command -v nvcc > /dev/null || skip "no hay nvcc"
    unpack
    make -s DEVICE=gpu ARCH=sm_90 ch04
    run ./ch04 --help
    ends_with 0
}

@test "el vigilante también mira en el archivo" {
    unpack
    sed -i 's/blockIdx.x \* columns/blockIdx.x * 512/' ch04_kernels.cpp
    grep -q 'blockIdx.x \* 512' ch04_kernels.cpp
    alone make ch04
    ends_with 0
    alone ./ch04 --m 2 --n 257
    ends_with 86
    says "fuera de los límites"
    says "ch04_kernels.cu:"
}

@test "los demás programas también; los datos, los mismos" {
    unpack
    alone make all
    ends_with 0
    for program in $PROGRAMS; do
        [ -x "$program" ] || [ "$program" = ch07 ] || fail "falta $program"
    done
    alone make librmsnorm.so
    ends_with 0
    nm -D --defined-only librmsnorm.so > exported
    grep -q ' T librmsnorm_' exported
    never grep -v ' librmsnorm_' exported
    alone ./ch03 --quiet
    ends_with 0
    sha256sum -c --quiet data/SHA256SUMS
    if echo '#include <jansson.h>' | gcc -E - > /dev/null 2>&1; then
        alone make ch07
        ends_with 0
        alone ./ch07 --help
        ends_with 0
    fi
}
