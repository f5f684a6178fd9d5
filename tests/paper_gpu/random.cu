// The watcher against the definition. Small random programs: a few accesses of a
// few threads, with barriers between them. The host decides, pair by pair, if
// there is a race; a child process runs it and must be stopped exactly then.
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 64, BLOCKS = 2, STEPS = 8, CELLS = 3, MAX_ACCESSES = 7 };
enum { ACCESS, BARRIER, WARP_BARRIER };
enum { READ, WRITE, ATOMIC };
struct use { int block, thread, step, kind, shared, cell; };
struct script {
    int step[STEPS], count;
    use accesses[MAX_ACCESSES];
};

__global__ void run(script s, int *global, int *sink)
{
    __shared__ int local[CELLS];
    int me = (int)threadIdx.x;
    if (me < CELLS) local[me] = me;
    __syncthreads();
    for (int k = 0; k < STEPS; k++) {
        if (s.step[k] == BARRIER) __syncthreads();
        if (s.step[k] == WARP_BARRIER) __syncwarp();
        for (int i = 0; i < s.count; i++) {
            const use a = s.accesses[i];
            if (a.step != k || a.thread != me || a.block != (int)blockIdx.x)
                continue;
            int *p = (a.shared ? local : global) + a.cell;
            if (a.kind == READ) sink[blockIdx.x * THREADS + me] += *p;
            if (a.kind == WRITE) *p = me;
            if (a.kind == ATOMIC) atomicAdd(p, 1);
        }
    }
}

static bool between(const script &s, int kind, int a, int b)
{
    for (int k = (a < b ? a : b) + 1; k <= (a < b ? b : a); k++)
        if (s.step[k] == kind) return true;
    return false;
}

// The definition: same cell, two threads, one writes, and nothing between
static bool racy(const script &s)
{
    for (int i = 0; i < s.count; i++)
        for (int j = 0; j < i; j++) {
            const use &a = s.accesses[i], &b = s.accesses[j];
            bool one_block = a.block == b.block;
            bool one_warp = one_block && a.thread / 32 == b.thread / 32;
            if (a.shared != b.shared || a.cell != b.cell) continue;
            if (a.shared && !one_block) continue;
            if (one_block && a.thread == b.thread) continue;
            if (a.kind == READ && b.kind == READ) continue;
            if (a.kind == ATOMIC && b.kind == ATOMIC) continue;
            if (one_block && between(s, BARRIER, a.step, b.step)) continue;
            if (one_warp && between(s, WARP_BARRIER, a.step, b.step)) continue;
            return true;
        }
    return false;
}

static void show(const script &s)
{
    for (int k = 0; k < STEPS; k++) printf("%c", ".BW"[s.step[k]]);
    printf("\n");
    for (int i = 0; i < s.count; i++) {
        const use &a = s.accesses[i];
        printf("  paso %d: hilo %d del bloque %d, %s %s[%d]\n", a.step,
               a.thread, a.block, a.kind == READ ? "lee" : a.kind == WRITE
               ? "escribe" : "suma en", a.shared ? "local" : "global", a.cell);
    }
}

static uint64_t state;
static int below(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (uint64_t)n);
}

static script invent()
{
    script s;
    memset(&s, 0, sizeof s);
    for (int k = 0; k < STEPS; k++)
        s.step[k] = below(4) ? ACCESS : 1 + below(2);
    s.count = 2 + below(MAX_ACCESSES - 1);
    for (int i = 0; i < s.count; i++) {
        use &a = s.accesses[i];
        a.block = below(3) == 0;
        a.thread = below(2) ? below(THREADS) : below(3);
        a.step = below(STEPS);
        a.kind = below(5) < 3 ? READ : 1 + below(2);
        a.shared = below(3) > 0;
        a.cell = below(CELLS);
    }
    return s;
}

// In a child: did the watcher stop it?
static bool stopped(const script &s, int *global, int *sink)
{
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(9);
        run<<<BLOCKS, THREADS>>>(s, global, sink);
        _exit(cudaGetLastError() == cudaSuccess ? 0 : 9);
    }
    int status = 0;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 86);
    return WIFEXITED(status) && WEXITSTATUS(status) == 86;
}

int main(int argc, char **argv)
{
    int *global, *sink, races = 0, programs = argc > 1 ? atoi(argv[1]) : 300;
    state = argc > 2 ? (uint64_t)atoi(argv[2]) : 1;
    CUDA(cudaMalloc(&global, CELLS * sizeof *global));
    CUDA(cudaMalloc(&sink, BLOCKS * THREADS * sizeof *sink));
    CUDA(cudaMemset(global, 0, CELLS * sizeof *global));
    CUDA(cudaMemset(sink, 0, BLOCKS * THREADS * sizeof *sink));
    for (int i = 0; i < programs; i++) {
        script s = invent();
        races += racy(s);
        if (stopped(s, global, sink) == racy(s)) continue;
        failures++;
        printf("programa %d: %s\n", i, racy(s) ? "carrera no vista"
                                               : "falsa alarma");
        show(s);
    }
    printf("%d programas, %d con carrera\n", programs, races);
    CHECK(races > programs / 5 && races < programs * 4 / 5);
    CUDA(cudaFree(global));
    CUDA(cudaFree(sink));
    return finish();
}
