// One fault in each kernel. «faults NAME» runs one; the line that the paper GPU
// must point at carries its name in a comment.
#include "check.h"
#include <cuda_pipeline_primitives.h>

__global__ void missing_barrier(float *out, const float *in)
{
    __shared__ float part[4];
    float s = in[threadIdx.x];
    for (int d = 16; d > 0; d /= 2) s += __shfl_xor_sync(0xffffffffu, s, d);
    if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
    s = 0;                                         // a __syncthreads is missing
    for (int w = 0; w < 4; w++) s += part[w];                // @missing_barrier
    out[threadIdx.x] = s;
}

__global__ void late_reuse(float *out)
{
    __shared__ float shared_value;
    for (int round = 0; round < 3; round++) {
        if (threadIdx.x == 0) shared_value = (float)round;        // @late_reuse
        __syncthreads();
        out[threadIdx.x] = shared_value;           // and another is needed here
    }
}

__global__ void missing_syncwarp(int *out)
{
    __shared__ int box[32];
    box[threadIdx.x] = (int)threadIdx.x;
    __shfl_sync(0xffffffffu, 1, 0);                // it does not order memory
    out[threadIdx.x] = box[31 - threadIdx.x];               // @missing_syncwarp
}

__global__ void early_read(const float *in, float *out)
{
    __shared__ float slot[32];
    __pipeline_memcpy_async(&slot[threadIdx.x], in + threadIdx.x, 4);
    __pipeline_commit();
    out[threadIdx.x] = slot[threadIdx.x];                         // @early_read
    __pipeline_wait_prior(0);
}

__global__ void early_group(const float *in, float *out)
{
    __shared__ float slot[2];
    for (int i = 0; i < 2; i++) {
        __pipeline_memcpy_async(&slot[i], in + i, 4);
        __pipeline_commit();
    }
    __pipeline_wait_prior(1);
    *out = slot[0];
    *out += slot[1];                                             // @early_group
}

__global__ void copied_by_another(const float *in, float *out)
{
    __shared__ float slot[32];
    __pipeline_memcpy_async(&slot[threadIdx.x], in + threadIdx.x, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __shfl_sync(0xffffffffu, 1, 0);                // it does not order memory
    out[threadIdx.x] = slot[31 - threadIdx.x];             // @copied_by_another
}

__global__ void copy_past_end(const float *in)
{
    __shared__ float slot[128];
    __pipeline_memcpy_async(&slot[threadIdx.x], in + threadIdx.x, 4); // @copy_past_end
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

__global__ void endless_copies(const float *in)
{
    __shared__ float slot[512];
    for (int i = 0; i < 512; i++)
        __pipeline_memcpy_async(&slot[i], in, 4);
    __pipeline_commit();
    __pipeline_wait_prior(0);
}

__global__ void same_cell(int *out)
{
    out[threadIdx.x / 2] = (int)threadIdx.x;                       // @same_cell
}

__global__ void lost_update(int *out)
{
    *out += 1;                                                   // @lost_update
}

__global__ void between_blocks(int *out)
{
    if (threadIdx.x == 0) out[0] = (int)blockIdx.x;           // @between_blocks
}

__global__ void next_block(int *data)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    data[i] = data[i] + 1;                                       // @next_block
    if (blockIdx.x > 0) data[i] += data[i - (int)blockDim.x];   // @next_block_2
}

__global__ void atomic_and_plain(int *out)
{
    if (threadIdx.x == 0) atomicAdd(out, 1);
    else if (threadIdx.x == 32) out[0] = 5;                 // @atomic_and_plain
}

__global__ void ticket(float *part, unsigned *done, float *out)
{
    __shared__ bool last;
    part[blockIdx.x] = 1;                            // and no __threadfence
    if (threadIdx.x == 0) last = atomicAdd(done, 1u) == gridDim.x - 1;
    __syncthreads();
    if (last && threadIdx.x == 0) *out = part[0] + part[1];           // @ticket
}

__global__ void past_end(float *out, int n)
{
    if (threadIdx.x <= (unsigned)n) out[threadIdx.x] = 1;           // @past_end
}

__global__ void before_start(const float *in, float *out)
{
    out[threadIdx.x] = in[(int)threadIdx.x - 1];                // @before_start
}

__global__ void wide_load(const float *in, float *out)
{
    float4 v = reinterpret_cast<const float4 *>(in)[threadIdx.x];  // @wide_load
    out[threadIdx.x] = v.x;
}

__global__ void misaligned(const float *in, float *out)
{
    *reinterpret_cast<float4 *>(out)
        = *reinterpret_cast<const float4 *>(in + 1);              // @misaligned
}

__global__ void shared_past_end(float *out, int i)
{
    __shared__ float a[8];
    __shared__ float b[8];
    if (threadIdx.x < 8) { a[threadIdx.x] = 1; b[threadIdx.x] = 2; }
    __syncthreads();
    out[threadIdx.x] = b[0] + a[i + threadIdx.x];            // @shared_past_end
}

__global__ void no_dynamic(float *out)
{
    extern __shared__ float line[];
    line[threadIdx.x] = 1;                                        // @no_dynamic
    out[threadIdx.x] = line[threadIdx.x];
}

__global__ void read_one(const float *in, float *out)
{
    *out = *in;                                                     // @read_one
}

__global__ void unwritten_shared(float *out)
{
    __shared__ float a[32];
    if (threadIdx.x != 3) a[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = a[threadIdx.x];                      // @unwritten_shared
}

__global__ void half_unwritten(const short *in, short *out)
{
    out[threadIdx.x] = in[threadIdx.x];                       // @half_unwritten
}

__global__ void local_of_another(int *out)
{
    __shared__ int *pointer;
    int mine = (int)threadIdx.x;
    if (threadIdx.x == 5) pointer = &mine;
    __syncthreads();
    out[threadIdx.x] = *pointer;                            // @local_of_another
    __syncthreads();
}

__global__ void early_exit(int *out)
{
    if (threadIdx.x >= 16) return;
    __syncthreads();                                              // @early_exit
    out[threadIdx.x] = 1;
}

__global__ void two_barriers(int *out)
{
    if (threadIdx.x < 32) __syncthreads();
    else __syncthreads_or(1);                                   // @two_barriers
    out[threadIdx.x] = 1;
}

__global__ void uneven_loop(int *out)
{
    for (unsigned i = 0; i <= threadIdx.x / 32; i++)
        __syncthreads();                                         // @uneven_loop
    out[threadIdx.x] = 1;
}

__global__ void barrier_and_warp(int *out)
{
    int v = 1;
    if (threadIdx.x < 16) __syncthreads();                  // @barrier_and_warp
    else v = __shfl_xor_sync(0xffffffffu, v, 1);
    out[threadIdx.x] = v;
}

__global__ void outside_mask(int *out)
{
    out[threadIdx.x] = __shfl_sync(0x0000ffffu, 1, 0);          // @outside_mask
}

__global__ void absent_lane(int *out)
{
    int v = 1;
    if (threadIdx.x < 16)
        v = __shfl_xor_sync(0x0000ffffu, v, 16);                 // @absent_lane
    out[threadIdx.x] = v;
}

__global__ void departed_lane(int *out)
{
    if (threadIdx.x == 31) return;
    out[threadIdx.x] = __shfl_sync(0xffffffffu, 1, 31);        // @departed_lane
}

__global__ void two_masks(int *out)
{
    unsigned mask = threadIdx.x < 8 ? 0x000000ffu : 0xffffffffu;
    out[threadIdx.x] = __shfl_sync(mask, 1, 0);                    // @two_masks
}

__global__ void two_operations(int *out)
{
    int v = 1;
    if (threadIdx.x < 16) v = __shfl_sync(0xffffffffu, v, 0);
    else v = __shfl_up_sync(0xffffffffu, v, 1);               // @two_operations
    out[threadIdx.x] = v;
}

__global__ void forever(volatile int *flag)
{
    while (*flag == 0) {}                                            // @forever
}

__global__ void locked_forever(int *lock)
{
    while (atomicCAS(lock, 0, 1) != 0) {}                     // @locked_forever
}

__device__ __attribute__((noinline)) int deep(int n, volatile char *previous)
{
    volatile char room[1000];
    room[n % 1000] = previous ? previous[0] : 1;
    return n == 0 ? room[0] : deep(n - 1, room) + room[n % 1000];
}
__global__ void too_deep(int *out) { *out = deep(1000000, nullptr); }

__global__ void too_much_static(float *out)
{
    __shared__ float a[8 * 1024];
    __shared__ float b[8 * 1024];
    a[0] = 1;
    b[0] = 2;
    *out = a[0] + b[0];
}

__global__ void count_up(int *out) { *out = *out + 1; }

// The sum of 0…127, without the barrier: what does the reader get?
static void without_barrier()
{
    array<float> in(128), out(128);
    for (int i = 0; i < 128; i++) in[i] = (float)i;
    in.send();
    missing_barrier<<<1, 128>>>(out.device, in.device);
    out.fetch();
    int wrong = 0;
    for (int i = 0; i < 128; i++) wrong += !(out[i] == 127 * 64);
    printf("%d de 128 hilos sumaron mal; el primero, %s\n", wrong,
           out[0] != out[0] ? "NaN" : out[0] == 127 * 64 ? "bien" : "otra cosa");
}

static void several(const char *name, int *cells, float *values)
{
    if (!strcmp(name, "same_cell")) same_cell<<<1, 64>>>(cells);
    if (!strcmp(name, "lost_update")) lost_update<<<1, 64>>>(cells);
    if (!strcmp(name, "between_blocks")) between_blocks<<<3, 4>>>(cells);
    if (!strcmp(name, "next_block_2")) next_block<<<2, 32>>>(cells);
    if (!strcmp(name, "atomic_and_plain"))
        atomic_and_plain<<<1, 64>>>(cells);
    if (!strcmp(name, "ticket"))
        ticket<<<2, 1>>>(values, (unsigned *)cells, values + 8);
    if (!strcmp(name, "late_reuse")) late_reuse<<<1, 64>>>(values);
    if (!strcmp(name, "missing_syncwarp")) missing_syncwarp<<<1, 32>>>(cells);
    if (!strcmp(name, "past_end")) past_end<<<1, 65>>>(values, 64);
    if (!strcmp(name, "before_start"))
        before_start<<<1, 8>>>(values, values + 32);
    if (!strcmp(name, "wide_load"))
        wide_load<<<1, 17>>>(values, (float *)cells);
    if (!strcmp(name, "misaligned")) misaligned<<<1, 1>>>(values, values + 8);
    if (!strcmp(name, "shared_past_end"))
        shared_past_end<<<1, 8>>>(values, 1);
    if (!strcmp(name, "no_dynamic")) no_dynamic<<<1, 8>>>(values);
    if (!strcmp(name, "unwritten_shared"))
        unwritten_shared<<<1, 32>>>(values);
    if (!strcmp(name, "local_of_another")) local_of_another<<<1, 8>>>(cells);
}

static void copies(const char *name, const float *in, float *out)
{
    if (!strcmp(name, "early_read")) early_read<<<1, 32>>>(in, out);
    if (!strcmp(name, "early_group")) early_group<<<1, 1>>>(in, out);
    if (!strcmp(name, "copied_by_another"))
        copied_by_another<<<1, 32>>>(in, out);
    if (!strcmp(name, "copy_past_end")) copy_past_end<<<1, 65>>>(in);
    if (!strcmp(name, "endless_copies")) endless_copies<<<1, 1>>>(in);
}

static void meetings(const char *name, int *cells)
{
    if (!strcmp(name, "early_exit")) early_exit<<<1, 64>>>(cells);
    if (!strcmp(name, "two_barriers")) two_barriers<<<1, 64>>>(cells);
    if (!strcmp(name, "uneven_loop")) uneven_loop<<<1, 64>>>(cells);
    if (!strcmp(name, "barrier_and_warp")) barrier_and_warp<<<1, 32>>>(cells);
    if (!strcmp(name, "outside_mask")) outside_mask<<<1, 32>>>(cells);
    if (!strcmp(name, "absent_lane")) absent_lane<<<1, 32>>>(cells);
    if (!strcmp(name, "departed_lane")) departed_lane<<<1, 32>>>(cells);
    if (!strcmp(name, "two_masks")) two_masks<<<1, 32>>>(cells);
    if (!strcmp(name, "two_operations")) two_operations<<<1, 32>>>(cells);
    if (!strcmp(name, "forever")) forever<<<1, 2>>>(cells);
    if (!strcmp(name, "locked_forever")) locked_forever<<<1, 2>>>(cells);
    if (!strcmp(name, "too_deep")) too_deep<<<1, 1>>>(cells);
}

int main(int argc, char **argv)
{
    const char *name = argc > 1 ? argv[1] : "";
    array<int> cells(64);
    array<float> values(64), fresh(64);
    cells.send();
    values.send();
    several(name, cells.device, values.device);
    meetings(name, cells.device);
    copies(name, values.device, fresh.device);
    if (!strcmp(name, "early_read")) {
        fresh.fetch();
        printf("leyó %g\n", fabs(fresh[0]));
        return 0;
    }
    if (!strcmp(name, "missing_barrier")) without_barrier();
    if (!strcmp(name, "unwritten"))
        read_one<<<1, 1>>>(fresh.device + 3, values.device);
    if (!strcmp(name, "half_unwritten")) {
        CUDA(cudaMemset(fresh.device, 0, 6));
        half_unwritten<<<1, 4>>>((short *)fresh.device, (short *)cells.device);
    }
    if (!strcmp(name, "count_up")) {
        count_up<<<1, 64>>>(cells.device);
        cells.fetch();
        printf("contó %d de 64\n", cells[0]);
        return 0;
    }
    if (!strcmp(name, "host_pointer"))
        read_one<<<1, 1>>>(values.host, values.device);
    if (!strcmp(name, "null_pointer"))
        read_one<<<1, 1>>>(nullptr, values.device);
    if (!strcmp(name, "after_free")) {
        float *gone;
        CUDA(cudaMalloc(&gone, 400));
        CUDA(cudaFree(gone));
        read_one<<<1, 1>>>(gone, values.device);
    }
    if (!strcmp(name, "from_the_host"))
        printf("%g\n", values.device[3]);                      // @from_the_host
    if (!strcmp(name, "too_much_static"))
        too_much_static<<<1, 1>>>(values.device);
    if (!strcmp(name, "leak")) {
        float *kept;
        CUDA(cudaMalloc(&kept, 444));                                   // @leak
    }
    CUDA(cudaGetLastError());
    CUDA(cudaDeviceSynchronize());
    printf("llegó al final\n");
    return failures ? 1 : 0;
}
