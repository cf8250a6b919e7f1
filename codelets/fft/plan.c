/* The cache of plans. FFTW_ESTIMATE, since what FFTW_MEASURE finds differs from run to run, and so would the last bits
 * of the results. Lines are always contiguous and aligned (the kernel sees to it), so that a length has one plan:
 * unaligned plans are 3 to 6 times slower. */
#include "fft.h"

#include <fftw3.h>
#include <math.h>
#include <pthread.h>

enum { LARGEST_FACTOR = 19 }; /* FFTW has fast code for lengths without larger ones */

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct sta__vector plans; /* of struct sta__fft_plan * */

static int64_t largest_factor(int64_t n)
{
    int64_t largest = 1;
    for (int64_t p = 2; p <= n / p; p++)
        while (n % p == 0) {
            n /= p;
            largest = p;
        }
    return n > largest ? n : largest;
}

/* The shortest length >= n that is 1, 3, 5, 9 or 15 times a power of two. */
static int64_t good_length(int64_t n)
{
    static const int64_t odd[] = {1, 3, 5, 9, 15};
    int64_t best = INT64_MAX;
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        int64_t length = odd[i] * 8;
        while (length < n)
            length *= 2;
        best = length < best ? length : best;
    }
    return best;
}

/* Arrays that FFTW_ESTIMATE looks at the alignment of, but never into. */
static _Alignas(64) double somewhere[8], elsewhere[8];

static void *plan_single(enum sta__fft_kind kind, bool backward, int64_t n)
{
    const fftwf_iodim64 line = {(ptrdiff_t)n, 1, 1};
    void *from = somewhere, *to = elsewhere;
    if (kind == STA__FFT_COMPLEX)
        return fftwf_plan_guru64_dft(1, &line, 0, NULL, from, to, backward ? FFTW_BACKWARD : FFTW_FORWARD,
                                     FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    if (kind == STA__FFT_TO_REAL)
        return fftwf_plan_guru64_dft_c2r(1, &line, 0, NULL, from, to, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
    return fftwf_plan_guru64_dft_r2c(1, &line, 0, NULL, from, to, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
}

static void *plan_double(enum sta__fft_kind kind, bool backward, int64_t n)
{
    const fftw_iodim64 line = {(ptrdiff_t)n, 1, 1};
    void *from = somewhere, *to = elsewhere;
    if (kind == STA__FFT_COMPLEX)
        return fftw_plan_guru64_dft(1, &line, 0, NULL, from, to, backward ? FFTW_BACKWARD : FFTW_FORWARD,
                                    FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
    if (kind == STA__FFT_TO_REAL)
        return fftw_plan_guru64_dft_c2r(1, &line, 0, NULL, from, to, FFTW_ESTIMATE | FFTW_DESTROY_INPUT);
    return fftw_plan_guru64_dft_r2c(1, &line, 0, NULL, from, to, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
}

static void *plan_of(bool single, enum sta__fft_kind kind, bool backward, int64_t n)
{
    return single ? plan_single(kind, backward, n) : plan_double(kind, backward, n);
}

static void destroy(struct sta__fft_plan *plan)
{
    void *all[] = {plan->fftw, plan->fftw_forth, plan->fftw_back};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] && plan->single)
            fftwf_destroy_plan(all[i]);
        else if (all[i])
            fftw_destroy_plan(all[i]);
    sta__release(plan->chirp);
    sta__release(plan->filter);
    sta__release(plan);
}

/* ---- Bluestein: jk = (j^2 + k^2 - (k - j)^2) / 2 turns a transform into a convolution with exp(+-i pi k^2 / n) ----
 * */

static void fill_chirp(sta_complex128 *chirp, int64_t n, bool backward)
{
    int64_t square = 0; /* k^2 modulo 2n, exact */
    for (int64_t k = 0; k < n; k++) {
        const double angle = 3.14159265358979323846 * (double)square / (double)n;
        chirp[k] = (sta_complex128){cos(angle), backward ? sin(angle) : -sin(angle)};
        square = (square + 2 * k + 1) % (2 * n);
    }
}

/* The transform of the conjugate chirp, with the 1/m of the way back; in double for both precisions. */
static bool fill_filter(sta_complex128 *filter, const sta_complex128 *chirp, int64_t n, int64_t m)
{
    sta_complex128 *line = sta__allocate((size_t)m * sizeof *line);
    fftw_plan plan = plan_double(STA__FFT_COMPLEX, false, m);
    if (line && plan) {
        for (int64_t k = 0; k < n; k++) {
            const sta_complex128 value = {chirp[k].re / (double)m, -chirp[k].im / (double)m};
            line[k] = value;
            line[k > 0 ? m - k : 0] = value;
        }
        fftw_execute_dft(plan, (fftw_complex *)line, (fftw_complex *)filter);
    }
    if (plan)
        fftw_destroy_plan(plan);
    sta__release(line);
    return line && plan;
}

static void narrow(void *numbers, int64_t count)
{
    const sta_complex128 *from = numbers;
    sta_complex64 *to = numbers;
    for (int64_t i = 0; i < count; i++) {
        const sta_complex128 value = from[i];
        to[i] = (sta_complex64){(float)value.re, (float)value.im};
    }
}

static bool make_chirp(struct sta__fft_plan *plan)
{
    plan->m = good_length(2 * plan->n - 1);
    plan->chirp = sta__allocate((size_t)plan->n * sizeof(sta_complex128));
    plan->filter = sta__allocate((size_t)plan->m * sizeof(sta_complex128));
    plan->fftw_forth = plan_of(plan->single, STA__FFT_COMPLEX, false, plan->m);
    plan->fftw_back = plan_of(plan->single, STA__FFT_COMPLEX, true, plan->m);
    if (!plan->chirp || !plan->filter || !plan->fftw_forth || !plan->fftw_back)
        return false;
    fill_chirp(plan->chirp, plan->n, plan->backward);
    if (!fill_filter(plan->filter, plan->chirp, plan->n, plan->m))
        return false;
    if (plan->single) {
        narrow(plan->chirp, plan->n);
        narrow(plan->filter, plan->m);
    }
    return true;
}

/* ---- the cache ---- */

static struct sta__fft_plan *find(const struct sta__fft_plan *wanted)
{
    for (size_t i = 0; i < plans.count; i++) {
        struct sta__fft_plan *plan = ((struct sta__fft_plan **)(void *)plans.data)[i];
        if (plan->n == wanted->n && plan->kind == wanted->kind && plan->single == wanted->single &&
            plan->backward == wanted->backward)
            return plan;
    }
    return NULL;
}

static struct sta__fft_plan *make(const struct sta__fft_plan *wanted)
{
    struct sta__fft_plan *plan = sta__allocate(sizeof *plan);
    if (!plan)
        return NULL;
    *plan = *wanted;
    bool good;
    if (largest_factor(plan->n) > LARGEST_FACTOR)
        good = make_chirp(plan);
    else
        good = (plan->fftw = plan_of(plan->single, plan->kind, plan->backward, plan->n)) != NULL;
    if (plans.item == 0)
        plans = STA__VECTOR(struct sta__fft_plan *);
    struct sta__fft_plan **place = good ? sta__vector_add(&plans) : NULL;
    if (!place) {
        destroy(plan);
        return NULL;
    }
    return *place = plan;
}

const struct sta__fft_plan *sta__fft_plan(enum sta__fft_kind kind, bool single, bool backward, int64_t n)
{
    /* Both real transforms are one plan: they differ in what is stored. Real lines go forward, Hermitian ones back. */
    struct sta__fft_plan wanted = {.kind = kind, .single = single, .backward = backward, .n = n};
    if (kind == STA__FFT_REAL || kind == STA__FFT_REAL_HALF) {
        wanted.kind = STA__FFT_REAL_HALF;
        wanted.backward = false;
    }
    pthread_mutex_lock(&mutex);
    struct sta__fft_plan *plan = find(&wanted);
    if (!plan)
        plan = make(&wanted);
    pthread_mutex_unlock(&mutex);
    return plan;
}

__attribute__((destructor)) static void forget(void)
{
    for (size_t i = 0; i < plans.count; i++)
        destroy(((struct sta__fft_plan **)(void *)plans.data)[i]);
    sta__vector_clear(&plans);
}
