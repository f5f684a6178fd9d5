/* Chapter 7's checkpoint file: what it refuses, what it keeps through a crash.
   The calls that touch the disk are replaced, so that a process can be killed
   before and after each of them. */
#define main program_main
#define fsync watched_fsync
#define rename watched_rename
#include "ch07.c"
#undef main
#undef fsync
#undef rename
int fsync(int);
int rename(const char *, const char *);

#include <setjmp.h>
#include <signal.h>
#include <stddef.h>
#include <cmocka.h>
#include <dirent.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <sanitizer/lsan_interface.h>

/* --- the disk, watched -------------------------------------------------------- */
static int calls, kill_at = -1;          /* points: before and after each call */
static char order[40];

static void point(void)
{
    if (calls++ == kill_at) raise(SIGKILL);
}

int watched_fsync(int file)
{
    struct stat s;
    point();
    strcat(order, fstat(file, &s) == 0 && S_ISDIR(s.st_mode) ? "d" : "f");
    const int result = fsync(file);
    point();
    return result;
}

int watched_rename(const char *from, const char *to)
{
    point();
    strcat(order, "r");
    const int result = rename(from, to);
    point();
    return result;
}

/* --- a network, two sets of weights, an empty folder ---------------------------- */
static network net;
static float *one, *two, *read_back;
static char folder[64], path[100], why[WHY];

static int set_up(void **state)
{
    (void)state;
    __lsan_disable();              /* a child may exit while it is in use */
    net = network_new(ROAD_KERNEL, FEATURES, 4, 1);
    __lsan_enable();
    one = initial_weights(&net, 1);
    two = initial_weights(&net, 2);
    read_back = need(net.count, sizeof *read_back);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    free(one);
    free(two);
    free(read_back);
    network_free(&net);
    return 0;
}

static int new_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/checkpoint-XXXXXX");
    if (!mkdtemp(folder)) return 1;
    snprintf(path, sizeof path, "%s/pesos.safetensors", folder);
    calls = 0;
    kill_at = -1;
    order[0] = why[0] = '\0';
    return 0;
}

static int count_files(void)
{
    int count = 0;
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d)); ) count += e->d_name[0] != '.';
    closedir(d);
    return count;
}

static int remove_folder(void **state)
{
    (void)state;
    char file[400];
    DIR *d = opendir(folder);
    for (struct dirent *e; (e = readdir(d)); ) {
        snprintf(file, sizeof file, "%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.') unlink(file);
    }
    closedir(d);
    return rmdir(folder);
}

static bool same_weights(const float *a, const float *b)
{
    return memcmp(a, b, net.count * sizeof *a) == 0;
}

static void assert_says(const char *what)
{
    if (!strstr(why, what)) fail_msg("dice «%s», no «%s»", why, what);
}

static bool decodes(const file_bytes *f)
{
    memset(read_back, 0x55, net.count * sizeof *read_back);
    why[0] = '\0';
    const bool good = decode_checkpoint(&net, f, read_back, why);
    if (!good) {                  /* refused: said why, wrote nothing */
        assert_true(why[0] != '\0');
        for (int i = 0; i < net.count; i++)
            assert_memory_equal(&read_back[i], "UUUU", 4);
    }
    return good;
}

/* --- what is written is read ----------------------------------------------------- */
static void round_trip(void **state)
{
    (void)state;
    const float odd[] = { -0.0f, FLT_TRUE_MIN, -FLT_MAX, FLT_MIN, 1e-40f };
    memcpy(one, odd, sizeof odd);
    assert_true(save_checkpoint(path, &net, one, 100, 1, why));
    assert_true(load_checkpoint(path, &net, read_back, why));
    assert_true(same_weights(one, read_back));
    assert_int_equal(count_files(), 1);
}

static void same_bytes(void **state)
{
    (void)state;
    const file_bytes a = encode_checkpoint(&net, one, 7, 3);
    const file_bytes b = encode_checkpoint(&net, one, 7, 3);
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.bytes, b.bytes, a.size);
    assert_int_equal(a.size % 8, net.count * sizeof(float) % 8);
    free(a.bytes);
    free(b.bytes);
}

/* --- damage ---------------------------------------------------------------------- */
/* Each bit, the case of a letter, a space into a line end, all bits, another */
static void every_byte(void **state)
{
    (void)state;
    const file_bytes f = encode_checkpoint(&net, one, 100, 1);
    for (size_t i = 0; i < f.size; i++) {
        const int flips[] = { 1, 2, 4, 8, 16, 32, 64, 128, ' ' ^ '\n', 255,
                              1 + (int)(i * 37 % 255) };
        for (size_t k = 0; k < sizeof flips / sizeof *flips; k++) {
            f.bytes[i] ^= flips[k];
            if (decodes(&f)) fail_msg("byte %zu ^ %d", i, flips[k]);
            f.bytes[i] ^= flips[k];
        }
    }
    assert_true(decodes(&f));
    free(f.bytes);
}

static void every_length(void **state)
{
    (void)state;
    const file_bytes f = encode_checkpoint(&net, one, 100, 1);
    for (size_t size = 0; size < f.size; size++) {
        unsigned char *exact = need(size + !size, 1);
        memcpy(exact, f.bytes, size);      /* ASan watches its end */
        const file_bytes shorter = { exact, size };
        assert_false(decodes(&shorter));
        assert_says("truncado");
        free(exact);
    }
    for (size_t more = 1; more < 9; more++) {
        file_bytes longer = { need(f.size + more, 1), f.size + more };
        memcpy(longer.bytes, f.bytes, f.size);
        assert_false(decodes(&longer));
        assert_says("sobran");
        free(longer.bytes);
    }
    free(f.bytes);
}

static void lengths_that_lie(void **state)
{
    (void)state;
    static const uint64_t lies[] = { 0, 1, 7, MAX_HEADER, MAX_HEADER + 1,
        UINT64_C(1) << 31, UINT64_C(1) << 32, UINT64_C(1) << 63,
        UINT64_MAX - 7, UINT64_MAX };
    const file_bytes f = encode_checkpoint(&net, one, 100, 1);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        for (int byte = 0; byte < 8; byte++)
            f.bytes[byte] = (unsigned char)(lies[i] >> 8 * byte);
        assert_false(decodes(&f));
    }
    free(f.bytes);
}

/* --- headers that are wrong and whose checksum is right --------------------------- */
static bool accepts(const char *header, size_t data)
{
    const size_t length = strlen(header);
    file_bytes f = { need(8 + length + data, 1), 8 + length + data };
    for (int i = 0; i < 8; i++)
        f.bytes[i] = (unsigned char)((uint64_t)length >> 8 * i);
    memcpy(f.bytes + 8, header, length);
    char digits[CHECKSUM_DIGITS + 1];
    const size_t place = checksum_place(header);
    if (place) {
        checksum_of(&f, place, digits);
        memcpy(f.bytes + place, digits, CHECKSUM_DIGITS);
    }
    const bool good = decodes(&f);
    free(f.bytes);
    return good;
}

/* The right header with the first FROM turned into TO */
static bool accepts_with(const char *from, const char *to)
{
    char *header = header_text(&net, 100, 1);
    const size_t size = strlen(header) + strlen(to) + 1;
    char *changed = need(size, 1);
    char *place = strstr(header, from);
    assert_non_null(place);
    snprintf(changed, size, "%.*s%s%s", (int)(place - header), header, to,
             place + strlen(from));
    const bool good = accepts(changed, net.count * sizeof(float));
    free(header);
    free(changed);
    return good;
}

static void wrong_headers(void **state)
{
    (void)state;
    assert_true(accepts_with("rmsnorm", "rmsnorm"));
    static const char *const changes[][3] = {
        { "\"F32\"", "\"F16\"", "en linear1.weight, dtype" },
        { "[4,16]", "[16,4]", "en linear1.weight, shape" },
        { "[4,16]", "[64]", "en linear1.weight, shape" },
        { "[4,16]", "[4,-16]", "en linear1.weight, shape" },
        { "[4,16]", "[4,16.0]", "en linear1.weight, shape" },
        { "[4,16]", "\"4,16\"", "en linear1.weight, shape" },
        { "[4,16]", "null", "en linear1.weight, shape" },
        { "[0,256]", "[4,260]", "en linear1.weight, data_offsets" },
        { "[0,256]", "[-4,252]", "en linear1.weight, data_offsets" },
        { "[0,256]", "[256]", "en linear1.weight, data_offsets" },
        { "[0,256]", "[0,9223372036854775807]", "truncado" },
        { "[0,256]", "[0,99999999999999999999]", "no es JSON" },
        { "linear1.weight", "linear9.weight", "falta linear1.weight" },
        { "\"norm.weight\"", "\"linear1.bias\"", "no es JSON" },
        { "{\"__met", "{\"otro\":{},\"__met", "tiene 7 entradas" },
        { "\"crc32\"", "\"crc99\"", "crc32" },
        { "}}", "}", "no es JSON" },
    };
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        assert_false(accepts_with(changes[i][0], changes[i][1]));
        assert_says(changes[i][2]);
    }
}

static void strange_headers(void **state)
{
    (void)state;
    assert_false(accepts("", 0));
    assert_false(accepts("[]", 0));
    assert_false(accepts("null", 0));
    assert_false(accepts("{}", 0));
    assert_false(accepts("{\"a\":\"\\u0000\"}", 0));
    assert_false(accepts("{\"a\":\"\xff\"}", 0));
    assert_false(accepts("{\"__metadata__\":\"\\\"crc32\\\":\\\"\"}", 0));
    assert_false(accepts("{\"__metadata__\":{\"crc32\":\"0\"}}", 0));
    assert_false(accepts("{\"__metadata__\":{\"crc32\":\"00000000\"}}", 0));
    char *deep = need(200001, 1);
    memset(deep, '[', 100000);
    memset(deep + 100000, ']', 100000);
    assert_false(accepts(deep, 0));
    free(deep);
}

static void values_not_finite(void **state)
{
    (void)state;
    const float bad[] = { NAN, INFINITY, -INFINITY };
    for (int i = 0; i < 3; i++) {
        memcpy(read_back, two, net.count * sizeof *two);
        read_back[net.count - 1] = bad[i];
        const file_bytes f = encode_checkpoint(&net, read_back, 1, 1);
        assert_false(decodes(&f));
        assert_says("linear2.bias no es finito");
        free(f.bytes);
    }
}

static void saving_refuses_nan(void **state)
{
    (void)state;
    assert_true(save_checkpoint(path, &net, two, 1, 1, why));
    memcpy(read_back, one, net.count * sizeof *one);
    read_back[3] = NAN;
    assert_false(save_checkpoint(path, &net, read_back, 1, 1, why));
    assert_says("no es finito");
    assert_true(load_checkpoint(path, &net, read_back, why));
    assert_true(same_weights(two, read_back));
}

static void files_that_are_not(void **state)
{
    (void)state;
    assert_false(load_checkpoint(path, &net, read_back, why));
    assert_says("no se puede abrir");
    assert_false(load_checkpoint(folder, &net, read_back, why));
    assert_says("no se puede leer");
    assert_false(load_checkpoint("/dev/null", &net, read_back, why));
    assert_says("truncado");
    assert_false(load_checkpoint("/dev/zero", &net, read_back, why));
    assert_says("mide más de");
}

/* --- crashes ------------------------------------------------------------------------ */
static void order_of_calls(void **state)
{
    (void)state;
    assert_true(save_checkpoint(path, &net, one, 1, 1, why));
    assert_string_equal(order, "frd");   /* file, rename, directory */
    assert_int_equal(calls, 6);
}

static int killed_while(void (*work)(void))
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) { work(); _exit(0); }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static void save_two(void)
{
    save_checkpoint(path, &net, two, 2, 2, why);
}

static void killed_at_each_call(void **state)
{
    (void)state;
    for (int at = 0; at < 6; at++) {
        assert_true(save_checkpoint(path, &net, one, 1, 1, why));
        calls = 0;
        kill_at = at;
        assert_int_equal(killed_while(save_two), SIGKILL);
        kill_at = -1;
        assert_true(load_checkpoint(path, &net, read_back, why));
        assert_true(same_weights(at < 3 ? one : two, read_back));
    }
}

static void save_for_ever(void)
{
    for (int i = 0; ; i++)
        save_checkpoint(path, &net, i % 2 ? one : two, i, 1, why);
}

static void killed_at_random(void **state)
{
    (void)state;
    generator g = { 7 };
    assert_true(save_checkpoint(path, &net, one, 1, 1, why));
    int seen[2] = { 0, 0 };
    for (int i = 0; i < 40; i++) {
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) save_for_ever();
        const long wait = (long)(next_bits(&g) % 15000000);
        nanosleep(&(struct timespec){ 0, wait }, NULL);
        kill(child, SIGKILL);
        assert_int_equal(waitpid(child, NULL, 0), child);
        assert_true(load_checkpoint(path, &net, read_back, why));
        seen[same_weights(one, read_back)]++;
        assert_true(same_weights(one, read_back)
                    || same_weights(two, read_back));
    }
    assert_true(seen[0] > 0 && seen[1] > 0);
}

static void fill_disk(void)
{
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){ 300, 300 });
    if (!freopen("/dev/null", "w", stderr)) _exit(99);
    __lsan_disable();              /* it exits with the file in its hands */
    save_two();
}

static void full_disk(void **state)
{
    (void)state;
    assert_true(save_checkpoint(path, &net, one, 1, 1, why));
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) { fill_disk(); _exit(0); }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), STATUS_IO);
    assert_true(load_checkpoint(path, &net, read_back, why));
    assert_true(same_weights(one, read_back));
    assert_int_equal(count_files(), 1);
}

#define TEST(name, title) { title, name, new_folder, remove_folder, NULL }
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(round_trip, "guardar y leer no cambia nada"),
        TEST(same_bytes, "lo mismo da los mismos bytes"),
        TEST(every_byte, "cambiado un byte cualquiera, se rechaza"),
        TEST(every_length, "cortado o alargado, se rechaza"),
        TEST(lengths_that_lie, "longitudes de cabecera que mienten"),
        TEST(wrong_headers, "cabeceras de otra red o mal escritas"),
        TEST(strange_headers, "cabeceras que casi no son JSON"),
        TEST(values_not_finite, "valores que no son finitos, al leer"),
        TEST(saving_refuses_nan, "un NaN no se guarda"),
        TEST(files_that_are_not, "ficheros que no lo son"),
        TEST(order_of_calls,
             "primero el fichero, luego el nombre, luego la carpeta"),
        TEST(killed_at_each_call, "matado en cada llamada, queda uno entero"),
        TEST(killed_at_random, "matado en cualquier momento, queda uno entero"),
        TEST(full_disk, "un disco lleno deja el anterior"),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
