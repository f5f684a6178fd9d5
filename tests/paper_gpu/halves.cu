// fp16 and bf16: every value, every boundary between two, and kernels on them
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include "check.h"

// What a pattern means, by its definition: sign, exponent, fraction
static double meaning(unsigned bits, int fraction_bits, int bias)
{
    int exponent = (int)(bits & 0x7fff) >> fraction_bits;
    double fraction = bits & ((1u << fraction_bits) - 1);
    double v = exponent ? ldexp(fraction + (1 << fraction_bits),
                                exponent - bias - fraction_bits)
                        : ldexp(fraction, 1 - bias - fraction_bits);
    return bits & 0x8000 ? -v : v;
}

static unsigned half_of(float x) { return __half_as_ushort(__float2half(x)); }
static unsigned half_of_double(double x)
{ return __half_as_ushort(__double2half(x)); }
static unsigned bfloat_of(float x)
{ return __bfloat16_as_ushort(__float2bfloat16(x)); }
static unsigned bfloat_of_double(double x)
{ return __bfloat16_as_ushort(__double2bfloat16(x)); }

// Rounding never decreases, so that its steps say all of it: each value stays
// itself, and at the middle of two the tie goes to the even one
template <typename From>
static void check_steps(unsigned (*round)(From), int fraction_bits, int bias,
                        unsigned infinity)
{
    for (unsigned b = 0; b < infinity; b++) {
        double v = meaning(b, fraction_bits, bias);
        double next = meaning(b + 1, fraction_bits, bias);  /* ∞: 2^(max+1) */
        From middle = (From)(v + (next - v) / 2);
        unsigned even = b % 2 ? b + 1 : b;
        CHECK(round((From)v) == b);
        CHECK(round((From)-v) == (b | 0x8000));
        CHECK(round(middle) == even);
        CHECK(round(-middle) == (even | 0x8000));
        CHECK(round(nextafter(middle, (From)0)) == b);
        CHECK(round(nextafter(middle, (From)INFINITY)) == b + 1);
        if (failures > 20) return;
    }
    CHECK(round((From)INFINITY) == infinity);
    CHECK(round((From)-INFINITY) == (infinity | 0x8000));
    CHECK((round((From)NAN) & 0x7fff) > infinity);
}

static void check_values()
{
    for (unsigned b = 0; b < 0x10000; b++) {
        float h = __half2float(__ushort_as_half((unsigned short)b));
        float w = __bfloat162float(__ushort_as_bfloat16((unsigned short)b));
        if ((b & 0x7fff) < 0x7c00) CHECK(h == meaning(b, 10, 15));
        else CHECK((b & 0x3ff) ? h != h : isinf(h) && (h < 0) == (b >> 15));
        if ((b & 0x7fff) < 0x7f80) CHECK(w == meaning(b, 7, 127));
        else CHECK((b & 0x7f) ? w != w : isinf(w) && (w < 0) == (b >> 15));
        CHECK(signbit(h) == (int)(b >> 15) || h != h);
        if (failures > 20) return;
    }
}

template <typename T> __device__ float to_float(T x) { return (float)x; }
template <typename T>
__global__ void normalise(T *out, const T *in, float factor)
{
    __shared__ T kept[64];
    kept[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    float v = to_float(kept[63 - threadIdx.x]);
    out[threadIdx.x] = T(v * factor);
}

__global__ void pairs(__half2 *out, const __half *in, float *sums)
{
    int i = (int)threadIdx.x;
    __half2 p = __halves2half2(in[2 * i], in[2 * i + 1]);
    p = __hadd2(p, __float2half2_rn(1));
    p = __hmul2(p, __floats2half2_rn(2, 4));
    float2 f = __half22float2(p);
    out[i] = p;
    __half other = __shfl_xor_sync(0xffffffffu, in[2 * i], 1);
    sums[i] = f.x + f.y + __low2float(p) + __half2float(other);
    sums[i] += __half2float(__hfma(in[i], in[i], __float2half(1)));
    sums[i] += __half2float(in[i] * in[i] + in[i] - in[i] / __float2half(2));
}

template <typename T> static void check_kernel(float (*value)(T))
{
    array<T> in(64), out(64);
    for (int i = 0; i < 64; i++) in[i] = T(0.1f * i);
    in.send();
    normalise<T><<<1, 64>>>(out.device, in.device, 3);
    out.fetch();
    for (int i = 0; i < 64; i++)
        CHECK(value(out[i]) == value(T(3 * value(in[63 - i]))));
}

static float half_float(__half h) { return __half2float(h); }
static float bfloat_float(__nv_bfloat16 b) { return __bfloat162float(b); }

int main()
{
    check_values();
    check_steps<float>(half_of, 10, 15, 0x7c00);
    check_steps<double>(half_of_double, 10, 15, 0x7c00);
    check_steps<float>(bfloat_of, 7, 127, 0x7f80);
    check_steps<double>(bfloat_of_double, 7, 127, 0x7f80);
    check_kernel<__half>(half_float);
    check_kernel<__nv_bfloat16>(bfloat_float);
    array<__half> in(64);
    array<__half2> out(32);
    array<float> sums(32);
    for (int i = 0; i < 64; i++) in[i] = __float2half(0.5f * i);
    in.send();
    pairs<<<1, 32>>>(out.device, in.device, sums.device);
    sums.fetch();
    for (int i = 0; i < 32; i++) {
        float x = 2 * (i + 1.0f), y = 4 * (i + 1.5f), h = 0.5f * i;
        float rest = x + y + x + (i ^ 1) + (h * h + 1)
                   + (h * h + h - h / 2);
        CHECK(fabsf(sums[i] - rest) <= 0.001f * rest);
    }
    return finish();
}
