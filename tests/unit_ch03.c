/* Chapter 3, function by function: what its program cannot say of itself. */
#define main ch03_main
#include "ch03.c"
#undef main
#include <setjmp.h>
#include <stddef.h>
#include <cmocka.h>

static bool same(double a, double b)     /* same bits, or both NaN */
{
    return isnan(a) ? isnan(b) : a == b && !signbit(a) == !signbit(b);
}

static void near(double value, double reference, double relative)
{
    if (!(fabs(value - reference) <= relative * fabs(reference)))
        fail_msg("%.17g, not %.17g", value, reference);
}

/* --- fp16 and bf16 ------------------------------------------------------- */

static void half_by_hand(void **state)
{
    (void)state;
    static const struct { double value; uint16_t bits; } cases[] = {
        { 0.0, 0x0000 }, { -0.0, 0x8000 }, { 1, 0x3c00 }, { -2, 0xc000 },
        { 0.1, 0x2e66 }, { 1.0 / 3, 0x3555 }, { 65504, 0x7bff },
        { 2048, 0x6800 }, { 2049, 0x6800 }, { 2050, 0x6801 },
        { 2051, 0x6802 }, { 65519, 0x7bff }, { 65520, 0x7c00 },
        { -65520, 0xfc00 }, { 1e300, 0x7c00 }, { INFINITY, 0x7c00 },
        { -INFINITY, 0xfc00 }, { 0x1p-14, 0x0400 }, { 0x1p-24, 0x0001 },
        { 0x1p-25, 0x0000 }, { 0x1.000001p-25, 0x0001 },
        { 0x1.8p-24, 0x0002 }, { 0x1p-26, 0x0000 }, { 4.9e-324, 0x0000 },
        { -4.9e-324, 0x8000 }, { 0x1.ff8p-15, 0x03ff },
        { 0x1.ffcp-15, 0x0400 }, { 1 + 0x1p-11, 0x3c00 },
        { 1 + 0x1p-11 + 0x1p-30, 0x3c01 }, { 1 + 3 * 0x1p-11, 0x3c02 }
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (half_from_double(cases[i].value) != cases[i].bits)
            fail_msg("%a: %04x, not %04x", cases[i].value,
                     half_from_double(cases[i].value), cases[i].bits);
    assert_int_equal(half_from_double(NAN) & 0x7fff, 0x7e00);
    assert_true(isnan(half_to_double(0x7c01)));
    assert_true(isnan(half_to_double(0xffff)));
    assert_true(half_to_double(0x7c00) == INFINITY);
    assert_true(half_to_double(0xfc00) == -INFINITY);
    assert_true(same(half_to_double(0x8000), -0.0));
    assert_true(half_to_double(0x0001) == 0x1p-24);
    assert_true(half_to_double(0x2e66) == 0.0999755859375);
}

/* The compiler's own fp16, where it has one, is another road to the same */
static void half_against_the_compiler(void **state)
{
    (void)state;
#ifdef __FLT16_MANT_DIG__
    for (int bits = 0; bits < 0x10000; bits++) {
        const uint16_t pattern = (uint16_t)bits;
        _Float16 theirs;
        memcpy(&theirs, &pattern, 2);
        if (!same(half_to_double(pattern), (double)theirs))
            fail_msg("%04x", pattern);
    }
    generator g = { 7 };
    for (int i = 0; i < 1000000; i++) {
        const double value = ldexp(next_uniform(&g) + next_uniform(&g) * 0x1p-30,
                                   (int)(next_bits(&g) % 50) - 30);
        const _Float16 theirs = (_Float16)value;
        uint16_t pattern;
        memcpy(&pattern, &theirs, 2);
        if (half_from_double(value) != pattern)
            fail_msg("%a: %04x, not %04x", value, half_from_double(value),
                     pattern);
    }
#else
    skip();
#endif
}

/* bf16 is the upper half of a float: adding half a step, and one less when it
   is even, rounds it */
static void bfloat_against_integers(void **state)
{
    (void)state;
    generator g = { 8 };
    for (int i = 0; i < 1000000; i++) {
        uint32_t bits = (uint32_t)next_bits(&g);
        if (i % 4 == 0) bits = (bits & 0xffff0000u) | 0x8000u;     /* a tie */
        float value;
        memcpy(&value, &bits, 4);
        if (isnan(value)) continue;
        const uint32_t rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
        if (bfloat_from_double(value) != rounded)
            fail_msg("%a: %04x, not %04x", value,
                     bfloat_from_double(value), (unsigned)rounded);
    }
    for (uint32_t pattern = 0; pattern < 0x10000; pattern++) {
        const uint32_t bits = pattern << 16;
        float value;
        memcpy(&value, &bits, 4);
        assert_true(same(bfloat_to_double((uint16_t)pattern), value));
    }
}

static void every_pattern_and_every_tie(void **state)
{
    (void)state;
    assert_int_equal(lost_patterns(half_format), 0);
    assert_int_equal(lost_patterns(bfloat_format), 0);
    assert_int_equal(wrong_midpoints(half_format), 0);
    assert_int_equal(wrong_midpoints(bfloat_format), 0);
    for (int bits = 1; bits <= 0x7c00; bits++)       /* in order */
        assert_true(half_to_double((uint16_t)bits)
                    > half_to_double((uint16_t)(bits - 1)));
}

static void elements_stay_in_their_place(void **state)
{
    (void)state;
    static const dtype types[] = { DTYPE_FP32, DTYPE_FP16, DTYPE_FP64,
                                   DTYPE_BF16 };
    static const double third[] = { 1.0f / 3.0f, 0x1.554p-2, 1.0 / 3,
                                    0x1.56p-2 };
    for (int t = 0; t < 4; t++) {
        const size_t size = dtype_size(types[t]);
        unsigned char *array = malloc(3 * size), before[24];
        memset(array, 0x5a, 3 * size);
        memset(before, 0x5a, sizeof before);
        store_element(types[t], array, 1, 1.0 / 3);
        assert_true(load_element(types[t], array, 1) == third[t]);
        assert_memory_equal(array, before, size);
        assert_memory_equal(array + 2 * size, before, size);
        free(array);
    }
}

/* --- the generator ------------------------------------------------------- */

static void generator_first_values(void **state)
{
    (void)state;
    static const uint64_t known[] = {         /* SplitMix64 from 1234567 */
        6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
        4593380528125082431u, 16408922859458223821u
    };
    generator g = { 1234567 };
    for (int i = 0; i < 5; i++)
        assert_true(next_bits(&g) == known[i]);
    g = (generator){ 0 };
    assert_true(next_bits(&g) == 0xe220a8397b1dcdafu);
    g = (generator){ 0 };
    assert_true(next_uniform(&g) == 0xe220a8 * 0x1p-23 - 1);
    double sum = 0;
    g = (generator){ 2019 };
    for (int i = 0; i < 12; i++)
        sum += (double)(next_bits(&g) >> 40) * 0x1p-23 - 1;
    g = (generator){ 2019 };
    assert_true(next_normal(&g) == sum / 2);
}

static void generator_is_fair(void **state)
{
    (void)state;
    enum { COUNT = 1000000 };
    generator g = { 5 };
    double mean = 0, square = 0, least = 0, most = 0;
    for (int i = 0; i < COUNT; i++) {
        const double z = next_normal(&g);
        mean += z / COUNT;
        square += z * z / COUNT;
    }
    assert_true(fabs(mean) < 0.005 && fabs(square - 1) < 0.01);
    for (int i = 0; i < COUNT; i++) {
        const double u = next_uniform(&g);
        least = fmin(least, u);
        most = fmax(most, u);
        assert_true(u == (float)u);
    }
    assert_true(least >= -1 && least < -0.9999 && most < 1 && most > 0.9999);
}

/* --- the oracle ---------------------------------------------------------- */

static void worked_rows(void **state)
{
    (void)state;
    const double x[] = { 3, 4 }, one[] = { 1, 1 }, other[] = { 2, 0.5 };
    const double dy[] = { 1, 2 };
    double y[2], r, dx[2], dgamma[2];
    oracle_forward(1, 2, 1e-6, x, one, y, &r);
    near(r, 0.2828427, 1e-6);
    near(y[0], 0.848528, 1e-6);
    near(y[1], 1.131371, 1e-6);
    oracle_backward(1, 2, x, one, dy, &r, dx, dgamma);
    near(dx[0], -0.0905097, 1e-6);
    near(dx[1], 0.0678823, 1e-6);
    near(dgamma[0], 0.848528, 1e-6);
    near(dgamma[1], 2.262742, 1e-6);
    oracle_forward(1, 2, 1e-6, x, other, y, &r);
    near(y[0], 1.697056, 1e-6);
    near(y[1], 0.565685, 1e-6);
}

static void dgamma_sums_the_rows(void **state)
{
    (void)state;
    const double x[] = { 3, 4, 4, -3 }, gamma[] = { 1, 1 };
    const double dy[] = { 1, 2, 1, 2 };
    double y[4], r[2], dx[4], dgamma[2];
    oracle_forward(2, 2, 1e-6, x, gamma, y, r);
    oracle_backward(2, 2, x, gamma, dy, r, dx, dgamma);
    near(dgamma[0], 1.979899, 1e-6);
    near(dgamma[1], 0.565685, 1e-6);
}

static void a_null_row(void **state)
{
    (void)state;
    const double x[3] = { 0 }, gamma[] = { 1, -2, 0 }, dy[] = { 1, 2, 3 };
    double y[3], r, dx[3], dgamma[3];
    oracle_forward(1, 3, 1e-6, x, gamma, y, &r);
    oracle_backward(1, 3, x, gamma, dy, &r, dx, dgamma);
    near(r, 1000, 1e-12);
    near(dx[0], 1000, 1e-12);
    near(dx[1], -4000, 1e-12);
    for (int i = 0; i < 3; i++)
        assert_true(y[i] == 0 && dgamma[i] == 0);
    assert_true(dx[2] == 0);
}

static void rows_do_not_know_each_other(void **state)
{
    (void)state;
    problem p = problem_new(5, 7), one = problem_new(1, 7);
    fill(&p, false, DTYPE_FP64, 3);
    solve(&p);
    for (size_t row = 0; row < 5; row++) {
        memcpy(one.x, p.x + 7 * row, 7 * sizeof *one.x);
        memcpy(one.gamma, p.gamma, 7 * sizeof *one.x);
        memcpy(one.dy, p.dy + 7 * row, 7 * sizeof *one.x);
        solve(&one);
        assert_memory_equal(one.y, p.y + 7 * row, 7 * sizeof *one.x);
        assert_memory_equal(one.dx, p.dx + 7 * row, 7 * sizeof *one.x);
    }
    free(p.x);
    free(one.x);
}

static void forward_and_backward(problem *p, dtype type)
{
    if (type == DTYPE_FP64) solve(p);
    else solve_as(type, p);
}

static const dtype roads[] = { DTYPE_FP64, DTYPE_FP32, DTYPE_FP16 };

static void a_nan_stays_in_its_row(void **state)
{
    (void)state;
    for (int t = 0; t < 3; t++) {
        problem p = problem_new(3, 4);
        fill(&p, false, roads[t], 1);
        p.x[4 + 2] = NAN;
        forward_and_backward(&p, roads[t]);
        for (size_t i = 0; i < 12; i++) {
            assert_true(!isnan(p.y[i]) == (i / 4 != 1));
            assert_true(!isnan(p.dx[i]) == (i / 4 != 1));
        }
        for (size_t i = 0; i < 4; i++)              /* shared by the rows */
            assert_true(isnan(p.dgamma[i]));
        free(p.x);
    }
}

static void an_infinity_turns_its_row_off(void **state)
{
    (void)state;
    for (int t = 0; t < 3; t++) {
        problem p = problem_new(3, 4);
        fill(&p, false, roads[t], 1);
        p.x[4 + 2] = -INFINITY;
        forward_and_backward(&p, roads[t]);
        assert_true(p.inverse_rms[1] == 0);
        for (size_t i = 4; i < 8; i++)
            assert_true(i == 6 ? isnan(p.y[i]) : p.y[i] == 0);
        for (size_t i = 0; i < 12; i++)
            assert_true(i / 4 == 1 || isfinite(p.y[i]));
        free(p.x);
    }
}

static void a_bad_weight_stays_in_its_column(void **state)
{
    (void)state;
    problem p = problem_new(3, 4);
    fill(&p, false, DTYPE_FP64, 1);
    p.gamma[2] = NAN;
    solve(&p);
    for (size_t i = 0; i < 12; i++)
        assert_true(!isnan(p.y[i]) == (i % 4 != 2));
    free(p.x);
}

/* x² has a limit in each arithmetic: below it the row is normalised, above it
   the sum is infinite, r is 0 and the row is lost in silence */
static double constant_row(dtype type, double value, size_t columns)
{
    problem p = problem_new(1, columns);
    for (size_t i = 0; i < columns; i++) {
        p.x[i] = as_stored(type, value);
        p.gamma[i] = 1;
    }
    forward_and_backward(&p, type);
    const double y = p.y[columns - 1];
    free(p.x);
    return y;
}

static void limits_of_the_square(void **state)
{
    (void)state;
    near(constant_row(DTYPE_FP16, 256, 4), 1, 1e-3);     /* fp32 inside */
    near(constant_row(DTYPE_FP16, 65504, 4096), 1, 1e-3);
    near(constant_row(DTYPE_FP32, 1.8e19, 1), 1, 1e-6);
    assert_true(constant_row(DTYPE_FP32, 1.9e19, 1) == 0);
    assert_true(constant_row(DTYPE_FP32, 1.8e19, 2) == 0);    /* the sum */
    near(constant_row(DTYPE_FP64, 1.3e154, 1), 1, 1e-12);
    assert_true(constant_row(DTYPE_FP64, 1.4e154, 1) == 0);
}

static void subnormals_are_not_flushed(void **state)
{
    (void)state;
    near(constant_row(DTYPE_FP64, 1e-310, 3), 1e-307, 1e-9);
    near(constant_row(DTYPE_FP32, 1e-40, 3), 1e-37, 1e-4);
    near(constant_row(DTYPE_FP16, 0x1p-24, 3), 1000 * 0x1p-24, 1e-3);
    assert_true(constant_row(DTYPE_FP16, 0x1p-24, 3) > 0);
}

/* r³ is out of fp32's range here; the product in three parts is not */
static void fp32_backward_far_from_one(void **state)
{
    (void)state;
    static const double scales[] = { 1e-12, 1e-3, 1e6, 1e15, 1e17 };
    for (int s = 0; s < 5; s++) {
        problem exact = problem_new(2, 33), rounded = problem_new(2, 33);
        fill(&exact, false, DTYPE_FP32, 9);
        for (size_t i = 0; i < 66; i++)
            exact.x[i] = (float)(exact.x[i] * scales[s]);
        memcpy(rounded.x, exact.x, problem_size(2, 33) * sizeof *exact.x);
        solve(&exact);
        solve_as(DTYPE_FP32, &rounded);
        assert_true(dx_error(&exact, rounded.dx) < 1e-5);
        assert_true(relative_error(rounded.y, exact.y, 66) < 1e-5);
        assert_true(relative_error(rounded.dgamma, exact.dgamma, 33) < 1e-5);
        free(exact.x);
        free(rounded.x);
    }
}

/* Growing a row as a whole leaves y as it is, so dx has nothing to say there */
static void dx_is_across_the_row(void **state)
{
    (void)state;
    problem p = problem_new(1, 33);
    fill(&p, false, DTYPE_FP64, 4);
    p.epsilon = 1e-30;
    solve(&p);
    double along = 0, size = 0;
    for (size_t i = 0; i < 33; i++) {
        along += p.x[i] * p.dx[i];
        size += fabs(p.x[i] * p.dx[i]);
    }
    assert_true(size > 0.1 && fabs(along) < 1e-13 * size);
    free(p.x);
}

/* --- the derivatives ----------------------------------------------------- */

static void a_heavy_epsilon_is_derived_too(void **state)
{
    (void)state;
    for (int m = 0; m < 2; m++) {
        problem p = problem_new(3, 5);
        double slopes[20];
        fill(&p, false, DTYPE_FP64, 6);
        p.epsilon = 0.5;
        solve(&p);
        methods[m].gradient(&p, methods[m].h, slopes);
        assert_int_equal(compare(slopes, p.dx, p.inputs,
                                 methods[m].margin).failures, 0);
        free(p.x);
    }
}

static void the_methods_leave_the_problem_alone(void **state)
{
    (void)state;
    problem p = problem_new(3, 5);
    double slopes[20];
    const size_t size = problem_size(3, 5) * sizeof *p.x;
    fill(&p, false, DTYPE_FP64, 6);
    solve(&p);
    double *before = malloc(size);
    memcpy(before, p.x, size);
    for (int m = 0; m < 2; m++)
        methods[m].gradient(&p, methods[m].h, slopes);
    assert_memory_equal(p.x, before, size);
    free(before);
    free(p.x);
}

static size_t seen(fault f, size_t rows, size_t columns, bool bland)
{
    problem p = problem_new(rows, columns);
    double *slopes = malloc(p.inputs * sizeof *slopes);
    fill(&p, bland, DTYPE_FP64, 1);
    solve(&p);
    if (f) faulty_backward(&p, f, p.dx);
    complex_gradient(&p, methods[0].h, slopes);
    const size_t failures = compare(slopes, p.dx, p.inputs,
                                    methods[0].margin).failures;
    free(slopes);
    free(p.x);
    return failures;
}

static void what_each_shape_can_see(void **state)
{
    (void)state;
    for (fault f = NO_CORRECTION; f < FAULTS; f++)
        assert_true(seen(f, 17, 33, false) > 0);
    assert_int_equal(seen(NO_FAULT, 17, 33, false), 0);
    assert_int_equal(seen(AVERAGE, 1, 33, false), 0);     /* one row */
    assert_int_equal(seen(BLOCK, 17, 32, false), 0);      /* N is its BLOCK */
    assert_int_equal(seen(NO_GAMMA, 17, 33, true), 0);    /* γ = 1 */
}

static void a_nan_is_never_close(void **state)
{
    (void)state;
    const double nan[] = { 1, NAN, 1 }, ones[] = { 1, 1, 1 };
    const comparison c = compare(nan, ones, 3, (tolerance){ 1, 1 });
    assert_int_equal(c.failures, 1);
    assert_int_equal(c.index, 1);
    assert_true(isnan(relative_error(nan, ones, 3)));
}

/* --- the partitions ------------------------------------------------------ */

static void the_first_example(void **state)
{
    (void)state;
    generator g = { PARTITION_SEED }, copy = g;
    const example e = next_example(&g);
    double x[FEATURES];
    for (int i = 0; i < FEATURES; i++) {
        x[i] = next_uniform(&copy);
        assert_true(e.features[i] == x[i]);
    }
    const double noise = next_normal(&copy);
    assert_true(e.target == (float)(x[0] - x[1] + 1.5 * (x[2] * x[3])
                + 1.5 * (x[4] * x[4]) + noise / 4));
    assert_true(g.state == copy.state);
}

static void examples_survive_the_text(void **state)
{
    (void)state;
    char path[] = "/tmp/unit_ch03.XXXXXX";
    example list[40], back[41];
    generator g = { 1 };
    for (int i = 0; i < 40; i++) {
        for (int f = 0; f < FEATURES; f++)       /* any finite float */
            list[i].features[f] = (float)ldexp(next_uniform(&g),
                                               (int)(next_bits(&g) % 250) - 140);
        list[i].target = i % 2 ? -0.0f : FLT_TRUE_MIN;
    }
    close(mkstemp(path));
    assert_true(write_examples(path, list, 40));
    assert_false(write_examples(path, list, 40));          /* the same */
    assert_int_equal(read_examples(path, back, 41), 40);
    assert_memory_equal(list, back, sizeof list);
    assert_true(write_examples(path, list, 39));           /* shorter */
    assert_int_equal(read_examples(path, back, 41), 39);
    assert_int_equal(truncate(path, 3000), 0);             /* cut */
    assert_true(read_examples(path, back, 41) < 39);
    unlink(path);
    assert_int_equal(read_examples(path, back, 41), 0);
}

#define TEST(name, title) { title, name, NULL, NULL, NULL }
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(half_by_hand, "fp16: los valores hechos a mano"),
        TEST(half_against_the_compiler,
             "fp16: los 65536 patrones y un millón de valores, como el compilador"),
        TEST(bfloat_against_integers,
             "bf16: un millón de valores, como el redondeo con enteros"),
        TEST(every_pattern_and_every_tie,
             "fp16 y bf16: ningún patrón se pierde, y cada empate va al par"),
        TEST(elements_stay_in_their_place, "un elemento no pisa a sus vecinos"),
        TEST(generator_first_values, "el generador: sus primeros valores"),
        TEST(generator_is_fair, "el generador: media, varianza y límites"),
        TEST(worked_rows, "las filas de ejemplo del texto"),
        TEST(dgamma_sums_the_rows, "dγ suma las filas"),
        TEST(a_null_row, "una fila de ceros"),
        TEST(rows_do_not_know_each_other, "una fila no sabe de las demás"),
        TEST(a_nan_stays_in_its_row,
             "un NaN se queda en su fila, y llega a dγ"),
        TEST(an_infinity_turns_its_row_off, "un infinito apaga su fila"),
        TEST(a_bad_weight_stays_in_its_column,
             "un peso NaN se queda en su columna"),
        TEST(limits_of_the_square,
             "hasta dónde cabe el cuadrado, en cada aritmética"),
        TEST(subnormals_are_not_flushed, "los subnormales no se ponen a cero"),
        TEST(fp32_backward_far_from_one, "el backward en fp32, lejos de 1"),
        TEST(dx_is_across_the_row, "dx es perpendicular a la fila"),
        TEST(a_heavy_epsilon_is_derived_too,
             "con un ε grande también se deriva bien"),
        TEST(the_methods_leave_the_problem_alone,
             "los dos métodos no cambian el problema"),
        TEST(what_each_shape_can_see, "qué faltas ve cada forma"),
        TEST(a_nan_is_never_close, "un NaN nunca está cerca de nada"),
        TEST(the_first_example, "el primer ejemplo de las particiones"),
        TEST(examples_survive_the_text,
             "escribir y leer los ejemplos no los cambia"),
    };
    return cmocka_run_group_tests_name("capítulo 3", tests, NULL, NULL);
}
