// Las reglas: copia (lee 1, escribe 1) y suma (lee 2, escribe 1).
#pragma once
#include "ring.cuh"

template <typename T> __device__ inline uint4 add_pack(uint4 a, uint4 b)
{
    constexpr int W = 16 / sizeof(T);
    grain p = { { a.x, a.y, a.z, a.w } }, q = { { b.x, b.y, b.z, b.w } };
    float u[W], v[W];
    widen(p, u, T());
    widen(q, v, T());
#pragma unroll
    for (int w = 0; w < W; w++)
        u[w] += v[w];
    p = narrow(u, T());
    return make_uint4(p.word[0], p.word[1], p.word[2], p.word[3]);
}

// b nulo: copia. STRIDE: rejilla fija que recorre el arreglo.
template <typename T, int UNROLL, int STREAM, int STRIDE, int ADD>
__global__ void __launch_bounds__(1024) ruler_vector(
    const uint4 *a, const uint4 *b, uint4 *out, int64_t n)
{
    const int64_t chunk = (int64_t)blockDim.x * UNROLL;
    for (int64_t base = blockIdx.x * chunk; base < n;
         base += gridDim.x * chunk) {
        uint4 u[UNROLL], v[UNROLL];
#pragma unroll
        for (int i = 0; i < UNROLL; i++) {
            int64_t at = base + i * blockDim.x + threadIdx.x;
            if (at < n) {
                u[i] = STREAM ? __ldcs(a + at) : a[at];
                if (ADD)
                    v[i] = STREAM ? __ldcs(b + at) : b[at];
            }
        }
#pragma unroll
        for (int i = 0; i < UNROLL; i++) {
            int64_t at = base + i * blockDim.x + threadIdx.x;
            if (at < n) {
                uint4 w = ADD ? add_pack<T>(u[i], v[i]) : u[i];
                if (STREAM)
                    __stcs(out + at, w);
                else
                    out[at] = w;
            }
        }
        if (!STRIDE)
            return;
    }
}

// Por copias masivas: anillo de ranuras de `bytes` por arreglo.
template <typename T, int ADD>
__global__ void __launch_bounds__(256) ruler_bulk(
    const char *a, const char *b, char *out, int64_t total, int bytes,
    int slots)
{
#if BULK_COPIES
    extern __shared__ __align__(16) char shared[];
    uint64_t *full = reinterpret_cast<uint64_t *>(shared);
    char *ring = shared + 128;
    const int size = bytes * (1 + ADD);
    const int64_t chunks = (total + bytes - 1) / bytes;
    if (threadIdx.x == 0)
        for (int s = 0; s < slots; s++)
            barrier_init(&full[s]);
    barrier_init_visible();
    __syncthreads();
    auto length = [&](int64_t chunk) {
        return (uint32_t)min((int64_t)bytes, total - chunk * bytes);
    };
    auto fill = [&](int64_t chunk, int s) {
        if (chunk >= chunks)
            return;
        uint32_t n = length(chunk);
        barrier_expect(&full[s], n * (1 + ADD));
        bulk_load(ring + s * size, (uintptr_t)a + chunk * bytes, n, &full[s]);
        if (ADD)
            bulk_load(ring + s * size + bytes, (uintptr_t)b + chunk * bytes,
                      n, &full[s]);
    };
    const int ahead = slots - 1;
    if (!ADD && threadIdx.x > 0)
        return;
    if (threadIdx.x == 0)
        for (int s = 0; s < ahead; s++)
            fill(blockIdx.x + (int64_t)s * gridDim.x, s);
    int slot = 0, parity = 0;
    for (int64_t chunk = blockIdx.x; chunk < chunks; chunk += gridDim.x) {
        char *here = ring + slot * size;
        barrier_wait(&full[slot], parity);
        if (ADD) {
            uint4 *p = reinterpret_cast<uint4 *>(here);
            uint4 *q = reinterpret_cast<uint4 *>(here + bytes);
            for (int i = threadIdx.x; i < (int)length(chunk) / 16;
                 i += blockDim.x)
                p[i] = add_pack<T>(p[i], q[i]);
            publish_to_copies();
            __syncthreads();
        }
        if (threadIdx.x == 0) {
            bulk_store((uintptr_t)out + chunk * bytes, here, length(chunk));
            bulk_commit();
            bulk_wait_read<1>();
            int target = slot == 0 ? slots - 1 : slot - 1;
            fill(chunk + (int64_t)ahead * gridDim.x, target);
        }
        if (++slot == slots) {
            slot = 0;
            parity ^= 1;
        }
    }
    if (threadIdx.x == 0)
        bulk_wait_all();
#endif
}

__global__ void empty_kernel(void) {}
