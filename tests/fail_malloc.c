/* fail_malloc.c, for LD_PRELOAD: the host allocation number FAIL_MALLOC fails, as
   if the machine's memory had run out there, and the file FAILED says that it
   did. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long left = -1;                   /* allocations before the one that fails */

__attribute__((constructor)) static void begin(void)
{
    const char *text = getenv("FAIL_MALLOC");
    unsetenv("FAIL_MALLOC");             /* not for its children */
    left = text ? atol(text) : -1;
}

static int fails(void)
{
    if (left < 0 || left-- != 1) return 0;
    const int seen = open("FAILED", O_CREAT | O_WRONLY, 0600);
    if (seen >= 0) close(seen);
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    static void *(*real)(size_t);
    if (!real) real = (void *(*)(size_t))dlsym(RTLD_NEXT, "malloc");
    return fails() ? NULL : real(size);
}

void *realloc(void *old, size_t size)
{
    static void *(*real)(void *, size_t);
    if (!real) real = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
    return fails() ? NULL : real(old, size);
}

void *calloc(size_t count, size_t size)
{
    static void *(*real)(size_t, size_t);
    static char first[4096];             /* dlsym asks for memory itself */
    static int asking;
    if (!real) {
        if (asking) return first;
        asking = 1;
        real = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
        asking = 0;
    }
    return fails() ? NULL : real(count, size);
}
