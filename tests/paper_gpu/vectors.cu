// Vectors, hinted loads and stores, arithmetic, and grains of several sizes
#include "check.h"

__global__ __launch_bounds__(128) void scale(float4 *out,
    const float4 *__restrict__ in, float factor)
{
    int i = (int)threadIdx.x;
    const float4 v = __ldg(in + i);
    out[i] = make_float4(v.x * factor, v.y * factor, v.z * factor,
                         v.w * factor);
}

// A head and a tail in single floats, the middle in sixteen bytes
__global__ void mixed(float *out, const float *in, int n)
{
    int head = (4 - (int)((uintptr_t)in / 4 % 4)) % 4;
    int fours = (n - head) / 4;
    int i = (int)threadIdx.x;
    if (i < head) out[i] = __ldcs(in + i);
    if (i < fours) {
        const float4 *from = reinterpret_cast<const float4 *>(in + head);
        float4 v = __ldcg(from + i);
        out[head + 4 * i] = v.x;
        out[head + 4 * i + 1] = v.y;
        out[head + 4 * i + 2] = v.z;
        out[head + 4 * i + 3] = v.w;
    }
    int tail = head + 4 * fours + i;
    if (tail < n) __stcs(out + tail, in[tail]);
}

// Neighbouring bytes belong to different threads
__global__ void bytes(unsigned char *out, short *halves)
{
    out[threadIdx.x] = (unsigned char)threadIdx.x;
    halves[threadIdx.x] = (short)-threadIdx.x;
}

struct settings { float scale; int shift[5]; };
__constant__ float factors[4] = { 1, 2, 4, 8 };
__device__ int calls;

__global__ void by_value(float *out, const __grid_constant__ settings s)
{
    int i = (int)threadIdx.x;
    out[i] = s.scale * factors[i % 4] + s.shift[i % 5];
    atomicAdd(&calls, 1);
}

__device__ __forceinline__ float root(float x) { return rsqrtf(x); }

__global__ void numbers(float *out, int *whole)
{
    out[0] = root(16);
    out[1] = __fmaf_rn(3, 4, 5);
    out[2] = fmaxf(min(3.0f, 4.0f), max(1.0f, 2.0f));
    out[3] = __int_as_float(0x3f800000) + __fadd_rn(1, 1) + __fmul_rn(2, 3)
           + __fdiv_rn(1, 4) + __fsqrt_rn(9) + __frcp_rn(4);
    whole[0] = __float_as_int(1.0f);
    whole[1] = __popc(0xf0f0u) + __clz(1) + __ffs(8);
    whole[2] = min(-3, 4) + max(5, 6);
    uint2 a = make_uint2(1, 2);
    int4 b = make_int4(3, 4, 5, 6);
    double2 c = make_double2(0.5, 0.25);
    whole[3] = (int)(a.x + a.y) + b.x + b.y + b.z + b.w + (int)(4 * c.y);
}

int main()
{
    array<float4> v(128), w(128);
    for (int i = 0; i < 128; i++)
        v[i] = make_float4((float)i, (float)(i + 1), (float)(i + 2), 0.5f);
    v.send();
    scale<<<1, 128>>>(w.device, v.device, 2);
    w.fetch();
    for (int i = 0; i < 128; i++)
        CHECK(w[i].x == 2 * i && w[i].y == 2 * (i + 1) && w[i].w == 1);
    array<float> x(300), y(300);
    for (int i = 0; i < 300; i++) x[i] = (float)i;
    x.send();
    for (int start = 0; start < 5; start++) {
        mixed<<<1, 128>>>(y.device, x.device + start, 257);
        CUDA(cudaGetLastError());
        CUDA(cudaMemcpy(y.host, y.device, 257 * 4, cudaMemcpyDeviceToHost));
        for (int i = 0; i < 257; i++) CHECK(y[i] == (float)(i + start));
    }
    array<unsigned char> small(100);
    array<short> halves(100);
    bytes<<<1, 100>>>(small.device, halves.device);
    small.fetch(); halves.fetch();
    for (int i = 0; i < 100; i++) CHECK(small[i] == i && halves[i] == -i);
    settings s = { 3, { 1, 2, 3, 4, 5 } };
    array<float> out(20);
    by_value<<<1, 20>>>(out.device, s);
    out.fetch();
    for (int i = 0; i < 20; i++)
        CHECK(out[i] == 3 * (1 << i % 4) + i % 5 + 1);
    array<float> f(4);
    array<int> n(4);
    numbers<<<1, 1>>>(f.device, n.device);
    f.fetch(); n.fetch();
    CHECK(f[0] == 0.25f && f[1] == 17 && f[2] == 3 && f[3] == 12.5f);
    CHECK(n[0] == 0x3f800000 && n[1] == 8 + 31 + 4 && n[2] == 3 && n[3] == 22);
    return finish();
}
