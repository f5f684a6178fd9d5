// Los peldaños del backward: dx y dgamma.
#pragma once
#include "ring.cuh"

// ---- Peldaño 0: dx y una contribución privada por elemento -------------------
template <typename T>
__global__ void __launch_bounds__(1024) backward_course(const backward_args a)
{
    __shared__ float scratch[32];
    const int64_t row = blockIdx.x, offset = row * a.columns;
    const T *x = static_cast<const T *>(a.x) + offset;
    const T *dy = static_cast<const T *>(a.dy) + offset;
    const T *gamma = static_cast<const T *>(a.gamma);
    T *dx = static_cast<T *>(a.dx) + offset;
    const float r = a.inverse_rms[row];
    float sum = 0;
    for (int c = threadIdx.x; c < a.columns; c += blockDim.x)
        sum += widen(dy[c]) * widen(gamma[c]) * widen(x[c]);
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0)
        scratch[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x % 32 < blockDim.x / 32 ? scratch[threadIdx.x % 32] : 0;
    sum = warp_sum(sum);
    const float scale = r * r * r * (sum / a.columns);
    for (int c = threadIdx.x; c < a.columns; c += blockDim.x) {
        float value = widen(x[c]), grad = widen(dy[c]);
        narrow(r * grad * widen(gamma[c]) - value * scale, &dx[c]);
        a.partial[offset + c] = grad * value * r;
    }
}

// ---- Suma final en el mismo kernel: cada bloque iza su bandera ------------------
// Ningún bloque suma hasta ver todas las banderas; después, cada uno suma un
// tramo de columnas, siempre en el mismo orden. Exige que todos los bloques
// estén a la vez en la GPU (lanzamiento cooperativo).
template <typename T>
__device__ void finish_dgamma(const backward_args &a, float *tile)
{
    __shared__ unsigned epoch;
    __syncthreads();
    if (threadIdx.x == 0) {
        epoch = a.flags[blockIdx.x] + 1;
        raise_flag(&a.flags[blockIdx.x], epoch);
    }
    __syncthreads();
    const int blocks = gridDim.x, threads = blockDim.x;
    const int slice = ((a.columns + blocks - 1) / blocks + 7) / 8 * 8;
    const int from = blockIdx.x * slice, to = min(a.columns, from + slice);
    if (from >= to)
        return;
    for (int b = threadIdx.x; b < blocks; b += threads)
        wait_flag(&a.flags[b], epoch);
    __syncthreads();
    const int width = min(slice, threads), splits = threads / width;
    const int lane = threadIdx.x % width, split = threadIdx.x / width;
    for (int base = from; base < to; base += width) {
        const int c = base + lane;
        float sum = 0;
        if (c < to && split < splits)
#pragma unroll 12
            for (int p = split; p < a.parts; p += splits)
                sum += __ldcg(a.partial + (int64_t)p * a.columns + c);
        tile[threadIdx.x] = sum;
        __syncthreads();
        if (split == 0 && c < to) {
            for (int s = 1; s < splits; s++)
                sum += tile[s * width + lane];
            narrow(sum, static_cast<T *>(a.dgamma) + c);
        }
        __syncthreads();
    }
}

// ---- Filas estrechas: un warp por fila, elementos sueltos ------------------------
template <typename T, int GROUPS, int ITEMS, int MIN_BLOCKS>
__global__ void __launch_bounds__(32 * GROUPS, MIN_BLOCKS)
backward_narrow(const backward_args a)
{
    extern __shared__ __align__(16) char shared[];
    float *tile = reinterpret_cast<float *>(shared);     // GROUPS filas
    const int lane = threadIdx.x % 32, group = threadIdx.x / 32;
    let_next_kernel_start();
    wait_previous_kernel();
    const T *gamma = static_cast<const T *>(a.gamma);
    float weight[ITEMS], total[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int c = lane + 32 * i;
        weight[i] = c < a.columns ? widen(gamma[c]) : 0;
        total[i] = 0;
    }
    for (int row = blockIdx.x * GROUPS + group; row < a.rows;
         row += gridDim.x * GROUPS) {
        const int64_t offset = (int64_t)row * a.columns;
        const T *x = static_cast<const T *>(a.x) + offset;
        const T *dy = static_cast<const T *>(a.dy) + offset;
        T *dx = static_cast<T *>(a.dx) + offset;
        const float r = a.inverse_rms[row];
        float value[ITEMS], grad[ITEMS], sum = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const int c = lane + 32 * i;
            value[i] = c < a.columns ? widen(x[c]) : 0;
            grad[i] = c < a.columns ? widen(dy[c]) : 0;
        }
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            total[i] += grad[i] * (value[i] * r);
            grad[i] *= weight[i];
            sum += grad[i] * value[i];
        }
        sum = warp_sum(sum);
        const float scale = r * r * (sum * a.inverse_columns);
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            const int c = lane + 32 * i;
            if (c < a.columns)
                narrow(r * (grad[i] - value[i] * scale), &dx[c]);
        }
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int c = lane + 32 * i;
        if (c < a.columns)
            tile[group * a.columns + c] = total[i];
    }
    __syncthreads();
    float *partial = a.partial + (int64_t)blockIdx.x * a.columns;
    for (int c = threadIdx.x; c < a.columns; c += 32 * GROUPS) {
        float sum = 0;
#pragma unroll
        for (int g = 0; g < GROUPS; g++)
            sum += tile[g * a.columns + c];
        partial[c] = sum;
    }
    if (a.flags)
        finish_dgamma<T>(a, tile);
}

// ---- Filas por un anillo en memoria compartida -----------------------------------
// Primera mitad de una fila: su parte de Σ dy·gamma·x, y lo que suma a dgamma.
template <typename T, bool EDGES, int THREADS, int ITEMS>
__device__ inline float first_half(const char *x, const char *dy, float r,
    grain (&weight)[ITEMS], float (&total)[ITEMS][16 / sizeof(T)], int first,
    int limit, int columns)
{
    constexpr int W = 16 / sizeof(T);
    float sum = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int c = first + i * THREADS * W;
        if (c >= limit)
            continue;
        const int at = ((int)threadIdx.x + i * THREADS) * 16;
        const grain gx = load_again(x + at), gdy = load_again(dy + at);
        float v[W], u[W], g[W];
        widen(gx, v, T());
        widen(gdy, u, T());
        if (EDGES && (c < 0 || c + W > columns))
#pragma unroll
            for (int w = 0; w < W; w++)
                if (c + w < 0 || c + w >= columns)
                    v[w] = u[w] = 0;
        forget(weight[i]);
        widen(weight[i], g, T());
#pragma unroll
        for (int w = 0; w < W; w++) {
            sum += u[w] * g[w] * v[w];
            total[i][w] += u[w] * (v[w] * r);
        }
    }
    return sum;
}

// Segunda mitad: dx, cuando ya se conoce la suma de la fila.
template <typename T, bool EDGES, int THREADS, int ITEMS>
__device__ inline void second_half(const char *x, const char *dy, float r,
    float scale, grain (&weight)[ITEMS], T *dx, int first, int limit,
    int columns)
{
    constexpr int W = 16 / sizeof(T);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int c = first + i * THREADS * W;
        if (c >= limit)
            continue;
        const int at = ((int)threadIdx.x + i * THREADS) * 16;
        const grain gx = load_again(x + at), gdy = load_again(dy + at);
        float v[W], u[W], g[W];
        widen(gx, v, T());
        widen(gdy, u, T());
        forget(weight[i]);
        widen(weight[i], g, T());
#pragma unroll
        for (int w = 0; w < W; w++)
            v[w] = r * (u[w] * g[w] - v[w] * scale);
        store_grain<T, EDGES>(dx, c, limit, columns, narrow(v, T()));
    }
}

// Cada trabajador (un bloque, o un cluster) toma las filas worker, worker +
// workers…, de STEP en STEP. La primera mitad del paso i + 1 va antes que la
// segunda del paso i: la suma de uno viaja mientras se escribe el otro.
template <typename T, bool EDGES, int WARPS, int ITEMS, int CLUSTER, int STEP,
          int MIN_BLOCKS>
__global__ void __launch_bounds__(32 * WARPS, MIN_BLOCKS)
backward_ring(const backward_args a)
{
    constexpr int THREADS = 32 * WARPS, W = 16 / sizeof(T);
    constexpr int LAG = CLUSTER > 1 ? 1 : 0;  // pasos hasta soltar la ranura
    extern __shared__ __align__(128) char shared[];
    __shared__ float scratch[2 * STEP * WARPS * CLUSTER];
    __shared__ uint64_t full[MAX_SLOTS], bell[2];
    const int half = a.slot_bytes / 2;
    const int row_bytes = a.columns * (int)sizeof(T);
    const unsigned rank = CLUSTER > 1 ? cluster_rank() : 0;
    const bool leader = threadIdx.x == 0 || !BULK_COPIES;

    if (threadIdx.x == 0) {
        for (int s = 0; s < a.slots; s++)
            barrier_init(&full[s]);
        barrier_init(&bell[0]);
        barrier_init(&bell[1]);
    }
    barrier_init_visible();
    __syncthreads();
    if constexpr (CLUSTER > 1)
        cluster_arrive();
    let_next_kernel_start();
    wait_previous_kernel();

    const int start = (int)(blockIdx.x / CLUSTER) * STEP;
    const int jump = a.workers * STEP;
    const int turns = (a.rows - start + jump - 1) / jump;
    const int span = CLUSTER > 1 ? a.segment : STEP * a.columns + LINE;
    for (int s = 0; s < a.slots; s++) {
        if (leader && s < turns)
            fill_slot<T, EDGES>(shared + s * a.slot_bytes, a, &full[s],
                                start + s * jump, STEP, rank * span, span);
        copy_commit();
    }
    const int shift = EDGES ? shift_of(static_cast<const T *>(a.x)
                                       + (int64_t)start * a.columns) : 0;
    const int first = (int)rank * span + (int)threadIdx.x * W - shift;
    const int limit = CLUSTER > 1
        ? min(a.columns, ((int)rank + 1) * span - shift) : a.columns;
    grain weight[ITEMS];
    float total[ITEMS][W];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        weight[i] = load_weight<T, EDGES>(static_cast<const T *>(a.gamma),
                                          first + i * THREADS * W, limit,
                                          a.columns);
#pragma unroll
        for (int w = 0; w < W; w++)
            total[i][w] = 0;
    }
    if constexpr (CLUSTER > 1)
        cluster_wait();

    float r[STEP], r_next[STEP], r_after[STEP], sum[STEP];
    auto saved = [&](float (&to)[STEP], int turn) {
#pragma unroll
        for (int s = 0; s < STEP; s++) {
            const int row = start + turn * jump + s;
            to[s] = row < a.rows ? a.inverse_rms[row] : 0;
        }
    };
    auto begin = [&](int slot, int turn) {
#pragma unroll
        for (int s = 0; s < STEP; s++) {
            sum[s] = 0;
            const char *x = shared + slot * a.slot_bytes + s * row_bytes;
            if (STEP == 1 || start + turn * jump + s < a.rows)
                sum[s] = first_half<T, EDGES, THREADS, ITEMS>(
                    x, x + half, r_next[s], weight, total, first, limit,
                    a.columns);
        }
#pragma unroll
        for (int s = 0; s < STEP; s++)
            sum[s] = warp_sum(sum[s]);
        publish<WARPS, CLUSTER>(sum, scratch, bell, turn);
    };
    int here = 0, ahead = 0, parity = 0;   // ranuras de los pasos i e i + 1
    if (turns > 0) {
        saved(r_next, 0);
        barrier_wait(&full[0], 0);
        copy_wait_pending(a.slots - 2);
        copies_visible<WARPS, CLUSTER>();
        begin(0, 0);
#pragma unroll
        for (int s = 0; s < STEP; s++)
            r[s] = r_next[s];
        saved(r_next, 1);
        collect<WARPS, CLUSTER>(sum, scratch, bell, 0);
    }
#pragma unroll 1
    for (int turn = 0; turn < turns; turn++) {
        const bool more = turn + 1 < turns;
        float scale[STEP];
#pragma unroll
        for (int s = 0; s < STEP; s++)
            scale[s] = r[s] * r[s] * (sum[s] * a.inverse_columns);
        saved(r_after, turn + 2);
        if (more) {
            if (++ahead == a.slots) {
                ahead = 0;
                parity ^= 1;
            }
            barrier_wait(&full[ahead], parity);
            copy_wait_pending(a.slots - 2);
            copies_visible<WARPS, CLUSTER>();
            begin(ahead, turn + 1);
        }
#pragma unroll
        for (int s = 0; s < STEP; s++) {
            const int row = start + turn * jump + s;
            const char *x = shared + here * a.slot_bytes + s * row_bytes;
            if (STEP == 1 || row < a.rows)
                second_half<T, EDGES, THREADS, ITEMS>(
                    x, x + half, r[s], scale[s], weight,
                    static_cast<T *>(a.dx) + (int64_t)row * a.columns, first,
                    limit, a.columns);
        }
        if (more)
            collect<WARPS, CLUSTER>(sum, scratch, bell, turn + 1);
        const int next = turn - LAG + a.slots;
        if (leader && turn >= LAG && next < turns) {
            const int target = here >= LAG ? here - LAG : here - LAG + a.slots;
            fill_slot<T, EDGES>(shared + target * a.slot_bytes, a,
                                &full[target], start + next * jump, STEP,
                                rank * span, span);
        }
        copy_commit();
#pragma unroll
        for (int s = 0; s < STEP; s++) {
            r[s] = r_next[s];
            r_next[s] = r_after[s];
        }
        here = ahead;
    }
    float *partial = a.partial + (int64_t)(blockIdx.x / CLUSTER) * a.columns;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int c = first + i * THREADS * W;
        if (c >= limit)
            continue;
        if constexpr (EDGES) {
#pragma unroll
            for (int w = 0; w < W; w++)
                if (c + w >= 0 && c + w < a.columns)
                    partial[c + w] = total[i][w];
        } else {
#pragma unroll
            for (int w = 0; w < W; w += 4)
                *reinterpret_cast<float4 *>(partial + c + w) =
                    make_float4(total[i][w], total[i][w + 1],
                                total[i][w + 2], total[i][w + 3]);
        }
    }
    if (a.flags)
        finish_dgamma<T>(a, reinterpret_cast<float *>(shared));
}

// ---- Un solo cluster para una matriz pequeña: dx y dgamma en un lanzamiento ----
template <typename T, int WARPS, int ITEMS, int CLUSTER>
__global__ void __launch_bounds__(32 * WARPS)
backward_small(const backward_args a)
{
    extern __shared__ __align__(16) char shared[];
    float *tile = reinterpret_cast<float *>(shared);    // WARPS filas
    float *sums = tile + WARPS * a.columns;             // una fila
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int rank = CLUSTER > 1 ? cluster_rank() : 0;
    wait_previous_kernel();
    const T *gamma = static_cast<const T *>(a.gamma);
    T weight[ITEMS];
    float total[ITEMS];
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int c = lane + 32 * i;
        narrow(0, &weight[i]);
        if (c < a.columns)
            weight[i] = gamma[c];
        total[i] = 0;
    }
    for (int64_t row = rank * WARPS + warp; row < a.rows;
         row += WARPS * CLUSTER) {
        const int64_t offset = row * a.columns;
        const T *x = static_cast<const T *>(a.x) + offset;
        const T *dy = static_cast<const T *>(a.dy) + offset;
        T *dx = static_cast<T *>(a.dx) + offset;
        const float r = a.inverse_rms[row];
        T value[ITEMS], grad[ITEMS];
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            int c = lane + 32 * i;
            narrow(0, &value[i]);
            narrow(0, &grad[i]);
            if (c < a.columns) {
                value[i] = x[c];
                grad[i] = dy[c];
            }
        }
        float sum = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            sum += widen(grad[i]) * widen(weight[i]) * widen(value[i]);
        sum = warp_sum(sum);
        const float scale = r * r * (sum * a.inverse_columns);
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            int c = lane + 32 * i;
            float v = widen(value[i]), g = widen(grad[i]);
            total[i] += g * (v * r);
            if (c < a.columns)
                narrow(r * (g * widen(weight[i]) - v * scale), &dx[c]);
        }
    }
    let_next_kernel_start();
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        int c = lane + 32 * i;
        if (c < a.columns)
            tile[warp * a.columns + c] = total[i];
    }
    __syncthreads();
    for (int c = threadIdx.x; c < a.columns; c += 32 * WARPS) {
        float sum = 0;
#pragma unroll
        for (int w = 0; w < WARPS; w++)
            sum += tile[w * a.columns + c];
        sums[c] = sum;
    }
    T *dgamma = static_cast<T *>(a.dgamma);
    if constexpr (CLUSTER > 1) {
        cluster_arrive();
        cluster_wait();
        for (int c = rank + CLUSTER * threadIdx.x; c < a.columns;
             c += CLUSTER * 32 * WARPS) {
            float part[CLUSTER], sum = 0;
#pragma unroll
            for (int k = 0; k < CLUSTER; k++)
                part[k] = get_remote(&sums[c], k);
#pragma unroll
            for (int k = 0; k < CLUSTER; k++)
                sum += part[k];
            narrow(sum, &dgamma[c]);
        }
        cluster_arrive();
        cluster_wait();
    } else {
        for (int c = threadIdx.x; c < a.columns; c += 32 * WARPS)
            narrow(sums[c], &dgamma[c]);
    }
}

// ---- Filas anchas sin cluster: dos lecturas de x y de dy -------------------------
template <typename T>
__global__ void __launch_bounds__(1024) backward_wide_scale(
    const backward_args a)
{
    __shared__ float scratch[32];
    const int64_t row = blockIdx.x, offset = row * a.columns;
    const T *x = static_cast<const T *>(a.x) + offset;
    const T *dy = static_cast<const T *>(a.dy) + offset;
    const T *gamma = static_cast<const T *>(a.gamma);
    float sum = 0;
    for (int c = threadIdx.x; c < a.columns; c += blockDim.x)
        sum += widen(dy[c]) * widen(gamma[c]) * widen(x[c]);
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0)
        scratch[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x % 32 < blockDim.x / 32 ? scratch[threadIdx.x % 32] : 0;
    sum = warp_sum(sum);
    const float r = a.inverse_rms[row];
    float *scale = a.partial + (int64_t)a.parts * a.columns;
    if (threadIdx.x == 0)
        scale[row] = r * r * (sum / a.columns);
}

template <typename T>
__global__ void __launch_bounds__(256) backward_wide_strip(
    const backward_args a)
{
    const int64_t strips = (a.columns + 255) / 256;
    const int part = (int)(blockIdx.x / strips);
    const int c = (int)(blockIdx.x % strips) * 256 + threadIdx.x;
    if (c >= a.columns)
        return;
    const float *scale = a.partial + (int64_t)a.parts * a.columns;
    const float weight = widen(static_cast<const T *>(a.gamma)[c]);
    float total = 0;
#pragma unroll 4
    for (int64_t row = part; row < a.rows; row += a.parts) {
        const int64_t at = row * a.columns + c;
        const float r = a.inverse_rms[row];
        const float v = widen(static_cast<const T *>(a.x)[at]);
        const float g = widen(static_cast<const T *>(a.dy)[at]);
        total += g * (v * r);
        narrow(r * (g * weight - v * scale[row]),
               static_cast<T *>(a.dx) + at);
    }
    a.partial[(int64_t)part * a.columns + c] = total;
}

// ---- Segunda pasada del peldaño 0: la del capítulo 6 ------------------------------
template <typename T>
__global__ void dgamma_course(const backward_args a)
{
    __shared__ float sums[8][32];
    const int lane = threadIdx.x % 32, group = threadIdx.x / 32;
    const int c = blockIdx.x * 32 + lane;
    float sum = 0;
    if (c < a.columns)
        for (int64_t row = group; row < a.rows; row += 8)
            sum += a.partial[row * a.columns + c];
    sums[group][lane] = sum;
    __syncthreads();
    if (group > 0 || c >= a.columns)
        return;
    for (int g = 1; g < 8; g++)
        sum += sums[g][lane];
    narrow(sum, static_cast<T *>(a.dgamma) + c);
}

// ---- Segunda pasada: suma las filas de partial, siempre en el mismo orden --------
template <typename T, int SPLIT>
__global__ void __launch_bounds__(512) dgamma_reduce(const backward_args a)
{
    __shared__ float sums[512];
    constexpr int LANES = 512 / SPLIT;
    const int lane = threadIdx.x % LANES, split = threadIdx.x / LANES;
    const int c = blockIdx.x * LANES + lane;
    let_next_kernel_start();
    wait_previous_kernel();
    float sum = 0;
    if (c < a.columns) {
        const float *from = a.partial + c;
#pragma unroll 9
        for (int p = split; p < a.parts; p += SPLIT)
            sum += __ldcg(from + (int64_t)p * a.columns);
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    if (split == 0 && c < a.columns) {
        sum = 0;
#pragma unroll
        for (int s = 0; s < SPLIT; s++)
            sum += sums[s * LANES + lane];
        narrow(sum, static_cast<T *>(a.dgamma) + c);
    }
}
