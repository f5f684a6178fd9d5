/* check.h: what the paper GPU's test programs share. They are ordinary CUDA:
   nvcc compiles them too. */
#include <cuda_runtime.h>
#include <math.h>
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

/* One array on both sides */
template <typename T> struct array {
    size_t n;
    T *host, *device;
    explicit array(size_t count) : n(count), device(nullptr)
    {
        host = (T *)calloc(n, sizeof(T));
        CUDA(cudaMalloc(&device, n * sizeof(T)));
    }
    ~array() { CUDA(cudaFree(device)); free(host); }
    void send()
    {
        CUDA(cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice));
    }
    void fetch()
    {
        CUDA(cudaGetLastError());
        CUDA(cudaDeviceSynchronize());
        CUDA(cudaMemcpy(host, device, n * sizeof(T), cudaMemcpyDeviceToHost));
    }
    T &operator[](size_t i) { return host[i]; }
};

[[maybe_unused]] static int finish()
{
    if (!failures) printf("bien\n");
    return failures ? 1 : 0;
}
