/* The transforms of lines in both precisions: see lines.inc.h. */
#include "fft.h"

#include <fftw3.h>
#include <string.h>

enum {
    BLOCK = 16,    /* lines across the last axis that are gathered together: a cache line of floats */
    LONG = 1 << 18 /* lines that long are gathered four at a time */
};

#define REAL float
#define COMPLEX sta_complex64
#define FFTW(x) fftwf_##x
#define NAME(x) x##_f32
#include "lines.inc.h"
#undef REAL
#undef COMPLEX
#undef FFTW
#undef NAME

#define REAL double
#define COMPLEX sta_complex128
#define FFTW(x) fftw_##x
#define NAME(x) x##_f64
#include "lines.inc.h"
