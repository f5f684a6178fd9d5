// Atomic operations: nothing is lost, and each gives back what was there
#include "check.h"

__global__ void add_all(int *i, unsigned *u, unsigned long long *l, float *f,
                        double *d)
{
    atomicAdd(i, -1);
    atomicAdd(u, 2u);
    atomicAdd(l, 1ull << 33);
    atomicAdd(f, 0.5f);
    atomicAdd(d, 0.25);
}

__global__ void tickets(unsigned *next, unsigned *taken)
{
    taken[atomicAdd(next, 1u)] += 1;
}

__global__ void extremes(int *low, int *high, unsigned *bits, unsigned *turn)
{
    int me = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    atomicMin(low, me - 5);
    atomicMax(high, me);
    atomicOr(bits, 1u << me % 32);
    atomicInc(turn, 6u);
}

__global__ void exchange(int *cell, int *seen)
{
    int me = (int)threadIdx.x;
    seen[me] = atomicExch(cell, me);
}

// A maximum of floats, built on atomicCAS
__global__ void largest(unsigned *cell, const float *in)
{
    float mine = in[threadIdx.x];
    unsigned old = atomicCAS(cell, 0u, 0u);
    while (__uint_as_float(old) < mine) {
        unsigned found = atomicCAS(cell, old, __float_as_uint(mine));
        if (found == old) break;
        old = found;
    }
}

// A lock: only one thread at a time is inside
__global__ void locked(int *lock, int *count)
{
    bool done = false;
    while (!done)
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *count += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}

// In shared memory too
__global__ void histogram(int *out, const int *in, int n)
{
    __shared__ int bins[8];
    if (threadIdx.x < 8) bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&bins[in[i] % 8], 1);
    __syncthreads();
    if (threadIdx.x < 8) atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}

int main()
{
    array<int> i(1), cell(1), seen(100), low(1), high(1), lock(1), count(1);
    array<unsigned> u(1), next(1), taken(640), bits(1), turn(1), top(1);
    array<unsigned long long> l(1);
    array<float> f(1), values(64);
    array<double> d(1);
    i.send(); u.send(); l.send(); f.send(); d.send();
    add_all<<<10, 64>>>(i.device, u.device, l.device, f.device, d.device);
    i.fetch(); u.fetch(); l.fetch(); f.fetch(); d.fetch();
    CHECK(i[0] == -640 && u[0] == 1280 && l[0] == 640ull << 33);
    CHECK(f[0] == 320 && d[0] == 160);

    next.send(); taken.send();
    tickets<<<10, 64>>>(next.device, taken.device);
    taken.fetch();
    for (int k = 0; k < 640; k++) CHECK(taken[k] == 1);

    low.send(); high.send(); bits.send(); turn.send();
    extremes<<<3, 50>>>(low.device, high.device, bits.device, turn.device);
    low.fetch(); high.fetch(); bits.fetch(); turn.fetch();
    CHECK(low[0] == -5 && high[0] == 149 && bits[0] == 0xffffffffu);
    CHECK(turn[0] == 150 % 7);

    cell[0] = 100;
    cell.send();
    exchange<<<1, 100>>>(cell.device, seen.device);
    cell.fetch(); seen.fetch();
    long total = cell[0];
    for (int k = 0; k < 100; k++) total += seen[k];
    CHECK(total == 100 * 101 / 2);

    for (int k = 0; k < 64; k++) values[k] = (float)(k * 37 % 64);
    values.send(); top.send();
    largest<<<1, 64>>>(top.device, values.device);
    top.fetch();
    float best;
    memcpy(&best, &top[0], sizeof best);
    CHECK(best == 63);

    lock.send(); count.send();
    locked<<<4, 64>>>(lock.device, count.device);
    count.fetch();
    CHECK(count[0] == 256);

    array<int> bins(8), in(1000);
    for (int k = 0; k < 1000; k++) in[k] = k * k;
    in.send(); bins.send();
    histogram<<<4, 96>>>(bins.device, in.device, 1000);
    bins.fetch();
    int expected[8] = { 0 };
    for (int k = 0; k < 1000; k++) expected[k * k % 8] += 4;
    for (int k = 0; k < 8; k++) CHECK(bins[k] == expected[k]);
    return finish();
}
