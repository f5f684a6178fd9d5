// The filter: launches and shared declarations in every layout
#include "check.h"
/* A comment with k<<<1, 32>>>(x) and __shared__ int no[3]; and a "quote */
// Another: k<<<2, 2>>>(y); "
namespace kernels {
template <typename T, int N> __global__ void fill(T *out, T value)
{
    __shared__ T here[N]; __shared__ int twice;   // two on a line <<<
    here[threadIdx.x % N] = value;
    if (threadIdx.x == 0) twice = 2;
    __syncthreads();
    out[threadIdx.x] = here[threadIdx.x % N] * (T)twice;
}
}
template <typename T> struct box { T inside; };
template <typename T> __global__ void unbox(T *out, box<box<T>> b)
{
    __shared__ box<T>
        kept[2][1],
        other;
    if (threadIdx.x == 0) { kept[1][0] = b.inside; other = kept[1][0]; }
    __syncthreads();
    out[threadIdx.x] = other.inside;
}
__global__ void plain(int *out) { out[threadIdx.x] = __LINE__; }
static int two(int a, int b) { return a + b > 0 ? 2 : 1; }

int main()
{
    const char *text = "k<<<1, 1>>>(0); // __shared__ \" \\", quote = '"';
    CHECK(strlen(text) == 33 && quote == '\x22');
    array<int> out(64);
    kernels::fill<int, 32><<<1, 32>>>(out.device, 5);
    out.fetch();
    CHECK(out[31] == 10);
    kernels :: fill < int , 16 >
        <<<dim3(two(1, 1) - 1, 1),      // a comment in between >>>
           64 >> 2,
           two(2, 3) * 0>>>
        (out.device,
         6);
    out.fetch();
    CHECK(out[15] == 12);
    box<box<int>> b = { { 9 } };
    unbox<int><<<1, (2 > 1) ? 8 : 4>>>(out.device, b);
    out.fetch();
    CHECK(out[7] == 9);
    for (int i = 0; i < 2; i++) plain<<<1, 1>>>(out.device); int line = 25;
    out.fetch();
    CHECK(out[0] == line);
    cudaStream_t stream;
    CUDA(cudaStreamCreate(&stream));
    void (*kernel)(int *) = plain;
    kernel<<<1, 1, 0, stream>>>(out.device);
    CUDA(cudaStreamSynchronize(stream));
    CUDA(cudaStreamDestroy(stream));
    out.fetch();
    CHECK(out[0] == 25);
    return finish();
}
