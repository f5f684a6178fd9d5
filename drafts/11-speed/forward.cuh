// Los peldaños del forward.
#pragma once
#include "ring.cuh"

// ---- Peldaño 0: una fila por bloque, dos lecturas de x -----------------------
template <typename T>
__global__ void __launch_bounds__(1024) forward_course(const forward_args a)
{
    __shared__ float scratch[32];
    const int64_t row = blockIdx.x;
    const T *x = static_cast<const T *>(a.x) + row * a.columns;
    const T *gamma = static_cast<const T *>(a.gamma);
    T *y = static_cast<T *>(a.y) + row * a.columns;
    float sum = 0;
    for (int c = threadIdx.x; c < a.columns; c += blockDim.x) {
        float value = widen(x[c]);
        sum += value * value;
    }
    sum = warp_sum(sum);
    if (threadIdx.x % 32 == 0)
        scratch[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x % 32 < blockDim.x / 32 ? scratch[threadIdx.x % 32] : 0;
    sum = warp_sum(sum);
    const float r = 1.0f / sqrtf(sum / a.columns + a.epsilon);
    for (int c = threadIdx.x; c < a.columns; c += blockDim.x)
        narrow(widen(x[c]) * r * widen(gamma[c]), &y[c]);
    if (threadIdx.x == 0)
        a.inverse_rms[row] = r;
}

// ---- Filas estrechas: un warp por fila, elementos sueltos ---------------------
template <typename T, int GROUPS, int ITEMS>
__global__ void __launch_bounds__(32 * GROUPS)
forward_narrow(const forward_args a)
{
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * GROUPS + threadIdx.x / 32;
    let_next_kernel_start();
    wait_previous_kernel();
    if (row >= a.rows)
        return;
    const T *x = static_cast<const T *>(a.x) + (int64_t)row * a.columns;
    const T *gamma = static_cast<const T *>(a.gamma);
    T *y = static_cast<T *>(a.y) + (int64_t)row * a.columns;
    float value[ITEMS], weight[ITEMS], sum = 0;
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int c = lane + 32 * i;
        value[i] = c < a.columns ? widen(x[c]) : 0;
        weight[i] = c < a.columns ? widen(gamma[c]) : 0;
    }
#pragma unroll
    for (int i = 0; i < ITEMS; i++)
        sum += value[i] * value[i];
    sum = warp_sum(sum);
    const float r = rsqrtf(sum * a.inverse_columns + a.epsilon);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int c = lane + 32 * i;
        if (c < a.columns)
            narrow(value[i] * r * weight[i], &y[c]);
    }
    if (lane == 0)
        a.inverse_rms[row] = r;
}

// ---- Por granos: STEP filas por bloque, o CLUSTER bloques por fila ------------
template <typename T, bool EDGES, int WARPS, int ITEMS, int CLUSTER, int STEP,
          int MIN_BLOCKS>
__global__ void __launch_bounds__(32 * WARPS, MIN_BLOCKS)
forward_grains(const forward_args a)
{
    constexpr int THREADS = 32 * WARPS, W = 16 / sizeof(T);
    __shared__ float scratch[2 * STEP * WARPS * CLUSTER];
    __shared__ uint64_t bell[2];
    const unsigned rank = CLUSTER > 1 ? cluster_rank() : 0;
    const int row = (int)(blockIdx.x / CLUSTER) * STEP;
    if constexpr (CLUSTER > 1) {
        if (threadIdx.x == 0)
            barrier_init(&bell[0]);
        barrier_init_visible();
        cluster_arrive();
    }
    let_next_kernel_start();
    wait_previous_kernel();

    const T *x = static_cast<const T *>(a.x) + (int64_t)row * a.columns;
    T *y = static_cast<T *>(a.y) + (int64_t)row * a.columns;
    const int shift = EDGES ? shift_of(x) : 0;
    const int first = (int)rank * a.segment + (int)threadIdx.x * W - shift;
    const int limit = CLUSTER > 1
        ? min(a.columns, ((int)rank + 1) * a.segment - shift) : a.columns;
    grain value[STEP][ITEMS];
    float sum[STEP];
#pragma unroll
    for (int s = 0; s < STEP; s++)
#pragma unroll
        for (int i = 0; i < ITEMS; i++)
            value[s][i] = load_grain<T, EDGES>(
                x + (int64_t)s * a.columns, first + i * THREADS * W,
                STEP == 1 || row + s < a.rows ? limit : 0, a.columns);
#pragma unroll
    for (int s = 0; s < STEP; s++) {
        sum[s] = 0;
#pragma unroll
        for (int i = 0; i < ITEMS; i++) {
            float v[W];
            widen(value[s][i], v, T());
#pragma unroll
            for (int w = 0; w < W; w++)
                sum[s] += v[w] * v[w];
        }
        sum[s] = warp_sum(sum[s]);
    }
    if constexpr (CLUSTER > 1)
        cluster_wait();
    publish<WARPS, CLUSTER>(sum, scratch, bell, 0);
    collect<WARPS, CLUSTER>(sum, scratch, bell, 0);
#pragma unroll
    for (int s = 0; s < STEP; s++)
        sum[s] = rsqrtf(sum[s] * a.inverse_columns + a.epsilon);
#pragma unroll
    for (int i = 0; i < ITEMS; i++) {
        const int c = first + i * THREADS * W;
        const grain weight = load_weight<T, EDGES>(
            static_cast<const T *>(a.gamma), c, limit, a.columns);
        float g[W];
        widen(weight, g, T());
#pragma unroll
        for (int s = 0; s < STEP; s++) {
            float v[W];
            forget(value[s][i]);
            widen(value[s][i], v, T());
#pragma unroll
            for (int w = 0; w < W; w++)
                v[w] = v[w] * sum[s] * g[w];
            store_grain<T, EDGES>(
                y + (int64_t)s * a.columns, c,
                STEP == 1 || row + s < a.rows ? limit : 0, a.columns,
                narrow(v, T()));
        }
    }
#pragma unroll
    for (int s = 0; s < STEP; s++)
        if ((int)threadIdx.x == s && rank == 0 && row + s < a.rows)
            a.inverse_rms[row + s] = sum[s];
}
