/* What the bodies of GPUs share: streams, memory in the order of a stream, copies of small values, times, errors. */
#include "cuda.h"

#include "cuda_worker.h"
#include "look.h"
#include "perfmodels/model.h"
#include "reply.h"
#include "runtime.h"
#include "starpu_compat.h"

#include <starpu_cuda.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

struct sta__cuda_timer {
    struct sta__cuda_timer *next;
    struct sta__cuda_worker *worker;
    cudaEvent_t begin, end;
};

/* A small value's copy for one worker; in the order of its stream. */
struct sta__upload {
    struct sta__upload *next;
    struct sta__cuda_worker *worker;
    void *data;
};

static struct sta__cuda_worker *workers[STARPU_NMAXWORKERS];
static atomic_int opened;

/* ---- start and end ---- */

bool sta__cuda_built(void)
{
    return true;
}

struct sta__cuda_worker *sta__cuda_worker(int number)
{
    return number >= 0 && number < STARPU_NMAXWORKERS ? workers[number] : NULL;
}

int sta__cuda_workers(void)
{
    return STARPU_NMAXWORKERS;
}

/* One bit a worker; StarPU keeps the pointer as long as the task lives. */
const uint32_t *sta__cuda_mask(int gpu, unsigned *words)
{
    enum { WORDS = (STARPU_NMAXWORKERS + 31) / 32 };
    static uint32_t masks[STARPU_NMAXWORKERS][WORDS]; /* written with the lock, always the same */
    int number = 0;
    for (int seen = 0; number < STARPU_NMAXWORKERS; number++)
        if (workers[number] && seen++ == gpu)
            break;
    *words = number < STARPU_NMAXWORKERS ? WORDS : 0;
    if (*words == 0)
        return NULL;
    masks[number][number / 32] = 1U << number % 32;
    return masks[number];
}

struct sta__cuda_worker *sta__cuda_here(void)
{
    return sta__cuda_worker(starpu_worker_get_id());
}

/* Memory that goes back to the device's pool stays there: taking it again costs a microsecond. */
static bool keep_pool(int device)
{
    cudaMemPool_t pool;
    uint64_t threshold = UINT64_MAX;
    return cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess &&
           cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess;
}

/* On the worker's thread. */
static void open_worker(void *unused)
{
    (void)unused;
    int number = starpu_worker_get_id(), major = 0, minor = 0;
    struct sta__cuda_worker *worker = sta__allocate(sizeof *worker);
    if (!worker)
        return;
    worker->number = number;
    worker->stream = starpu_cuda_get_local_stream();
    bool fine =
        cudaGetDevice(&worker->device) == cudaSuccess && keep_pool(worker->device) &&
        cudaDeviceGetAttribute(&worker->processors, cudaDevAttrMultiProcessorCount, worker->device) == cudaSuccess &&
        cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, worker->device) == cudaSuccess &&
        cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, worker->device) == cudaSuccess &&
        cudaHostAlloc((void **)&worker->faults, sizeof *worker->faults * STA__FAULT_WORDS * STA__MAXFAULTS,
                      cudaHostAllocPortable) == cudaSuccess;
    fine = fine && cudaEventCreate(&worker->origin) == cudaSuccess &&
           cudaEventRecord(worker->origin, worker->stream) == cudaSuccess &&
           cudaEventSynchronize(worker->origin) == cudaSuccess;
    worker->origin_time = sta__clock();
    worker->arch = 10 * major + minor;
    if (fine && number == starpu_worker_get_by_type(STARPU_CUDA_WORKER, 0))
        sta__replies_open(); /* without them results take longer */
    for (int i = 0; i < STA__MAXFAULTS; i++)
        worker->fault_free[worker->faults_free++] = i;
    if (!fine) {
        sta__release(worker);
        return;
    }
    workers[number] = worker;
    atomic_fetch_add(&opened, 1);
}

static void close_workers(void)
{
    for (int number = 0; number < STARPU_NMAXWORKERS; number++) {
        struct sta__cuda_worker *worker = workers[number];
        if (!worker)
            continue;
        cudaSetDevice(worker->device);
        while (worker->timers) {
            struct sta__cuda_timer *timer = worker->timers;
            worker->timers = timer->next;
            cudaEventDestroy(timer->begin);
            cudaEventDestroy(timer->end);
            sta__release(timer);
        }
        cudaFree(worker->arena);
        cudaEventDestroy(worker->origin);
        cudaFreeHost(worker->faults);
        sta__release(worker);
        workers[number] = NULL;
    }
    sta__replies_close();
    sta__runtime.gpus = 0;
}

/* What StarPU may use of the GPU that has least of it. */
int64_t sta__cuda_memory(void)
{
    int64_t least = 0;
    for (int number = 0; number < STARPU_NMAXWORKERS; number++) {
        const starpu_ssize_t total =
            workers[number] ? starpu_memory_get_total(starpu_worker_get_memory_node((unsigned)number)) : 0;
        if (total > 0 && (least == 0 || total < least))
            least = total;
    }
    return least;
}

bool sta__cuda_start(char *text, size_t bytes)
{
    int wanted = (int)starpu_cuda_worker_get_count();
    sta__runtime.gpus = 0;
    if (wanted == 0)
        return true;
    atomic_store(&opened, 0);
    starpu_execute_on_each_worker(open_worker, NULL, STARPU_CUDA);
    sta__runtime.gpus = wanted;
    sta__at_finish(close_workers);
    if (atomic_load(&opened) == wanted)
        return true;
    snprintf(text, bytes, "%d of %d CUDA workers could not be set up", wanted - atomic_load(&opened), wanted);
    close_workers();
    return false;
}

/* ---- errors ---- */

sta_error_code sta__cuda_check(struct sta__job *job, cudaError_t status, const char *what)
{
    if (status == cudaSuccess)
        return STA_ERROR_NONE;
    cudaGetLastError(); /* what can be recovered from is not seen by the next call */
    snprintf(job->text, sizeof job->text, "%s: CUDA says %s", what, cudaGetErrorString(status));
    return status == cudaErrorMemoryAllocation ? STA_ERROR_MEMORY : STA_ERROR_DEVICE;
}

uint32_t *sta__cuda_fault(struct sta__job *job)
{
    struct sta__cuda_worker *worker = job->cuda;
    if (job->fault)
        return job->fault;
    if (worker->faults_free == 0) {
        snprintf(job->text, sizeof job->text, "too many tasks that report faults are under way");
        return NULL;
    }
    job->fault = &worker->faults[STA__FAULT_WORDS * worker->fault_free[--worker->faults_free]];
    memset(job->fault, 0, sizeof *job->fault * STA__FAULT_WORDS);
    return job->fault;
}

/* On the worker that ran the body: StarPU ends a task where it ran. */
void sta__cuda_fault_read(uint32_t *fault, uint32_t words[STA__FAULT_WORDS])
{
    struct sta__cuda_worker *worker = sta__cuda_here();
    for (int i = 0; i < STA__FAULT_WORDS; i++)
        words[i] = ((volatile uint32_t *)fault)[i];
    if (worker && fault >= worker->faults && fault < worker->faults + STA__FAULT_WORDS * STA__MAXFAULTS)
        worker->fault_free[worker->faults_free++] = (int)((fault - worker->faults) / STA__FAULT_WORDS);
}

/* ---- memory ---- */

/* Little memory is cut off a piece that the worker keeps: to take and give back costs microseconds each. NULL: it is used up,
 * or not to be had. */
static void *cut_arena(struct sta__cuda_worker *worker, size_t bytes)
{
    enum { ARENA = 4 << 20, ALIGNMENT = 256 };
    if (!worker->arena && cudaMallocAsync((void **)&worker->arena, ARENA, worker->stream) != cudaSuccess) {
        cudaGetLastError();
        worker->arena = NULL;
    }
    if (!worker->arena || bytes > ARENA - worker->arena_used)
        return NULL;
    void *memory = worker->arena + worker->arena_used;
    worker->arena_used += (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    return memory;
}

void *sta__cuda_scratch(struct sta__job *job, size_t bytes)
{
    struct sta__cuda_worker *worker = job->cuda;
    const bool fails = sta__allocation_fails();
    void *memory = fails ? NULL : cut_arena(worker, bytes);
    if (memory)
        return memory;
    if (worker->scratches == STA__MAXSCRATCH) {
        snprintf(job->text, sizeof job->text, "a body takes more than %d buffers", STA__MAXSCRATCH);
        return NULL;
    }
    cudaError_t status =
        fails ? cudaErrorMemoryAllocation : cudaMallocAsync(&memory, bytes ? bytes : 1, worker->stream);
    if (sta__cuda_check(job, status, "memory for intermediate results"))
        return NULL;
    return worker->scratch[worker->scratches++] = memory;
}

static struct sta__upload *find_upload(struct sta__value *value, const struct sta__cuda_worker *worker)
{
    struct sta__upload *upload = atomic_load(&value->uploads);
    while (upload && upload->worker != worker)
        upload = upload->next;
    return upload;
}

static struct sta__upload *make_upload(struct sta__job *job, struct sta__value *value)
{
    struct sta__cuda_worker *worker = job->cuda;
    size_t bytes = (size_t)sta__value_bytes(value);
    struct sta__upload *upload = sta__allocate(sizeof *upload);
    if (!upload)
        return NULL;
    upload->worker = worker;
    if (sta__cuda_check(job, cudaMallocAsync(&upload->data, bytes ? bytes : 1, worker->stream),
                        "memory for a small operand")) {
        sta__release(upload);
        return NULL;
    }
    if (sta__cuda_check(job, cudaMemcpyAsync(upload->data, value->data, bytes, cudaMemcpyHostToDevice, worker->stream),
                        "copying a small operand")) {
        cudaFreeAsync(upload->data, worker->stream);
        sta__release(upload);
        return NULL;
    }
    upload->next = atomic_load(&value->uploads);
    while (!atomic_compare_exchange_weak(&value->uploads, &upload->next, upload))
        continue;
    return upload;
}

bool sta__cuda_upload(struct sta__job *job, int operand)
{
    struct sta__memory *memory = &job->memory[operand];
    if (!memory->on_host)
        return true;
    struct sta__upload *upload = find_upload(memory->value, job->cuda);
    if (!upload)
        upload = make_upload(job, memory->value);
    if (!upload)
        return false;
    memory->data = upload->data;
    memory->on_host = false;
    return true;
}

bool sta__cuda_upload_all(struct sta__job *job)
{
    for (int i = 0; i < job->count; i++)
        if (!sta__cuda_upload(job, i))
            return false;
    return true;
}

void sta__cuda_forget(struct sta__value *value)
{
    struct sta__upload *upload = atomic_exchange(&value->uploads, NULL);
    while (upload) {
        struct sta__upload *next = upload->next;
        if (sta__runtime.gpus) /* else the device's memory has gone with StarPU */
            cudaFreeAsync(upload->data, upload->worker->stream);
        sta__release(upload);
        upload = next;
    }
}

/* ---- times ---- */

static struct sta__cuda_timer *take_timer(struct sta__cuda_worker *worker)
{
    struct sta__cuda_timer *timer = worker->timers;
    if (timer) {
        worker->timers = timer->next;
        return timer;
    }
    timer = sta__allocate(sizeof *timer);
    if (!timer)
        return NULL;
    timer->worker = worker;
    if (cudaEventCreate(&timer->begin) != cudaSuccess)
        timer->begin = NULL;
    if (timer->begin && cudaEventCreate(&timer->end) == cudaSuccess)
        return timer;
    if (timer->begin)
        cudaEventDestroy(timer->begin);
    sta__release(timer);
    cudaGetLastError();
    return NULL;
}

void sta__cuda_body_begin(struct sta__job *job, struct sta__measure *measure)
{
    measure->timer = sta__measure_wants_sample(measure) ? take_timer(job->cuda) : NULL;
    if (measure->timer)
        cudaEventRecord(measure->timer->begin, job->cuda->stream);
}

void sta__cuda_body_end(struct sta__job *job, struct sta__measure *measure)
{
    struct sta__cuda_worker *worker = job->cuda;
    while (worker->scratches > 0)
        cudaFreeAsync(worker->scratch[--worker->scratches], worker->stream);
    worker->arena_used = 0;
    if (measure->timer)
        cudaEventRecord(measure->timer->end, worker->stream);
}

/* The device's clock against ours. */
static void place_in_time(struct sta__measure *measure, const struct sta__cuda_timer *timer, float milliseconds)
{
    float since = 0;
    if (cudaEventElapsedTime(&since, timer->worker->origin, timer->begin) != cudaSuccess)
        cudaGetLastError();
    measure->begin = timer->worker->origin_time + (int64_t)((double)since * 1e6);
    measure->end = measure->begin + (int64_t)((double)milliseconds * 1e6);
}

double sta__cuda_elapsed(struct sta__measure *measure)
{
    struct sta__cuda_timer *timer = measure->timer;
    float milliseconds = 0;
    if (!timer)
        return NAN;
    bool fine = cudaEventElapsedTime(&milliseconds, timer->begin, timer->end) == cudaSuccess;
    if (!fine)
        cudaGetLastError();
    if (fine && sta__looks(STA__LOOK_TRACE | STA__LOOK_DOCTOR))
        place_in_time(measure, timer, milliseconds);
    timer->next = timer->worker->timers;
    timer->worker->timers = timer;
    measure->timer = NULL;
    return fine ? (double)milliseconds * 1000 : NAN;
}
