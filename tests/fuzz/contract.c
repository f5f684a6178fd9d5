/* A call to the contract (chapter 2), made of the fuzzer's bytes: accepted if and
   only if the oracle, which knows no rule and only what memory would suffer, says
   so. The addresses lead nowhere: a contract that touched one would die. */
#include "fuzz.h"
#include "ch02.c"
#undef main
#undef exit
#include "contract_oracle.h"

static const uint8_t *bytes;
static size_t left;
static uint8_t next(void) { return left ? (left--, *bytes++) : 0; }

static int64_t number(int64_t usual)
{
    static const int64_t pool[] = {
        -1, 0, 1, 2, 3, 4, 5, 4095, 4096, 4097, 16777216, 16777217, 1 << 20,
        (int64_t)1 << 32, (int64_t)1 << 60, INT64_MAX, INT64_MIN
    };
    const uint8_t b = next();
    if (b < 128) return usual;
    if (b < 192) return pool[b % (sizeof pool / sizeof *pool)];
    uint64_t value = 0;
    for (int i = 0; i < 8; i++) value = value << 8 | next();
    return (int64_t)value;
}

static void *place(void *usual)
{
    const uint8_t b = next();
    if (b < 128) return usual;
    if (b == 255) return NULL;
    return (char *)address(1 + b % 7) + 2 * (int8_t)next();
}

static void fill(tensor *t)
{
    t->data = place(t->data);
    t->type = (dtype)number(t->type);
    t->device = (int)number(t->device);
    t->rank = (int)number(t->rank);
    for (int i = 0; i < 2; i++) {
        t->shape[i] = number(t->shape[i]);
        t->stride[i] = number(t->stride[i]);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    bytes = data;
    left = size;
    const ways way = next() & 1 ? FORWARD_ONLY : BACKWARD_ONLY;
    const dtype type = next() & 1 ? DTYPE_FP16 : DTYPE_FP32;
    const int64_t m = number(3), n = number(4);
    probe p = good_probe(m, n, type);
    tensor *all[] = { &p.x, &p.gamma, &p.y, &p.dx, &p.dgamma };
    for (int i = 0; i < 5; i++) fill(all[i]);
    p.r = place(p.r);
    p.partial = place(p.partial);
    if (next() >= 128) {
        uint8_t raw[sizeof p.epsilon];
        for (size_t i = 0; i < sizeof raw; i++) raw[i] = next();
        memcpy(&p.epsilon, raw, sizeof raw);
    }
    const verdict v = ask(&p, way);
    HOLDS((v.status == CONTRACT_OK) == deserves(&p, way));
    HOLDS((v.status == CONTRACT_OK) == (v.message[0] == '\0'));
    HOLDS(strlen(v.message) + 1 < sizeof v.message);
    return 0;
}
