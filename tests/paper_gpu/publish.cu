// Data handed from one block to another: fences and atomics, and volatile flags
#include "check.h"

// The last block to finish adds up what all have left
__global__ void one_fence(const float *in, float *part, unsigned *done,
                          float *out)
{
    __shared__ float s[64];
    __shared__ bool last;
    s[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
    __syncthreads();
    for (int half = 32; half > 0; half /= 2) {
        if ((int)threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) {
        part[blockIdx.x] = s[0];
        __threadfence();
        last = atomicAdd(done, 1u) == gridDim.x - 1;
    }
    __syncthreads();
    if (last && threadIdx.x == 0) {
        float total = 0;
        for (unsigned b = 0; b < gridDim.x; b++) total += part[b];
        *out = total;
        *done = 0;
    }
}

// Each thread leaves something, and fences it before the barrier
__global__ void many_fences(float *part, unsigned *done, float *out)
{
    __shared__ bool last;
    part[blockIdx.x * blockDim.x + threadIdx.x] = 1;
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) last = atomicAdd(done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (!last) return;
    __threadfence();
    float total = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
        total += part[b * blockDim.x + threadIdx.x];
    out[threadIdx.x] = total;
}

// The barrier first, then one thread fences for all
__global__ void barrier_then_fence(float *part, unsigned *done, float *out)
{
    __shared__ bool last;
    part[blockIdx.x * blockDim.x + threadIdx.x] = 2;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(done, 1u) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();
    if (!last) return;
    float total = 0;
    for (unsigned b = 0; b < gridDim.x; b++)
        total += part[b * blockDim.x + threadIdx.x];
    out[threadIdx.x] = total;
}

// One warp waits for a flag that another raises
__global__ void flag(int *data, volatile int *ready, int *out)
{
    if (threadIdx.x == 40) {
        *data = 7;
        __threadfence();
        *ready = 1;
    }
    if (threadIdx.x == 3) {
        while (*ready == 0) {}
        __threadfence();
        *out = *data;
    }
}

int main()
{
    array<float> in(640), part(640), out(64);
    array<unsigned> done(1);
    for (int i = 0; i < 640; i++) in[i] = (float)(i % 10);
    in.send(); done.send();
    for (int again = 0; again < 2; again++) {
        one_fence<<<10, 64>>>(in.device, part.device, done.device, out.device);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpy(out.host, out.device, 4, cudaMemcpyDeviceToHost));
        CHECK(out[0] == 64 * 45);
    }
    many_fences<<<10, 64>>>(part.device, done.device, out.device);
    out.fetch();
    for (int i = 0; i < 64; i++) CHECK(out[i] == 10);
    done.send();
    barrier_then_fence<<<10, 64>>>(part.device, done.device, out.device);
    out.fetch();
    for (int i = 0; i < 64; i++) CHECK(out[i] == 20);
    array<int> data(1), ready(1), result(1);
    ready.send();
    flag<<<1, 64>>>(data.device, ready.device, result.device);
    result.fetch();
    CHECK(result[0] == 7);
    return finish();
}
