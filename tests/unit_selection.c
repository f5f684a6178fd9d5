/* unit_selection.c: which kernel a call gets (chapter 11).
 *
 * The choice is a pure function of type, sizes, alignment and card. The oracle
 * here does not repeat its rules: it asks of each choice what any kernel needs
 * (that the row fits in what the threads hold, that an access of 16 bytes falls
 * on an address that allows it, that the card has the instructions and the
 * shared memory), and of a few shapes, written by hand, that the choice is the
 * rung that chapter 11 climbed for them. */
#define main ch11_main
#include "ch11.c"
#undef main
#include <setjmp.h>
#include <stddef.h>
#include <cmocka.h>

static const int types[] = { DTYPE_FP32, DTYPE_FP16, DTYPE_BF16 };
static const int cards[] = { 0, 75, 80, 86, 89, 90, 100, 120 };
#define COUNT(a) (int)(sizeof (a) / sizeof *(a))

/* Of each card: bytes that a block may have, bytes and threads of a
 * multiprocessor; after NVIDIA's table of compute capabilities */
typedef struct { int block, shared, threads; } room;
static room room_of(int card)
{
    switch (card) {
    case 75: return (room){ 64 * 1024, 64 * 1024, 1024 };
    case 80: return (room){ 163 * 1024, 164 * 1024, 2048 };
    case 90: case 100: return (room){ 227 * 1024, 228 * 1024, 2048 };
    default: return (room){ 99 * 1024, 100 * 1024, 1536 };
    }
}

typedef struct { int type, columns, alignment, card; bool backward; } question;

static kernel_choice ask(const question *q, int64_t rows)
{
    return q->backward
        ? select_backward(q->type, rows, q->columns, q->alignment, q->card)
        : select_forward(q->type, q->columns, q->alignment, q->card);
}

static void wrong(const question *q, const kernel_choice *k,
                  const char *what)
{
    fail_msg("%s, tipo %d, N=%d, alineación %d, tarjeta %d: %s (%s, ancho "
             "%d, %d accesos, %d hilos, cluster %d, %d huecos, %d bloques)",
             q->backward ? "backward" : "forward", q->type, q->columns,
             q->alignment, q->card, what, rung_name(k->rung), k->width,
             k->items, k->threads, k->cluster, k->slots, k->blocks);
}

/* Widths: all the small ones, and around each power of two and each type */
static int next_columns(int columns)
{
    static const int steps[] = { 1, 1, 2, 3, 5, 7, 8, 8, 13 };
    static int turn;
    if (columns < 600) return columns + 1;
    for (int power = 1024; power <= 131072; power *= 2)
        if (columns >= power - 9 && columns < power + 9) return columns + 1;
    turn = (turn + 1) % COUNT(steps);
    return columns + (columns < 9000 ? 1 : 11) * steps[turn];
}

static bool in_cluster(int rung)
{
    return rung == RUNG_CLUSTER || rung == RUNG_RING_CLUSTER
        || rung == RUNG_ONE_CLUSTER;
}

static bool in_ring(int rung)
{
    return rung == RUNG_RING || rung == RUNG_RING_EDGES
        || rung == RUNG_RING_CLUSTER;
}

static void check_rung(const question *q, const kernel_choice *k)
{
    const unsigned forward = 1u << RUNG_COURSE | 1u << RUNG_WARP
        | 1u << RUNG_GRAINS | 1u << RUNG_EDGES | 1u << RUNG_CLUSTER;
    const unsigned backward = 1u << RUNG_WARP | 1u << RUNG_STRIPS
        | 1u << RUNG_RING | 1u << RUNG_RING_EDGES | 1u << RUNG_RING_CLUSTER
        | 1u << RUNG_ONE_CLUSTER;
    if (k->rung < 0 || k->rung >= RUNG_COUNT
        || !((q->backward ? backward : forward) >> k->rung & 1))
        wrong(q, k, "ese peldaño no es de este sentido");
}

static void check_block(const question *q, const kernel_choice *k)
{
    const room r = room_of(q->card);
    if (k->threads % 32 != 0 || k->threads < 32 || k->threads > 1024)
        wrong(q, k, "hilos imposibles");
    if ((k->cluster > 1) != in_cluster(k->rung) || k->cluster > 8
        || k->cluster < 1 || (k->cluster & (k->cluster - 1)) != 0)
        wrong(q, k, "cluster imposible");
    if (k->cluster > 1 && q->card < 90)
        wrong(q, k, "esta tarjeta no tiene clusters");
    if (in_ring(k->rung) && k->blocks * k->threads > r.threads)
        wrong(q, k, "más hilos de los que caben en un multiprocesador");
}

/* An access of 16 bytes needs an address that is a multiple of 16: from the
 * start, or because the kernel looks for it row by row (the edges)           */
static void check_access(const question *q, const kernel_choice *k)
{
    const int grain = 16 / (int)dtype_size((dtype)q->type);
    const bool edges = k->rung == RUNG_EDGES || k->rung == RUNG_RING_EDGES;
    if (k->width != 1 && k->width != grain)
        wrong(q, k, "accesos que no son de un elemento ni de 16 bytes");
    if (k->width == 1) return;
    if (q->alignment == MIXED)
        wrong(q, k, "16 bytes a la vez con fases distintas");
    if (!edges && (q->alignment != ALIGNED || q->columns % grain != 0))
        wrong(q, k, "16 bytes a la vez en filas que no lo permiten");
}

/* Every element of a row has a thread that holds it, also where the row begins
 * at the last element of a line of 128 bytes                                 */
static void check_capacity(const question *q, const kernel_choice *k)
{
    const long size = (long)dtype_size((dtype)q->type);
    const bool edges = k->rung == RUNG_EDGES || k->rung == RUNG_RING_EDGES;
    if (k->rung == RUNG_COURSE || k->rung == RUNG_STRIPS) return;
    const long threads = k->rung == RUNG_WARP || k->rung == RUNG_ONE_CLUSTER
                       ? 32 : k->threads;
    const long blocks = k->rung == RUNG_ONE_CLUSTER ? 1 : k->cluster;
    const long room = threads * k->items * k->width * blocks * size;
    const long row = q->columns * size + (edges ? 128 - size : 0);
    if (room < (edges ? (row + 15) / 16 * 16 : row))
        wrong(q, k, "la fila no cabe en los registros de sus hilos");
}

static void check_ring(const question *q, const kernel_choice *k)
{
    if (!in_ring(k->rung)) return;
    const room r = room_of(q->card);
    const int bytes = k->slots * 2 * 16 * k->items * k->threads;
    if (k->slots < 2 || k->blocks < 1)
        wrong(q, k, "un anillo sin huecos o sin bloques");
    if (bytes > r.block - 1024)
        wrong(q, k, "el anillo no cabe en un bloque");
    if (q->card == 90 && k->blocks * (bytes + 1024) > r.shared)
        wrong(q, k, "los anillos no caben en un multiprocesador");
}

static void every_choice_can_run(void **state)
{
    (void)state;
    const int64_t rows[] = { 1, 128, 1000000 };
    question q;
    for (q.columns = 1; q.columns <= 131072;
         q.columns = next_columns(q.columns))
        for (int i = 0; i < 2 * 3 * COUNT(types) * COUNT(cards); i++) {
            q.backward = i % 2, q.alignment = i / 2 % 3;
            q.type = types[i / 6 % COUNT(types)];
            q.card = cards[i / 6 / COUNT(types)];
            for (int m = 0; m < COUNT(rows); m++) {
                const kernel_choice k = ask(&q, rows[m]);
                check_rung(&q, &k);
                check_block(&q, &k);
                check_access(&q, &k);
                check_capacity(&q, &k);
                check_ring(&q, &k);
            }
        }
}

/* The same question, in another order and after others, has the same answer */
static void the_choice_is_a_function(void **state)
{
    (void)state;
    enum { ASKED = 20000 };
    static question q[ASKED];
    static kernel_choice first[ASKED];
    static int64_t rows[ASKED];
    uint64_t chance = 1;
    for (int i = 0; i < ASKED; i++) {
        uint64_t z[5];
        for (int j = 0; j < 5; j++)
            z[j] = (chance = chance * 6364136223846793005u + 1442695040888963407u)
                >> 33;
        q[i] = (question){ types[z[0] % 3], 1 + (int)(z[1] % 131072),
            (int)(z[2] % 3), cards[z[3] % COUNT(cards)], z[4] % 2 };
        rows[i] = 1 + (int64_t)(z[4] / 2 % 1000000);
        first[i] = ask(&q[i], rows[i]);
    }
    for (int i = ASKED - 1; i >= 0; i--) {
        const kernel_choice again = ask(&q[i], rows[i]);
        if (memcmp(&again, &first[i], sizeof again) != 0)
            wrong(&q[i], &again, "dos respuestas a la misma pregunta");
    }
}

/* --- the rungs, by hand --------------------------------------------------------- */
static const struct {
    int type, columns, alignment, card, forward, backward;
} by_hand[] = {
    { DTYPE_FP32, 257, ALIGNED, 90, RUNG_WARP, RUNG_WARP },
    { DTYPE_FP32, 257, MIXED, 86, RUNG_WARP, RUNG_WARP },
    { DTYPE_FP32, 4096, ALIGNED, 90, RUNG_GRAINS, RUNG_RING },
    { DTYPE_FP16, 4096, ALIGNED, 90, RUNG_GRAINS, RUNG_RING },
    { DTYPE_BF16, 4096, ALIGNED, 90, RUNG_GRAINS, RUNG_RING },
    { DTYPE_BF16, 4096, SHIFTED, 90, RUNG_EDGES, RUNG_RING_EDGES },
    { DTYPE_BF16, 4096, MIXED, 90, RUNG_COURSE, RUNG_STRIPS },
    { DTYPE_BF16, 1024, ALIGNED, 90, RUNG_WARP, RUNG_WARP },
    { DTYPE_BF16, 8192, ALIGNED, 90, RUNG_GRAINS, RUNG_RING },
    { DTYPE_BF16, 16384, ALIGNED, 90, RUNG_GRAINS, RUNG_RING },
    { DTYPE_BF16, 65536, ALIGNED, 90, RUNG_CLUSTER, RUNG_RING_CLUSTER },
    { DTYPE_BF16, 131072, ALIGNED, 90, RUNG_CLUSTER, RUNG_RING_CLUSTER },
    { DTYPE_BF16, 131071, ALIGNED, 90, RUNG_COURSE, RUNG_STRIPS },
    { DTYPE_FP32, 4097, ALIGNED, 90, RUNG_EDGES, RUNG_RING_EDGES },
    { DTYPE_BF16, 4097, ALIGNED, 90, RUNG_EDGES, RUNG_RING_EDGES },
    /* a card of the RTX 3090's kind: no clusters, 99 KB */
    { DTYPE_BF16, 4096, ALIGNED, 86, RUNG_GRAINS, RUNG_RING },
    { DTYPE_FP32, 4097, ALIGNED, 86, RUNG_EDGES, RUNG_RING_EDGES },
    { DTYPE_BF16, 65536, ALIGNED, 86, RUNG_COURSE, RUNG_STRIPS },
    { DTYPE_BF16, 131072, ALIGNED, 86, RUNG_COURSE, RUNG_STRIPS },
    /* the paper GPU: none either */
    { DTYPE_BF16, 131072, ALIGNED, 0, RUNG_COURSE, RUNG_STRIPS },
    { DTYPE_FP32, 4096, ALIGNED, 0, RUNG_GRAINS, RUNG_RING },
};

static void rungs_by_hand(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(by_hand); i++) {
        question q = { by_hand[i].type, by_hand[i].columns,
                       by_hand[i].alignment, by_hand[i].card, false };
        kernel_choice k = ask(&q, 4096);
        if (k.rung != by_hand[i].forward)
            wrong(&q, &k, rung_name(by_hand[i].forward));
        q.backward = true;
        k = ask(&q, 4096);
        if (k.rung != by_hand[i].backward)
            wrong(&q, &k, rung_name(by_hand[i].backward));
    }
}

static void rungs_have_names(void **state)
{
    (void)state;
    for (int i = 0; i < RUNG_COUNT; i++) {
        assert_true(strlen(rung_name(i)) > 1);
        for (int j = 0; j < i; j++)
            assert_string_not_equal(rung_name(i), rung_name(j));
    }
}

#define TEST(title, function) { title, function, NULL, NULL, NULL }
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST("lo elegido cabe, se alinea y existe en esa tarjeta",
             every_choice_can_run),
        TEST("la misma pregunta tiene la misma respuesta",
             the_choice_is_a_function),
        TEST("las formas del capítulo, a mano", rungs_by_hand),
        TEST("cada peldaño tiene su nombre", rungs_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
