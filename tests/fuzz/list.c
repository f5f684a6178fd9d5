/* A list and a number typed by the reader (appendix D): either the program
   refuses with status 2, or every item is a finite number written in full. */
#include "fuzz.h"
#include "ch01.c"
#undef main
#undef exit

static size_t commas(const char *text)
{
    size_t count = 0;
    for (; *text; text++) count += *text == ',';
    return count;
}

static void try_list(const char *text)
{
    enum { CAPACITY = 8 };
    double *list = malloc(CAPACITY * sizeof *list);      /* ASan watches it */
    for (int i = 0; i < CAPACITY; i++) list[i] = NAN;
    if (setjmp(refusal) == 0) {
        const size_t count = parse_list("x", text, list, CAPACITY);
        HOLDS(count == commas(text) + 1 && count <= CAPACITY);
        const char *start = text;
        for (size_t i = 0; i < count; i++) {
            char *end;
            HOLDS(isfinite(list[i]));
            HOLDS(strtod(start, &end) == list[i]);
            HOLDS(*end == (i + 1 < count ? ',' : '\0'));
            start = end + 1;
        }
    } else HOLDS(refused_with == STATUS_USAGE);
    free(list);
}

static void try_count(const char *text)
{
    if (setjmp(refusal) == 0) {
        const long value = parse_count("n", text, -5, 5000);
        char back[40];
        HOLDS(value >= -5 && value <= 5000);
        snprintf(back, sizeof back, "%ld", value);
        HOLDS(strpbrk(text, "123456789") ? strstr(text, back + (value < 0))
                                              != NULL : value == 0);
    } else HOLDS(refused_with == STATUS_USAGE);
}

static void try_natural(const char *text)
{
    if (setjmp(refusal) == 0) {
        const uint64_t value = parse_natural("seed", text);
        char back[40];
        HOLDS(strspn(text, "0123456789") == strlen(text) && *text);
        snprintf(back, sizeof back, "%llu", (unsigned long long)value);
        const char *digits = text + strspn(text, "0");
        HOLDS(strcmp(back, *digits ? digits : "0") == 0);
    } else HOLDS(refused_with == STATUS_USAGE);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size);
    try_list(text);
    try_count(text);
    try_natural(text);
    free(text);
    return 0;
}
