// Each thread knows its place, in one, two and three dimensions
#include "check.h"

__global__ void place(unsigned *out)
{
    unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    unsigned thread = threadIdx.x
                    + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    unsigned block = blockIdx.x
                   + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    dim3 copy = blockDim;
    out[block * threads + thread] = block * 1000 + thread + copy.x - blockDim.x;
}

static void run(dim3 grid, dim3 block)
{
    size_t threads = (size_t)block.x * block.y * block.z;
    size_t blocks = (size_t)grid.x * grid.y * grid.z;
    array<unsigned> out(threads * blocks);
    place<<<grid, block>>>(out.device);
    out.fetch();
    for (size_t b = 0; b < blocks; b++)
        for (size_t t = 0; t < threads; t++)
            CHECK(out[b * threads + t] == b * 1000 + t);
}

int main()
{
    run(1, 1);
    run(7, 33);
    run(dim3(2, 3), dim3(5, 4));
    run(dim3(2, 3, 4), dim3(8, 4, 3));
    run(2, 1024);
    run(1, dim3(1, 1, 64));
    return finish();
}
