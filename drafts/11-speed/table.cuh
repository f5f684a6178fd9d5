// La tabla de variantes compiladas y su geometría.
#pragma once
#include "backward.cuh"
#include "forward.cuh"

typedef enum { DTYPE_FP32, DTYPE_FP16, DTYPE_FP64, DTYPE_BF16 } dtype;
enum family { COURSE, NARROW, GRAINS, RING, SMALL, WIDE };

typedef struct {
    int backward;
    enum family family;
    dtype type;
    int edges, warps, items, cluster, step, min_blocks;
    void (*forward_kernel)(forward_args);
    void (*backward_kernel)(backward_args);
} instance;

#define FORWARD_NARROW(T, D, GROUPS, ITEMS) \
    { 0, NARROW, D, 1, GROUPS, ITEMS, 1, GROUPS, 1, \
      forward_narrow<T, GROUPS, ITEMS>, NULL },
#define FORWARD_GRAINS(T, D, E, WARPS, ITEMS, CLUSTER, STEP, MIN) \
    { 0, GRAINS, D, E, WARPS, ITEMS, CLUSTER, STEP, MIN, \
      forward_grains<T, E, WARPS, ITEMS, CLUSTER, STEP, MIN>, NULL },
#define BACKWARD_NARROW(T, D, GROUPS, ITEMS, MIN) \
    { 1, NARROW, D, 1, GROUPS, ITEMS, 1, GROUPS, MIN, NULL, \
      backward_narrow<T, GROUPS, ITEMS, MIN> },
#define BACKWARD_RING(T, D, E, WARPS, ITEMS, CLUSTER, STEP, MIN) \
    { 1, RING, D, E, WARPS, ITEMS, CLUSTER, STEP, MIN, NULL, \
      backward_ring<T, E, WARPS, ITEMS, CLUSTER, STEP, MIN> },
#define BACKWARD_SMALL(T, D, WARPS, ITEMS, CLUSTER) \
    { 1, SMALL, D, 1, WARPS, ITEMS, CLUSTER, 1, 1, NULL, \
      backward_small<T, WARPS, ITEMS, CLUSTER> },
#define GENERAL(T, D) \
    { 0, COURSE, D, 1, 1, 1, 1, 1, 1, forward_course<T>, NULL }, \
    { 1, COURSE, D, 1, 1, 1, 1, 1, 1, NULL, backward_course<T> }, \
    { 1, WIDE, D, 1, 1, 1, 1, 1, 1, NULL, backward_wide_strip<T> },

static const instance instances[] = {
#include "variants.h"
};
enum { INSTANCES = sizeof instances / sizeof instances[0] };

static inline int element_size(dtype type)
{
    return type == DTYPE_FP32 ? 4 : 2;
}
// Granos que ocupa una fila en el peor de sus alineamientos.
static inline int grains_of(const instance *k, int columns)
{
    int grain = 16 / element_size(k->type), line = LINE / element_size(k->type);
    return k->edges ? (columns + line - 1 + grain - 1) / grain
                    : columns / grain;
}
// Columnas que caben: de una en una si es NARROW o SMALL; si no, granos.
static inline int capacity_of(const instance *k)
{
    if (k->family == NARROW || k->family == SMALL)
        return 32 * k->items;
    return 32 * k->warps * k->items * k->cluster;
}
static inline int fits(const instance *k, int columns)
{
    if (k->family == NARROW || k->family == SMALL)
        return columns <= capacity_of(k);
    return k->family == COURSE || k->family == WIDE
           || (grains_of(k, columns) + 8 * k->cluster - 8) <= capacity_of(k);
}
static inline int segment_of(const instance *k, int columns)
{
    int grain = 16 / element_size(k->type);
    int each = (grains_of(k, columns) + k->cluster - 1) / k->cluster;
    return (each + 7) / 8 * 8 * grain;
}
static inline int slot_bytes_of(const instance *k, int columns)
{
    int bytes = k->cluster > 1 ? segment_of(k, columns) * element_size(k->type)
                               : k->step * grains_of(k, columns) * 16;
    return 2 * ((bytes + LINE - 1) / LINE * LINE);
}
static inline int64_t dynamic_bytes(const instance *k, int columns, int slots)
{
    int64_t threads = 32 * k->warps, bytes = 0;
    if (k->family == RING)
        bytes = (int64_t)slots * slot_bytes_of(k, columns);
    else if (k->family == SMALL)
        return 4LL * (k->warps + 1) * columns;
    else if (k->family == NARROW && k->backward)
        bytes = 4LL * k->warps * columns;
    else
        return 0;
    return bytes < 4 * threads ? 4 * threads : bytes;
}
// Filas que comparten fase módulo LINE: una de cada `period`.
static inline int period_of(const instance *k, int columns)
{
    int64_t bytes = (int64_t)columns * element_size(k->type) % LINE;
    int period = 1;
    while (period * bytes % LINE)
        period *= 2;
    return k->edges ? period : 1;
}
