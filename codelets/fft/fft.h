/* What the parts of the Fourier transforms share. */
#ifndef STA__FFT_H
#define STA__FFT_H

#include "internal.h"

enum sta__fft_kind {
    STA__FFT_COMPLEX,   /* complex to complex */
    STA__FFT_REAL,      /* real to complex, all n of them */
    STA__FFT_REAL_HALF, /* real to complex, the first n / 2 + 1 */
    STA__FFT_TO_REAL    /* the first n / 2 + 1 of a Hermitian line to real */
};

/* A transform of one line of length n. Cached for ever: made under a mutex, used by any thread. */
struct sta__fft_plan {
    enum sta__fft_kind kind;
    bool single, backward;
    int64_t n;
    void *fftw; /* fftwf_plan or fftw_plan of lines that are aligned to 16 bytes; NULL where n is a chirp's */
    /* n with a large prime factor, by Bluestein's algorithm: a convolution of length m with a chirp. */
    int64_t m;
    void *fftw_forth, *fftw_back;
    void *chirp, *filter; /* n and m complex numbers */
};
/* NULL: no memory. Not for the body of a task the first time: planning is not what a task is timed for. */
const struct sta__fft_plan *sta__fft_plan(enum sta__fft_kind kind, bool single, bool backward, int64_t n);

/* Memory is the result and the lines, both contiguous and of one shape but for `axis`. What a line has more than n
 * elements is left out, what it has less is zero. */
struct sta__fft_arguments {
    enum sta__fft_kind kind;
    bool single, backward;
    int axis;
    int64_t n;
    double scale;
};
extern const struct sta__kernel sta__fft;

/* On GPUs (cuda.c). */
bool sta__fft_ready(struct sta__job *job);
sta_error_code sta__fft_cuda(struct sta__job *job);

/* The lines of one task: (outer, line, inner). */
struct sta__fft_lines {
    const struct sta__fft_plan *plan;
    const char *from;
    char *to;
    int64_t outer, inner, from_length, to_length;
    bool backward;
    double scale;
};
/* Transforms the blocks `first`, `first` + `step`, ... of them. false: no memory. */
bool sta__fft_lines_f32(const struct sta__fft_lines *lines, int64_t first, int64_t step);
bool sta__fft_lines_f64(const struct sta__fft_lines *lines, int64_t first, int64_t step);

#endif
