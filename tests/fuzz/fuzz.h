/* fuzz.h: what the fuzzers share. A program is included with its main renamed and
   its exit turned into a jump, so that a refusal is an answer like any other. */
#ifndef FUZZ_H
#define FUZZ_H
#define _POSIX_C_SOURCE 200809L
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf refusal;
static int refused_with;

_Noreturn static inline void leave(int status)
{
    refused_with = status;
    longjmp(refusal, 1);
}

/* The fuzzer's bytes as a C string; the caller frees it */
static inline char *text_of(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    if (!text) abort();
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* Something must hold: the fuzzer stops and keeps the input that broke it */
#define HOLDS(what)                                                  \
    do {                                                             \
        if (!(what)) {                                               \
            fprintf(stderr, "no se cumple: %s\n", #what);            \
            abort();                                                 \
        }                                                            \
    } while (0)

#define exit(status) leave(status)
#define main program_main
#endif
