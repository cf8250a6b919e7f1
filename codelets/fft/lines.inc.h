/* Lines of one precision: included by lines.c with REAL, COMPLEX, FFTW(x) and NAME(x) defined. A line is gathered into
 * aligned memory unless it lies there already, transformed, made whole, scaled and put in its place. */

struct NAME(scratch) {
    char *memory;
    int64_t pitch;   /* bytes from one gathered line to the next */
    char *from, *to; /* a block of gathered lines, and one of results */
    COMPLEX *a, *b;  /* of length m, for a chirp */
};

static bool NAME(open)(struct NAME(scratch) * scratch, const struct sta__fft_plan *plan, int64_t block)
{
    const size_t work = ((size_t)plan->m * sizeof(COMPLEX) + 63) / 64 * 64;
    scratch->pitch = (plan->n * (int64_t)sizeof(COMPLEX) + 63) / 64 * 64 + 64; /* not a power of two */
    scratch->memory = sta__allocate((size_t)(2 * block * scratch->pitch) + 2 * work);
    if (!scratch->memory)
        return false;
    scratch->from = scratch->memory;
    scratch->to = scratch->from + block * scratch->pitch;
    scratch->a = (COMPLEX *)(void *)(scratch->to + block * scratch->pitch);
    scratch->b = (COMPLEX *)(void *)((char *)scratch->a + work);
    return true;
}

/* ---- Bluestein ---- */

static inline COMPLEX NAME(times)(COMPLEX a, COMPLEX b)
{
    return (COMPLEX){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void NAME(load)(const struct sta__fft_plan *plan, const void *from, COMPLEX *to)
{
    const COMPLEX *chirp = plan->chirp, *numbers = from;
    const REAL *reals = from;
    const int64_t n = plan->n, half = n / 2;
    if (plan->kind == STA__FFT_COMPLEX)
        for (int64_t k = 0; k < n; k++)
            to[k] = NAME(times)(numbers[k], chirp[k]);
    else if (plan->kind == STA__FFT_REAL_HALF)
        for (int64_t k = 0; k < n; k++)
            to[k] = (COMPLEX){reals[k] * chirp[k].re, reals[k] * chirp[k].im};
    else
        for (int64_t k = 0; k < n; k++) {
            const COMPLEX x = k <= half ? numbers[k] : (COMPLEX){numbers[n - k].re, -numbers[n - k].im};
            to[k] = NAME(times)(x, chirp[k]);
        }
    memset(to + n, 0, (size_t)(plan->m - n) * sizeof *to);
}

static void NAME(convolve)(const struct sta__fft_plan *plan, const void *from, void *to, struct NAME(scratch) * scratch)
{
    const COMPLEX *filter = plan->filter, *chirp = plan->chirp;
    COMPLEX *a = scratch->a, *b = scratch->b, *result = to;
    NAME(load)(plan, from, a);
    FFTW(execute_dft)(plan->fftw_forth, (FFTW(complex) *)a, (FFTW(complex) *)b);
    for (int64_t k = 0; k < plan->m; k++)
        b[k] = NAME(times)(b[k], filter[k]);
    FFTW(execute_dft)(plan->fftw_back, (FFTW(complex) *)b, (FFTW(complex) *)a);
    const int64_t count = plan->kind == STA__FFT_REAL_HALF ? plan->n / 2 + 1 : plan->n;
    if (plan->kind == STA__FFT_TO_REAL)
        for (int64_t k = 0; k < count; k++)
            ((REAL *)to)[k] = NAME(times)(a[k], chirp[k]).re;
    else
        for (int64_t k = 0; k < count; k++)
            result[k] = NAME(times)(a[k], chirp[k]);
}

/* ---- one line ---- */

static void NAME(transform)(const struct sta__fft_plan *plan, void *from, void *to, struct NAME(scratch) * scratch)
{
    if (!plan->fftw)
        NAME(convolve)(plan, from, to, scratch);
    else if (plan->kind == STA__FFT_COMPLEX)
        FFTW(execute_dft)(plan->fftw, from, to);
    else if (plan->kind == STA__FFT_REAL_HALF)
        FFTW(execute_dft_r2c)(plan->fftw, from, to);
    else
        FFTW(execute_dft_c2r)(plan->fftw, from, to);
}

static void NAME(scale)(REAL *line, int64_t count, double scale)
{
    const REAL factor = (REAL)scale;
    for (int64_t k = 0; k < count; k++)
        line[k] *= factor;
}

/* The other half of a transform of reals is the conjugate of the first; backwards all of it is conjugated. */
static void NAME(complete)(const struct sta__fft_lines *lines, COMPLEX *line)
{
    const int64_t n = lines->plan->n, half = n / 2 + 1;
    if (lines->to_length > half)
        for (int64_t k = 1; k < (n + 1) / 2; k++)
            line[n - k] = (COMPLEX){line[k].re, -line[k].im};
    if (lines->backward)
        for (int64_t k = 0; k < lines->to_length; k++)
            line[k].im = -line[k].im;
}

static void NAME(one)(const struct sta__fft_lines *lines, void *from, void *to, struct NAME(scratch) * scratch)
{
    const struct sta__fft_plan *plan = lines->plan;
    const int64_t n = plan->n;
    COMPLEX *input = from;
    if (plan->kind == STA__FFT_TO_REAL) { /* what a Hermitian line cannot have is not looked at */
        input[0].im = 0;
        if (n % 2 == 0)
            input[n / 2].im = 0;
    }
    NAME(transform)(plan, from, to, scratch);
    if (lines->scale != 1.0) {
        const int64_t count = plan->kind == STA__FFT_COMPLEX   ? 2 * n
                              : plan->kind == STA__FFT_TO_REAL ? n
                                                               : n / 2 * 2 + 2;
        NAME(scale)(to, count, lines->scale);
    }
    if (plan->kind == STA__FFT_REAL_HALF)
        NAME(complete)(lines, to);
}

/* ---- blocks of lines ---- */

static void NAME(gather)(const struct sta__fft_lines *lines, const char *from, int64_t width, int64_t used, size_t item,
                         struct NAME(scratch) * scratch)
{
    const int64_t given = lines->from_length < used ? lines->from_length : used;
    const int64_t step = lines->inner * (int64_t)item;
    if (lines->inner == 1)
        memcpy(scratch->from, from, (size_t)given * item);
    else if (item == sizeof(REAL))
        for (int64_t k = 0; k < given; k++)
            for (int64_t j = 0; j < width; j++)
                ((REAL *)(void *)(scratch->from + j * scratch->pitch))[k] =
                    ((const REAL *)(const void *)(from + k * step))[j];
    else
        for (int64_t k = 0; k < given; k++)
            for (int64_t j = 0; j < width; j++)
                ((COMPLEX *)(void *)(scratch->from + j * scratch->pitch))[k] =
                    ((const COMPLEX *)(const void *)(from + k * step))[j];
    for (int64_t j = 0; j < width; j++)
        memset(scratch->from + j * scratch->pitch + (size_t)given * item, 0, (size_t)(used - given) * item);
}

static void NAME(put)(const struct sta__fft_lines *lines, char *to, int64_t width, size_t item,
                      const struct NAME(scratch) * scratch)
{
    const int64_t step = lines->inner * (int64_t)item;
    if (lines->inner == 1)
        memcpy(to, scratch->to, (size_t)lines->to_length * item);
    else if (item == sizeof(REAL))
        for (int64_t k = 0; k < lines->to_length; k++)
            for (int64_t j = 0; j < width; j++)
                ((REAL *)(void *)(to + k * step))[j] =
                    ((const REAL *)(const void *)(scratch->to + j * scratch->pitch))[k];
    else
        for (int64_t k = 0; k < lines->to_length; k++)
            for (int64_t j = 0; j < width; j++)
                ((COMPLEX *)(void *)(to + k * step))[j] =
                    ((const COMPLEX *)(const void *)(scratch->to + j * scratch->pitch))[k];
}

static bool NAME(aligned)(const void *memory)
{
    return (uintptr_t)memory % 16 == 0;
}

static void NAME(block)(const struct sta__fft_lines *lines, int64_t outer, int64_t inner, int64_t width,
                        struct NAME(scratch) * scratch)
{
    const enum sta__fft_kind kind = lines->plan->kind;
    const int64_t used = kind == STA__FFT_TO_REAL ? lines->plan->n / 2 + 1 : lines->plan->n;
    const size_t in = kind == STA__FFT_REAL_HALF ? sizeof(REAL) : sizeof(COMPLEX);
    const size_t out = kind == STA__FFT_TO_REAL ? sizeof(REAL) : sizeof(COMPLEX);
    const char *from = lines->from + (size_t)(outer * lines->from_length * lines->inner + inner) * in;
    char *to = lines->to + (size_t)(outer * lines->to_length * lines->inner + inner) * out;
    const bool whole = lines->inner == 1 && lines->from_length >= used && kind != STA__FFT_TO_REAL;
    const bool read = whole && NAME(aligned)(from), write = lines->inner == 1 && NAME(aligned)(to);
    if (!read)
        NAME(gather)(lines, from, width, used, in, scratch);
    for (int64_t j = 0; j < width; j++)
        NAME(one)
    (lines, read ? (void *)(uintptr_t)from : scratch->from + j * scratch->pitch,
     write ? to : scratch->to + j * scratch->pitch, scratch);
    if (!write)
        NAME(put)(lines, to, width, out, scratch);
}

bool NAME(sta__fft_lines)(const struct sta__fft_lines *lines, int64_t first, int64_t step)
{
    struct NAME(scratch) scratch;
    const int64_t block = lines->inner < BLOCK ? lines->inner : lines->plan->n > LONG ? BLOCK / 4 : BLOCK;
    const int64_t blocks = (lines->inner + block - 1) / block;
    if (first >= lines->outer * blocks)
        return true;
    if (!NAME(open)(&scratch, lines->plan, block))
        return false;
    for (int64_t i = first; i < lines->outer * blocks; i += step) {
        const int64_t inner = i % blocks * block;
        const int64_t width = lines->inner - inner < block ? lines->inner - inner : block;
        NAME(block)(lines, i / blocks, inner, width, &scratch);
    }
    sta__release(scratch.memory);
    return true;
}
