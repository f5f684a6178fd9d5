// Shared memory: static, of several shapes, in templates, and dynamic
#include "check.h"

struct pair { float first; int second; };

template <typename T> __global__ void transpose(T *out, const T *in)
{
    __shared__ T tile[8][8 + 1];
    __shared__ T sum, spare[2], *first;
    tile[threadIdx.y][threadIdx.x] = in[threadIdx.y * 8 + threadIdx.x];
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        sum = 3;
        spare[1] = 4;
        first = &tile[0][0];
    }
    __syncthreads();
    T value = tile[threadIdx.x][threadIdx.y] + first[0] - tile[0][0];
    out[threadIdx.y * 8 + threadIdx.x] = value + sum + spare[1];
}

__global__ void structures(float *out)
{
    static __shared__ __align__(16) pair table[4];
    table[threadIdx.x].first = 0.5f * threadIdx.x;
    table[threadIdx.x].second = (int)threadIdx.x;
    __syncthreads();
    const pair p = table[3 - threadIdx.x];
    out[threadIdx.x] = p.first + p.second;
}

__global__ void reverse(int *data, int n)
{
    extern __shared__ int line[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) line[i] = data[i];
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        data[i] = line[n - 1 - i];
}

__global__ void two_parts(double *out)
{
    extern __shared__ __align__(16) unsigned char bytes[];
    double *left = reinterpret_cast<double *>(bytes);
    short *right = reinterpret_cast<short *>(left + blockDim.x);
    left[threadIdx.x] = threadIdx.x * 0.25;
    right[threadIdx.x] = (short)threadIdx.x;
    __syncthreads();
    unsigned other = blockDim.x - 1 - threadIdx.x;
    out[threadIdx.x] = left[other] + right[other];
}

template <typename T> static void check_transpose()
{
    array<T> in(64), out(64);
    for (int i = 0; i < 64; i++) in[i] = (T)i;
    in.send();
    transpose<T><<<1, dim3(8, 8)>>>(out.device, in.device);
    out.fetch();
    for (int i = 0; i < 64; i++) CHECK(out[i] == in[i % 8 * 8 + i / 8] + 7);
}

static void check_reverse(int n)
{
    array<int> data(n);
    for (int i = 0; i < n; i++) data[i] = i * 3;
    data.send();
    reverse<<<1, 128, n * sizeof(int)>>>(data.device, n);
    data.fetch();
    for (int i = 0; i < n; i++) CHECK(data[i] == (n - 1 - i) * 3);
}

int main()
{
    check_transpose<float>();
    check_transpose<double>();
    check_transpose<int>();
    array<float> pairs(4);
    structures<<<1, 4>>>(pairs.device);
    pairs.fetch();
    for (int i = 0; i < 4; i++) CHECK(pairs[i] == 1.5f * (3 - i));
    check_reverse(1);
    check_reverse(1000);
    CUDA(cudaFuncSetAttribute(reverse,
        cudaFuncAttributeMaxDynamicSharedMemorySize, 96 * 1024));
    check_reverse(24 * 1024);
    array<double> parts(50);
    two_parts<<<1, 50, 50 * (sizeof(double) + sizeof(short))>>>(parts.device);
    parts.fetch();
    for (int i = 0; i < 50; i++) CHECK(parts[i] == 1.25 * (49 - i));
    return finish();
}
