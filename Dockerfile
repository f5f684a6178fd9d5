# Las imágenes del curso. Los paquetes los dice scripts/setup.sh y sólo él. Los
# ficheros del curso no se copian: docker-compose.yml monta la carpeta.
#   acquire  fabrica y comprueba los datos, sin CUDA
#   cpu      todo el curso, con la GPU de papel
#   gpu      todo el curso, con una GPU de NVIDIA
ARG DEBIAN_IMAGE=debian:bookworm-20250520-slim
ARG CUDA_IMAGE=nvidia/cuda:13.0.3-devel-ubuntu24.04

FROM ${DEBIAN_IMAGE} AS programas
COPY scripts/setup.sh /opt/curso/scripts/
RUN sh /opt/curso/scripts/setup.sh programas \
    && apt-get clean && rm -rf /var/lib/apt/lists/* /opt/curso/.env

FROM programas AS todo
RUN sh /opt/curso/scripts/setup.sh \
    && apt-get clean && rm -rf /var/lib/apt/lists/* /opt/curso/.env

FROM ${CUDA_IMAGE} AS cuda
COPY scripts/setup.sh /opt/curso/scripts/
RUN sh /opt/curso/scripts/setup.sh \
    && apt-get clean && rm -rf /var/lib/apt/lists/* /opt/curso/.env

# Lo que sigue es igual en las tres: quien trabaja no es root, y lo que git y
# LuaTeX quieren escribir o leer fuera de la carpeta del curso tiene sitio.
FROM programas AS acquire
ARG UID=1000
ARG GID=1000
ENV HOME=/tmp LANG=C.UTF-8 DEVICE=cpu \
    GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=/curso
WORKDIR /curso
USER ${UID}:${GID}
CMD ["sh", "scripts/acquire.sh"]

FROM todo AS cpu
ARG UID=1000
ARG GID=1000
ENV HOME=/tmp LANG=C.UTF-8 DEVICE=cpu TEXMFVAR=/curso/tangled/.build/texmf \
    GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=/curso
WORKDIR /curso
USER ${UID}:${GID}
CMD ["sh", "scripts/check_environment.sh"]

FROM cuda AS gpu
ARG UID=1000
ARG GID=1000
ENV HOME=/tmp LANG=C.UTF-8 DEVICE=gpu TEXMFVAR=/curso/tangled/.build/texmf \
    GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=/curso
WORKDIR /curso
USER ${UID}:${GID}
CMD ["sh", "scripts/check_environment.sh"]
