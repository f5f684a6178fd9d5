/* The runtime's calls, from C11: what succeeds, and what must not */
#include <cuda_runtime_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;
#define CHECK(condition) \
    ((condition) ? (void)0 \
     : (failures++, (void)printf("%s:%d: no se cumple %s\n", __FILE__, \
                                 __LINE__, #condition)))
#define CUDA(call) CHECK((call) == cudaSuccess)

/* It fails with that error, and says so once more and no more */
static void rejected(cudaError_t found, cudaError_t expected, int line)
{
    if (found != expected || cudaPeekAtLastError() != expected
        || cudaGetLastError() != expected || cudaGetLastError() != cudaSuccess) {
        failures++;
        printf("runtime.c:%d: se esperaba %s y fue %s\n", line,
               cudaGetErrorName(expected), cudaGetErrorName(found));
    }
}
#define REJECTED(call, error) rejected(call, error, __LINE__)

static void memory(void)
{
    unsigned char *d, *e, in[1000], out[1000];
    size_t before, after, total;
    for (int i = 0; i < 1000; i++) in[i] = (unsigned char)(i * 7);
    CUDA(cudaMemGetInfo(&before, &total));
    CUDA(cudaMalloc((void **)&d, sizeof in));
    CUDA(cudaMalloc((void **)&e, sizeof in));
    CHECK((uintptr_t)d % 256 == 0 && (uintptr_t)e % 256 == 0);
    CUDA(cudaMemGetInfo(&after, &total));
    CHECK(before - after >= 2000 && before <= total);
    CUDA(cudaMemcpy(d, in, sizeof in, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(e, d, sizeof in, cudaMemcpyDeviceToDevice));
    CUDA(cudaMemset(e + 10, 0xab, 5));
    CUDA(cudaMemcpy(out, e, sizeof out, cudaMemcpyDeviceToHost));
    CHECK(memcmp(out, in, 10) == 0 && memcmp(out + 15, in + 15, 985) == 0);
    for (int i = 10; i < 15; i++) CHECK(out[i] == 0xab);
    CUDA(cudaMemcpy2D(d, 10, in, 100, 4, 10, cudaMemcpyHostToDevice));
    CUDA(cudaMemcpy(out, d, 100, cudaMemcpyDefault));
    CHECK(out[0] == in[0] && out[10] == in[100] && out[93] == in[903]);
    CHECK(out[4] == in[4]);
    REJECTED(cudaMemcpy2D(d, 3, in, 100, 4, 10, cudaMemcpyHostToDevice),
             cudaErrorInvalidPitchValue);
    REJECTED(cudaMemcpy(d, in, 1001, cudaMemcpyHostToDevice),
             cudaErrorInvalidValue);
    REJECTED(cudaMemcpy(d + 1, in, 1000, cudaMemcpyHostToDevice),
             cudaErrorInvalidValue);
    REJECTED(cudaMemset(d + 900, 0, 101), cudaErrorInvalidValue);
    CUDA(cudaMemcpy(d, in, 0, cudaMemcpyHostToDevice));
    CUDA(cudaFree(d));
    CUDA(cudaFree(e));
    CUDA(cudaMemGetInfo(&after, &total));
    CHECK(after == before);
}

static void wrong_pointers(void)
{
    float *d, h[4] = { 1, 2, 3, 4 };
    CUDA(cudaFree(NULL));
    d = h;
    CUDA(cudaMalloc((void **)&d, 0));
    CHECK(d == NULL);
    CUDA(cudaMalloc((void **)&d, sizeof h));
    REJECTED(cudaFree(h), cudaErrorInvalidValue);
    REJECTED(cudaFree(d + 1), cudaErrorInvalidValue);
    REJECTED(cudaMalloc(NULL, 4), cudaErrorInvalidValue);
    REJECTED(cudaMemset(h, 0, 4), cudaErrorInvalidValue);
    REJECTED(cudaMemcpy(d, h, 4, cudaMemcpyDeviceToHost),
             cudaErrorInvalidValue);
    REJECTED(cudaMemcpy(d, h, 4, (enum cudaMemcpyKind)9),
             cudaErrorInvalidMemcpyDirection);
    CUDA(cudaFree(d));
    REJECTED(cudaFree(d), cudaErrorInvalidValue);
    REJECTED(cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice),
             cudaErrorInvalidValue);
    size_t available, total;
    CUDA(cudaMemGetInfo(&available, &total));
    REJECTED(cudaMalloc((void **)&d, available + 1),
             cudaErrorMemoryAllocation);
    CHECK(d == NULL);
    REJECTED(cudaMalloc((void **)&d, SIZE_MAX), cudaErrorMemoryAllocation);
}

/* Fresh memory is all NaN, also where another array used to be */
static void fresh_memory(void)
{
    float *d, h[1000];
    uint16_t *halves = (uint16_t *)h;
    for (int i = 0; i < 100; i++) {
        CUDA(cudaMalloc((void **)&d, sizeof h));
        CUDA(cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost));
        for (int k = 0; k < 1000; k++) CHECK(h[k] != h[k]);
        for (int k = 0; k < 2000; k++)
            CHECK((halves[k] & 0x7c00) == 0x7c00 && (halves[k] & 0x3ff));
        CUDA(cudaMemset(d, 0, sizeof h));
        CUDA(cudaFree(d));
        if (failures) return;
    }
}

static void streams_and_events(void)
{
    cudaStream_t s;
    cudaEvent_t start, end, never;
    float ms = -1, *d, *pinned;
    CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
    CUDA(cudaEventCreate(&start));
    CUDA(cudaEventCreateWithFlags(&end, cudaEventDefault));
    CUDA(cudaEventCreate(&never));
    CUDA(cudaMallocHost((void **)&pinned, 4096));
    pinned[1023] = 3;
    CUDA(cudaEventRecord(start, s));
    CUDA(cudaMallocAsync((void **)&d, 4096, s));
    CUDA(cudaMemcpyAsync(d, pinned, 4096, cudaMemcpyHostToDevice, s));
    CUDA(cudaMemsetAsync(d, 0, 4, s));
    CUDA(cudaMemcpyAsync(pinned, d, 4096, cudaMemcpyDeviceToHost, s));
    CUDA(cudaFreeAsync(d, s));
    CUDA(cudaEventRecord(end, s));
    CUDA(cudaStreamWaitEvent(s, end, 0));
    CUDA(cudaEventSynchronize(end));
    CUDA(cudaStreamSynchronize(s));
    CUDA(cudaStreamQuery(s));
    CHECK(pinned[0] == 0 && pinned[1023] == 3);
    CUDA(cudaEventElapsedTime(&ms, start, end));
    CHECK(ms >= 0 && ms < 10000);
    REJECTED(cudaEventElapsedTime(&ms, start, never),
             cudaErrorInvalidResourceHandle);
    CUDA(cudaEventDestroy(start));
    CUDA(cudaEventDestroy(end));
    CUDA(cudaEventDestroy(never));
    CUDA(cudaStreamDestroy(s));
    CUDA(cudaFreeHost(pinned));
}

static void pool(void)
{
    cudaMemPool_t p;
    uint64_t keep = UINT64_MAX, found = 0, used = 1;
    int reuse = 1;
    void *d;
    CUDA(cudaDeviceGetDefaultMemPool(&p, 0));
    CUDA(cudaMemPoolSetAttribute(p, cudaMemPoolAttrReleaseThreshold, &keep));
    CUDA(cudaMemPoolGetAttribute(p, cudaMemPoolAttrReleaseThreshold, &found));
    CHECK(found == UINT64_MAX);
    CUDA(cudaMemPoolSetAttribute(p, cudaMemPoolReuseAllowOpportunistic,
                                 &reuse));
    CUDA(cudaMallocAsync(&d, 12345, 0));
    CUDA(cudaMemPoolGetAttribute(p, cudaMemPoolAttrUsedMemCurrent, &used));
    CHECK(used >= 12345);
    CUDA(cudaFreeAsync(d, 0));
    CUDA(cudaMemPoolTrimTo(p, 0));
    REJECTED(cudaDeviceGetDefaultMemPool(&p, 1), cudaErrorInvalidDevice);
}

static void device(void)
{
    struct cudaDeviceProp p;
    int n = -1, value = -1;
    CUDA(cudaGetDeviceCount(&n));
    CHECK(n == 1);
    CUDA(cudaSetDevice(0));
    CUDA(cudaGetDevice(&n));
    CHECK(n == 0);
    REJECTED(cudaSetDevice(1), cudaErrorInvalidDevice);
    REJECTED(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    CUDA(cudaGetDeviceProperties(&p, 0));
    CHECK(strncmp(p.name, "GPU de papel (CPU ", 18) == 0 && p.major == 0);
    CHECK(p.warpSize == 32 && p.maxThreadsPerBlock == 1024);
    CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    CHECK(value == p.multiProcessorCount);
    CUDA(cudaDeviceGetAttribute(&value,
                                cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    CHECK((size_t)value == p.sharedMemPerBlockOptin);
    CUDA(cudaDriverGetVersion(&value));
    CUDA(cudaRuntimeGetVersion(&value));
    CUDA(cudaDeviceSynchronize());
    CHECK(strcmp(cudaGetErrorName(cudaErrorInvalidConfiguration),
                 "cudaErrorInvalidConfiguration") == 0);
    CHECK(strcmp(cudaGetErrorString(cudaErrorMemoryAllocation),
                 "out of memory") == 0);
    CHECK(strcmp(cudaGetErrorString((cudaError_t)12345),
                 "unrecognized error code") == 0);
}

/* PAPER_GPU_FAIL=malloc:3,memcpy:2: those and no others */
static void asked_failures(void)
{
    void *d[5];
    char byte = 0;
    for (int i = 0; i < 5; i++)
        CHECK((cudaMalloc(&d[i], 8) == cudaErrorMemoryAllocation) == (i == 2));
    CHECK(cudaGetLastError() == cudaErrorMemoryAllocation);
    for (int i = 0; i < 3; i++)
        CHECK((cudaMemcpy(d[0], &byte, 1, cudaMemcpyHostToDevice)
               != cudaSuccess) == (i == 1));
    for (int i = 0; i < 5; i++) CUDA(cudaFree(d[i]));
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "fail") == 0) asked_failures();
    else {
        memory();
        wrong_pointers();
        fresh_memory();
        streams_and_events();
        pool();
        device();
    }
    if (!failures) printf("bien\n");
    return failures ? 1 : 0;
}
