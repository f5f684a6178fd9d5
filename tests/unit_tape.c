/* Chapter 7's tape: it runs backwards, it ends up empty, and a variable enters
   once. */
#define main program_main
#include "ch07.c"
#undef main

#include <setjmp.h>
#include <stddef.h>
#include <sys/wait.h>
#include <cmocka.h>

static char order[8];

static void note(network *n, const operation *o)
{
    (void)n;
    strcat(order, o->name);
}

static operation named(const char *name, variable *input)
{
    return (operation){ .name = name, .backward = note, .inputs = { input } };
}

static void from_the_last_to_the_first(void **state)
{
    (void)state;
    variable a = { .name = "a" }, b = { .name = "b" }, c = { .name = "c" };
    tape t = { .count = 0 };
    order[0] = '\0';
    record(&t, named("1", &a));
    record(&t, named("2", &b));
    record(&t, named("3", &c));
    tape_backward(NULL, &t);
    assert_string_equal(order, "321");
}

static void afterwards_it_is_empty(void **state)
{
    (void)state;
    variable a = { .name = "a" };
    tape t = { .count = 0 };
    order[0] = '\0';
    record(&t, named("1", &a));
    tape_backward(NULL, &t);
    assert_int_equal(t.count, 0);
    tape_backward(NULL, &t);             /* a second time derives nothing */
    assert_string_equal(order, "1");
    record(&t, named("2", &a));          /* and the variable is free again */
    assert_int_equal(t.count, 1);
}

static int status_of(void (*body)(void))
{
    int status = 0;
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(99);
        body();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void use_twice(void)
{
    variable a = { .name = "a" };
    tape t = { .count = 0 };
    record(&t, named("1", &a));
    record(&t, named("2", &a));
}

static void fill_it_up(void)
{
    static variable many[TAPE_LENGTH + 1];
    tape t = { .count = 0 };
    for (int i = 0; i <= TAPE_LENGTH; i++) {
        many[i].name = "muchas";
        record(&t, named("1", &many[i]));
    }
}

static void what_it_does_not_admit_stops(void **state)
{
    (void)state;
    assert_int_equal(status_of(use_twice), STATUS_CHECK_FAILED);
    assert_int_equal(status_of(fill_it_up), STATUS_CHECK_FAILED);
}

#define TEST(name, title) { title, name, NULL, NULL, NULL }
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(from_the_last_to_the_first,
             "la cinta se recorre de la última a la primera"),
        TEST(afterwards_it_is_empty,
             "después queda vacía"),
        TEST(what_it_does_not_admit_stops,
             "lo que no admite detiene el programa"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
