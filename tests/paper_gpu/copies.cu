// Copies that arrive late: groups, what is still on its way, and leftovers
#include "check.h"
#include <cuda_pipeline_primitives.h>

// A ring: each thread copies, waits for, and reads its own places
template <typename V, int SLOTS>
__global__ void ring(const V *in, V *out, int turns)
{
    __shared__ V slot[SLOTS][32];
    for (int turn = 1 - SLOTS; turn < turns; turn++) {
        const int next = turn + SLOTS - 1;
        if (next < turns)
            __pipeline_memcpy_async(&slot[next % SLOTS][threadIdx.x],
                                    in + next * 32 + threadIdx.x, sizeof(V));
        __pipeline_commit();
        if (turn < 0) continue;
        __pipeline_wait_prior(SLOTS - 1);
        out[turn * 32 + threadIdx.x] = slot[turn % SLOTS][threadIdx.x];
    }
}

// What another thread copied: its wait, and a barrier
__global__ void handed(const float *in, float *out)
{
    __shared__ float tile[64];
    __pipeline_memcpy_async(&tile[threadIdx.x], in + threadIdx.x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    out[threadIdx.x] = tile[63 - threadIdx.x];
}

// The last copy of each block is never awaited, and must not reach the next one
__global__ void leftover(const float *in, float *out)
{
    __shared__ float mine, lost;
    mine = 5;
    __pipeline_memcpy_async(&lost, in, 4);
    __pipeline_commit();
    if (blockIdx.x == 1) {
        __pipeline_memcpy_async(&mine, in + 1, 4);
        __pipeline_commit();
        __pipeline_wait_prior(0);
    }
    out[blockIdx.x] = mine;
}

template <typename V, int SLOTS> static void try_ring(int turns)
{
    array<V> in(turns * 32), out(turns * 32);
    for (size_t i = 0; i < in.n; i++)
        memset(&in[i], (int)(i % 251) + 1, sizeof(V));
    in.send();
    ring<V, SLOTS><<<1, 32>>>(in.device, out.device, turns);
    out.fetch();
    CHECK(memcmp(in.host, out.host, in.n * sizeof(V)) == 0);
}

int main()
{
    try_ring<unsigned, 2>(7);
    try_ring<uint2, 3>(5);
    try_ring<uint4, 4>(9);
    try_ring<uint4, 4>(1);
    array<float> in(64), out(64);
    for (int i = 0; i < 64; i++) in[i] = (float)i;
    in.send();
    handed<<<1, 64>>>(in.device, out.device);
    out.fetch();
    for (int i = 0; i < 64; i++) CHECK(out[i] == (float)(63 - i));
    leftover<<<3, 1>>>(in.device, out.device);
    out.fetch();
    CHECK(out[0] == 5 && out[1] == 1 && out[2] == 5);
    return finish();
}
