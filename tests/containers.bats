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

# What Compose understood that the course does not promise, one line each
faults_of_compose() {
    printf '%s\n' "$output" | awk '
        function must(what) {
            if (index(text, what) == 0) print name " no tiene: " what
        }
        function must_not(what) {
            if (index(text, what) > 0) print name " tiene: " what
        }
        function close_service(   root) {
            if (name == "") return
            seen++
            must("user: 1234:4321"); must("network_mode: none")
            must("no-new-privileges:true"); must("- ALL")
            must("target: " name); must("/tmp:exec")
            must("UID: 1234"); must("GID: 4321")
            must_not("privileged:"); must_not("docker.sock")
            must_not("ports:"); must_not("cap_add")
            if (name == "gpu") {
                must("driver: nvidia"); must("- gpu")
            } else {
                must_not("nvidia"); must("read_only: true")
            }
            # acquire reads the course and writes in two folders
            if (name == "acquire" && writable != "/curso/data /curso/tangled ")
                print "acquire escribe en: " writable
            text = writable = ""
        }
        { gsub(/[\047"]/, "") }
        /^  [a-z]+:$/ { close_service(); name = substr($1, 1, length($1) - 1) }
        /^[a-z]/ { close_service(); name = "" }
        name == "" { next }
        { text = text $0 "\n" }
        # a folder of the course: in one line, or in several
        match($0, /:\/curso[a-z\/]*(:rw)?(:z)?$/) {
            sub(/^.*:\/curso/, "/curso"); sub(/:rw/, ""); writable = writable $0 " "
        }
        $1 == "target:" && $2 ~ /^\/curso/ {
            held = $2; writable = writable held " "
        }
        $1 == "read_only:" && held != "" { sub(held " ", "", writable) }
        $1 == "-" { held = "" }
        END {
            close_service()
            if (seen != 3) print "servicios: " seen + 0
        }'
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

@test "cada servicio: usuario del lector, sin red ni privilegios; GPU sólo en gpu" {
    compose config
    ends_with 0
    run faults_of_compose
    silent
}

@test "ese examen de Compose ve cada falta" {
    seen() { # SED WHAT
        cp "$project/docker-compose.yml" .
        sed -i "$1" docker-compose.yml
        never cmp -s docker-compose.yml "$project/docker-compose.yml"
        compose config
        ends_with 0
        run faults_of_compose
        says "$2"
    }
    seen '/network_mode/d' "cpu no tiene: network_mode: none"
    seen 's/^  user: .*/  user: root/' "gpu no tiene: user: 1234:4321"
    seen '/no-new-privileges/d; /security_opt/d' "no tiene: no-new-privileges"
    seen '/^  cpu:/,/volumes/s/read_only: true/privileged: true/' \
        "cpu tiene: privileged"
    seen '/^  acquire:/,/^  cpu:/s/:ro$//' "acquire escribe en: /curso "
    seen 's|- \./tangled:.*|- ./docs:/curso/docs|' "acquire escribe en: "
    seen 's|^      - \.:/curso$|&\n      - /var/run/docker.sock:/s|' \
        "gpu tiene: docker.sock"
    seen 's/target: gpu/target: cpu/' "gpu no tiene: target: gpu"
    seen '/- driver: nvidia/,$d; s/^        reservations:/&\n          cpus: "1"/
        s/^          devices://' "gpu no tiene: driver: nvidia"
}

# What the Dockerfile of this folder does wrong, one line each
faults_of_dockerfile() {
    awk '
        /^ARG [A-Z]*_IMAGE=/ {
            bases++
            if ($0 !~ /=[a-z\/]+:[a-z0-9.-]*[0-9][a-z0-9.-]*$/)
                print "base sin etiqueta fija: " $0
        }
        /^FROM / {
            if (!($2 in stages) && $2 !~ /^\$\{[A-Z]+_IMAGE\}$/)
                print "base que no es un argumento: " $0
            if (stage) close_stage()
            stage = $4
            stages[stage]
            user = ""
        }
        /^USER / { user = $2 }
        /apt(-get)? .*install|pip|curl|wget|https?:|^ADD / {
            print "trae algo que setup.sh no dice: " $0
        }
        /setup\.sh/ { lists++ }
        tolower($0) ~ /password|token|secret|_key=/ { print "secreto: " $0 }
        function close_stage() {
            if (stage ~ /^(acquire|cpu|gpu)$/) {
                if (user != "${UID}:${GID}") print "acaba de root: " stage
                services++
            }
        }
        END {
            close_stage()
            if (bases != 2) print "bases: " bases
            if (services != 3) print "servicios: " services
            if (lists < 3) print "setup.sh, pocas veces: " lists
        }' Dockerfile
    [ "$(grep -v '^#' .dockerignore)" = "$(printf '*\n!scripts/setup.sh')" ] ||
        echo "al construir entra algo más que setup.sh"
}

@test "el Dockerfile: bases con etiqueta fija, paquetes de setup.sh, nadie de root" {
    run faults_of_dockerfile
    silent
}

@test "ese examen ve cada falta" {
    seen() { # FILE SED WHAT
        cp "$project/Dockerfile" "$project/.dockerignore" .
        sed -i "$2" "$1"
        never cmp -s "$1" "$project/$1"
        run faults_of_dockerfile
        says "$3"
    }
    seen Dockerfile 's/debian:bookworm-[^ ]*/debian/' "base sin etiqueta fija"
    seen Dockerfile 's/13\.0.*ubuntu.*/latest/' "base sin etiqueta fija"
    seen Dockerfile 's/^FROM ${CUDA_IMAGE}/FROM ubuntu:24.04/' \
        "base que no es un argumento"
    seen Dockerfile '/ AS cpu/,/^CMD/s/^USER.*/USER root/' "acaba de root: cpu"
    seen Dockerfile '$s/^CMD.*/USER 0/' "acaba de root: gpu"
    seen Dockerfile '/ AS acquire/,/^CMD/{/^USER/d}' "acaba de root: acquire"
    seen Dockerfile 's/sh .*setup.sh$/apt-get install -y gcc/
        s/sh .*setup.sh .*/apt-get install -y gcc/' "setup.sh no dice"
    seen Dockerfile '/^WORKDIR/a ENV API_TOKEN=x' "secreto"
    seen .dockerignore '$a !data' "algo más que setup.sh"
}

@test "un linter: hadolint o dockerfilelint, si está" {
    if command -v hadolint > /dev/null; then
        run hadolint Dockerfile
        ends_with 0
        silent
    elif command -v dockerfilelint > /dev/null; then
        # It takes the name of a stage, or an argument, for a base with no tag
        printf 'rules:\n  missing_tag: off\n' > .dockerfilelintrc
        run dockerfilelint -c . Dockerfile
        ends_with 0
        says "Issues: None found"
    else
        skip "sin hadolint ni dockerfilelint"
    fi
}
