// The block's barriers, and those of the warp
#include "check.h"

__global__ void sum(float *out, const float *in, int n)
{
    __shared__ float part[1024];
    float s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x) s += in[i];
    part[threadIdx.x] = s;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void votes(int *out)
{
    int me = (int)threadIdx.x, n = (int)blockDim.x;
    int odd = __syncthreads_count(me % 2);
    bool any = __syncthreads_or(me == n - 1);
    bool none = __syncthreads_or(me == n);
    bool all = __syncthreads_and(me < n);
    bool not_all = __syncthreads_and(me < n - 1);
    out[me] = odd * 16 + any * 8 + none * 4 + all * 2 + not_all;
}

// Pairs of a warp talk through shared memory
__global__ void neighbours(int *out)
{
    __shared__ int box[64];
    int me = (int)threadIdx.x;
    box[me] = me;
    __syncwarp();
    int other = box[me ^ 1];
    __syncwarp();
    box[me] = other * 10;
    __syncwarp(0xffffffffu);
    out[me] = box[me ^ 1];
}

// Each half of a warp has its own barriers
__global__ void halves(int *out)
{
    __shared__ int box[32];
    int me = (int)threadIdx.x;
    box[me] = me;
    if (me < 16) {
        for (int i = 0; i < 3; i++) {
            __syncwarp(0x0000ffffu);
            int v = box[(me + 1) % 16];
            __syncwarp(0x0000ffffu);
            box[me] = v;
        }
    } else {
        __syncwarp(0xffff0000u);
        int v = box[16 + (me + 1) % 16];
        __syncwarp(0xffff0000u);
        box[me] = v;
    }
    out[me] = box[me];
}

int main()
{
    array<float> in(1000), out(3);
    for (int i = 0; i < 1000; i++) in[i] = (float)(i % 17);
    in.send();
    float expected = 0;
    for (int i = 0; i < 1000; i++) expected += in[i];
    for (int threads = 1; threads <= 1024; threads *= 2) {
        sum<<<3, threads>>>(out.device, in.device, 1000);
        out.fetch();
        for (int b = 0; b < 3; b++) CHECK(out[b] == expected);
    }
    array<int> v(100);
    votes<<<1, 100>>>(v.device);
    v.fetch();
    for (int i = 0; i < 100; i++) CHECK(v[i] == 50 * 16 + 8 + 2);
    array<int> n(64), h(32);
    neighbours<<<1, 64>>>(n.device);
    n.fetch();
    for (int i = 0; i < 64; i++) CHECK(n[i] == i * 10);
    halves<<<1, 32>>>(h.device);
    h.fetch();
    for (int i = 0; i < 16; i++) CHECK(h[i] == (i + 3) % 16);
    for (int i = 0; i < 16; i++) CHECK(h[16 + i] == 16 + (i + 1) % 16);
    return finish();
}
