/* A command line (appendix D), its words separated by zeros: either the program
   refuses with status 2, or it explains itself, or every option has a value that
   is one of the words. */
#include "fuzz.h"
#include "ch01.c"
#undef main
#undef exit

enum { MOST = 24 };
static char *words[MOST + 2];
static int count;

static bool typed(const char *value)     /* a part of some word */
{
    for (int i = 1; i < count; i++)
        if (value >= words[i] && value <= words[i] + strlen(words[i]))
            return true;
    return false;
}

/* No word was dropped: what is no option comes after one that takes it */
static bool all_used(void)
{
    for (int i = 1; i < count; i++)
        if (words[i][0] != '-'
            && (words[i - 1][0] != '-' || strchr(words[i - 1], '=')
                || strcmp(words[i - 1], "--") == 0))
            return false;
    return true;
}

static bool asks_for_help(void)
{
    for (int i = 1; i < count; i++)
        if (strncmp(words[i], "--h", 3) == 0 || strncmp(words[i], "-h", 2) == 0)
            return true;
    return false;
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void)argc, (void)argv;              /* the help, and what getopt says */
    return freopen("/dev/null", "w", stdout) ? 0 : 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = text_of(data, size), *const end = text + size;
    words[0] = "ch01";
    count = 1;
    for (char *p = text; p < end && count < MOST; p += strlen(p) + 1)
        words[count++] = p;
    words[count] = NULL;
    const char *x = NULL, *flag = NULL;
    const option own[] = { { "x", "LISTA", "una lista", &x },
                           { "fast", NULL, "deprisa", &flag }, { 0 } };
    optind = 0;                          /* getopt begins anew */
    if (setjmp(refusal) == 0) {
        const common_options o = parse_options(count, words, "ch01",
                                               "Un programa.", own);
        HOLDS(all_used());
        HOLDS(!x || typed(x));
        HOLDS(!flag || *flag == '\0');
        HOLDS(o.output && o.output_chosen == typed(o.output));
        HOLDS(o.output_chosen || !strcmp(o.output, "outputs/ch01.tsv"));
    } else HOLDS(refused_with == STATUS_USAGE
                 || (refused_with == STATUS_OK && asks_for_help()));
    free(text);
    return 0;
}
