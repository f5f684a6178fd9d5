/* Chapter 8: the order statistics against known answers, and what the
   benchmark says of its own calls. */
#define main ch08_main
#include "ch08.c"
#undef main
#include <setjmp.h>
#include <stddef.h>
#include <cmocka.h>

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-12 * fmax(1.0, fabs(expected))))
        fail_msg("%.17g, not %.17g", value, expected);
}

static void expect(const double *list, size_t count, statistics known)
{
    const statistics s = summarize(list, count);
    near(s.minimum, known.minimum);
    near(s.q1, known.q1);
    near(s.median, known.median);
    near(s.q3, known.q3);
    near(s.p95, known.p95);
    near(s.maximum, known.maximum);
    assert_true(in_order(&s));
}

/* --- known answers (numpy.quantile, linear) ----------------------------- */

static void one_and_two_samples(void **state)
{
    (void)state;
    const double one[] = { 7.5 }, two[] = { 10, 20 };
    expect(one, 1, (statistics){ 7.5, 7.5, 7.5, 7.5, 7.5, 7.5 });
    expect(two, 2, (statistics){ 10, 12.5, 15, 17.5, 19.5, 20 });
}

static void odd_and_even_counts(void **state)
{
    (void)state;
    const double four[] = { 3, 1, 4, 2 }, five[] = { 5, 3, 1, 2, 4 };
    expect(four, 4, (statistics){ 1, 1.75, 2.5, 3.25, 3.85, 4 });
    expect(five, 5, (statistics){ 1, 2, 3, 4, 4.8, 5 });
}

static void the_ten_samples_of_the_text(void **state)
{
    (void)state;
    double list[] = { 22, 20, 60, 21, 24, 21, 20, 23, 22, 21 };
    expect(list, 10, (statistics){ 20, 21, 21.5, 22.75, 43.8, 60 });
    list[2] = 6000;              /* exercise 8.2 */
    expect(list, 10, (statistics){ 20, 21, 21.5, 22.75, 3310.8, 6000 });
}

static void fifty_samples(void **state)
{
    (void)state;
    double list[50];
    for (int i = 0; i < 50; i++) list[i] = (i * 17) % 50 + 1;
    expect(list, 50, (statistics){ 1, 13.25, 25.5, 37.75, 47.55, 50 });
}

static void equal_samples(void **state)
{
    (void)state;
    double list[9];
    for (int i = 0; i < 9; i++) list[i] = 0.1;
    expect(list, 9, (statistics){ 0.1, 0.1, 0.1, 0.1, 0.1, 0.1 });
}

static void extreme_magnitudes(void **state)
{
    (void)state;
    const double list[] = { 1e300, 1e-300, 1, 1e300 };
    const statistics s = summarize(list, 4);
    assert_true(s.minimum == 1e-300 && s.maximum == 1e300);
    assert_true(isfinite(s.median) && in_order(&s));
}

/* --- properties ----------------------------------------------------------- */

static void the_samples_are_not_touched(void **state)
{
    (void)state;
    const double before[] = { 3, 1, 2 };
    double list[3];
    memcpy(list, before, sizeof list);
    summarize(list, 3);
    assert_memory_equal(list, before, sizeof list);
}

static void half_below_half_above(void **state)
{
    (void)state;
    generator g = { 8 };
    for (size_t count = 1; count < 200; count++) {
        double list[200];
        size_t below = 0, above = 0;
        for (size_t i = 0; i < count; i++)
            list[i] = (double)(next_bits(&g) % 50);      /* with ties */
        const statistics s = summarize(list, count);
        for (size_t i = 0; i < count; i++) {
            below += list[i] <= s.median;
            above += list[i] >= s.median;
        }
        assert_true(2 * below >= count && 2 * above >= count);
        assert_true(in_order(&s));
    }
}

static void quantiles_never_go_back(void **state)
{
    (void)state;
    generator g = { 88 };
    double list[37];
    for (int i = 0; i < 37; i++) list[i] = next_normal(&g);
    qsort(list, 37, sizeof *list, ascending);
    double last = list[0];
    for (int k = 0; k <= 1000; k++) {
        const double q = quantile(list, 37, k / 1000.0);
        assert_true(q >= last && q <= list[36]);
        last = q;
    }
    assert_true(quantile(list, 37, 0) == list[0]);
    assert_true(quantile(list, 37, 1) == list[36]);
}

static void scale_and_shift(void **state)
{
    (void)state;
    generator g = { 888 };
    double list[25], moved[25];
    for (int i = 0; i < 25; i++) {
        list[i] = next_uniform(&g);
        moved[i] = 8 * list[i] + 3;
    }
    const statistics s = summarize(list, 25);
    expect(moved, 25, (statistics){ 8 * s.minimum + 3, 8 * s.q1 + 3,
        8 * s.median + 3, 8 * s.q3 + 3, 8 * s.p95 + 3, 8 * s.maximum + 3 });
}

/* --- what the protocol refuses --------------------------------------------- */

static void samples_that_are_none(void **state)
{
    (void)state;
    const double wrong[] = { 0, -1, NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 5; i++) {
        double list[] = { 1, 2, wrong[i], 4 };
        assert_false(all_positive(list, 4));
        assert_true(all_positive(list, 2));
    }
    assert_false(all_positive(wrong, 0));
}

static void statistics_out_of_order(void **state)
{
    (void)state;
    const double good[] = { 1, 2, 3, 4, 5, 6 };
    for (int i = 0; i < 6; i++) {
        double list[6];
        statistics s;
        memcpy(list, good, sizeof list);
        list[i] = i < 5 ? list[i + 1] + 1 : 0;
        memcpy(&s, list, sizeof s);
        assert_false(in_order(&s));
        list[i] = NAN;
        memcpy(&s, list, sizeof s);
        assert_false(in_order(&s));
    }
}

static void a_percentage(void **state)
{
    (void)state;
    near(percent(110, 100), 10);
    near(percent(70.71, 52.17), 100 * 18.54 / 52.17);
}

/* --- comparing --------------------------------------------------------------- */

static void the_worst_is_not_the_largest(void **state)
{
    (void)state;
    banded b = banded_new(3 * sizeof(float));
    const double reference[] = { 0, 100, 1 };
    store_element(DTYPE_FP32, banded_data(&b), 0, 9e-6);
    store_element(DTYPE_FP32, banded_data(&b), 1, 100.0048828125);
    store_element(DTYPE_FP32, banded_data(&b), 2, 1);
    const finding f = compare_twice(&b, DTYPE_FP32, reference, 3);
    assert_int_equal(f.worst.index, 0);
    near(f.worst.ratio, (double)9e-6f / 1e-5);
    assert_int_equal(f.largest.index, 1);
    near(f.largest.error, 0.0048828125);
    near(f.largest.allowed, 0.01001);
    assert_int_equal(f.worst.failures, 0);
    banded_free(&b);
}

static void a_tally_remembers_where(void **state)
{
    (void)state;
    tally t = { 0 };
    const finding quiet = { { .ratio = 0.1 }, { .error = 9 } };
    const finding loud = { { .ratio = 0.9 }, { .error = 1 } };
    count_case(&t, &quiet, true, 1, 2);
    count_case(&t, &loud, false, 3, 4);
    count_case(&t, &quiet, true, 5, 6);
    assert_int_equal(t.cases, 3);
    assert_int_equal(t.passed, 2);
    assert_true(t.worst.rows == 3 && t.worst.columns == 4);
    assert_true(t.largest.rows == 1 && t.largest.columns == 2);
}

/* --- the complete call --------------------------------------------------------- */

/* The table of the chapter: reservations of each call, all given back */
static void reservations(void **state)
{
    (void)state;
    static const long known[SCOPES][CONTROL_ROAD] = { { 5, 2 }, { 8, 5 } };
    backward_case c = backward_case_new(DTYPE_FP32, 3, 5);
    const inputs in = upload_inputs(&c, 1);
    for (int scope = 0; scope < SCOPES; scope++)
        for (int road = 0; road < CONTROL_ROAD; road++) {
            taken = returned = 0;
            const outputs o = call(road, &in, scope);
            put_back_outputs(&o);
            assert_int_equal(taken, known[scope][road]);
            assert_int_equal(returned, taken);
        }
    backward_case_free(&c);
}

/* A road that is wrong is seen before any clock runs */
static void a_wrong_input_is_seen(void **state)
{
    (void)state;
    for (int t = 0; t < TYPE_COUNT; t++) {
        backward_case c = backward_case_new(case_types[t], 4, 33);
        const inputs in = upload_inputs(&c, 1);
        assert_true(roads_are_right(&c, &in));
        store_element(case_types[t], banded_data(&c.x), 40, 3.0);
        assert_false(roads_are_right(&c, &in));  /* the host's x changed */
        backward_case_free(&c);
    }
}

/* The roads alternate, and each makes the calls that the protocol says */
static void the_protocol_is_kept(void **state)
{
    (void)state;
    report r = { .quiet = true };
    bench b = { .r = &r, .p = { 3, 4, 2 }, .sane = true };
    CUDA(cudaEventCreate(&b.watch.start));
    CUDA(cudaEventCreate(&b.watch.stop));
    backward_case c = backward_case_new(DTYPE_FP16, 2, 3);
    const inputs in = upload_inputs(&c, 1);
    measure_scope(&b, &in, SCOPE_BOTH, ROAD_COUNT, "point");
    assert_true(b.sane);
    assert_int_equal(b.count, ROAD_COUNT);
    for (int road = 0; road < ROAD_COUNT; road++) {
        assert_int_equal(calls_made[road], 3 + 4 * 2);
        assert_int_equal(b.list[road].count, 4);
        assert_int_equal(b.list[road].road, road);
        free(b.list[road].samples);
    }
    assert_int_equal(taken, returned);
    free(b.list);
    backward_case_free(&c);
    CUDA(cudaEventDestroy(b.watch.start));
    CUDA(cudaEventDestroy(b.watch.stop));
}

#define TEST(name, title) { title, name, NULL, NULL, NULL }
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(one_and_two_samples, "una muestra, y dos"),
        TEST(odd_and_even_counts, "cuentas pares e impares"),
        TEST(the_ten_samples_of_the_text, "las diez muestras del texto"),
        TEST(fifty_samples, "cincuenta muestras"),
        TEST(equal_samples, "muestras iguales"),
        TEST(extreme_magnitudes, "magnitudes extremas"),
        TEST(the_samples_are_not_touched, "las muestras no se tocan"),
        TEST(half_below_half_above,
             "la mediana: la mitad debajo, la mitad encima"),
        TEST(quantiles_never_go_back, "los cuantiles no retroceden"),
        TEST(scale_and_shift, "cambiar de escala y de origen"),
        TEST(samples_that_are_none, "muestras que no lo son"),
        TEST(statistics_out_of_order, "estadísticos desordenados se rechazan"),
        TEST(a_percentage, "un porcentaje"),
        TEST(the_worst_is_not_the_largest, "el peor no es el mayor"),
        TEST(a_tally_remembers_where, "la cuenta recuerda dónde"),
        TEST(reservations,
             "cuántas reservas hace cada camino, y que las devuelve"),
        TEST(a_wrong_input_is_seen, "una entrada equivocada se ve"),
        TEST(the_protocol_is_kept, "el protocolo se cumple: turnos y llamadas"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
