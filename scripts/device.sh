#!/bin/sh
# device.sh: prints gpu when this machine can compile for and use a GPU, else cpu.
command -v nvcc > /dev/null 2>&1 &&
    nvidia-smi -L 2> /dev/null | grep -q '^GPU' && echo gpu || echo cpu
