// Lo que comparten los kernels de la escalera: tipos, paquetes de 16 bytes,
// reducciones, y las tres formas de mover una fila entre memoria y SM.
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <stdint.h>
#include <string.h>
#include <type_traits>

// ---- Elementos -----------------------------------------------------------
__device__ inline float widen(float v) { return v; }
__device__ inline float widen(__half v) { return __half2float(v); }
__device__ inline float widen(__nv_bfloat16 v) { return __bfloat162float(v); }
__device__ inline void narrow(float v, float *out) { *out = v; }
__device__ inline void narrow(float v, __half *out)
{
    *out = __float2half_rn(v);
}
__device__ inline void narrow(float v, __nv_bfloat16 *out)
{
    *out = __float2bfloat16_rn(v);
}

// ---- Granos: los 16 bytes que un hilo mueve de una vez -------------------------
struct alignas(16) grain { unsigned word[4]; };

__device__ inline grain load_stream(const void *from)
{
    uint4 v = __ldcs(static_cast<const uint4 *>(from));
    return grain{ { v.x, v.y, v.z, v.w } };
}
__device__ inline grain load_again(const void *from)
{
    uint4 v = *static_cast<const uint4 *>(from);
    return grain{ { v.x, v.y, v.z, v.w } };
}
__device__ inline void store_stream(void *to, const grain &g)
{
    __stcs(static_cast<uint4 *>(to),
           make_uint4(g.word[0], g.word[1], g.word[2], g.word[3]));
}
// El elemento w, con w conocido al compilar.
template <typename T> __device__ inline void put(grain &g, int w, T value)
{
    unsigned bits = 0;
    memcpy(&bits, &value, sizeof value);
    g.word[w * sizeof(T) / 4] |= bits << (w * sizeof(T) % 4 * 8);
}
template <typename T> __device__ inline T get(const grain &g, int w)
{
    unsigned bits = g.word[w * sizeof(T) / 4] >> (w * sizeof(T) % 4 * 8);
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// De un grano a fp32 y vuelta. Un bf16 es la mitad alta de un float.
__device__ inline void widen(const grain &g, float (&out)[4], float)
{
    memcpy(out, g.word, 16);
}
__device__ inline void widen(const grain &g, float (&out)[8], __half)
{
#pragma unroll
    for (int i = 0; i < 4; i++) {
        __half2 two;
        memcpy(&two, &g.word[i], 4);
        float2 wide = __half22float2(two);
        out[2 * i] = wide.x;
        out[2 * i + 1] = wide.y;
    }
}
__device__ inline void widen(const grain &g, float (&out)[8], __nv_bfloat16)
{
#pragma unroll
    for (int i = 0; i < 4; i++) {
        unsigned low = g.word[i] << 16, high = g.word[i] & 0xffff0000u;
        memcpy(&out[2 * i], &low, 4);
        memcpy(&out[2 * i + 1], &high, 4);
    }
}
__device__ inline grain narrow(const float (&in)[4], float)
{
    grain g;
    memcpy(g.word, in, 16);
    return g;
}
__device__ inline grain narrow(const float (&in)[8], __half)
{
    grain g;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        __half2 two = __floats2half2_rn(in[2 * i], in[2 * i + 1]);
        memcpy(&g.word[i], &two, 4);
    }
    return g;
}
__device__ inline grain narrow(const float (&in)[8], __nv_bfloat16)
{
    grain g;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        __nv_bfloat162 two =
            __floats2bfloat162_rn(in[2 * i], in[2 * i + 1]);
        memcpy(&g.word[i], &two, 4);
    }
    return g;
}

// Impide que el compilador guarde en registros los floats ya convertidos: la
// próxima lectura del grano vuelve a convertir, y ocupa la mitad.
__device__ inline void forget(grain &g)
{
#if !defined(PAPER_GPU)
    asm volatile("" : "+r"(g.word[0]), "+r"(g.word[1]),
                      "+r"(g.word[2]), "+r"(g.word[3]));
#endif
}

// ---- Sumas ---------------------------------------------------------------
__device__ inline float warp_sum(float value)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, distance);
    return value;
}

// Suma COUNT valores de memoria compartida, en el mismo orden en cada hilo.
template <int COUNT> __device__ inline float gather_sum(const float *from)
{
    float sum = 0;
    if constexpr (COUNT <= 16) {
        float part[4] = {0, 0, 0, 0};
#pragma unroll
        for (int i = 0; i < COUNT; i++)
            part[i % 4] += from[i];
        sum = (part[0] + part[1]) + (part[2] + part[3]);
    } else {
#pragma unroll
        for (int i = threadIdx.x % 32; i < COUNT; i += 32)
            sum += from[i];
        sum = warp_sum(sum);
    }
    return sum;
}

// ---- Cluster (sm_90) -------------------------------------------------------
#if defined(PAPER_GPU)
// (lo da el emulador)
#elif __CUDA_ARCH__ >= 900
__device__ inline unsigned cluster_rank(void)
{
    unsigned rank;
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
    return rank;
}
__device__ inline void cluster_arrive(void)
{
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
}
__device__ inline void cluster_wait(void)
{
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}
__device__ inline uint32_t shared_address(const void *p)
{
    return static_cast<uint32_t>(__cvta_generic_to_shared(p));
}
// Escribe y lee un float de la memoria compartida de otro bloque del cluster.
__device__ inline void put_remote(float *mine, unsigned rank, float value)
{
    uint32_t there;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there) : "r"(shared_address(mine)), "r"(rank));
    asm volatile("st.shared::cluster.f32 [%0], %1;"
                 :: "r"(there), "f"(value) : "memory");
}
__device__ inline float get_remote(const float *mine, unsigned rank)
{
    uint32_t there;
    float value;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there) : "r"(shared_address(mine)), "r"(rank));
    asm volatile("ld.shared::cluster.f32 %0, [%1];"
                 : "=f"(value) : "r"(there) : "memory");
    return value;
}
#else
__device__ inline unsigned cluster_rank(void) { return 0; }
__device__ inline void cluster_arrive(void) { __trap(); }
__device__ inline void cluster_wait(void) { __trap(); }
__device__ inline void put_remote(float *, unsigned, float) { __trap(); }
__device__ inline float get_remote(const float *, unsigned)
{
    __trap();
    return 0;
}
#endif

// ---- Lanzamientos encadenados ----------------------------------------------
__device__ inline void wait_previous_kernel(void)
{
#if !defined(PAPER_GPU) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
__device__ inline void let_next_kernel_start(void)
{
#if !defined(PAPER_GPU) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

// ---- Banderas entre bloques --------------------------------------------------
#if !defined(PAPER_GPU)
__device__ inline void raise_flag(unsigned *flag, unsigned value)
{
    __threadfence();
    asm volatile("st.release.gpu.global.u32 [%0], %1;"
                 :: "l"(flag), "r"(value) : "memory");
}
__device__ inline void wait_flag(const unsigned *flag, unsigned value)
{
    unsigned seen;
    do
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];"
                     : "=r"(seen) : "l"(flag) : "memory");
    while (seen != value);
}
#endif

// ---- Copias asíncronas -------------------------------------------------------
#if defined(PAPER_GPU)
#define BULK_COPIES BULK_EMULATED
#elif __CUDA_ARCH__ >= 900 && !defined(NO_BULK)
#define BULK_COPIES 1
#else
#define BULK_COPIES 0
#endif

#if defined(PAPER_GPU) && BULK_EMULATED
// (lo da el emulador)
#elif BULK_COPIES
__device__ inline void barrier_init(uint64_t *barrier)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;"
                 :: "r"(shared_address(barrier)) : "memory");
}
__device__ inline void barrier_init_visible(void)
{
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ inline void barrier_expect(uint64_t *barrier, uint32_t bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                 :: "r"(shared_address(barrier)), "r"(bytes) : "memory");
}
__device__ inline void barrier_wait(uint64_t *barrier, uint32_t parity)
{
    uint32_t done;
#ifdef SPIN_LIMIT
    long spins = 0;
#endif
    do {
        asm volatile("{\n .reg .pred p;\n"
                     " mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                     " selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(parity) : "memory");
#ifdef SPIN_LIMIT
        if (!done && ++spins > SPIN_LIMIT)
            __trap();
#endif
    } while (!done);
}
// Como barrier_wait, para lo que escriben otros bloques del cluster.
__device__ inline void barrier_wait_cluster(uint64_t *barrier,
                                            uint32_t parity)
{
    uint32_t done;
#ifdef SPIN_LIMIT
    long spins = 0;
#endif
    do {
        asm volatile("{\n .reg .pred p;\n"
                     " mbarrier.try_wait.parity.acquire.cluster"
                     ".shared::cta.b64 p, [%1], %2;\n"
                     " selp.u32 %0, 1, 0, p;\n}"
                     : "=r"(done)
                     : "r"(shared_address(barrier)), "r"(parity) : "memory");
#ifdef SPIN_LIMIT
        if (!done && ++spins > SPIN_LIMIT)
            __trap();
#endif
    } while (!done);
}
// Escribe un float en otro bloque del cluster y lo anuncia en su barrera.
__device__ inline void put_async(float *mine, unsigned rank, float value,
                                 uint64_t *barrier)
{
    uint32_t there, bell;
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(there) : "r"(shared_address(mine)), "r"(rank));
    asm("mapa.shared::cluster.u32 %0, %1, %2;"
        : "=r"(bell) : "r"(shared_address(barrier)), "r"(rank));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32"
                 " [%0], %1, [%2];"
                 :: "r"(there), "r"(__float_as_uint(value)), "r"(bell)
                 : "memory");
}
__device__ inline void bulk_load(void *to, uintptr_t from, uint32_t bytes,
                                 uint64_t *barrier)
{
    asm volatile("cp.async.bulk.shared::cluster.global"
                 ".mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                 :: "r"(shared_address(to)), "l"(from), "r"(bytes),
                    "r"(shared_address(barrier)) : "memory");
}
__device__ inline void bulk_store(uintptr_t to, const void *from,
                                  uint32_t bytes)
{
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;"
                 :: "l"(to), "r"(shared_address(from)), "r"(bytes)
                 : "memory");
}
__device__ inline void bulk_commit(void)
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
template <int PENDING> __device__ inline void bulk_wait_read(void)
{
    asm volatile("cp.async.bulk.wait_group.read %0;" :: "n"(PENDING)
                 : "memory");
}
__device__ inline void bulk_wait_all(void)
{
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
__device__ inline void publish_to_copies(void)
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
// Con copias masivas, las esperas de cp.async no hacen nada; y al revés.
__device__ inline void copy_commit(void) {}
__device__ inline void copy_wait_pending(int) {}
template <int WARPS, int CLUSTER>
__device__ inline void copies_visible(void) {}
#else
__device__ inline void barrier_init(uint64_t *) {}
__device__ inline void barrier_init_visible(void) {}
__device__ inline void barrier_wait(uint64_t *, uint32_t) {}
__device__ inline void barrier_expect(uint64_t *, uint32_t) {}
__device__ inline void barrier_wait_cluster(uint64_t *, uint32_t) {}
__device__ inline void put_async(float *, unsigned, float, uint64_t *) {}
__device__ inline void bulk_commit(void) {}
template <int PENDING> __device__ inline void bulk_wait_read(void) {}
__device__ inline void bulk_wait_all(void) {}
__device__ inline void publish_to_copies(void) {}
#if !defined(PAPER_GPU)
__device__ inline void copy16(void *to, uintptr_t from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;"
                 :: "r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from)
                 : "memory");
}
__device__ inline void copy_commit(void)
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}
__device__ inline void copy_wait_pending(int pending)
{
    if (pending <= 0)
        asm volatile("cp.async.wait_group 0;" ::: "memory");
    else if (pending == 1)
        asm volatile("cp.async.wait_group 1;" ::: "memory");
    else if (pending == 2)
        asm volatile("cp.async.wait_group 2;" ::: "memory");
    else
        asm volatile("cp.async.wait_group 3;" ::: "memory");
}
#endif
// Cada hilo espera sus propias copias; falta ver las de los demás.
template <int WARPS, int CLUSTER> __device__ inline void copies_visible(void)
{
    if constexpr (WARPS > 1)
        __syncthreads();
    else
        __syncwarp();
}
#endif
