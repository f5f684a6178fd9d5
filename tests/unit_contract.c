/* unit_contract.c: chapter 2's contract and environment check, from outside.
 *
 * The program runs on the paper GPU, behind a few functions that count what it
 * is asked for and can be told to fail. Two things are independent of
 * the program: a table of calls with the verdict that each deserves, and an
 * oracle of acceptance that knows no rule of the contract, only what a call
 * does to memory: which bytes it would touch, and in which order. */
#define _POSIX_C_SOURCE 200809L
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include <cuda_runtime_api.h>

static jmp_buf left;             /* where exit() comes back to */
static int left_with;

_Noreturn static void leave(int status)
{
    left_with = status;
    longjmp(left, 1);
}

/* --- the runtime, counted, and a launch that can go wrong ------------------- */
static int mallocs, frees, memsets, of_the_host;
static cudaError_t planted_error;        /* at the next synchronisation */
static int driver_version = 13000;
static void *alive[8];           /* what a stopped program would leave */

static enum {
    RIGHT, NO_IMAGE, DOES_NOTHING, ONE_WRONG, LAST_MISSING, SHIFTED
} planted;

static void move(void *from, void *to)
{
    for (int i = 0; i < 8; i++)
        if (alive[i] == from) {
            alive[i] = to;
            return;
        }
    fail_msg("más reservas de las previstas, o una que no existe");
}

/* Memory may still hold the right answer of an earlier run */
static void fill_with_yesterday(void *pointer, size_t bytes)
{
    for (size_t i = 0; i < bytes / sizeof(float); i++) {
        const float right = (float)(2 * i + i % 7);
        cudaMemcpy((float *)pointer + i, &right, sizeof right,
                   cudaMemcpyHostToDevice);
    }
}

static cudaError_t counted_malloc(void **pointer, size_t bytes)
{
    mallocs++;
    cudaError_t error = cudaMalloc(pointer, bytes);
    if (error == cudaSuccess) move(NULL, *pointer);
    if (planted == DOES_NOTHING) fill_with_yesterday(*pointer, bytes);
    return error;
}

static cudaError_t counted_free(void *pointer)
{
    if (!pointer) return cudaSuccess;
    frees++;
    move(pointer, NULL);
    return cudaFree(pointer);
}

static cudaError_t counted_memset(void *pointer, int value, size_t bytes)
{
    memsets++;
    return cudaMemset(pointer, value, bytes);
}

static cudaError_t planted_synchronize(void)
{
    cudaError_t error = cudaDeviceSynchronize();
    return planted_error ? planted_error : error;
}

static cudaError_t planted_driver_version(int *version)
{
    *version = driver_version;
    return cudaSuccess;
}

static cudaError_t planted_runtime_version(int *version)
{
    *version = 13000;
    return cudaSuccess;
}

cudaError_t axpy_launch(int count, float a, const float *x, const float *y,
                        float *result);
static cudaError_t planted_launch(int count, float a, const float *x,
                                  const float *y, float *result)
{
    if (planted == NO_IMAGE) return cudaErrorNoKernelImageForDevice;
    if (planted == DOES_NOTHING) return cudaSuccess;
    if (planted == LAST_MISSING) count--;
    if (planted == SHIFTED) x++, count--;
    cudaError_t error = axpy_launch(count, a, x, y, result);
    const float wrong = -1;
    if (planted == ONE_WRONG)
        cudaMemcpy(result + count / 2, &wrong, sizeof wrong,
                   cudaMemcpyHostToDevice);
    return error;
}

#define cudaMalloc counted_malloc
#define cudaFree counted_free
#define cudaMemset counted_memset
#define cudaDeviceSynchronize planted_synchronize
#define cudaDriverGetVersion planted_driver_version
#define cudaRuntimeGetVersion planted_runtime_version
#define axpy_launch planted_launch
#define malloc(size) (of_the_host++, malloc(size))
#define calloc(count, size) (of_the_host++, calloc(count, size))
#define exit leave
#define main ch02_main
#include "ch02.c"
#undef main
#undef exit
#undef malloc
#undef calloc
#undef cudaFree

/* --- the environment check -------------------------------------------------- */
/* Runs the check, returning what it exited with (−1: it came back) */
static int environment(char **said)
{
    size_t size;
    FILE *real = stderr;
    report r = { .quiet = true };
    r.tsv = tmpfile();
    r.values = tmpfile();
    stderr = open_memstream(said, &size);
    left_with = -1;
    if (setjmp(left) == 0) check_environment(&r);
    for (int i = 0; i < 8; i++) cudaFree(alive[i]), alive[i] = NULL;
    fclose(stderr);
    stderr = real;
    fclose(r.tsv);
    fclose(r.values);
    return left_with;
}

static void expect_stop(const char *text)
{
    char *said;
    assert_int_equal(environment(&said), STATUS_NO_DEVICE);
    if (!strstr(said, text)) fail_msg("no dice «%s»: %s", text, said);
    free(said);
    planted = RIGHT;
    planted_error = cudaSuccess;
}

static void a_right_device_passes(void **state)
{
    (void)state;
    char *said;
    assert_int_equal(environment(&said), -1);
    assert_string_equal(said, "");
    free(said);
}

static void another_architecture_stops(void **state)
{
    (void)state;
    planted = NO_IMAGE;
    expect_stop("otra arquitectura");
}

static void an_old_driver_is_told_from_none(void **state)
{
    (void)state;
    planted_error = cudaErrorInsufficientDriver;
    driver_version = 12040;
    expect_stop("llega a CUDA 12.4 y el programa pide la 13.0");
    planted_error = cudaErrorInsufficientDriver;
    driver_version = 0;
    expect_stop("No hay una GPU utilizable");
    driver_version = 13000;
}

static void a_kernel_that_fails_while_running_stops(void **state)
{
    (void)state;
    planted_error = cudaErrorInvalidValue;
    expect_stop("cudaDeviceSynchronize");
}

static void a_kernel_that_does_not_run_stops(void **state)
{
    (void)state;
    planted = DOES_NOTHING;
    expect_stop("100003 de 100003");
}

static void one_wrong_element_stops(void **state)
{
    (void)state;
    planted = ONE_WRONG;
    expect_stop("1 de 100003");
    planted = LAST_MISSING;
    expect_stop("El primero es el 100002");
    planted = SHIFTED;
    expect_stop("calcula mal");
}

#include "contract_oracle.h"

/* --- one fault at a time, with its exact message --------------------------- */
#define AT(field) offsetof(probe, field), sizeof ((probe *)0)->field
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
    { BACKWARD_ONLY, AT(partial), 0, CONTRACT_NULL_POINTER,
      "partial es un puntero nulo" },
    { BOTH, AT(r), 0, CONTRACT_NULL_POINTER,
      "inverse_rms es un puntero nulo" },
    { BOTH, AT(x.rank), 1, CONTRACT_RANK,
      "el número de dimensiones de x es 1; debe ser 2" },
    { BOTH, AT(x.rank), 3, CONTRACT_RANK,
      "el número de dimensiones de x es 3; debe ser 2" },
    { BOTH, AT(x.rank), 0, CONTRACT_RANK,
      "el número de dimensiones de x es 0; debe ser 2" },
    { BOTH, AT(gamma.rank), 2, CONTRACT_RANK,
      "el número de dimensiones de gamma es 2; debe ser 1" },
    { FORWARD_ONLY, AT(y.rank), 1, CONTRACT_RANK,
      "el número de dimensiones de y es 1; debe ser 2" },
    { BACKWARD_ONLY, AT(dgamma.rank), 2, CONTRACT_RANK,
      "el número de dimensiones de dgamma es 2; debe ser 1" },
    { BOTH, AT(x.type), DTYPE_FP64, CONTRACT_DTYPE,
      "x es fp64; se admiten fp32 y fp16" },
    { BOTH, AT(x.type), DTYPE_BF16, CONTRACT_DTYPE,
      "x es bf16; se admiten fp32 y fp16" },
    { BOTH, AT(x.type), 77, CONTRACT_DTYPE,
      "x es desconocido; se admiten fp32 y fp16" },
    { BOTH, AT(x.type), -1, CONTRACT_DTYPE,
      "x es desconocido; se admiten fp32 y fp16" },
    { BOTH, AT(gamma.type), DTYPE_FP64, CONTRACT_DTYPE,
      "gamma es fp64; se admiten fp32 y fp16" },
    { BOTH, AT(gamma.type), DTYPE_FP16, CONTRACT_DTYPE_MISMATCH,
      "gamma es fp16 y x es fp32; deben ser del mismo tipo" },
    { FORWARD_ONLY, AT(y.type), DTYPE_FP16, CONTRACT_DTYPE_MISMATCH,
      "y es fp16 y x es fp32; deben ser del mismo tipo" },
    { BACKWARD_ONLY, AT(y.type), DTYPE_FP16, CONTRACT_DTYPE_MISMATCH,
      "dy es fp16 y x es fp32; deben ser del mismo tipo" },
    { BACKWARD_ONLY, AT(dx.type), DTYPE_FP16, CONTRACT_DTYPE_MISMATCH,
      "dx es fp16 y x es fp32; deben ser del mismo tipo" },
    { BACKWARD_ONLY, AT(dgamma.type), DTYPE_FP16, CONTRACT_DTYPE_MISMATCH,
      "dgamma es fp16 y x es fp32; deben ser del mismo tipo" },
    { BOTH, AT(x.device), SYSTEM_MEMORY, CONTRACT_DEVICE, "x está en la "
      "memoria del sistema; debe estar en la de una GPU" },
    { BOTH, AT(gamma.device), SYSTEM_MEMORY, CONTRACT_DEVICE, "gamma está "
      "en la memoria del sistema; debe estar en la de una GPU" },
    { BOTH, AT(x.device), 1, CONTRACT_DEVICE_MISMATCH,
      "gamma está en la GPU 0 y x en la GPU 1" },
    { BOTH, AT(gamma.device), 1, CONTRACT_DEVICE_MISMATCH,
      "gamma está en la GPU 1 y x en la GPU 0" },
    { FORWARD_ONLY, AT(y.device), 1, CONTRACT_DEVICE_MISMATCH,
      "y está en la GPU 1 y x en la GPU 0" },
    { BACKWARD_ONLY, AT(y.device), 2, CONTRACT_DEVICE_MISMATCH,
      "dy está en la GPU 2 y x en la GPU 0" },
    { BACKWARD_ONLY, AT(dx.device), 1, CONTRACT_DEVICE_MISMATCH,
      "dx está en la GPU 1 y x en la GPU 0" },
    { BACKWARD_ONLY, AT(dgamma.device), 1, CONTRACT_DEVICE_MISMATCH,
      "dgamma está en la GPU 1 y x en la GPU 0" },
    { BOTH, AT(gamma.shape[0]), 3, CONTRACT_SHAPE,
      "gamma tiene 3 elementos y x tiene N = 4 columnas" },
    { BOTH, AT(gamma.shape[0]), 5, CONTRACT_SHAPE,
      "gamma tiene 5 elementos y x tiene N = 4 columnas" },
    { BOTH, AT(gamma.shape[0]), -4, CONTRACT_SHAPE,
      "gamma tiene -4 elementos y x tiene N = 4 columnas" },
    { FORWARD_ONLY, AT(y.shape[0]), 2, CONTRACT_SHAPE,
      "y es de 2×4 y x es de 3×4" },
    { FORWARD_ONLY, AT(y.shape[1]), 5, CONTRACT_SHAPE,
      "y es de 3×5 y x es de 3×4" },
    { BACKWARD_ONLY, AT(y.shape[0]), 4, CONTRACT_SHAPE,
      "dy es de 4×4 y x es de 3×4" },
    { BACKWARD_ONLY, AT(dx.shape[1]), 3, CONTRACT_SHAPE,
      "dx es de 3×3 y x es de 3×4" },
    { BACKWARD_ONLY, AT(dgamma.shape[0]), 3, CONTRACT_SHAPE,
      "dgamma tiene 3 elementos y x tiene N = 4 columnas" },
    { BOTH, AT(x.stride[0]), 5, CONTRACT_NOT_CONTIGUOUS,
      "x no es contigua: sus strides son (5, 1) y deben ser (4, 1)" },
    { BOTH, AT(x.stride[0]), 3, CONTRACT_NOT_CONTIGUOUS,
      "x no es contigua: sus strides son (3, 1) y deben ser (4, 1)" },
    { BOTH, AT(x.stride[0]), INT64_MIN, CONTRACT_NOT_CONTIGUOUS,
      "x no es contigua: sus strides son (-9223372036854775808, 1) y deben "
      "ser (4, 1)" },
    { BOTH, AT(x.stride[1]), 2, CONTRACT_NOT_CONTIGUOUS,
      "x no es contigua: sus strides son (4, 2) y deben ser (4, 1)" },
    { BOTH, AT(x.stride[1]), 0, CONTRACT_NOT_CONTIGUOUS,
      "x no es contigua: sus strides son (4, 0) y deben ser (4, 1)" },
    { BOTH, AT(gamma.stride[0]), 2, CONTRACT_NOT_CONTIGUOUS,
      "gamma no es contiguo: su stride es 2 y debe ser 1" },
    { FORWARD_ONLY, AT(y.stride[1]), 3, CONTRACT_NOT_CONTIGUOUS,
      "y no es contigua: sus strides son (4, 3) y deben ser (4, 1)" },
    { BACKWARD_ONLY, AT(y.stride[0]), 8, CONTRACT_NOT_CONTIGUOUS,
      "dy no es contigua: sus strides son (8, 1) y deben ser (4, 1)" },
    { BACKWARD_ONLY, AT(dx.stride[0]), 8, CONTRACT_NOT_CONTIGUOUS,
      "dx no es contigua: sus strides son (8, 1) y deben ser (4, 1)" },
    { BACKWARD_ONLY, AT(dgamma.stride[0]), 0, CONTRACT_NOT_CONTIGUOUS,
      "dgamma no es contiguo: su stride es 0 y debe ser 1" },
    { BOTH, AT(x.data), ((int64_t)1 << 40) + 2, CONTRACT_MISALIGNED,
      "x empieza en una dirección que no es múltiplo de 4" },
    { BOTH, AT(r), ((int64_t)6 << 40) + 1, CONTRACT_MISALIGNED,
      "inverse_rms empieza en una dirección que no es múltiplo de 4" },
    { BACKWARD_ONLY, AT(partial), ((int64_t)7 << 40) + 2,
      CONTRACT_MISALIGNED,
      "partial empieza en una dirección que no es múltiplo de 4" },
    { FORWARD_ONLY, AT(y.data), (int64_t)1 << 40, CONTRACT_OVERLAP,
      "la salida y comparte 48 bytes con x" },
    { FORWARD_ONLY, AT(y.data), ((int64_t)1 << 40) + 44, CONTRACT_OVERLAP,
      "la salida y comparte 4 bytes con x" },
    { FORWARD_ONLY, AT(y.data), ((int64_t)1 << 40) - 44, CONTRACT_OVERLAP,
      "la salida y comparte 4 bytes con x" },
    { FORWARD_ONLY, AT(gamma.data), ((int64_t)2 << 40) + 4,
      CONTRACT_OVERLAP, "la salida y comparte 16 bytes con gamma" },
    { FORWARD_ONLY, AT(r), ((int64_t)2 << 40) + 8, CONTRACT_OVERLAP,
      "la salida inverse_rms comparte 12 bytes con y" },
    { BACKWARD_ONLY, AT(dx.data), (int64_t)2 << 40, CONTRACT_OVERLAP,
      "la salida dx comparte 48 bytes con dy" },
    { BACKWARD_ONLY, AT(dgamma.data), (int64_t)4 << 40, CONTRACT_OVERLAP,
      "la salida dgamma comparte 16 bytes con gamma" },
    { BACKWARD_ONLY, AT(partial), (int64_t)3 << 40, CONTRACT_OVERLAP,
      "la salida partial comparte 48 bytes con dx" },
    /* the nearest calls that must be accepted */
    { FORWARD_ONLY, AT(y.data), ((int64_t)1 << 40) + 48, CONTRACT_OK, "" },
    { FORWARD_ONLY, AT(y.data), ((int64_t)1 << 40) - 48, CONTRACT_OK, "" },
    { BACKWARD_ONLY, AT(y.data), (int64_t)1 << 40, CONTRACT_OK, "" },
    { BOTH, AT(gamma.data), ((int64_t)1 << 40) + 16, CONTRACT_OK, "" },
    { BOTH, AT(gamma.stride[1]), 99, CONTRACT_OK, "" },
    { FORWARD_ONLY, AT(partial), 0, CONTRACT_OK, "" },
    { FORWARD_ONLY, AT(dx.data), 0, CONTRACT_OK, "" },
};

static void expect(verdict v, contract_status status, const char *message)
{
    assert_string_equal(v.message, message);
    assert_int_equal(v.status, status);
}

static void each_fault_gets_its_own_message(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
        for (ways way = FORWARD_ONLY; way <= BACKWARD_ONLY; way++) {
            if (!(faults[i].way & way)) continue;
            probe p = good_probe(3, 4, DTYPE_FP32);
            int narrow = (int)faults[i].value;
            memcpy((char *)&p + faults[i].offset, faults[i].size == 4
                   ? (const void *)&narrow : &faults[i].value,
                   faults[i].size);
            expect(ask(&p, way), faults[i].expected, faults[i].message);
        }
}

static void a_missing_description_is_a_null_pointer(void **state)
{
    (void)state;
    probe p = good_probe(3, 4, DTYPE_FP32);
    expect(check_forward(NULL, &p.gamma, &p.y, p.r, 1e-6),
           CONTRACT_NULL_POINTER, "x es un puntero nulo");
    expect(check_forward(&p.x, NULL, &p.y, p.r, 1e-6),
           CONTRACT_NULL_POINTER, "gamma es un puntero nulo");
    expect(check_forward(&p.x, &p.gamma, NULL, p.r, 1e-6),
           CONTRACT_NULL_POINTER, "y es un puntero nulo");
    expect(check_backward(&p.x, &p.gamma, NULL, p.r, &p.dx, p.partial,
                          &p.dgamma),
           CONTRACT_NULL_POINTER, "dy es un puntero nulo");
    expect(check_backward(&p.x, &p.gamma, &p.y, p.r, NULL, p.partial,
                          &p.dgamma),
           CONTRACT_NULL_POINTER, "dx es un puntero nulo");
    expect(check_backward(&p.x, &p.gamma, &p.y, p.r, &p.dx, p.partial,
                          NULL),
           CONTRACT_NULL_POINTER, "dgamma es un puntero nulo");
}

/* --- sizes ----------------------------------------------------------------- */
static const struct {
    int64_t m, n;
    contract_status expected;
    const char *message;
} sizes[] = {
    { 1, 1, CONTRACT_OK, "" }, { 1, 4096, CONTRACT_OK, "" },
    { 4096, 4096, CONTRACT_OK, "" }, { 16777216, 1, CONTRACT_OK, "" },
    { 65536, 256, CONTRACT_OK, "" }, { 65280, 257, CONTRACT_OK, "" },
    { 0, 4, CONTRACT_ROWS, "x tiene M = 0 filas; debe tener al menos una" },
    { -1, 4, CONTRACT_ROWS,
      "x tiene M = -1 filas; debe tener al menos una" },
    { INT64_MIN, 4, CONTRACT_ROWS, "x tiene M = -9223372036854775808 "
      "filas; debe tener al menos una" },
    { 3, 0, CONTRACT_COLUMNS,
      "x tiene N = 0 columnas; N debe estar entre 1 y 4096" },
    { 3, -1, CONTRACT_COLUMNS,
      "x tiene N = -1 columnas; N debe estar entre 1 y 4096" },
    { 3, 4097, CONTRACT_COLUMNS,
      "x tiene N = 4097 columnas; N debe estar entre 1 y 4096" },
    { 3, ((int64_t)1 << 32) + 4, CONTRACT_COLUMNS,
      "x tiene N = 4294967300 columnas; N debe estar entre 1 y 4096" },
    { 4097, 4096, CONTRACT_SCRATCH, "M·N·4 = 67125248 bytes de scratch; "
      "el límite es 67108864" },
    { 16777217, 1, CONTRACT_SCRATCH, "M·N·4 = 67108868 bytes de scratch; "
      "el límite es 67108864" },
    { 65281, 257, CONTRACT_SCRATCH, "M·N·4 = 67108868 bytes de scratch; "
      "el límite es 67108864" },
    { (int64_t)1 << 20, 4096, CONTRACT_SCRATCH, "M·N·4 = 17179869184 bytes "
      "de scratch; el límite es 67108864" },
    { ((int64_t)1 << 32) + 1, 1, CONTRACT_SCRATCH, "M·N·4 = 17179869188 "
      "bytes de scratch; el límite es 67108864" },
    { (int64_t)1 << 60, 16, CONTRACT_OVERFLOW, "M·N·4 no cabe en 64 bits "
      "(M = 1152921504606846976, N = 16)" },
    { (int64_t)1 << 60, 2, CONTRACT_OVERFLOW, "M·N·4 no cabe en 64 bits "
      "(M = 1152921504606846976, N = 2)" },
    { ((int64_t)1 << 60) - 1, 2, CONTRACT_SCRATCH, "M·N·4 = "
      "9223372036854775800 bytes de scratch; el límite es 67108864" },
    { INT64_MAX, 1, CONTRACT_OVERFLOW, "M·N·4 no cabe en 64 bits "
      "(M = 9223372036854775807, N = 1)" },
    { INT64_MAX, 4096, CONTRACT_OVERFLOW, "M·N·4 no cabe en 64 bits "
      "(M = 9223372036854775807, N = 4096)" },
};

static void sizes_are_checked_at_their_edges(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (ways way = FORWARD_ONLY; way <= BACKWARD_ONLY; way++)
            for (int t = DTYPE_FP32; t <= DTYPE_FP16; t++) {
                probe p = good_probe(sizes[i].m, sizes[i].n, (dtype)t);
                expect(ask(&p, way), sizes[i].expected, sizes[i].message);
            }
}

static void a_stride_that_is_never_taken_may_be_any(void **state)
{
    (void)state;
    for (ways way = FORWARD_ONLY; way <= BACKWARD_ONLY; way++) {
        probe p = good_probe(1, 4, DTYPE_FP32);
        p.x.stride[0] = -7;
        p.y.stride[0] = INT64_MAX;
        expect(ask(&p, way), CONTRACT_OK, "");
        p.x.stride[1] = 2;
        assert_int_equal(ask(&p, way).status, CONTRACT_NOT_CONTIGUOUS);
        p = good_probe(3, 1, DTYPE_FP32);
        p.x.stride[1] = p.gamma.stride[0] = 0;
        expect(ask(&p, way), CONTRACT_OK, "");
        p.x.stride[0] = 2;
        assert_int_equal(ask(&p, way).status, CONTRACT_NOT_CONTIGUOUS);
    }
}

static void epsilon_must_be_positive_where_the_kernel_works(void **state)
{
    (void)state;
    const struct { double value; const char *message; } cases[] = {
        { 1e-6, "" }, { 1e-45, "" }, { 1.0, "" }, { FLT_MAX, "" },
        { 0.0, "épsilon vale 0; debe ser mayor que cero" },
        { -0.0, "épsilon vale -0; debe ser mayor que cero" },
        { -1e-6, "épsilon vale -1e-06; debe ser mayor que cero" },
        { NAN, "épsilon es NaN; debe ser finito" },
        { -NAN, "épsilon es NaN; debe ser finito" },
        { INFINITY, "épsilon es infinito; debe ser finito" },
        { -INFINITY, "épsilon es infinito; debe ser finito" },
        { 1e-60, "épsilon vale 1e-60, que en fp32 es cero" },
        { 4.9e-324, "épsilon vale 4.94066e-324, que en fp32 es cero" },
        { 1e39, "épsilon vale 1e+39, que en fp32 es infinito" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        probe p = good_probe(3, 4, DTYPE_FP32);
        p.epsilon = cases[i].value;
        expect(ask(&p, FORWARD_ONLY), cases[i].message[0]
               ? CONTRACT_EPSILON : CONTRACT_OK, cases[i].message);
    }
}

/* --- random calls: good ones, a little spoilt ------------------------------- */
static uint64_t noise = 88172645463325252u;
static uint64_t below(uint64_t limit)
{
    noise ^= noise << 13;
    noise ^= noise >> 7;
    noise ^= noise << 17;
    return (noise >> 16) % limit;
}

static int64_t some_number(void)
{
    const int64_t pool[] = {
        -1, 0, 1, 2, 3, 4, 5, 6, 8, 4095, 4096, 4097, 16777216, 16777217,
        1 << 20, (int64_t)1 << 32, (int64_t)1 << 60, INT64_MAX, INT64_MIN
    };
    return pool[below(sizeof pool / sizeof *pool)];
}

static double some_epsilon(void)
{
    const double pool[] = { 1e-6, 1e-5, 1e-12, 0.0, -1e-6, NAN, INFINITY,
                            -INFINITY, 1e-60, 1e300, 1e-45, 3e38 };
    return pool[below(sizeof pool / sizeof *pool)];
}

static void spoil_tensor(tensor *t, const tensor *other)
{
    switch (below(8)) {
    case 0: t->data = NULL; break;
    case 1: t->type = (dtype)below(6); break;
    case 2: t->device = (int)below(3) - 1; break;
    case 3: t->rank = (int)below(4); break;
    case 4: t->shape[below(2)] = some_number(); break;
    case 5: t->stride[below(2)] = some_number(); break;
    case 6: t->data = (void *)((uintptr_t)t->data + below(5)); break;
    case 7: t->data = (void *)((uintptr_t)other->data + 4 * below(80)
                               - 160); break;
    }
}

static void spoil(probe *p)
{
    tensor *all[] = { &p->x, &p->gamma, &p->y, &p->dx, &p->dgamma };
    uintptr_t near = (uintptr_t)all[below(5)]->data + 4 * below(80) - 160;
    switch (below(10)) {
    case 0: p->epsilon = some_epsilon(); break;
    case 1: p->r = below(4) ? (float *)near : NULL; break;
    case 2: p->partial = below(4) ? (float *)near : NULL; break;
    default: spoil_tensor(all[below(5)], all[below(5)]);
    }
}

/* Half of the calls are laid out with no gap at all */
static probe some_probe(void)
{
    bool big = below(4) == 0;
    int64_t m = big ? some_number() : 1 + (int64_t)below(6);
    int64_t n = big ? some_number() : 1 + (int64_t)below(6);
    dtype t = below(2) ? DTYPE_FP32 : DTYPE_FP16;
    probe p = good_probe(m, n, t);
    if (!big && below(2)) {
        uintptr_t next = (uintptr_t)1 << 40, size = dtype_size(t);
        uintptr_t whole = (uintptr_t)(m * n) * size;
        p.r = (float *)next, next += (uintptr_t)m * 4;
        p.partial = (float *)next, next += (uintptr_t)(m * n) * 4;
        p.x.data = (void *)next, next += whole;
        p.y.data = (void *)next, next += whole;
        p.dx.data = (void *)next, next += whole;
        p.gamma.data = (void *)next, next += (uintptr_t)n * size;
        p.dgamma.data = (void *)next;
    }
    for (uint64_t spoilt = below(3); spoilt > 0; spoilt--) spoil(&p);
    return p;
}

static void the_oracle_agrees(void **state)
{
    (void)state;
    int seen[CONTRACT_STATUS_COUNT] = { 0 };
    mallocs = memsets = of_the_host = 0;
    for (int i = 0; i < 1000000; i++) {
        probe p = some_probe(), before;
        memcpy(&before, &p, sizeof p);
        ways way = below(2) ? FORWARD_ONLY : BACKWARD_ONLY;
        verdict v = ask(&p, way);
        if (memcmp(&before, &p, sizeof p) != 0)
            fail_msg("llamada %d: el contrato cambió su descripción", i);
        seen[v.status]++;
        if ((v.status == CONTRACT_OK) != deserves(&p, way))
            fail_msg("llamada %d: el contrato dice %s «%s» y el oráculo no",
                     i, status_names[v.status], v.message);
        if (strlen(v.message) + 1 >= sizeof v.message)
            fail_msg("mensaje cortado: %s", v.message);
        if ((v.status == CONTRACT_OK) != (v.message[0] == '\0'))
            fail_msg("un rechazo sin mensaje, o al revés");
    }
    assert_int_equal(mallocs + memsets + of_the_host, 0);
    for (int i = 0; i < CONTRACT_STATUS_COUNT; i++)
        if (seen[i] < 300)
            fail_msg("sólo %d llamadas con veredicto %s", seen[i],
                     status_names[i]);
}

static void without_partial_the_verdict_is_the_same(void **state)
{
    (void)state;
    int accepted = 0;
    for (int i = 0; i < 50000; i++) {
        probe p = some_probe();
        p.partial = address(7);
        verdict before = check_backward_operands(&p.x, &p.gamma, &p.y, p.r,
                                                 &p.dx, &p.dgamma);
        verdict after = ask(&p, BACKWARD_ONLY);
        assert_int_equal(before.status, after.status);
        assert_string_equal(before.message, after.message);
        accepted += after.status == CONTRACT_OK;
    }
    assert_true(accepted > 10000);
}

/* --- nothing written, nothing reserved -------------------------------------- */
static void a_rejected_call_touches_nothing(void **state)
{
    (void)state;
    report r = { .quiet = true };
    bench b;
    open_bench(&b, &r);
    int accepted = 0;
    for (int i = 0; i < 300; i++) {
        call c = good_call(&b);
        lay_out(&c, below(2) ? DTYPE_FP32 : DTYPE_FP16,
                1 + (int64_t)below(6), 1 + (int64_t)below(6));
        c.way = below(2) ? FORWARD : BACKWARD;
        /* moved operands land around dx, well inside the room */
        tensor *all[] = { &c.x, &c.gamma, c.way == FORWARD ? &c.y : &c.dy };
        if (i % 3) spoil_tensor(all[below(3)], &c.dx);
        mallocs = memsets = frees = 0;
        outcome o = run_call(&b, &c);
        bool ok = o.v.status == CONTRACT_OK;
        accepted += ok;
        assert_int_equal(mallocs, ok && c.way == BACKWARD);
        assert_int_equal(frees, mallocs);
        assert_int_equal(memsets, 1 + (!ok ? 0 : c.way == FORWARD ? 2 : 3));
        assert_int_equal(o.written, ok ? expected_bytes(&c) : 0);
    }
    assert_in_range(accepted, 50, 250);
    close_bench(&b);
}

static void types_have_names_both_ways(void **state)
{
    (void)state;
    const size_t size[] = { 4, 2, 8, 2 };
    for (int i = 0; i < DTYPE_COUNT; i++) {
        dtype t = DTYPE_BF16;
        assert_true(dtype_from_name(dtype_name((dtype)i), &t));
        assert_int_equal(t, i);
        assert_int_equal(dtype_size(t), size[i]);
    }
    dtype t = DTYPE_FP64;
    assert_false(dtype_from_name("fp", &t));
    assert_false(dtype_from_name("", &t));
    assert_false(dtype_from_name("FP32", &t));
    assert_int_equal(t, DTYPE_FP64);
    assert_int_equal(dtype_size((dtype)-1), 0);
    assert_string_equal(dtype_name((dtype)9), "desconocido");
}

#define TEST(name, title) { title, name, NULL, NULL, NULL }
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_right_device_passes, "un dispositivo que calcula bien pasa"),
        TEST(another_architecture_stops,
             "otra arquitectura detiene el programa"),
        TEST(an_old_driver_is_told_from_none,
             "un controlador viejo no es lo mismo que ninguno"),
        TEST(a_kernel_that_fails_while_running_stops,
             "un kernel que falla al ejecutarse detiene el programa"),
        TEST(a_kernel_that_does_not_run_stops,
             "un kernel que no se ejecuta detiene el programa"),
        TEST(one_wrong_element_stops,
             "un solo elemento equivocado detiene el programa"),
        TEST(each_fault_gets_its_own_message, "cada falta recibe su mensaje"),
        TEST(a_missing_description_is_a_null_pointer,
             "una descripción que falta es un puntero nulo"),
        TEST(sizes_are_checked_at_their_edges, "los tamaños, en sus límites"),
        TEST(a_stride_that_is_never_taken_may_be_any,
             "un stride que no se usa puede ser cualquiera"),
        TEST(epsilon_must_be_positive_where_the_kernel_works,
             "ε ha de ser positivo en fp32, donde calcula el kernel"),
        TEST(the_oracle_agrees,
             "un millón de llamadas al azar: el contrato y el oráculo "
             "coinciden, y nada se reserva ni se escribe"),
        TEST(without_partial_the_verdict_is_the_same,
             "sin partial, el veredicto es el mismo"),
        TEST(a_rejected_call_touches_nothing,
             "una llamada rechazada no toca nada"),
        TEST(types_have_names_both_ways,
             "tipos y nombres, en los dos sentidos"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
