// Casos pequeños en la GPU: cada variante, columnas y filas irregulares, bases
// desplazadas, bandas de guarda, salidas envenenadas. Reutiliza bench.cu.
#define main bench_main
#include "bench.cu"
#undef main
static uint64_t st = 1;
static double uni() { st = st * 6364136223846793005ull + 1442695040888963407ull; return (double)(int64_t)(st >> 11) / (double)(1ll << 52) - 1.0; }
static int tests, fails;
static char *arena; static size_t used;
static char *take(size_t b) { char *p = arena + used; used += (b + 1023) / 512 * 512; return p; }
template <typename T> static void one(const instance *k, int64_t m, int n_, int shift, int blocks, int slots, int fused)
{
    rows = m; columns = n_;
    size_t n = rows * columns;
    used = 0;
    size_t total = 5 * (n * sizeof(T) + 4096) + 3 * (columns * sizeof(T) + 4096) + rows * 8 + 65536 + 4ull * columns * (std::max<size_t>(rows, 4096) + 64);
    static size_t have; if (total > have) { if (arena) CK(cudaFree(arena)); have = total; CK(cudaMalloc(&arena, have)); }
    CK(cudaMemset(arena, 0xff, total));
    buffers b;
    auto place = [&](size_t e) { char *p = take((e + 64) * sizeof(T) + 512); p = (char *)(((uintptr_t)p + 255) / 128 * 128); return p + shift * sizeof(T); };
    b.x = place(n); b.dy = place(n); b.y = place(n); b.dx = place(n); gamma_ = place(columns); dgamma_ = place(columns);
    b.r = (float *)take(4 * rows); flags_ = (unsigned *)take(4 * 8192); CK(cudaMemset(flags_, 0, 4 * 8192)); partial_ = (float *)take(4ull * columns * (std::max<size_t>(rows, 4096) + 16));
    std::vector<T> x(n), dy(n), g(columns);
    for (auto &v : g) v = (T)(float)((&v - &g[0]) % 17 == 3 ? 0 : uni());
    for (size_t i = 0; i < n; i++) { x[i] = (T)(float)(uni() + 0.3); dy[i] = (T)(float)(uni() + (float)x[i] * (float)g[i % columns]); }
    CK(cudaMemcpy(b.x, x.data(), n * sizeof(T), cudaMemcpyHostToDevice)); CK(cudaMemcpy(b.dy, dy.data(), n * sizeof(T), cudaMemcpyHostToDevice)); CK(cudaMemcpy(gamma_, g.data(), columns * sizeof(T), cudaMemcpyHostToDevice));
    std::vector<float> ry(n), rdx(n), rdg(columns), sl(columns), sx(n), r(rows);
    std::vector<double> rr(rows), sdg(columns), adg(columns);
    for (int64_t i = 0; i < rows; i++) { double s = 0, d = 0; for (int c = 0; c < columns; c++) { double v = (float)x[i*columns+c]; s += v*v; d += v * (double)(float)dy[i*columns+c] * (float)g[c]; }
        double q = rr[i] = 1/sqrt(s/columns+1e-6f); r[i] = (float)q; for (int c = 0; c < columns; c++) { size_t e = i*columns+c; double v = (float)x[e], u = (float)dy[e], w = (float)g[c]; ry[e] = (float)(v*q*w); rdx[e] = (float)(q*u*w - v*q*q*q*d/columns); sx[e] = (float)(1e-5 + 1e-6 * (fabs(q*u*w) + fabs(v*q*q*q*d/columns))); sdg[c] += u*v*q; adg[c] += fabs(u*v*q); } }
    for (int c = 0; c < columns; c++) { rdg[c] = (float)sdg[c]; sl[c] = (float)(1e-5 + 2e-6 * adg[c]); }
    plan p;
    if (!make_plan(k, rows, columns, blocks, slots, fused, &p)) return;
    if (k->backward) CK(cudaMemcpy(b.r, r.data(), 4 * rows, cudaMemcpyHostToDevice));
    CK(cudaStreamSynchronize(0));
    cudaError_t e = k->backward ? run_backward(k, p, b) : run_forward(k, p, b);
    if (e == cudaSuccess) e = cudaStreamSynchronize(stream);
    if (e != cudaSuccess) { printf("FALLA %s bwd%d fam%d type%d E%d w%d i%d c%d n%d %ldx%d b%d s%d\n", cudaGetErrorString(e), k->backward, k->family, k->type, k->edges, k->warps, k->items, k->cluster, k->step, (long)rows, columns, blocks, slots); exit(3); }
    float unit = sizeof(T) == 4 ? 2.4e-7f : type == DTYPE_FP16 ? 4.95e-4f : 3.93e-3f;
    double worst = 0; bool bad = false; const char *what = "";
    auto cmp = [&](void *at, const std::vector<float> &ref, const float *slack, const char *name) {
        std::vector<T> v(ref.size() + 16);
        CK(cudaMemcpy(v.data(), (char *)at - 8 * sizeof(T), v.size() * sizeof(T), cudaMemcpyDeviceToHost));
        for (size_t i = 0; i < v.size(); i++) {
            if (i < 8 || i >= ref.size() + 8) { for (size_t q = 0; q < sizeof(T); q++) if (((unsigned char *)&v[i])[q] != 0xff) { bad = true; what = "banda"; } continue; }
            double f = ref[i - 8], t = unit * fabs(f) + (slack ? slack[i - 8] : 1e-5), err = fabs((double)(float)v[i] - f) / t;
            if (!(err <= 1)) { bad = true; what = name; }
            worst = std::max(worst, err);
        } };
    if (k->backward) { cmp(b.dx, rdx, sx.data(), "dx"); cmp(dgamma_, rdg, sl.data(), "dgamma"); }
    else { cmp(b.y, ry, NULL, "y"); std::vector<float> v(rows); CK(cudaMemcpy(v.data(), b.r, 4 * rows, cudaMemcpyDeviceToHost)); for (int64_t i = 0; i < rows; i++) if (!(fabs(v[i] - rr[i]) <= 1e-6 * rr[i])) { bad = true; what = "r"; } }
    tests++; fails += bad;
    if (bad) printf("MAL %s bwd%d fam%d type%d E%d w%d i%d c%d n%d %ldx%d shift%d b%d s%d worst %.3g\n", what, k->backward, k->family, k->type, k->edges, k->warps, k->items, k->cluster, k->step, (long)rows, columns, shift, blocks, slots, worst);
}
int main(int argc, char **argv)
{
    CK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    cudaDeviceProp prop; CK(cudaGetDeviceProperties(&prop, 0)); sms = prop.multiProcessorCount;
    for (int i = 0; i < INSTANCES; i++) {
        const instance *k = &instances[i]; type = k->type;
        int W = 16 / element_size(type), L = LINE / element_size(type);
        bool loose = k->edges;
        int cap = k->family == COURSE || k->family == WIDE ? 300 : k->family == NARROW || k->family == SMALL ? capacity_of(k)
                  : k->edges ? (capacity_of(k) - 8 * k->cluster + 8 - 1) * W - L + 1 : (capacity_of(k) - 8 * k->cluster + 8) * W;
        int cols[4] = { cap, cap - L, cap * 3 / 4 / L * L, L };
        if (loose) { cols[1] = cap - 1; cols[2] = cap * 3 / 4 | 1; cols[3] = cap > 300 ? cap / 2 + 2 : 1; }
        for (int q = 0; q < 4; q++) for (int v = 0; v < 3; v++) {
            if (cap > 20000 && (q == 2 || v == 1)) continue;
            if (cols[q] < 1 || !fits(k, cols[q])) continue;
            int64_t m = v == 1 ? 1 + q : v == 2 ? 300 + q : (cap > 2000 ? 700 : 2500) + 3 * q;
            if (cap > 20000) m = v ? 5 : 37;
            int shift = loose ? (q * 3 + v + 1) * (v == 2 ? 1 : W + 1) % L : 0, slots = 3 + q;
            if (type == DTYPE_FP32) one<float>(k, m, cols[q], shift, 1, slots, v > 0 && k->backward && (k->family == RING || k->family == NARROW));
            else if (type == DTYPE_FP16) one<__half>(k, m, cols[q], shift, 1, slots, v > 0 && k->backward && (k->family == RING || k->family == NARROW));
            else one<__nv_bfloat16>(k, m, cols[q], shift, 1, slots, v > 0 && k->backward && (k->family == RING || k->family == NARROW));
        }
        if (i % 20 == 19) { printf("variante %d/%d: %d pruebas, %d mal\n", i, INSTANCES, tests, fails); fflush(stdout); }
    }
    printf("CASOS %d MAL %d\n", tests, fails);
    return fails != 0;
}
