/* The checkpoint reader (chapter 7). Nearly every file that is made up dies at the
   checksum; so for half of the inputs the harness writes the right one, and what
   is behind it gets its share. Refused: a reason, and the weights as they were.
   Accepted: finite, and saved again they give the same bytes of data. */
#include "fuzz.h"
#include "ch07.c"
#undef main
#undef exit

static network net;
static float *weights, *before;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    net = network_new(ROAD_KERNEL, FEATURES, 4, 1);
    weights = calloc(net.count, sizeof *weights);
    before = calloc(net.count, sizeof *before);
    for (int i = 0; i < net.count; i++) before[i] = (float)i - 7;
    const char *seed = getenv("WRITE_SEED");     /* a good file, for the corpus */
    if (seed) {
        char why[WHY];
        save_checkpoint(seed, &net, before, 100, 1, why);
        _exit(0);
    }
    return 0;
}

static void put_checksum(file_bytes *f)
{
    size_t length;
    char why[WHY], digits[CHECKSUM_DIGITS + 1];
    if (!read_length(f, &length, why)) return;
    char *text = calloc(length + 1, 1);
    memcpy(text, f->bytes + 8, length);
    const size_t place = checksum_place(text);
    if (place) {
        checksum_of(f, place, digits);
        memcpy(f->bytes + place, digits, CHECKSUM_DIGITS);
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0) return 0;
    file_bytes f = { malloc(size - 1 + !(size - 1)), size - 1 };
    memcpy(f.bytes, data + 1, size - 1);
    if (data[0] & 1) put_checksum(&f);
    char why[WHY] = "";
    memcpy(weights, before, net.count * sizeof *weights);
    if (decode_checkpoint(&net, &f, weights, why)) {
        for (int i = 0; i < net.count; i++) HOLDS(isfinite(weights[i]));
        HOLDS(memcmp(weights, f.bytes + f.size
                     - net.count * sizeof *weights,
                     net.count * sizeof *weights) == 0);
    } else {
        HOLDS(why[0] != '\0' && memchr(why, '\0', WHY));
        HOLDS(memcmp(weights, before, net.count * sizeof *weights) == 0);
    }
    free(f.bytes);
    return 0;
}
