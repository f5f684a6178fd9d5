/* The frame of appendix D, function by function, as chapter 1's program
   carries it: numbers that the reader types, and the report's file. */
#define main program_main
#include "ch01.c"
#undef main

#include <setjmp.h>
#include <stddef.h>
#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* The status that an action ends its process with; what it says, in `said` */
static char said[4096];

static int status_of(void (*action)(const void *), const void *argument)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        action(argument);
        fflush(NULL);
        _exit(STATUS_OK);
    }
    close(ends[1]);
    size_t size = 0;
    for (ssize_t n; (n = read(ends[0], said + size,
                              sizeof said - 1 - size)) > 0; )
        size += (size_t)n;
    said[size] = '\0';
    close(ends[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void assert_says(const char *text)
{
    if (!strstr(said, text))
        fail_msg("no dice «%s», sino «%s»", text, said);
}

static char folder[] = "/tmp/unit_frame.XXXXXX";

static int enter_folder(void **state)
{
    (void)state;
    strcpy(folder + strlen(folder) - 6, "XXXXXX");
    return mkdtemp(folder) && chdir(folder) == 0 ? 0 : -1;
}

static int leave_folder(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") == 0 && system(command) == 0 ? 0 : -1;
}

/* --- numbers ------------------------------------------------------------- */

static void natural(const void *text) { parse_natural("n", text); }
static void count(const void *text) { parse_count("n", text, -3, 4096); }
static void real(const void *text) { parse_real("n", text); }
static void list(const void *text)
{
    double values[3];
    parse_list("n", text, values, 3);
}

static void good_numbers(void **state)
{
    (void)state;
    assert_true(parse_natural("n", "0") == 0);
    assert_true(parse_natural("n", "18446744073709551615") == UINT64_MAX);
    assert_int_equal(parse_count("n", "4096", 1, 4096), 4096);
    assert_int_equal(parse_count("n", "-3", -3, 4), -3);
    assert_true(parse_real("n", "1e-6") == 1e-6);
    assert_true(parse_real("n", "-0.5") == -0.5);
    double values[3] = { 9, 9, 9 };
    assert_int_equal(parse_list("n", "3,-4.5,1e2", values, 3), 3);
    assert_true(values[0] == 3 && values[1] == -4.5 && values[2] == 100);
    assert_int_equal(parse_list("n", "7", values, 3), 1);
}

static void bad_numbers(void **state)
{
    (void)state;
    static const struct { void (*parse)(const void *); const char *text; }
        cases[] = {
        { natural, "" }, { natural, "-1" }, { natural, "+1" },
        { natural, " 1" }, { natural, "1 " }, { natural, "0x10" },
        { natural, "1.0" }, { natural, "18446744073709551616" },
        { count, "" }, { count, "4097" }, { count, "-4" }, { count, "1.5" },
        { count, "uno" }, { count, "99999999999999999999" },
        { real, "" }, { real, "nan" }, { real, "inf" }, { real, "-inf" },
        { real, "1e999" }, { real, "1,5" }, { real, "1.5x" },
        { list, "" }, { list, "," }, { list, "1,,2" }, { list, "1," },
        { list, ",1" }, { list, "1;2" }, { list, "1,nan" },
        { list, "1,2,3,4" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int status = status_of(cases[i].parse, cases[i].text);
        if (status != STATUS_USAGE)
            fail_msg("«%s» terminó con %d", cases[i].text, status);
        assert_says("--n");
        assert_says("--help");
    }
}

/* --- the report ------------------------------------------------------------ */

static const char *content(const char *path)
{
    static char text[8192];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

static size_t files_here(void)
{
    size_t count = 0;
    DIR *here = opendir(".");
    assert_non_null(here);
    for (struct dirent *entry; (entry = readdir(here)); )
        count += entry->d_name[0] != '.';
    closedir(here);
    return count;
}

static void close_report(const void *checks)
{
    common_options options = { .quiet = true, .output = "r.tsv" };
    report r;
    report_open(&r, &options, "chXX", "título", NULL);
    for (const char *c = checks; *c; c++)
        report_check(&r, *c == '+', "comprobación %c", *c);
    exit(report_close(&r));
}

static void report_counts_its_checks(void **state)
{
    (void)state;
    assert_int_equal(status_of(close_report, "++"), STATUS_OK);
    assert_string_equal(said, "");
    assert_non_null(strstr(content("r.tsv"), "checks\t2\nfailures\t0\n"));
    assert_int_equal(status_of(close_report, "+-+"), STATUS_CHECK_FAILED);
    assert_says("✗ comprobación -");
    assert_non_null(strstr(content("r.tsv"), "checks\t3\nfailures\t1\n"));
    assert_int_equal(files_here(), 1);
}

static void no_checks_is_no_success(void **state)
{
    (void)state;
    assert_int_equal(status_of(close_report, ""), STATUS_CHECK_FAILED);
}

static void report_has_its_format(void **state)
{
    (void)state;
    common_options options = { .quiet = true, .seed = 7, .output = "r.tsv" };
    report r;
    report_open(&r, &options, "chXX", "título", NULL);
    report_fact(&r, "extra", "%d", 3);
    report_table(&r, "cases", "m\tn");
    report_row(&r, "%d\t%d", 1, 2);
    report_value(&r, "worst", "%g", 0.5);
    report_table(&r, "more", "k");
    report_row(&r, "x");
    report_check(&r, true, "bien");
    assert_int_equal(report_close(&r), STATUS_OK);
    const char *text = content("r.tsv");
    assert_true(strncmp(text, "# program: chXX\n# title: título\n", 32) == 0);
    assert_non_null(strstr(text, "# seed: 7\n"));
    assert_non_null(strstr(text,
        "# extra: 3\n\n\n# cases\nm\tn\n1\t2\n\n\n# more\nk\nx\n\n\n"
        "# values\nkey\tvalue\nworst\t0.5\nchecks\t1\nfailures\t0\n"));
}

static common_options parsed(char **words)
{
    int count = 0;
    while (words[count]) count++;
    optind = 0;                  /* getopt begins anew */
    return parse_options(count, words, "chXX", "Un programa.", NULL);
}

static void options_arrive(void **state)
{
    (void)state;
    common_options o = parsed((char *[]){ "chXX", NULL });
    assert_true(o.seed == 1 && !o.quiet && !o.output_chosen);
    assert_string_equal(o.output, "outputs/chXX.tsv");
    o = parsed((char *[]){ "chXX", "--seed", "7", "--quiet", "--output=a/b",
                           NULL });
    assert_true(o.seed == 7 && o.quiet && o.output_chosen);
    assert_string_equal(o.output, "a/b");
}

/* A number without its device and its code is nobody's */
static void provenance_is_true(void **state)
{
    (void)state;
    static const char *const devices[][2] = {
        { NULL, "# device: CPU\n# kind: cpu\n" },
        { "GPU de papel (CPU X)", "# device: GPU de papel (CPU X)\n# kind: paper\n" },
        { "NVIDIA H200", "# device: NVIDIA H200\n# kind: gpu\n" },
    };
    for (size_t i = 0; i < sizeof devices / sizeof *devices; i++) {
        common_options options = { .quiet = true, .output = "r.tsv" };
        report r;
        report_open(&r, &options, "chXX", "título", devices[i][0]);
        report_check(&r, true, "bien");
        assert_int_equal(report_close(&r), STATUS_OK);
        const char *text = content("r.tsv");
        if (!strstr(text, devices[i][1]))
            fail_msg("no dice «%s», sino «%s»", devices[i][1], text);
        assert_non_null(strstr(text, "\n# commit: " COMMIT "\n"));
        assert_non_null(strstr(text, "\n# compiler: gcc " __VERSION__ "\n"));
    }
}

static void write_x(const void *path) { write_whole(path, "nuevo", 5); }

static void fill_the_disk(const char *path, size_t size)
{
    static char text[100000];
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 10, 10 });
    write_whole(path, text, size);
}
static void write_much(const void *path) { fill_the_disk(path, 100000); }
static void write_little(const void *path) { fill_the_disk(path, 20); }

static void a_file_is_whole_or_untouched(void **state)
{
    (void)state;
    write_x("r.tsv");
    assert_string_equal(content("r.tsv"), "nuevo");
    assert_int_equal(status_of(write_much, "r.tsv"), STATUS_IO);
    assert_says("no se puede escribir r.tsv");
    assert_int_equal(status_of(write_little, "r.tsv"), STATUS_IO);
    assert_says("no se puede escribir r.tsv");
    assert_string_equal(content("r.tsv"), "nuevo");
    assert_int_equal(files_here(), 1);
    assert_int_equal(status_of(write_x, "no/existe"), STATUS_IO);
    assert_says("no se puede escribir no/existe");
    assert_int_equal(status_of(write_x, "r.tsv/x"), STATUS_IO);
    assert_says("no se puede escribir r.tsv/x");
    assert_int_equal(files_here(), 1);
}

static char heard[100];

static void hear(const char *path, void (*action)(const void *))
{
    const int ear = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(ear >= 0);
    action(path);
    const ssize_t n = read(ear, heard, sizeof heard - 1);
    heard[n < 0 ? 0 : n] = '\0';
    close(ear);
}

/* As root, renaming over /dev/null would leave the machine without it */
static void what_is_not_a_file_stays_what_it_is(void **state)
{
    (void)state;
    struct stat now;
    assert_int_equal(mkfifo("pipe", 0600), 0);
    assert_int_equal(symlink("pipe", "link"), 0);
    hear("pipe", write_x);
    assert_string_equal(heard, "nuevo");
    hear("link", write_x);
    assert_string_equal(heard, "nuevo");
    assert_int_equal(lstat("pipe", &now), 0);
    assert_true(S_ISFIFO(now.st_mode));
    assert_int_equal(lstat("link", &now), 0);
    assert_true(S_ISLNK(now.st_mode));
    assert_int_equal(files_here(), 2);
    if (access("/dev/full", W_OK) != 0) return;
    assert_int_equal(symlink("/dev/full", "full"), 0);
    assert_int_equal(status_of(write_x, "full"), STATUS_IO);
    assert_says("no se puede escribir full: no queda sitio");
}

static void prepare(const void *path) { prepare_folder(path); }

static void a_useless_place_is_told_at_once(void **state)
{
    (void)state;
    assert_int_equal(mkdir("folder", 0700), 0);
    write_x("r.tsv");
    static const char *const bad[][2] = {
        { "folder", "es una carpeta" }, { "folder/", "es una carpeta" },
        { "new/", "es una carpeta" }, { "", "es una carpeta" },
        { "r.tsv/x", "no es una carpeta" }, { "no/such/x", "no existe" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        if (status_of(prepare, bad[i][0]) != STATUS_IO)
            fail_msg("«%s» pasa", bad[i][0]);
        assert_says(bad[i][1]);
    }
    assert_int_equal(files_here(), 2);
    assert_int_equal(status_of(prepare, "r.tsv"), STATUS_OK);
    assert_int_equal(status_of(prepare, "/dev/null"), STATUS_OK);
    assert_int_equal(status_of(prepare, "new/x"), STATUS_OK);
    assert_int_equal(files_here(), 3);
}

#define ALONE(name, title) { title, name, NULL, NULL, NULL }
#define TEST(name, title) { title, name, enter_folder, leave_folder, NULL }
int main(void)
{
    const struct CMUnitTest tests[] = {
        ALONE(good_numbers, "números que valen"),
        ALONE(bad_numbers, "números que no valen"),
        TEST(report_counts_its_checks, "el informe cuenta sus comprobaciones"),
        TEST(no_checks_is_no_success, "sin comprobaciones no hay éxito"),
        ALONE(options_arrive, "las opciones llegan con su valor"),
        TEST(provenance_is_true, "la procedencia dice el dispositivo y el código"),
        TEST(report_has_its_format, "el informe tiene su formato"),
        TEST(a_file_is_whole_or_untouched,
             "un fichero queda entero o como estaba"),
        TEST(what_is_not_a_file_stays_what_it_is,
             "una tubería o un dispositivo siguen siéndolo"),
        TEST(a_useless_place_is_told_at_once,
             "un sitio que no sirve se dice antes de calcular"),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
