/* Transforms on a GPU by cuFFT. Lines that lie as cuFFT can take them are transformed where they are; others are gathered
 * first. Plans are made before a task is submitted, for every GPU, and kept; what they need to work in is the task's own. */
#include "fft/cuda.h"

#include "cuda_worker.h"
#include "fft.h"
#include "runtime.h"

#include <cufft.h>
#include <pthread.h>
#include <stdio.h>

enum {
    MOST_PLANS = 64, /* kept for each GPU */
    MOST_GROUPS = 8  /* launches of one task; more groups of lines are gathered instead */
};

/* One launch of cuFFT: `batch` lines. */
struct layout {
    cufftType type;
    long long n, from_stride, from_step, to_stride, to_step, batch;
};
/* How a task goes about it. */
struct way {
    struct layout layout;
    int64_t outer, inner, given, length, used; /* as in struct sta__fft_lines; elements of a line that are read */
    int64_t groups, from_group, to_group;      /* launches, and elements from one to the next */
    bool gathers, scatters, complex_from, complex_to, half;
};

struct plan {
    struct layout layout;
    cufftHandle handle;
    size_t work;
    uint64_t used; /* when, for the oldest to go */
    bool there;
};
/* The mutex is for whoever submits, who makes plans, and the worker. */
struct gpu {
    pthread_mutex_t mutex;
    uint64_t clock;
    struct plan plans[MOST_PLANS];
};
static struct gpu **gpus; /* by the worker's number; made before the first task is submitted */

/* ---- ways ---- */

static cufftType type_of(const struct sta__fft_arguments *a)
{
    if (a->kind == STA__FFT_COMPLEX)
        return a->single ? CUFFT_C2C : CUFFT_Z2Z;
    if (a->kind == STA__FFT_TO_REAL)
        return a->single ? CUFFT_C2R : CUFFT_Z2D;
    return a->single ? CUFFT_R2C : CUFFT_D2Z;
}

static int64_t product(const int64_t *lengths, int from, int to)
{
    int64_t count = 1;
    for (int axis = from; axis < to; axis++)
        count *= lengths[axis];
    return count;
}

static struct way way_of(const struct sta__fft_arguments *a, int ndim, const int64_t *from, const int64_t *to)
{
    struct way w = {
        .outer = product(to, 0, a->axis),
        .inner = product(to, a->axis + 1, ndim),
        .given = from[a->axis],
        .length = to[a->axis],
        .used = a->kind == STA__FFT_TO_REAL ? a->n / 2 + 1 : a->n,
        .complex_from = a->kind == STA__FFT_COMPLEX || a->kind == STA__FFT_TO_REAL,
        .complex_to = a->kind != STA__FFT_TO_REAL,
        .half = a->kind == STA__FFT_REAL,
    };
    const bool last = w.inner == 1;
    /* A line of reals that does not begin where a complex number could is not taken by cuFFT: not where the lines lie, and
     * not where they are gathered in groups. */
    const bool reals = !w.complex_from && !last && w.outer > 1;
    const bool gathers = w.given < w.used || a->kind == STA__FFT_TO_REAL || (reals && w.given * w.inner % 2 != 0);
    w.scatters = !last && (w.outer > MOST_GROUPS || (reals && gathers && w.used * w.inner % 2 != 0));
    w.groups = last || w.scatters ? 1 : w.outer;
    w.gathers = w.scatters || gathers;
    const int64_t got = a->kind == STA__FFT_REAL ? a->n / 2 + 1 : w.length, batch = last ? w.outer : w.inner;
    w.from_group = w.gathers ? w.inner * w.used : w.given * w.inner;
    w.to_group = w.length * w.inner;
    w.layout = (struct layout){
        .type = type_of(a),
        .n = a->n,
        .from_stride = w.gathers ? 1 : w.inner,
        .from_step = w.gathers ? w.used
                     : last    ? w.given
                               : 1,
        .to_stride = w.scatters ? 1 : w.inner,
        .to_step = w.scatters ? got
                   : last     ? w.length
                              : 1,
        .batch = w.scatters ? w.outer * w.inner : batch,
    };
    return w;
}

/* ---- plans ---- */

static bool same(const struct layout *a, const struct layout *b)
{
    return a->type == b->type && a->n == b->n && a->from_stride == b->from_stride && a->from_step == b->from_step &&
           a->to_stride == b->to_stride && a->to_step == b->to_step && a->batch == b->batch;
}

static void destroy(struct plan *plan)
{
    if (plan->there)
        cufftDestroy(plan->handle);
    *plan = (struct plan){.there = false};
}

static bool make(struct plan *plan, const struct layout *l, cudaStream_t stream)
{
    long long n = l->n;
    *plan = (struct plan){.layout = *l};
    if (cufftCreate(&plan->handle) != CUFFT_SUCCESS)
        return false;
    plan->there = cufftSetAutoAllocation(plan->handle, 0) == CUFFT_SUCCESS &&
                  cufftMakePlanMany64(plan->handle, 1, &n, &n, l->from_stride, l->from_step, &n, l->to_stride,
                                      l->to_step, l->type, l->batch, &plan->work) == CUFFT_SUCCESS &&
                  cufftSetStream(plan->handle, stream) == CUFFT_SUCCESS;
    if (plan->there)
        return true;
    cufftDestroy(plan->handle);
    cudaGetLastError();
    return false;
}

/* With the mutex, the worker's device being the current one. NULL: there is no such plan, or no memory. */
static struct plan *plan_of(struct gpu *gpu, const struct sta__cuda_worker *worker, const struct layout *layout)
{
    struct plan *oldest = &gpu->plans[0];
    for (struct plan *plan = gpu->plans; plan < gpu->plans + MOST_PLANS; plan++) {
        if (plan->there && same(&plan->layout, layout)) {
            plan->used = ++gpu->clock;
            return plan;
        }
        if (oldest->there && (!plan->there || plan->used < oldest->used))
            oldest = plan;
    }
    if (oldest->there)
        cudaStreamSynchronize(worker->stream); /* it may still be at work */
    destroy(oldest);
    if (!make(oldest, layout, worker->stream))
        return NULL;
    oldest->used = ++gpu->clock;
    return oldest;
}

static void close_gpus(void)
{
    for (int i = 0; gpus && i < sta__cuda_workers(); i++) {
        if (!gpus[i])
            continue;
        for (int k = 0; k < MOST_PLANS; k++)
            destroy(&gpus[i]->plans[k]);
        pthread_mutex_destroy(&gpus[i]->mutex);
        sta__release(gpus[i]);
    }
    sta__release(gpus);
    gpus = NULL;
}

static bool open_gpus(void)
{
    if (gpus)
        return true;
    gpus = sta__allocate(sizeof *gpus * (size_t)sta__cuda_workers());
    if (!gpus)
        return false;
    sta__at_finish(close_gpus);
    bool good = true;
    for (int i = 0; good && i < sta__cuda_workers(); i++) {
        if (!sta__cuda_worker(i))
            continue;
        gpus[i] = sta__allocate(sizeof *gpus[i]);
        good = gpus[i] && pthread_mutex_init(&gpus[i]->mutex, NULL) == 0;
    }
    if (!good)
        close_gpus();
    return good;
}

/* On all GPUs, on the thread of the caller. */
static bool make_plans(const struct layout *layout)
{
    bool good = true;
    for (int i = 0; good && i < sta__cuda_workers(); i++) {
        const struct sta__cuda_worker *worker = sta__cuda_worker(i);
        if (!worker)
            continue;
        pthread_mutex_lock(&gpus[i]->mutex);
        good = cudaSetDevice(worker->device) == cudaSuccess && plan_of(gpus[i], worker, layout);
        pthread_mutex_unlock(&gpus[i]->mutex);
    }
    return good;
}

bool sta__fft_ready(struct sta__job *job)
{
    const struct sta__memory *result = &job->memory[0];
    const struct way way = way_of(job->arguments, result->ndim, job->memory[1].shape, result->shape);
    int before;
    if (way.layout.batch == 0)
        return true;
    bool good = open_gpus() && cudaGetDevice(&before) == cudaSuccess;
    if (good) {
        good = make_plans(&way.layout);
        cudaSetDevice(before);
    }
    if (!good)
        snprintf(job->text, sizeof job->text, "no memory on the GPU for a transform of length %lld", way.layout.n);
    return good;
}

/* ---- the body ---- */

static cufftResult execute(const struct plan *plan, void *from, void *to, bool backward)
{
    const int direction = backward ? CUFFT_INVERSE : CUFFT_FORWARD;
    switch (plan->layout.type) {
    case CUFFT_C2C:
        return cufftExecC2C(plan->handle, from, to, direction);
    case CUFFT_Z2Z:
        return cufftExecZ2Z(plan->handle, from, to, direction);
    case CUFFT_R2C:
        return cufftExecR2C(plan->handle, from, to);
    case CUFFT_D2Z:
        return cufftExecD2Z(plan->handle, from, to);
    case CUFFT_C2R:
        return cufftExecC2R(plan->handle, from, to);
    default:
        return cufftExecZ2D(plan->handle, from, to);
    }
}

static size_t element(bool single, bool complex)
{
    return (single ? sizeof(float) : sizeof(double)) * (complex ? 2 : 1);
}

/* With the mutex of the worker's plans. */
static sta_error_code transform(struct sta__job *job, const struct way *w, bool backward, bool single, char *from,
                                char *to)
{
    struct plan *plan = plan_of(gpus[job->cuda->number], job->cuda, &w->layout);
    void *work = plan && plan->work ? sta__cuda_scratch(job, plan->work) : NULL;
    if (!plan || (plan->work && !work)) {
        snprintf(job->text, sizeof job->text, "no memory on the GPU for a transform of length %lld", w->layout.n);
        return STA_ERROR_MEMORY;
    }
    cufftResult status = work ? cufftSetWorkArea(plan->handle, work) : CUFFT_SUCCESS;
    for (int64_t group = 0; status == CUFFT_SUCCESS && group < w->groups; group++)
        status = execute(plan, from + (size_t)(group * w->from_group) * element(single, w->complex_from),
                         to + (size_t)(group * w->to_group) * element(single, w->complex_to), backward);
    if (status == CUFFT_SUCCESS)
        return STA_ERROR_NONE;
    cudaGetLastError();
    snprintf(job->text, sizeof job->text, "a transform of length %lld: cuFFT says %d", w->layout.n, (int)status);
    return status == CUFFT_ALLOC_FAILED ? STA_ERROR_MEMORY : STA_ERROR_DEVICE;
}

static sta_error_code gather(struct sta__job *job, const struct sta__fft_arguments *a, const struct way *w, char **from)
{
    const struct sta__cuda_gather gather = {
        .single = a->single,
        .complex = w->complex_from,
        .outer = w->outer,
        .given = w->given,
        .inner = w->inner,
        .used = w->used,
        .hermitian = a->kind == STA__FFT_TO_REAL ? a->n : 0,
    };
    char *lines = sta__cuda_scratch(job, (size_t)(w->outer * w->inner * w->used) * element(a->single, w->complex_from));
    if (!lines)
        return STA_ERROR_MEMORY;
    const int status = sta__cuda_fft_gather(&gather, *from, lines, job->cuda->stream);
    *from = lines;
    return sta__cuda_check(job, (cudaError_t)status, "gathering lines");
}

static sta_error_code finish(struct sta__job *job, const struct sta__fft_arguments *a, const struct way *w,
                             const char *lines, char *to)
{
    const struct sta__cuda_finish finish = {
        .single = a->single,
        .complex = w->complex_to,
        .outer = w->outer,
        .n = w->length,
        .inner = w->inner,
        .half = w->half,
        .conjugate = a->kind == STA__FFT_REAL && a->backward,
        .scale = a->scale,
    };
    int status = cudaSuccess;
    if (w->scatters)
        status = sta__cuda_fft_scatter(&finish, lines, to, job->cuda->stream);
    else if (w->half || a->scale != 1.0)
        status = sta__cuda_fft_finish(&finish, to, job->cuda->stream);
    return sta__cuda_check(job, (cudaError_t)status, "finishing lines");
}

sta_error_code sta__fft_cuda(struct sta__job *job)
{
    const struct sta__fft_arguments *a = job->arguments;
    const struct sta__memory *result = &job->memory[0];
    const struct way w = way_of(a, result->ndim, job->memory[1].shape, result->shape);
    if (w.outer == 0 || w.inner == 0)
        return STA_ERROR_NONE;
    if (!sta__cuda_upload(job, 1))
        return STA_ERROR_MEMORY;
    char *from = job->memory[1].data, *lines = result->data;
    if (w.scatters)
        lines = sta__cuda_scratch(job, (size_t)(w.layout.batch * w.layout.to_step) * element(a->single, w.complex_to));
    if (!lines)
        return STA_ERROR_MEMORY;
    sta_error_code code = w.gathers ? gather(job, a, &w, &from) : STA_ERROR_NONE;
    if (!code) {
        pthread_mutex_lock(&gpus[job->cuda->number]->mutex);
        code = transform(job, &w, a->backward, a->single, from, lines);
        pthread_mutex_unlock(&gpus[job->cuda->number]->mutex);
    }
    return code ? code : finish(job, a, &w, lines, result->data);
}
