#include "emu.h"
#include "table.cuh"
static uint64_t st = 1;
static double uni() { st = st * 6364136223846793005ull + 1442695040888963407ull; return (double)(int64_t)(st >> 11) / (1ll << 52) - 1.0; }
template <typename T> static void run(const instance *k, int64_t rows, int columns, int shift, int blocks, int slots, int fused) {
  size_t n = rows * columns, pad = 256;
  std::vector<T> X(n + 2 * pad), DY(n + 2 * pad), G(columns + 2*pad), Y(n + 2 * pad), DX(n + 2 * pad), DG(columns + 2 * pad);
  // bases alineadas a 16 más `shift` elementos
  auto base = [&](std::vector<T> &v) { uintptr_t p = ((uintptr_t)v.data() + 255) / 128 * 128; return (T *)p + shift; };
  T *x = base(X), *dy = base(DY), *g = base(G), *y = base(Y), *dx = base(DX), *dg = base(DG);
  for (auto *v : {&Y, &DX, &DG}) memset(v->data(), 0xff, v->size() * sizeof(T));
  for (int c = 0; c < columns; c++) narrow(c % 17 == 3 ? 0.f : (float)uni(), &g[c]);
  for (size_t i = 0; i < n; i++) { narrow((float)(uni() + 0.3), &x[i]); narrow((float)(uni() + widen(x[i]) * widen(g[i % columns])), &dy[i]); }
  std::vector<float> R(rows), P((size_t)(blocks + 64 + (k->family == COURSE ? rows : 0)) * columns + rows, NAN);
  double eps = 1e-6; std::vector<double> ry(n), rdx(n), rdg(columns), ab(columns), rr(rows);
  for (int64_t i = 0; i < rows; i++) { double s = 0, d = 0; for (int c = 0; c < columns; c++) { double v = widen(x[i*columns+c]); s += v*v; }
    double r = 1/sqrt(s/columns+eps); rr[i] = r; for (int c = 0; c < columns; c++) { size_t e=i*columns+c; ry[e] = widen(x[e])*r*widen(g[c]); d += (double)widen(dy[e])*widen(g[c])*widen(x[e]); }
    for (int c = 0; c < columns; c++) { size_t e=i*columns+c; rdx[e] = r*widen(dy[e])*(double)widen(g[c]) - widen(x[e])*r*r*r*d/columns; rdg[c] += widen(dy[e])*r*widen(x[e]); ab[c] += fabs(widen(dy[e])*r*widen(x[e])); } }
  int smem = dynamic_bytes(k, columns, slots);
  int block = k->family == COURSE ? 256 : 32 * k->warps;
  int steps = (rows + k->step - 1) / k->step, workers = blocks;
  if (k->backward && k->family == RING) { if (workers < steps) { int p = period_of(k, columns); workers = std::max(workers / p, 1) * p; } workers = std::min(workers, steps); blocks = workers; }
  if (k->family == NARROW && k->backward) blocks = std::min(blocks, steps), workers = blocks;
  std::vector<unsigned> flags(4096, 7);
  P.assign((size_t)(blocks + 64 + rows) * columns + rows, NAN);
  bool bad = false; double worst = 0; const char *what = "";
  double u = sizeof(T) == 4 ? 1.2e-7 : std::is_same<T,__half>::value ? 4.9e-4 : 3.92e-3;
  auto cmp = [&](const T *a, const std::vector<double> &r, const char *w, const double *abs) { for (size_t i = 0; i < r.size(); i++) { double t = 1.01*u*fabs(r[i]) + 1e-5 + (abs ? 1e-6*abs[i] : 0); double e = fabs(widen(a[i]) - r[i])/t; if (!(e <= 1)) { if (!bad) fprintf(stderr, "  %s[%zu] = %g, no %g\n", w, i, widen(a[i]), r[i]); bad = true; what = w; } if (e > worst) worst = e; } };
  auto guard = [&](std::vector<T> &v, T *b, size_t n) { for (T *p = v.data(); p < v.data() + v.size(); p++) if (p < b || p >= b + n) { for (size_t q = 0; q < sizeof(T); q++) if (((unsigned char *)p)[q] != 0xff) { bad = true; what = "banda"; } } };
  if (!k->backward) {
    forward_args a = { x, g, y, R.data(), (int)rows, columns, (float)eps, 1.0f / columns, segment_of(k, columns) };
    int grid = k->family == COURSE ? rows : steps * k->cluster;
    emu_launch(k->forward_kernel, grid, block, smem, k->cluster, a);
    cmp(y, ry, "y", 0); guard(Y, y, n); for (int64_t i = 0; i < rows; i++) if (!(fabs(R[i]-rr[i]) <= 1e-5*rr[i])) { bad = true; what = "r"; }
  } else {
    for (int64_t i = 0; i < rows; i++) R[i] = rr[i];
    backward_args a = { x, g, dy, R.data(), dx, P.data(), dg, fused ? flags.data() : NULL, (int)rows, columns, 1.0f / columns, workers, segment_of(k, columns), slots, slot_bytes_of(k, columns), blocks };
    if (k->family == COURSE) { a.parts = rows; emu_launch(k->backward_kernel, rows, block, 0, 1, a); }
    else if (k->family == WIDE) { emu_launch(backward_wide_scale<T>, rows, 256, 0, 1, a); emu_launch(k->backward_kernel, blocks * ((columns + 255) / 256), 256, 0, 1, a); }
    else if (k->family == SMALL) emu_launch(k->backward_kernel, k->cluster, block, smem, k->cluster, a);
    else emu_launch(k->backward_kernel, blocks * k->cluster, block, smem, k->cluster, a, fused);
    if (k->family != SMALL && !fused) { if (st & 1024) emu_launch(dgamma_reduce<T, 16>, (columns + 31) / 32, 512, 0, 1, a); else emu_launch(dgamma_reduce<T, 4>, (columns + 127) / 128, 512, 0, 1, a); }
    cmp(dx, rdx, "dx", 0); cmp(dg, rdg, "dgamma", ab.data()); guard(DX, dx, n); guard(DG, dg, columns);
  }
  static int tests, fails; tests++; fails += bad;
  if (bad || getenv("VERBOSE")) printf("%s %s fam %d type %d E%d w%d i%d c%d n%d f%d: %ldx%d shift %d blocks %d slots %d: worst %.2f %s\n", bad ? "MAL" : "bien", k->backward ? "bwd" : "fwd", k->family, k->type, k->edges, k->warps, k->items, k->cluster, k->step, fused, (long)rows, columns, shift, blocks, slots, worst, what);
  if (tests % 100 == 0) { printf("%d pruebas, %d mal\n", tests, fails); fflush(stdout); }
}
int main(int argc, char **argv) {
  int max = argc > 1 ? atoi(argv[1]) : 1 << 30; emu_reverse = getenv("REVERSE") != 0;
  for (int i = 0; i < INSTANCES; i++) { const instance *k = &instances[i];
    int W = 16 / element_size(k->type), L = LINE / element_size(k->type); bool loose = k->edges;
    int cap = k->family == COURSE || k->family == WIDE ? 300 : k->family == NARROW || k->family == SMALL ? capacity_of(k)
              : k->edges ? (capacity_of(k) - 8 * k->cluster + 8 - 1) * W - L + 1 : (capacity_of(k) - 8 * k->cluster + 8) * W;
    if (k->cluster * 32 * k->warps > 8192 || cap > max) continue;
    int cols[4] = { cap, cap - L, cap * 3 / 4 / L * L, L };
    if (loose) { cols[1] = cap - 1; cols[2] = cap * 3 / 4 | 1; cols[3] = cap > 300 ? cap / 2 + 2 : 1; }
    for (int q = 0; q < 4; q++) for (int v = 0; v < 3; v++) {
      if (cols[q] < 1 || !fits(k, cols[q])) continue;
      int64_t rows = v == 1 ? 1 + q : v == 2 ? 29 : 2 * k->step * 5 + 3 + q; if (cap > 20000) rows = rows > 7 ? 7 : rows;
      if (loose && k->family == RING && v == 2) rows = 150;
      int shift = loose ? (q * 3 + v + 1) * (v == 2 ? 1 : W + 1) % L : 0, slots = 3 + q;
      bool f = v == 2 && k->backward && (k->family == RING || k->family == NARROW) && 32L * k->warps * (k->family == RING && loose ? 64 : 2) * k->cluster < 13000;
      int bl = 1 + (v == 2);
      if (k->type == DTYPE_FP32) run<float>(k, rows, cols[q], shift, bl, slots, f); else if (k->type == DTYPE_FP16) run<__half>(k, rows, cols[q], shift, bl, slots, f); else run<__nv_bfloat16>(k, rows, cols[q], shift, bl, slots, f); } }
  printf("fin\n"); }
