/* The predictions of chapter 9, from a list and from a file: refused with status
   2, or all of them finite. */
#include "fuzz.h"
static FILE *opened;                     /* a refusal leaves it open */
static FILE *watched_fopen(const char *path, const char *mode)
{
    return opened = fopen(path, mode);
}
static int watched_fclose(FILE *file)
{
    opened = NULL;
    return fclose(file);
}
#define fopen watched_fopen
#define fclose watched_fclose
#include "ch09.c"
#undef main
#undef exit
#undef fopen
#undef fclose

static char path[64];

static void try_file(const uint8_t *data, size_t size)
{
    double answers[QUESTIONS];
    for (int q = 0; q < QUESTIONS; q++) answers[q] = NAN;
    FILE *file = fopen(path, "wb");
    HOLDS(file && fwrite(data, 1, size, file) == size);
    HOLDS(fclose(file) == 0);
    if (setjmp(refusal) == 0) {
        read_answers(path, 257, answers);
        for (int q = 0; q < QUESTIONS; q++) HOLDS(isfinite(answers[q]));
    } else HOLDS(refused_with == STATUS_USAGE);
    if (opened) watched_fclose(opened);
}

static void try_text(const char *text)
{
    double answers[QUESTIONS];
    for (int q = 0; q < QUESTIONS; q++) answers[q] = NAN;
    if (setjmp(refusal) == 0) {
        parse_answers(257, text, answers);
        for (int q = 0; q < QUESTIONS; q++) HOLDS(isfinite(answers[q]));
        HOLDS(fabs(answers[ROOT]) <= 1);
    } else HOLDS(refused_with == STATUS_USAGE);
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;
    snprintf(path, sizeof path, "/dev/shm/answers.%ld", (long)getpid());
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    try_text(text);
    free(text);
    try_file(data, size);
    unlink(path);
    return 0;
}
