/* unit_wide.c: the wide contract of the fast kernels, and the library that
 * stands behind it.
 *
 * No kernel runs here: the launchers are impostors that count their calls and
 * keep what they were given. Two things are independent of the contract: a
 * table of faults with the message that each deserves, and an oracle that
 * knows no rule, only which bytes a call would touch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "librmsnorm.c"

/* --- impostors -------------------------------------------------------------- */
static int launches;
static cudaError_t planted;
static size_t wanted_scratch;
static struct {
    int type, columns;
    int64_t rows;
    float epsilon;
    size_t bytes;
    const void *pointer[7];
} given;

cudaError_t rmsnorm_fast_forward(int type, const void *x,
    const void *gamma, void *y, float *inverse_rms, int64_t rows,
    int columns, float epsilon, cudaStream_t stream)
{
    launches++;
    given.type = type, given.rows = rows, given.columns = columns;
    given.epsilon = epsilon;
    const void *all[] = { x, gamma, y, inverse_rms, stream };
    memcpy(given.pointer, all, sizeof all);
    return planted;
}

cudaError_t rmsnorm_fast_backward(int type, const void *x,
    const void *gamma, const void *dy, const float *inverse_rms, void *dx,
    void *dgamma, float *scratch, size_t scratch_bytes, int64_t rows,
    int columns, cudaStream_t stream)
{
    (void)stream;
    launches++;
    given.type = type, given.rows = rows, given.columns = columns;
    given.bytes = scratch_bytes;
    const void *all[] = { x, gamma, dy, inverse_rms, dx, dgamma, scratch };
    memcpy(given.pointer, all, sizeof all);
    return planted;
}

size_t rmsnorm_fast_scratch(int type, int64_t rows, int columns)
{
    (void)type, (void)rows, (void)columns;
    return wanted_scratch;
}

static int ruler_given[3];

cudaError_t rmsnorm_ruler(int type, int unroll, int threads, int chained,
    const void *x, const void *dy, void *out, int64_t count,
    cudaStream_t stream)
{
    (void)stream;
    launches++;
    given.type = type, given.rows = count;
    const void *all[] = { x, dy, out };
    const int options[] = { unroll, threads, chained };
    memcpy(given.pointer, all, sizeof all);
    memcpy(ruler_given, options, sizeof options);
    return planted;
}

const char *cudaGetErrorString(cudaError_t error)
{
    return error == cudaSuccess ? "bien" : "un error de CUDA";
}

/* --- a call, as the tests write it ------------------------------------------ */
typedef struct {
    tensor x, gamma, y, dx, dgamma;      /* y is dy in a backward */
    float *r;
    void *scratch;
    int64_t offered, needed;
    double epsilon;
} probe;
typedef enum { FORWARD_ONLY = 1, BACKWARD_ONLY, BOTH } ways;

/* Addresses far apart that nobody follows */
static void *address(int place)
{
    return (void *)((uintptr_t)place << 44);
}

static probe good_probe(int64_t m, int64_t n, dtype t)
{
    return (probe){
        .x = matrix(address(1), t, m, n), .y = matrix(address(2), t, m, n),
        .dx = matrix(address(3), t, m, n), .gamma = vector(address(4), t, n),
        .dgamma = vector(address(5), t, n), .r = address(6),
        .scratch = address(7), .offered = 4096, .needed = 4096,
        .epsilon = 1e-6
    };
}

static verdict ask(const probe *p, ways way)
{
    return way == FORWARD_ONLY
        ? check_wide_forward(&p->x, &p->gamma, &p->y, p->r, p->epsilon)
        : check_wide_backward(&p->x, &p->gamma, &p->y, p->r, &p->dx,
                              &p->dgamma, p->scratch, p->offered,
                              p->needed);
}

static void expect(verdict v, contract_status status, const char *message)
{
    assert_string_equal(v.message, message);
    assert_int_equal(v.status, status);
}

/* --- one fault at a time, with its exact message ---------------------------- */
#define AT(field) offsetof(probe, field), sizeof ((probe *)0)->field
#define PLACE(n) ((int64_t)(n) << 44)
static const struct {
    ways way;
    size_t offset, size;
    int64_t value;
    contract_status expected;
    const char *message;
} faults[] = {
    { BOTH, AT(x.data), 0, CONTRACT_NULL_POINTER, "x es un puntero nulo" },
    { BOTH, AT(gamma.data), 0, CONTRACT_NULL_POINTER,
      "gamma es un puntero nulo" },
    { FORWARD_ONLY, AT(y.data), 0, CONTRACT_NULL_POINTER,
      "y es un puntero nulo" },
    { BACKWARD_ONLY, AT(y.data), 0, CONTRACT_NULL_POINTER,
      "dy es un puntero nulo" },
    { BACKWARD_ONLY, AT(dx.data), 0, CONTRACT_NULL_POINTER,
      "dx es un puntero nulo" },
    { BACKWARD_ONLY, AT(dgamma.data), 0, CONTRACT_NULL_POINTER,
      "dgamma es un puntero nulo" },
    { BOTH, AT(r), 0, CONTRACT_NULL_POINTER,
      "inverse_rms es un puntero nulo" },
    { BACKWARD_ONLY, AT(scratch), 0, CONTRACT_NULL_POINTER,
      "scratch es un puntero nulo" },
    { BOTH, AT(x.rank), 1, CONTRACT_RANK,
      "el número de dimensiones de x es 1; debe ser 2" },
    { BOTH, AT(gamma.rank), 2, CONTRACT_RANK,
      "el número de dimensiones de gamma es 2; debe ser 1" },
    { BACKWARD_ONLY, AT(dgamma.rank), 2, CONTRACT_RANK,
      "el número de dimensiones de dgamma es 2; debe ser 1" },
    { BOTH, AT(x.type), DTYPE_FP64, CONTRACT_DTYPE,
      "x es fp64; los kernels rápidos admiten fp32, fp16 y bf16" },
    { BOTH, AT(x.type), 77, CONTRACT_DTYPE,
      "x es desconocido; los kernels rápidos admiten fp32, fp16 y bf16" },
    { BOTH, AT(x.type), -1, CONTRACT_DTYPE,
      "x es desconocido; los kernels rápidos admiten fp32, fp16 y bf16" },
    { BOTH, AT(gamma.type), DTYPE_FP64, CONTRACT_DTYPE,
      "gamma es fp64; los kernels rápidos admiten fp32, fp16 y bf16" },
    { BOTH, AT(gamma.type), DTYPE_BF16, CONTRACT_DTYPE_MISMATCH,
      "gamma es bf16 y x es fp32; deben ser del mismo tipo" },
    { FORWARD_ONLY, AT(y.type), DTYPE_BF16, CONTRACT_DTYPE_MISMATCH,
      "y es bf16 y x es fp32; deben ser del mismo tipo" },
    { BACKWARD_ONLY, AT(y.type), DTYPE_FP16, CONTRACT_DTYPE_MISMATCH,
      "dy es fp16 y x es fp32; deben ser del mismo tipo" },
    { BACKWARD_ONLY, AT(dx.type), DTYPE_BF16, CONTRACT_DTYPE_MISMATCH,
      "dx es bf16 y x es fp32; deben ser del mismo tipo" },
    { BACKWARD_ONLY, AT(dgamma.type), DTYPE_FP16, CONTRACT_DTYPE_MISMATCH,
      "dgamma es fp16 y x es fp32; deben ser del mismo tipo" },
    { BOTH, AT(x.device), SYSTEM_MEMORY, CONTRACT_DEVICE, "x está en la "
      "memoria del sistema; debe estar en la de una GPU" },
    { BOTH, AT(gamma.device), 1, CONTRACT_DEVICE_MISMATCH,
      "gamma está en la GPU 1 y x en la GPU 0" },
    { BACKWARD_ONLY, AT(dx.device), 2, CONTRACT_DEVICE_MISMATCH,
      "dx está en la GPU 2 y x en la GPU 0" },
    { BOTH, AT(gamma.shape[0]), 3, CONTRACT_SHAPE,
      "gamma tiene 3 elementos y x tiene N = 4 columnas" },
    { FORWARD_ONLY, AT(y.shape[0]), 2, CONTRACT_SHAPE,
      "y es de 2×4 y x es de 3×4" },
    { BACKWARD_ONLY, AT(y.shape[0]), 4, CONTRACT_SHAPE,
      "dy es de 4×4 y x es de 3×4" },
    { BACKWARD_ONLY, AT(dgamma.shape[0]), 5, CONTRACT_SHAPE,
      "dgamma tiene 5 elementos y x tiene N = 4 columnas" },
    { BOTH, AT(x.stride[0]), 5, CONTRACT_NOT_CONTIGUOUS,
      "x no es contigua: sus strides son (5, 1) y deben ser (4, 1)" },
    { BOTH, AT(gamma.stride[0]), 2, CONTRACT_NOT_CONTIGUOUS,
      "gamma no es contiguo: su stride es 2 y debe ser 1" },
    { BACKWARD_ONLY, AT(dx.stride[1]), 2, CONTRACT_NOT_CONTIGUOUS,
      "dx no es contigua: sus strides son (4, 2) y deben ser (4, 1)" },
    { BACKWARD_ONLY, AT(offered), 4095, CONTRACT_SCRATCH,
      "scratch tiene 4095 bytes y hacen falta 4096" },
    { BACKWARD_ONLY, AT(offered), -1, CONTRACT_SCRATCH,
      "scratch tiene -1 bytes y hacen falta 4096" },
    { BACKWARD_ONLY, AT(needed), ((int64_t)1 << 28) + 1, CONTRACT_SCRATCH,
      "el backward necesita 268435457 bytes de scratch; el límite es "
      "268435456" },
    { BACKWARD_ONLY, AT(needed), (int64_t)1 << 62, CONTRACT_SCRATCH,
      "el backward necesita 4611686018427387904 bytes de scratch; el "
      "límite es 268435456" },
    { BOTH, AT(x.data), PLACE(1) + 2, CONTRACT_MISALIGNED,
      "x empieza en una dirección que no es múltiplo de 4" },
    { BOTH, AT(r), PLACE(6) + 2, CONTRACT_MISALIGNED,
      "inverse_rms empieza en una dirección que no es múltiplo de 4" },
    { BACKWARD_ONLY, AT(scratch), PLACE(7) + 8, CONTRACT_MISALIGNED,
      "scratch empieza en una dirección que no es múltiplo de 16" },
    { FORWARD_ONLY, AT(y.data), PLACE(1), CONTRACT_OVERLAP,
      "la salida y comparte 48 bytes con x" },
    { FORWARD_ONLY, AT(y.data), PLACE(1) + 44, CONTRACT_OVERLAP,
      "la salida y comparte 4 bytes con x" },
    { BACKWARD_ONLY, AT(dx.data), PLACE(2) - 44, CONTRACT_OVERLAP,
      "la salida dx comparte 4 bytes con dy" },
    { BACKWARD_ONLY, AT(dgamma.data), PLACE(4), CONTRACT_OVERLAP,
      "la salida dgamma comparte 16 bytes con gamma" },
    { BACKWARD_ONLY, AT(scratch), PLACE(3) - 4080, CONTRACT_OVERLAP,
      "la salida scratch comparte 16 bytes con dx" },
    { BACKWARD_ONLY, AT(scratch), PLACE(3) + 32, CONTRACT_OVERLAP,
      "la salida scratch comparte 16 bytes con dx" },
    /* the nearest calls that must be accepted */
    { BOTH, AT(x.data), PLACE(1) + 4, CONTRACT_OK, "" },
    { FORWARD_ONLY, AT(y.data), PLACE(1) + 48, CONTRACT_OK, "" },
    { BACKWARD_ONLY, AT(y.data), PLACE(1), CONTRACT_OK, "" },
    { BACKWARD_ONLY, AT(offered), 4097, CONTRACT_OK, "" },
    { BACKWARD_ONLY, AT(scratch), PLACE(3) - 4096, CONTRACT_OK, "" },
    { BACKWARD_ONLY, AT(scratch), PLACE(3) + 48, CONTRACT_OK, "" },
    { BACKWARD_ONLY, AT(needed), 0, CONTRACT_OK, "" },
};

static void each_fault(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (ways way = FORWARD_ONLY; way <= BACKWARD_ONLY; way++) {
            if (!(faults[i].way & way)) continue;
            probe p = good_probe(3, 4, DTYPE_FP32);
            const int narrow = (int)faults[i].value;
            memcpy((char *)&p + faults[i].offset, faults[i].size == 4
                   ? (const void *)&narrow : &faults[i].value,
                   faults[i].size);
            expect(ask(&p, way), faults[i].expected, faults[i].message);
        }
}

static void no_scratch_needs_no_pointer(void **state)
{
    (void)state;
    probe p = good_probe(3, 4, DTYPE_BF16);
    p.scratch = NULL;
    p.offered = p.needed = 0;
    expect(ask(&p, BACKWARD_ONLY), CONTRACT_OK, "");
}

static void missing_descriptions(void **state)
{
    (void)state;
    const probe p = good_probe(3, 4, DTYPE_BF16);
    expect(check_wide_forward(NULL, &p.gamma, &p.y, p.r, 1e-6),
           CONTRACT_NULL_POINTER, "x es un puntero nulo");
    expect(check_wide_forward(&p.x, NULL, &p.y, p.r, 1e-6),
           CONTRACT_NULL_POINTER, "gamma es un puntero nulo");
    expect(check_wide_forward(&p.x, &p.gamma, NULL, p.r, 1e-6),
           CONTRACT_NULL_POINTER, "y es un puntero nulo");
    expect(check_wide_backward(&p.x, &p.gamma, NULL, p.r, &p.dx, &p.dgamma,
                               p.scratch, 4096, 4096),
           CONTRACT_NULL_POINTER, "dy es un puntero nulo");
    expect(check_wide_backward(&p.x, &p.gamma, &p.y, p.r, NULL, &p.dgamma,
                               p.scratch, 4096, 4096),
           CONTRACT_NULL_POINTER, "dx es un puntero nulo");
    expect(check_wide_backward(&p.x, &p.gamma, &p.y, p.r, &p.dx, NULL,
                               p.scratch, 4096, 4096),
           CONTRACT_NULL_POINTER, "dgamma es un puntero nulo");
}

/* --- sizes, at their edges ---------------------------------------------------- */
#define ROWS_SAY(m) "x tiene M = " m " filas; M debe estar entre 1 y 1000000"
#define COLUMNS_SAY(n) \
    "x tiene N = " n " columnas; N debe estar entre 1 y 131072"
static const struct {
    int64_t m, n;
    contract_status expected;
    const char *message;
} sizes[] = {
    { 1, 1, CONTRACT_OK, "" }, { 1, 131072, CONTRACT_OK, "" },
    { 1000000, 1, CONTRACT_OK, "" }, { 1000000, 131072, CONTRACT_OK, "" },
    { 65537, 32769, CONTRACT_OK, "" }, { 999999, 4097, CONTRACT_OK, "" },
    { 0, 4, CONTRACT_ROWS, ROWS_SAY("0") },
    { -1, 4, CONTRACT_ROWS, ROWS_SAY("-1") },
    { 1000001, 4, CONTRACT_ROWS, ROWS_SAY("1000001") },
    { (int64_t)1 << 32, 4, CONTRACT_ROWS, ROWS_SAY("4294967296") },
    { ((int64_t)1 << 32) + 3, 4, CONTRACT_ROWS, ROWS_SAY("4294967299") },
    { INT64_MAX, 4, CONTRACT_ROWS, ROWS_SAY("9223372036854775807") },
    { INT64_MIN, 4, CONTRACT_ROWS, ROWS_SAY("-9223372036854775808") },
    { (int64_t)1 << 60, 16, CONTRACT_ROWS,
      ROWS_SAY("1152921504606846976") },
    { 3, 0, CONTRACT_COLUMNS, COLUMNS_SAY("0") },
    { 3, -4, CONTRACT_COLUMNS, COLUMNS_SAY("-4") },
    { 3, 131073, CONTRACT_COLUMNS, COLUMNS_SAY("131073") },
    { 3, ((int64_t)1 << 32) + 4, CONTRACT_COLUMNS,
      COLUMNS_SAY("4294967300") },
    { 3, INT64_MAX, CONTRACT_COLUMNS, COLUMNS_SAY("9223372036854775807") },
};

static void sizes_at_their_edges(void **state)
{
    (void)state;
    const dtype types[] = { DTYPE_FP32, DTYPE_FP16, DTYPE_BF16 };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (ways way = FORWARD_ONLY; way <= BACKWARD_ONLY; way++)
            for (int t = 0; t < 3; t++) {
                probe p = good_probe(sizes[i].m, sizes[i].n, types[t]);
                expect(ask(&p, way), sizes[i].expected, sizes[i].message);
            }
}

static void epsilon_where_the_kernel_works(void **state)
{
    (void)state;
    const double good[] = { 1e-6, 1e-45, 1.0, FLT_MAX };
    const double bad[] = { 0.0, -0.0, -1e-6, NAN, INFINITY, -INFINITY,
                           1e-60, 1e39 };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        probe p = good_probe(3, 4, DTYPE_BF16);
        p.epsilon = good[i];
        expect(ask(&p, FORWARD_ONLY), CONTRACT_OK, "");
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        probe p = good_probe(3, 4, DTYPE_BF16);
        p.epsilon = bad[i];
        assert_int_equal(ask(&p, FORWARD_ONLY).status, CONTRACT_EPSILON);
        expect(ask(&p, BACKWARD_ONLY), CONTRACT_OK, "");
    }
}

/* --- an oracle of acceptance --------------------------------------------------- *
 * A call of the library is a list of spans of bytes, read or written. It
 * deserves to run if each span exists, starts where its elements may, and
 * those that are written belong to nobody else.                              */
typedef __int128 whole;
typedef struct { whole from, to, step; bool written; } span;

typedef struct {
    int type;
    int64_t rows, columns, offered;
    uintptr_t at[7];         /* x gamma dy|y r dx dgamma scratch */
    double epsilon;
} call;

static uint64_t state_of_chance = 7;
static uint64_t below(uint64_t limit)
{
    state_of_chance += 0x9e3779b97f4a7c15u;
    uint64_t z = state_of_chance;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (z ^ (z >> 31)) % limit;
}

static bool deserves(const call *c, bool backward)
{
    const whole size = c->type == 0 ? 4 : c->type == 1 || c->type == 3 ? 2
                     : 0;
    if (size == 0 || c->rows < 1 || c->rows > 1000000 || c->columns < 1
        || c->columns > 131072) return false;
    if (!backward && !(c->epsilon > 0 && c->epsilon < 1e38)) return false;
    const whole need = backward ? (whole)wanted_scratch : 0;
    if (need > (whole)256 * 1024 * 1024
        || (backward && c->offered < need)) return false;
    const whole matrix_bytes = (whole)c->rows * c->columns * size;
    const whole bytes[] = { matrix_bytes, c->columns * size, matrix_bytes,
                            (whole)c->rows * 4, matrix_bytes,
                            c->columns * size, need };
    const whole steps[] = { size, size, size, 4, size, size, 16 };
    const int parts = !backward ? 4 : need > 0 ? 7 : 6;
    span s[7];
    for (int i = 0; i < parts; i++) {
        const bool written = backward ? i >= 4 : i >= 2;
        s[i] = (span){ c->at[i], c->at[i] + bytes[i], steps[i], written };
        if (c->at[i] == 0 || s[i].from % s[i].step != 0) return false;
    }
    for (int i = 0; i < parts; i++)
        for (int j = 0; j < parts; j++)
            if (i != j && s[i].written && s[i].from < s[j].to
                && s[j].from < s[i].to) return false;
    return true;
}

/* Operands one behind the other, and up to two of them moved or spoilt */
static call some_call(void)
{
    static const int64_t rows[] = { 1, 2, 3, 257, 999999, 1000000, 1000001,
                                    0, -1, (int64_t)1 << 60 };
    static const int64_t columns[] = { 1, 4, 31, 4097, 131071, 131072,
                                       131073, 0, INT64_MIN };
    static const int types[] = { 0, 1, 3, 0, 1, 3, 0, 1, 3, 2, 4, -1 };
    call c = { .type = types[below(12)], .epsilon = 1e-6 };
    c.rows = rows[below(below(3) ? 6 : 10)];
    c.columns = columns[below(below(3) ? 6 : 9)];
    wanted_scratch = below(8) == 0 ? 0 : below(12) == 0
        ? ((size_t)1 << 28) + below(2) : 16 + below(5000);
    c.offered = (int64_t)wanted_scratch + (int64_t)below(3)
        - (below(6) == 0);
    const uintptr_t big = (uintptr_t)1 << 40;
    for (int i = 0; i < 7; i++) c.at[i] = big * (uintptr_t)(i + 1);
    for (uint64_t spoilt = below(3); spoilt > 0; spoilt--) {
        const int which = (int)below(7), other = (int)below(7);
        const uintptr_t offsets[] = { 0, 1, 2, 4, 8, 16 };
        if (below(6) == 0) c.at[which] = 0;
        else if (below(2)) c.at[which] = c.at[other] + offsets[below(6)];
        else c.at[which] += offsets[below(6)];
        if (below(20) == 0) c.epsilon = -c.epsilon;
    }
    return c;
}

static int run(const call *c, bool backward, char *message)
{
    void *p[7];
    for (int i = 0; i < 7; i++) p[i] = (void *)c->at[i];
    return backward
        ? librmsnorm_backward(c->type, c->rows, c->columns, p[0], p[1],
              p[2], p[3], p[4], p[5], p[6], c->offered, NULL, message)
        : librmsnorm_forward(c->type, c->rows, c->columns, p[0], p[1], p[2],
              p[3], c->epsilon, NULL, message);
}

static void the_oracle_agrees(void **state)
{
    (void)state;
    int accepted[2] = { 0 }, seen[CONTRACT_STATUS_COUNT] = { 0 };
    for (int i = 0; i < 200000; i++) {
        const call c = some_call();
        const bool backward = below(2);
        char message[LIBRMSNORM_MESSAGE] = "sin tocar";
        launches = 0;
        const int status = run(&c, backward, message);
        if ((status == 0) != deserves(&c, backward))
            fail_msg("llamada %d, %s de %lld×%lld: la biblioteca dice %d "
                     "«%s» y el oráculo no", i, backward ? "backward"
                     : "forward", (long long)c.rows, (long long)c.columns,
                     status, message);
        assert_int_equal(launches, status == 0);
        assert_true((status == 0) == (message[0] == '\0'));
        assert_in_range(status, 0, CONTRACT_STATUS_COUNT - 1);
        assert_int_equal(run(&c, backward, NULL), status);
        accepted[backward] += status == 0;
        seen[status]++;
    }
    assert_true(accepted[0] > 10000 && accepted[1] > 10000);
    const contract_status possible[] = {
        CONTRACT_NULL_POINTER, CONTRACT_DTYPE, CONTRACT_ROWS,
        CONTRACT_COLUMNS, CONTRACT_SCRATCH, CONTRACT_EPSILON,
        CONTRACT_MISALIGNED, CONTRACT_OVERLAP };
    for (size_t i = 0; i < sizeof possible / sizeof *possible; i++)
        if (seen[possible[i]] < 100)
            fail_msg("sólo %d llamadas con el motivo %d", seen[possible[i]],
                     possible[i]);
}

/* --- what the library hands on -------------------------------------------------- */
static void arguments_arrive(void **state)
{
    (void)state;
    wanted_scratch = 64;
    call c = { .type = 3, .rows = 5, .columns = 7, .offered = 80,
               .epsilon = 1e-5 };
    for (int i = 0; i < 7; i++) c.at[i] = (uintptr_t)(i + 1) << 40;
    assert_int_equal(run(&c, false, NULL), 0);
    assert_int_equal(given.type, 3);
    assert_int_equal(given.rows, 5);
    assert_int_equal(given.columns, 7);
    assert_true(given.epsilon == 1e-5f);
    for (int i = 0; i < 4; i++)
        assert_ptr_equal(given.pointer[i], (void *)c.at[i]);
    given.rows = given.columns = given.type = 0;
    assert_int_equal(run(&c, true, NULL), 0);
    assert_int_equal(given.type, 3);
    assert_int_equal(given.rows, 5);
    assert_int_equal(given.columns, 7);
    assert_int_equal(given.bytes, 80);
    for (int i = 0; i < 7; i++)
        assert_ptr_equal(given.pointer[i], (void *)c.at[i]);
}

static void a_cuda_error_is_negative(void **state)
{
    (void)state;
    wanted_scratch = 64;
    call c = { .rows = 5, .columns = 7, .offered = 80, .epsilon = 1e-5 };
    for (int i = 0; i < 7; i++) c.at[i] = (uintptr_t)(i + 1) << 40;
    planted = cudaErrorInvalidValue;
    for (int backward = 0; backward < 2; backward++) {
        char message[LIBRMSNORM_MESSAGE] = "";
        assert_int_equal(run(&c, backward, message),
                         -(int)cudaErrorInvalidValue);
        assert_string_equal(message, "un error de CUDA");
    }
    planted = cudaSuccess;
}

static void scratch_of_impossible_shapes(void **state)
{
    (void)state;
    wanted_scratch = 640;
    assert_int_equal(librmsnorm_scratch(0, 3, 4), 640);
    assert_int_equal(librmsnorm_scratch(3, 1000000, 131072), 640);
    assert_int_equal(librmsnorm_scratch(2, 3, 4), 0);
    assert_int_equal(librmsnorm_scratch(-5, 3, 4), 0);
    assert_int_equal(librmsnorm_scratch(0, 0, 4), 0);
    assert_int_equal(librmsnorm_scratch(0, 1000001, 4), 0);
    assert_int_equal(librmsnorm_scratch(0, 3, 131073), 0);
    assert_int_equal(librmsnorm_scratch(0, 3, ((int64_t)1 << 32) + 1), 0);
}

static void rulers_have_bounds(void **state)
{
    (void)state;
    float x[8], dy[8], out[8];
    const int count = librmsnorm_rulers(), wrong = -(int)cudaErrorInvalidValue;
    assert_true(count > 3);
    launches = 0;
    for (int i = -1; i <= count; i++) {
        const bool exists = i >= 0 && i < count;
        assert_int_equal(librmsnorm_ruler_name(i)[0] != '\0', exists);
        assert_int_equal(librmsnorm_ruler(i, 3, 8, x, dy, out, NULL),
                         exists ? 0 : wrong);
        if (!exists) continue;
        char begins[20];                     /* what the name promises */
        snprintf(begins, sizeof begins, "%d×%d", ruler_given[0],
                 ruler_given[1]);
        assert_memory_equal(librmsnorm_ruler_name(i), begins,
                            strlen(begins));
        assert_int_equal(strstr(librmsnorm_ruler_name(i), "encadenada")
                         != NULL, ruler_given[2]);
        assert_int_equal(given.type, 3);
        assert_int_equal(given.rows, 8);
        assert_ptr_equal(given.pointer[0], x);
        assert_ptr_equal(given.pointer[1], dy);
        assert_ptr_equal(given.pointer[2], out);
    }
    assert_int_equal(librmsnorm_ruler(0, 0, 8, x, NULL, out, NULL), 0);
    assert_null(given.pointer[1]);
    launches = 0;
    assert_int_equal(librmsnorm_ruler(0, 2, 8, x, dy, out, NULL), wrong);
    assert_int_equal(librmsnorm_ruler(0, 0, 0, x, dy, out, NULL), wrong);
    assert_int_equal(librmsnorm_ruler(0, 0, 8, NULL, dy, out, NULL), wrong);
    assert_int_equal(librmsnorm_ruler(0, 0, 8, x, dy, NULL, NULL), wrong);
    assert_int_equal(launches, 0);
}

#define TEST(title, function) { title, function, NULL, NULL, NULL }
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("cada falta tiene su mensaje exacto", each_fault),
        TEST("sin scratch que usar no hace falta puntero",
             no_scratch_needs_no_pointer),
        TEST("una descripción que falta es un puntero nulo",
             missing_descriptions),
        TEST("tamaños, en sus bordes y donde los productos desbordan",
             sizes_at_their_edges),
        TEST("épsilon, como la verá el kernel",
             epsilon_where_the_kernel_works),
        TEST("200000 llamadas: acepta lo que el oráculo, y al rechazar no "
             "lanza", the_oracle_agrees),
        TEST("los argumentos llegan al kernel tal cual", arguments_arrive),
        TEST("un error de CUDA es negativo y lleva su frase",
             a_cuda_error_is_negative),
        TEST("scratch de una forma imposible: cero",
             scratch_of_impossible_shapes),
        TEST("las reglas que no existen no se lanzan", rulers_have_bounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
