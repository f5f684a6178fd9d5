#include "table.cuh"
template __global__ void dgamma_reduce<__nv_bfloat16,16>(backward_args);
const void *keep(int i){return &instances[i];}
