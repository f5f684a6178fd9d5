#!/bin/sh
# cuda_headers.sh: las opciones -I con que gcc encuentra las cabeceras de CUDA. Se
# preguntan a nvcc, que puede ser un guion que llama al de verdad, estar en otra
# carpeta o tener cada biblioteca en la suya. Estado: 1 si nvcc no las encuentra.
set -eu
command -v nvcc > /dev/null || { echo "cuda_headers: falta nvcc" >&2; exit 1; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
cat > "$work/probe.cu" << 'PROBE'
#include <cuda_runtime_api.h>
#if __has_include(<cublas_v2.h>)
#include <cublas_v2.h>
#endif
PROBE
nvcc -M "$work/probe.cu" > "$work/rule"
flags=$(tr -d '\\\n' < "$work/rule" | tr -s ' ' '\n' |
    sed -n 's,/\(crt/host_defines\|cuda_runtime_api\|cublas_v2\)\.h$,,p' |
    sort -u | sed 's/^/-I/' | paste -sd ' ' -)
[ -n "$flags" ] ||
    { echo "cuda_headers: nvcc no encuentra cuda_runtime_api.h" >&2; exit 1; }
echo "$flags"
