// Lo que recibe cada kernel: una sola estructura por sentido.
#pragma once
#include <stdint.h>

typedef struct {
    const void *x, *gamma;
    void *y;
    float *inverse_rms;
    int rows, columns;
    float epsilon, inverse_columns;
    int segment;            // columnas que toca a cada bloque del cluster
} forward_args;

typedef struct {
    const void *x, *gamma, *dy;
    const float *inverse_rms;
    void *dx;
    float *partial;         // una fila fp32 por bloque (o por cluster)
    void *dgamma;
    unsigned *flags;        // una por bloque: suma final en el mismo kernel
    int rows, columns;
    float inverse_columns;
    int workers;            // bloques (o clusters, o warps) con fila propia
    int segment;
    int slots, slot_bytes;  // anillo de ranuras en memoria compartida
    int parts;              // filas de partial que suma la segunda pasada
} backward_args;

#define MAX_SLOTS 8
#define LINE 128            // bytes: los warps empiezan en líneas enteras
