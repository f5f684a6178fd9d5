// Emulador mínimo para probar la lógica de los kernels en una CPU (borrador).
#pragma once
#include <ucontext.h>
#include <sys/mman.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <vector>
#include <map>
#include <functional>
#include <algorithm>
#include <cuda_runtime_api.h>
#include <vector_types.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#define PAPER_GPU 1
#undef __global__
#undef __device__
#undef __shared__
#undef __launch_bounds__
#define __global__ static
#define __device__
#define __shared__ static __attribute__((section("emu_shared")))
#define __launch_bounds__(...)
#define __is_same(A, B) std::is_same<A, B>::value
using std::min; using std::max;
struct emu_warp { float val[2][32]; int arrived; long gen; };
struct emu_cta { std::vector<char> dyn, stat; int arrived; long gen; std::vector<emu_warp> warps; };
struct emu_copy { char *to; const char *from; size_t n; };
struct emu_fiber { ucontext_t uc; char *stack; int cta, tid; bool done; long token; std::vector<emu_copy> open; std::vector<std::vector<emu_copy>> groups; };
inline std::vector<emu_fiber> emu_f; inline std::vector<emu_cta> emu_c; inline int emu_cur, emu_alive; inline ucontext_t emu_main;
inline int emu_carr; inline long emu_cgen; inline int emu_n, emu_threads, emu_cluster, emu_base; inline std::function<void()> emu_body;
inline long emu_progress; inline bool emu_reverse;
inline uint3 threadIdx, blockIdx; inline dim3 blockDim, gridDim;
inline void emu_set(int i) { auto &f = emu_f[i]; threadIdx = {(unsigned)f.tid,0,0}; blockIdx = {(unsigned)(emu_base + f.cta),0,0}; }
inline size_t emu_nstat() { return 9216; }
inline void emu_switch(int to) {
  int from = emu_cur; if (to == from) return; emu_cur = to;
  emu_set(to); swapcontext(&emu_f[from].uc, &emu_f[to].uc); }
inline long emu_idle;
inline void emu_yield() { if (++emu_idle > 400L * emu_n + 1000000) { fprintf(stderr, "emu: interbloqueo\n"); abort(); }
  int i = emu_cur; for (int k = 0; k < emu_n; k++) { i = emu_reverse ? (i + emu_n - 1) % emu_n : (i + 1) % emu_n; if (!emu_f[i].done) { emu_switch(i); return; } } }
inline void emu_entry() { for (;;) { emu_body(); emu_f[emu_cur].done = true; emu_idle = 0; auto &f = emu_f[emu_cur];
   for (auto &g : f.groups) for (auto &c : g) memcpy(c.to, c.from, c.n); if (f.open.size()) { fprintf(stderr, "emu: copia sin commit\n"); abort(); } f.groups.clear();
   if (--emu_alive == 0) { setcontext(&emu_main); } emu_yield(); } }
inline emu_cta &emu_me() { return emu_c[emu_f[emu_cur].cta]; }
inline void __syncthreads() { auto &c = emu_me(); long g = c.gen; if (++c.arrived == emu_threads) { c.arrived = 0; c.gen++; emu_idle = 0; } else while (c.gen == g) emu_yield(); }
inline float emu_shfl(float v, int src) { auto &w = emu_me().warps[threadIdx.x / 32]; long g = w.gen; w.val[g & 1][threadIdx.x % 32] = v;
  if (++w.arrived == 32) { w.arrived = 0; w.gen++; emu_idle = 0; } else while (w.gen == g) emu_yield(); return w.val[g & 1][src]; }
inline float __shfl_xor_sync(unsigned, float v, int d) { return emu_shfl(v, (threadIdx.x % 32) ^ d); }
inline void __syncwarp() { emu_shfl(0, 0); }
inline int emu_real = 1;
inline unsigned cluster_rank() { return emu_f[emu_cur].cta % emu_real; }
inline void cluster_arrive() { emu_f[emu_cur].token = emu_cgen; if (++emu_carr == emu_n) { emu_carr = 0; emu_cgen++; emu_idle = 0; } }
inline void cluster_wait() { while (emu_cgen == emu_f[emu_cur].token) emu_yield(); }
inline char *emu_map(const void *p, unsigned rank) { const char *q = (const char *)p; auto &me = emu_me();
  if (q >= me.stat.data() && q < me.stat.data() + emu_nstat()) return emu_c[emu_f[emu_cur].cta / emu_real * emu_real + rank].stat.data() + (q - me.stat.data());
  if (q < me.dyn.data() || q >= me.dyn.data() + me.dyn.size()) { fprintf(stderr, "emu: remoto fuera\n"); abort(); }
  return emu_c[emu_f[emu_cur].cta / emu_real * emu_real + rank].dyn.data() + (q - me.dyn.data()); }
inline void put_remote(float *m, unsigned r, float v) { memcpy(emu_map(m, r), &v, 4); }
inline float get_remote(const float *m, unsigned r) { float v; memcpy(&v, emu_map(m, r), 4); return v; }
inline unsigned __float_as_uint(float f) { unsigned u; memcpy(&u, &f, 4); return u; }
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, int s) { return s ? (lo >> s) | (hi << (32 - s)) : lo; }
inline void raise_flag(unsigned *f, unsigned v) { *(volatile unsigned *)f = v; emu_idle = 0; }
inline void wait_flag(const unsigned *f, unsigned v) { while (*(volatile const unsigned *)f != v) emu_yield(); }
inline char *emu_static() { return emu_me().stat.data(); }
inline char *emu_dynamic() { return emu_me().dyn.data(); }
inline void __trap() { abort(); }
template <typename T> T __ldcs(const T *p) { if ((uintptr_t)p % sizeof(T)) { fprintf(stderr, "emu: lectura mal alineada\n"); abort(); } return *p; }
template <typename T> T __ldcg(const T *p) { return *p; }
template <typename T> void __stcs(T *p, T v) { if ((uintptr_t)p % sizeof(T)) { fprintf(stderr, "emu: escritura mal alineada\n"); abort(); } *p = v; }
#if EMU_BULK
#define BULK_EMULATED 1
inline void emu_check16(uintptr_t p, const void *q, size_t n) { if (p % 16 || (uintptr_t)q % 16 || n % 16 || !n) { fprintf(stderr, "emu: bulk mal alineada\n"); abort(); } }
struct emu_mbar { int tx : 24; unsigned pending : 4; unsigned phase : 4; int magic; };
inline void emu_try(emu_mbar *b) { if (!b->pending && b->tx == 0) { b->phase ^= 1; b->pending = 1; emu_idle = 0; } }
inline void barrier_init(uint64_t *p) { emu_mbar *b = (emu_mbar *)p; b->tx = 0; b->pending = 1; b->phase = 0; b->magic = 0x5a5a; }
inline void barrier_init_visible() {}
inline void barrier_expect(uint64_t *p, uint32_t n) { emu_mbar *b = (emu_mbar *)p; if (b->magic != 0x5a5a || !b->pending) { fprintf(stderr, "emu: barrera mal usada\n"); abort(); } b->tx += n; b->pending--; emu_try(b); }
inline void barrier_wait(uint64_t *p, uint32_t parity) { emu_mbar *b = (emu_mbar *)p; if (b->magic != 0x5a5a) abort(); while (b->phase == parity) emu_yield(); }
inline void bulk_load(void *to, uintptr_t from, uint32_t n, uint64_t *p) { emu_check16(from, to, n); memcpy(to, (void *)from, n); emu_mbar *b = (emu_mbar *)p; b->tx -= n; emu_try(b); }
inline float rsqrtf(float v) { return 1 / sqrtf(v); }
inline void barrier_wait_cluster(uint64_t *p, uint32_t parity) { barrier_wait(p, parity); }
inline void put_async(float *m, unsigned r, float v, uint64_t *bar) { memcpy(emu_map(m, r), &v, 4); emu_mbar *b = (emu_mbar *)emu_map(bar, r); if (b->magic != 0x5a5a) { fprintf(stderr, "emu: barrera remota\n"); abort(); } b->tx -= 4; emu_try(b); }
inline void bulk_store(uintptr_t to, const void *from, uint32_t n) { emu_check16(to, from, n); emu_f[emu_cur].open.push_back({(char *)to, (const char *)from, n}); }
inline void bulk_commit() { auto &f = emu_f[emu_cur]; f.groups.push_back(f.open); f.open.clear(); }
inline void emu_flush(size_t keep) { auto &g = emu_f[emu_cur].groups; while (g.size() > keep) { for (auto &c : g[0]) memcpy(c.to, c.from, c.n); g.erase(g.begin()); } }
template <int P> void bulk_wait_read() { emu_flush(P); }
inline void bulk_wait_all() { emu_flush(0); }
inline void publish_to_copies() {}
inline void copy_commit() {}
inline void copy_wait_pending(int) {}
template <int WARPS, int CLUSTER> void copies_visible() {}
#else
inline float rsqrtf(float v) { return 1 / sqrtf(v); }
#define BULK_EMULATED 0
inline void copy16(void *to, uintptr_t from) { if (from % 16 || (uintptr_t)to % 16) abort(); memcpy(to, (void *)from, 16); }
inline void copy_commit() {}
inline void copy_wait_pending(int) {}
#endif
template <typename A> void emu_launch(void (*k)(A), int grid, int threads, size_t smem, int cluster, A a, bool together = false) {
  int real_cluster = cluster; if (together) cluster = grid; emu_real = real_cluster;
  emu_threads = threads; emu_cluster = cluster; emu_n = threads * cluster; blockDim = dim3(threads); gridDim = dim3(grid);
  static std::map<int,int> dummy; while ((int)emu_f.size() < emu_n) { emu_f.emplace_back(); }
  static size_t made = 0;
  for (; made < emu_f.size(); made++) { emu_f[made].stack = (char *)mmap(0, 131072, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS|MAP_NORESERVE, -1, 0); }
  emu_body = [=] { k(a); };
  for (int b = 0; b < grid; b += cluster) {
    emu_base = b; emu_c.assign(cluster, {}); emu_carr = 0; emu_cgen = 0; emu_idle = 0;
    for (auto &c : emu_c) { c.dyn.assign(smem + 64, (char)0xff); c.dyn.resize(smem + 64); c.stat.assign(emu_nstat(), (char)0xff); c.warps.assign((threads + 31) / 32, {}); }
    for (auto &c : emu_c) { if ((uintptr_t)c.dyn.data() % 16) abort(); }
    emu_alive = emu_n;
    for (int i = 0; i < emu_n; i++) { auto &f = emu_f[i]; f.done = false; f.cta = i / threads; f.tid = i % threads; f.open.clear(); f.groups.clear(); getcontext(&f.uc); f.uc.uc_stack.ss_sp = f.stack; f.uc.uc_stack.ss_size = 131072; makecontext(&f.uc, emu_entry, 0); }
    emu_cur = emu_reverse ? emu_n - 1 : 0; 
    if (emu_f[emu_cur].cta) {}
    emu_set(emu_cur); swapcontext(&emu_main, &emu_f[emu_cur].uc);
  }
}
