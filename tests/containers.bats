# Dockerfile and docker-compose.yml, as far as a machine without a container
# engine can tell: what Compose makes of them, and what they promise.
load common

setup() {
    new_folder
    cp "$project/Dockerfile" "$project/docker-compose.yml" \
        "$project/.dockerignore" .
    printf 'UID=1234\nGID=4321\n' > .env
    unset GID DEVICE COMPOSE_FILE
}
teardown() { rm -rf "$work"; }

compose() {
    if command -v docker-compose > /dev/null; then
        run docker-compose "$@"
    elif docker compose version > /dev/null 2>&1; then
        run docker compose "$@"
    else
        skip "sin Docker Compose: docker-compose.yml no se ha validado"
    fi
}
service() { # NAME: its part of what Compose understood
    printf '%s\n' "$output" | awk -v name="  $1:" '
        $0 == name { on = 1; next }
        /^ ? ?[^ ]/ { on = 0 }
        on'
}
has() { # SERVICE TEXT
    service "$1" | grep -qF -- "$2" || fail "$1 no tiene: $2"
}
lacks() {
    [ -n "$(service "$1")" ] || fail "no hay servicio $1"
    if service "$1" | grep -qF -- "$2"; then fail "$1 tiene: $2"; fi
}

@test "Compose lo entiende y no se queja" {
    compose config --quiet
    ends_with 0
    silent
}

@test "sin .env dice qué ejecutar" {
    rm .env
    compose config --quiet
    [ "$status" != 0 ] || fail "debía fallar"
    says "ejecute sh scripts/setup.sh"
}

@test "cada servicio: el usuario del lector, sin red y sin privilegios" {
    compose config
    ends_with 0
    for name in acquire cpu gpu; do
        has $name "user: 1234:4321"
        has $name "network_mode: none"
        has $name "no-new-privileges:true"
        has $name "- ALL"
        has $name "target: $name"
        has $name "/tmp:exec"
        lacks $name "privileged"
        lacks $name "docker.sock"
    done
    service acquire | tr -d "'\"" | grep -q 'UID: 1234'
}

@test "la GPU se reserva en gpu y sólo en gpu; la raíz, de sólo lectura" {
    compose config
    has gpu "driver: nvidia"
    has gpu "- gpu"
    for name in acquire cpu; do
        lacks $name nvidia
        has $name "read_only: true"
    done
}

@test "acquire sólo escribe en data y tangled" {
    compose config
    service acquire | tr -d '\n ' | grep -qE \
        '/data(:rw|target:/curso/data)|/curso/data' || fail "sin data"
    service acquire | grep -qE ':/curso:ro|read_only: true'
    [ "$(service acquire | grep -cE '/curso(/[a-z]*)?(:r[ow])?$')" -ge 3 ]
}

@test "los paquetes salen de setup.sh, y no de otra lista" {
    never grep -nE 'apt(-get)? .*install|pip|curl|wget|https?:' Dockerfile
    [ "$(grep -c 'setup.sh' Dockerfile)" -ge 3 ]
    [ "$(grep -v '^#' .dockerignore)" = "$(printf '*\n!scripts/setup.sh')" ]
}

@test "las bases son argumentos con etiqueta fija; nadie acaba de root" {
    grep '^ARG .*_IMAGE=' Dockerfile > bases
    [ "$(wc -l < bases)" = 2 ]
    never grep -vE '=[a-z/]+:[a-z0-9.-]*[0-9]+[a-z0-9.-]*$' bases
    never grep -n latest Dockerfile
    for stage in acquire cpu gpu; do
        sed -n "/AS $stage\$/,/^FROM/p" Dockerfile > stage
        grep -qxF 'USER ${UID}:${GID}' stage || fail "$stage"
        grep -q '^ARG UID=1000' stage
        grep -q '^WORKDIR /curso' stage
    done
    never grep -niE 'password|token|secret|_key=' Dockerfile docker-compose.yml
}

@test "hadolint, si está" {
    command -v hadolint > /dev/null || skip "sin hadolint"
    run hadolint Dockerfile
    ends_with 0
    silent
}
