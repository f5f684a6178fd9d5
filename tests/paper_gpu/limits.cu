// What a GPU refuses to launch is refused here, with the same error
#include "check.h"

__global__ void count(int *out) { atomicAdd(out, 1); }
__global__ void dynamic(int *out, int bytes)
{
    extern __shared__ unsigned char room[];
    if (threadIdx.x == 0) { room[bytes - 1] = 1; *out = room[bytes - 1]; }
}

static int *cell;
static void refused(cudaError_t expected, dim3 grid, dim3 block, size_t shared)
{
    int found = -1;
    CUDA(cudaMemset(cell, 0, sizeof *cell));
    count<<<grid, block, shared>>>(cell);
    CHECK(cudaPeekAtLastError() == expected);
    CHECK(cudaGetLastError() == expected);
    CHECK(cudaGetLastError() == cudaSuccess);
    CUDA(cudaMemcpy(&found, cell, sizeof found, cudaMemcpyDeviceToHost));
    CHECK(found == 0);
}

static void run_dynamic(cudaError_t expected, int bytes)
{
    int found = -1;
    CUDA(cudaMemset(cell, 0, sizeof *cell));
    dynamic<<<1, 32, bytes>>>(cell, bytes);
    CHECK(cudaGetLastError() == expected);
    CUDA(cudaMemcpy(&found, cell, sizeof found, cudaMemcpyDeviceToHost));
    CHECK(found == (expected == cudaSuccess));
}

int main(int argc, char **argv)
{
    CUDA(cudaMalloc(&cell, sizeof *cell));
    const cudaError_t bad = cudaErrorInvalidConfiguration;
    if (argc > 1 && !strcmp(argv[1], "fail")) {     // PAPER_GPU_FAIL=launch:2
        int found = 0;
        CUDA(cudaMemset(cell, 0, sizeof *cell));
        for (int i = 0; i < 3; i++) {
            count<<<1, 1>>>(cell);
            CHECK(cudaGetLastError()
                  == (i == 1 ? cudaErrorLaunchFailure : cudaSuccess));
        }
        CUDA(cudaMemcpy(&found, cell, sizeof found, cudaMemcpyDeviceToHost));
        CHECK(found == 2);
        CUDA(cudaFree(cell));
        return finish();
    }
    refused(bad, 1, 1025, 0);
    refused(bad, 1, 0, 0);
    refused(bad, 0, 32, 0);
    refused(bad, dim3(1, 0), 32, 0);
    refused(bad, dim3(1, 65536), 32, 0);
    refused(bad, dim3(1, 1, 65536), 32, 0);
    refused(bad, dim3(1u << 31), 32, 0);
    refused(bad, 1, dim3(1, 1, 65), 0);
    refused(bad, 1, dim3(32, 33), 0);
    refused(cudaErrorInvalidValue, 1, 32, 48 * 1024 + 1);
    run_dynamic(cudaSuccess, 48 * 1024);
    run_dynamic(cudaErrorInvalidValue, 64 * 1024);
    CUDA(cudaFuncSetAttribute(dynamic,
        cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024));
    run_dynamic(cudaSuccess, 64 * 1024);
    run_dynamic(cudaErrorInvalidValue, 64 * 1024 + 16);
    CHECK(cudaFuncSetAttribute(dynamic,
        cudaFuncAttributeMaxDynamicSharedMemorySize, 4 * 1024 * 1024)
        == cudaErrorInvalidValue);
    CHECK(cudaGetLastError() == cudaErrorInvalidValue);
    cudaFuncAttributes a;
    CUDA(cudaFuncGetAttributes(&a, dynamic));
    CHECK(a.maxDynamicSharedSizeBytes == 64 * 1024
          && a.maxThreadsPerBlock == 1024);
    int blocks = 0;
    CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count, 128,
                                                       0));
    CHECK(blocks >= 1);
    CUDA(cudaFree(cell));
    return finish();
}
