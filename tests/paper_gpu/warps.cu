// Shuffles and votes, of every type and width, against a model on the host
#include "check.h"

enum { KINDS = 4 };
template <typename T>
__global__ void shuffles(T *out, const T *in, int argument, int width)
{
    int me = (int)threadIdx.x;
    T v = in[me];
    out[me] = __shfl_sync(0xffffffffu, v, argument, width);
    out[32 + me] = __shfl_up_sync(0xffffffffu, v, (unsigned)argument, width);
    out[64 + me] = __shfl_down_sync(0xffffffffu, v, (unsigned)argument, width);
    out[96 + me] = __shfl_xor_sync(0xffffffffu, v, argument, width);
}

static int source(int kind, int me, int argument, int width)
{
    int first = me / width * width, last = first + width - 1;
    int from = kind == 0 ? first + argument % width : kind == 1 ? me - argument
             : kind == 2 ? me + argument : me ^ argument;
    if (kind == 1) return from < first ? me : from;
    return from > last ? me : from;
}

template <typename T> static void check_type()
{
    array<T> in(32), out(32 * KINDS);
    for (int i = 0; i < 32; i++) in[i] = (T)(i * 1.5 - 7);
    in.send();
    for (int width = 1; width <= 32; width *= 2)
        for (int argument = 0; argument < 32; argument += 3) {
            shuffles<T><<<1, 32>>>(out.device, in.device, argument, width);
            out.fetch();
            for (int kind = 0; kind < KINDS; kind++)
                for (int i = 0; i < 32; i++)
                    CHECK(out[32 * kind + i]
                          == in[source(kind, i, argument, width)]);
        }
}

__global__ void ballots(unsigned *out)
{
    int me = (int)threadIdx.x;
    out[me] = __ballot_sync(0xffffffffu, me % 3 == 0);
    out[32 + me] = (unsigned)__any_sync(0xffffffffu, me == 31)
                 + 2u * (unsigned)__any_sync(0xffffffffu, me == 32)
                 + 4u * (unsigned)__all_sync(0xffffffffu, me < 32)
                 + 8u * (unsigned)__all_sync(0xffffffffu, me < 31);
}

// Only the lanes of the mask take part; the others have left or do not care
__global__ void part(int *out, int lanes)
{
    int me = (int)threadIdx.x;
    unsigned mask = (1u << lanes) - 1;
    int sum = me;
    if (me < lanes)
        for (int i = 1; i < lanes; i *= 2) sum += __shfl_xor_sync(mask, sum, i);
    out[me] = sum;
}

// A last warp that is not whole
__global__ void ragged(int *out)
{
    unsigned mask = __ballot_sync(0xffffffffu, threadIdx.x < blockDim.x);
    int first = __shfl_sync(mask, (int)threadIdx.x, 0);
    out[threadIdx.x] = first * 100 + __popc(mask);
}

int main()
{
    check_type<int>();
    check_type<unsigned>();
    check_type<long long>();
    check_type<unsigned long long>();
    check_type<float>();
    check_type<double>();
    array<unsigned> b(64);
    ballots<<<1, 32>>>(b.device);
    b.fetch();
    for (int i = 0; i < 32; i++) CHECK(b[i] == 0x49249249u && b[32 + i] == 5);
    array<int> p(32), r(80);
    for (int lanes = 2; lanes <= 16; lanes *= 2) {
        part<<<1, 32>>>(p.device, lanes);
        p.fetch();
        for (int i = 0; i < 32; i++)
            CHECK(p[i] == (i < lanes ? lanes * (lanes - 1) / 2 : i));
    }
    ragged<<<1, 80>>>(r.device);
    r.fetch();
    for (int i = 0; i < 80; i++)
        CHECK(r[i] == i / 32 * 3200 + (i < 64 ? 32 : 16));
    return finish();
}
