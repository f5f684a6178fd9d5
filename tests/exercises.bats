# El corrector de los ejercicios: cada punto de partida falla, cada solución
# pasa y cada error frecuente recibe su pista.
load common

setup() { work=$(mktemp -d); cd "$project" || exit 1; }
teardown() { rm -rf "$work"; }

specs() { for s in exercises/*.exercise; do basename "$s" .exercise; done; }
field() { awk -v key="$1" '/^ / { if (take) line = line " " substr($0, 2); next }
    { if (take) print line; take = $1 == key; line = substr($0, length(key) + 2) }
    END { if (take) print line }' "exercises/$2.exercise"; }
solution() { # NN: el trozo del capítulo, tal como está en el libro
    chapter=$(grep -lxF "<<$(field chunk "$1")>>=" chapters/*.nw)
    awk -v chunk="$(field chunk "$1")" -v extract=1 \
        -f weave/replace-chunk.awk "$chapter"
}

@test "un ejercicio que no existe: estado 2 y la lista de los que hay" {
    run sh scripts/exercise.sh 77
    [ "$status" -eq 2 ]
    [[ $output == *"01 02 03"* ]]
    for name in '' ../exercises/04 04.exercise 4; do
        run sh scripts/exercise.sh "$name" --answer "$work/x.c"
        ends_with 2
        says "01 02 03"
    done
    never test -e "$work/x.c"
    run sh scripts/exercise.sh 04 --answer "$work/no/existe.c"
    ends_with 2
    says "exercise: no se puede escribir $work/no/existe.c"
    run sh scripts/exercise.sh --help
    ends_with 0
    says "--hint"
}

@test "el punto de partida se entrega, no se sobrescribe y no está resuelto" {
    for n in $(specs); do
        run sh scripts/exercise.sh "$n" --answer "$work/$n.c"
        [ "$status" -eq 1 ]
        [ -s "$work/$n.c" ]
        run sh scripts/exercise.sh "$n" --answer "$work/$n.c" --hint
        ends_with 1
        says "Una pista depende de cómo falla un intento"
        never cmp -s <(solution "$n") <(tail -n +2 "$work/$n.c")
        echo "/* mío */" >> "$work/$n.c"
        cp "$work/$n.c" "$work/copy"
        run sh scripts/exercise.sh "$n" --answer "$work/$n.c"
        echo "$n: $output"
        [ "$status" -eq 1 ]
        cmp "$work/$n.c" "$work/copy"
    done
}

@test "cada solución pasa" {
    for n in $(specs); do
        solution "$n" > "$work/$n.c"
        run sh scripts/exercise.sh "$n" --answer "$work/$n.c"
        echo "$n: $output"
        [ "$status" -eq 0 ]
        [[ $output == *resuelto* ]]
    done
}

@test "cada error frecuente falla y recibe su pista" {
    for n in $(specs); do
        while IFS= read -r rule; do
            solution "$n" | sed "${rule%% => *}" > "$work/$n.c"
            never cmp -s <(solution "$n") "$work/$n.c"      # el error existe
            run sh scripts/exercise.sh "$n" --hint --answer "$work/$n.c"
            echo "$n: $rule: $output"
            [ "$status" -eq 1 ]
            grep -qE "^Pista: .*(${rule#* => })" <<< "$output"
        done < <(field wrong "$n")
    done
}

@test "un trozo que no compila dice la línea del fichero del lector" {
    { solution 04; echo 'esto no es C;'; } > "$work/04.c"
    run sh scripts/exercise.sh 04 --answer "$work/04.c"
    [ "$status" -eq 1 ]
    [[ $output == *"exercises/04.c:3"* ]]
}
