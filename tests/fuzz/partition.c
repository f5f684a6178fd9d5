/* The reader of partitions (chapter 3), a TSV: whatever the file says, no more
   examples than there is room for, and none past those that it counts. */
#include "fuzz.h"
#include "ch03.c"
#undef main
#undef exit

static char path[64];
enum { ROOM = 1 };

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    snprintf(path, sizeof path, "/dev/shm/partition.%ld", (long)getpid());
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    FILE *file = fopen(path, "wb");
    HOLDS(file && fwrite(data, 1, size, file) == size);
    HOLDS(fclose(file) == 0);
    example *list = malloc(ROOM * sizeof *list);         /* ASan watches it */
    const size_t count = read_examples(path, list, ROOM);
    HOLDS(count <= ROOM);
    /* what was read, written and read again, is the same */
    FILE *out = fopen(path, "w");
    print_examples(out, list, count);
    fclose(out);
    example again[ROOM];
    HOLDS(read_examples(path, again, ROOM) == count);
    for (size_t i = 0; i < count; i++)
        for (int f = 0; f < FEATURES; f++) {
            const float a = list[i].features[f], b = again[i].features[f];
            HOLDS(a == b || (isnan(a) && isnan(b)));
        }
    free(list);
    unlink(path);
    return 0;
}
