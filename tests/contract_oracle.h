/* contract_oracle.h: a call to chapter 2's contract, and an oracle of acceptance.
   Included after the program, by its unit test and by its fuzzer. */
/* --- a call, as the tests write it ---------------------------------------- */
typedef struct {
    tensor x, gamma, y, dx, dgamma;      /* y is dy in a backward */
    float *r, *partial;
    double epsilon;
} probe;

/* Addresses far apart that nobody follows */
static void *address(int place)
{
    return (void *)((uintptr_t)place << 40);
}

static probe good_probe(int64_t m, int64_t n, dtype t)
{
    return (probe){
        .x = matrix(address(1), t, m, n), .y = matrix(address(2), t, m, n),
        .dx = matrix(address(3), t, m, n), .gamma = vector(address(4), t, n),
        .dgamma = vector(address(5), t, n), .r = address(6),
        .partial = address(7), .epsilon = 1e-6
    };
}

typedef enum { FORWARD_ONLY = 1, BACKWARD_ONLY, BOTH } ways;

static verdict ask(const probe *p, ways way)
{
    return way == FORWARD_ONLY
        ? check_forward(&p->x, &p->gamma, &p->y, p->r, p->epsilon)
        : check_backward(&p->x, &p->gamma, &p->y, p->r, &p->dx, p->partial,
                         &p->dgamma);
}

/* --- an oracle of acceptance ------------------------------------------------ *
 * It asks what the call would do: is every element, counted row by row, where
 * the view says it is; do the bytes written belong to nobody else.          */
typedef __int128 wide;

static bool in_order(const tensor *t)
{
    int64_t m = t->rank == 2 ? t->shape[0] : 1;
    int64_t n = t->shape[t->rank - 1];
    const int64_t down = t->rank == 2 ? t->stride[0] : 0;
    const int64_t across = t->stride[t->rank - 1];
    for (int64_t i = 0; i < m && i < 4; i++)
        for (int64_t j = 0; j < n && j < 4; j++)
            if ((wide)i * down + (wide)j * across != (wide)i * n + j)
                return false;
    return true;
}

typedef struct { wide from, to; bool written; } span;

static bool like(const tensor *t, const tensor *x, int rank)
{
    return t->data && t->rank == rank && t->type == x->type
        && t->device == x->device && in_order(t)
        && t->shape[0] == x->shape[2 - rank]
        && (rank == 1 || t->shape[1] == x->shape[1]);
}

static span span_of(const void *data, wide elements, int size, bool written)
{
    wide from = (wide)(uintptr_t)data;
    return (span){ from, from + elements * size, written };
}

static bool apart(const span *all, int count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < count; j++) {
            wide from = all[i].from > all[j].from ? all[i].from
                                                  : all[j].from;
            wide to = all[i].to < all[j].to ? all[i].to : all[j].to;
            if (i != j && all[i].written && from < to) return false;
        }
    return true;
}

static bool deserves(const probe *p, ways way)
{
    const tensor *x = &p->x;
    if (!x->data || x->rank != 2 || x->device < 0) return false;
    if (x->type != DTYPE_FP32 && x->type != DTYPE_FP16) return false;
    wide m = x->shape[0], n = x->shape[1];
    if (m <= 0 || n <= 0 || n >= 4097 || m * n > 16 * 1024 * 1024)
        return false;
    if (!like(x, x, 2) || !like(&p->gamma, x, 1) || !like(&p->y, x, 2))
        return false;
    if (!p->r || (uintptr_t)p->r & 3) return false;
    int size = x->type == DTYPE_FP32 ? 4 : 2;
    span all[7] = {
        span_of(x->data, m * n, size, false),
        span_of(p->gamma.data, n, size, false),
        span_of(p->y.data, m * n, size, way == FORWARD_ONLY),
        span_of(p->r, m, 4, way == FORWARD_ONLY),
    };
    int count = 4;
    if (way == FORWARD_ONLY) {
        float e = (float)p->epsilon;
        if (!(e > 0.0f && e < INFINITY)) return false;
    } else {
        if (!like(&p->dx, x, 2) || !like(&p->dgamma, x, 1)) return false;
        if (!p->partial || (uintptr_t)p->partial & 3) return false;
        all[count++] = span_of(p->dx.data, m * n, size, true);
        all[count++] = span_of(p->dgamma.data, n, size, true);
        all[count++] = span_of(p->partial, m * n, 4, true);
    }
    for (int i = 0; i < count; i++)
        if (all[i].from % size != 0) return false;
    return apart(all, count);
}
