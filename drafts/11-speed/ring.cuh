// Granos de 16 bytes, anillo de ranuras y suma de la fila.
#pragma once
#include "args.h"
#include "device.cuh"

// ---- Granos ------------------------------------------------------------------
// Con EDGES, una fila empieza `shift` elementos después de una línea de 128
// bytes. El grano g cubre las columnas [c, c + W), c = g·W − shift; los
// primeros y el último pueden asomar fuera de la fila.
template <typename T> __device__ inline int shift_of(const T *row)
{
    return (int)((uintptr_t)row % LINE) / (int)sizeof(T);
}

template <typename T, bool EDGES>
__device__ inline grain load_grain(const T *row, int c, int limit,
                                   int columns)
{
    constexpr int W = 16 / sizeof(T);
    grain g = { { 0, 0, 0, 0 } };
    if (c < limit && (!EDGES || (c >= 0 && c + W <= columns)))
        g = load_stream(row + c);
    else if (EDGES && c < limit && c > -W)
#pragma unroll
        for (int w = 0; w < W; w++)
            if (c + w >= 0 && c + w < columns)
                put(g, w, row[c + w]);
    return g;
}

template <typename T, bool EDGES>
__device__ inline void store_grain(T *row, int c, int limit, int columns,
                                   const grain &g)
{
    constexpr int W = 16 / sizeof(T);
    if (c < limit && (!EDGES || (c >= 0 && c + W <= columns)))
        store_stream(row + c, g);
    else if (EDGES && c < limit && c > -W)
#pragma unroll
        for (int w = 0; w < W; w++)
            if (c + w >= 0 && c + w < columns)
                row[c + w] = get<T>(g, w);
}

// gamma tiene su propia fase: con EDGES, dos granos vecinos y un corrimiento
// que es el mismo en toda la fila.
template <typename T, bool EDGES>
__device__ inline grain load_weight(const T *gamma, int c, int limit,
                                    int columns)
{
    constexpr int W = 16 / sizeof(T);
    grain g = { { 0, 0, 0, 0 } };
    if (c >= limit || c <= -W)
        return g;
    if (!EDGES)
        return load_again(gamma + c);
    const int skip = (int)((uintptr_t)(gamma + c) % 16);
    const T *low = gamma + c - skip / (int)sizeof(T);
    if (low >= gamma && low + 2 * W <= gamma + columns) {
        const grain a = load_again(low), b = load_again(low + W);
        unsigned word[8];
        memcpy(word, a.word, 16);
        memcpy(word + 4, b.word, 16);
        if (skip & 8)
#pragma unroll
            for (int i = 0; i < 6; i++)
                word[i] = word[i + 2];
        if (skip & 4)
#pragma unroll
            for (int i = 0; i < 5; i++)
                word[i] = word[i + 1];
#pragma unroll
        for (int i = 0; i < 4; i++)
            g.word[i] = __funnelshift_r(word[i], word[i + 1], skip % 4 * 8);
        return g;
    }
#pragma unroll
    for (int w = 0; w < W; w++)
        if (c + w >= 0 && c + w < columns)
            put(g, w, gamma[c + w]);
    return g;
}

// ---- Anillo ---------------------------------------------------------------------
// Los granos [low, high) cubren lo que un bloque quiere de una fila. Los que
// saldrían del arreglo (solo los hay en su principio y su final) se quitan de
// la copia, y sus elementos [begin, end) se copian uno a uno.
template <typename T>
__device__ inline void copy_loose(char *place, uintptr_t origin,
                                  uintptr_t begin, uintptr_t end,
                                  uintptr_t low, uintptr_t high)
{
    for (uintptr_t p = begin; p < min(low, end); p += sizeof(T))
        *reinterpret_cast<T *>(place + (p - origin)) =
            *reinterpret_cast<const T *>(p);
    for (uintptr_t p = max(high, begin); p < end; p += sizeof(T))
        *reinterpret_cast<T *>(place + (p - origin)) =
            *reinterpret_cast<const T *>(p);
}

// Pide `step` filas de x y de dy. Con copias masivas lo llama un hilo; sin
// ellas, todos los del bloque.
template <typename T, bool EDGES>
__device__ inline void fill_slot(char *slot, const backward_args &a,
                                 uint64_t *full, int row, int step, int first,
                                 int span)
{
    const T *array[2] = { static_cast<const T *>(a.x),
                          static_cast<const T *>(a.dy) };
    const int half = a.slot_bytes / 2;
    uintptr_t low[2], high[2], origin[2];
    uint32_t total = 0;
#pragma unroll
    for (int k = 0; k < 2; k++) {
        const uintptr_t start = (uintptr_t)array[k];
        const uintptr_t from = start + (int64_t)row * a.columns * sizeof(T);
        const int64_t length = (int64_t)min(step, a.rows - row) * a.columns
                               * sizeof(T);
        if (!EDGES) {
            origin[k] = low[k] = from + first * sizeof(T);
            high[k] = max(low[k], min(from + length,
                                      low[k] + span * sizeof(T)));
        } else {
            const uintptr_t to = from + length;
            origin[k] = from / LINE * LINE + first * sizeof(T);
            low[k] = max(from / 16 * 16, origin[k]);
            high[k] = max(low[k], min((to + 15) / 16 * 16,
                                      origin[k] + span * sizeof(T)));
            const uintptr_t begin = max(from, low[k]);
            const uintptr_t end = min(to, high[k]);
            const uintptr_t stop = start + (int64_t)a.rows * a.columns
                                           * sizeof(T);
            if (high[k] > low[k] && low[k] < start)
                low[k] += 16;
            if (high[k] > low[k] && high[k] > stop)
                high[k] -= 16;
            if (threadIdx.x == 0 && begin < end
                && (low[k] > begin || high[k] < end))
                copy_loose<T>(slot + k * half, origin[k], begin, end, low[k],
                              high[k]);
        }
        total += (uint32_t)(high[k] - low[k]);
    }
#if BULK_COPIES
    barrier_expect(full, total);
#pragma unroll
    for (int k = 0; k < 2; k++)
        if (high[k] > low[k])
            bulk_load(slot + k * half + (low[k] - origin[k]), low[k],
                      (uint32_t)(high[k] - low[k]), full);
#else
#pragma unroll
    for (int k = 0; k < 2; k++)
        for (uintptr_t p = low[k] + 16 * (uintptr_t)threadIdx.x; p < high[k];
             p += 16 * (uintptr_t)blockDim.x)
            copy16(slot + k * half + (p - origin[k]), p);
#endif
}

// ---- La suma de la fila, en dos mitades: publicar lo propio, recoger todo -----
// scratch guarda 2 · STEP · WARPS · CLUSTER valores: se alterna por turnos.
template <int WARPS, int CLUSTER, int STEP>
__device__ inline void publish(const float (&sum)[STEP], float *scratch,
                               uint64_t *bell, int turn)
{
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    float *mine = scratch + (turn & 1) * STEP * WARPS * CLUSTER;
    if constexpr (CLUSTER > 1) {
        if (lane < CLUSTER)
            put_async(&mine[cluster_rank() * WARPS + warp], lane, sum[0],
                      &bell[turn & 1]);
        if (threadIdx.x == 0)
            barrier_expect(&bell[turn & 1], 4 * WARPS * CLUSTER);
    } else if constexpr (WARPS > 1) {
#pragma unroll
        for (int s = 0; s < STEP; s++)
            if (lane == s)
                mine[s * WARPS + warp] = sum[s];
    }
}

template <int WARPS, int CLUSTER, int STEP>
__device__ inline void collect(float (&sum)[STEP], const float *scratch,
                               uint64_t *bell, int turn)
{
    const float *all = scratch + (turn & 1) * STEP * WARPS * CLUSTER;
    if constexpr (CLUSTER > 1)
        barrier_wait_cluster(&bell[turn & 1], turn >> 1 & 1);
    else if constexpr (WARPS > 1)
        __syncthreads();
    else
        __syncwarp();
    if constexpr (WARPS * CLUSTER > 1)
#pragma unroll
        for (int s = 0; s < STEP; s++)
            sum[s] = gather_sum<WARPS * CLUSTER>(all + s * WARPS);
}
