/* What the parts of the preprocess example share. */
#ifndef PREPROCESS_H
#define PREPROCESS_H

#include <starray/starray.h>

#include <stdbool.h>

struct options {
    char *input, *weights; /* NULL: made here */
    char *output, *svg;    /* NULL: not written */
    int bins, repeat;
    bool profile;
};
/* Reads the command line. False: the program ends with *code; whatever there is to say was said. */
bool options_read(int argc, char **argv, struct options *to, int *code);
void options_end(struct options *options);

/* Standard normal numbers times `scale`, the same on every machine, as an array of the program's own memory. */
sta_array samples_normal(int64_t rows, int64_t columns, double scale, unsigned seed);

/* A histogram in memory: counts[k] lies between edges[k] and edges[k + 1]. */
struct picture {
    int bins;
    const int64_t *counts;
    const double *edges;
    const char *title;
};
/* As bars, as wide as the terminal; in ASCII where the locale has no more. */
void picture_print(const struct picture *picture);
/* As a file that needs no other. False: errno says why. */
bool picture_save(const struct picture *picture, const char *path);

/* Round steps for an axis from lo to hi with about `wanted` of them. */
double picture_step(double lo, double hi, int wanted);

#endif
