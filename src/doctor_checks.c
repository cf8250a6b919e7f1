/* What STA_DOCTOR looks for. A check is a row of the table at the end and a section of docs/doctor.md. A machine and its
 * settings are only blamed where they cost something: after a quarter of a second of work. */
#include "doctor.h"

#include "linalg/linalg.h"
#include "mpi/ranks.h"

#include <math.h>
#include <sched.h>

#define MIB ((int64_t)1 << 20)
#define MILLISECOND ((int64_t)1000000)
enum { MATTERS = 250 }; /* milliseconds of tasks */

static double megabytes(int64_t bytes)
{
    return (double)bytes * 1e-6;
}

static double seconds(int64_t nanoseconds)
{
    return (double)nanoseconds * 1e-9;
}

static bool matters(const struct sta__sight *sight)
{
    return sight->loaded >= MATTERS * MILLISECOND;
}

/* ---- places ---- */

static bool element_access(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    enum { OFTEN = 100 };
    (void)sight;
    snprintf(text, bytes, "%lld times one element of a larger array", (long long)at->elements);
    return at->elements >= OFTEN;
}

/* Now and then, or after much work, a wait costs nothing. */
static bool sync_in_loop(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    enum { OFTEN = 20 };
    (void)sight;
    snprintf(text, bytes, "waited %lld times, each time for new work, and for %.3f s in all", (long long)at->waits,
             seconds(at->waited));
    return at->soon >= OFTEN;
}

static bool recuts(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    (void)sight;
    snprintf(text, bytes, "operands copied into other tiles: %lld, %.1f MB", (long long)at->recuts,
             megabytes(at->recut_bytes));
    return at->recut_bytes >= 4 * MIB;
}

static double bytes_a_task(const struct sta__place *at)
{
    return at->tasks ? at->task_bytes / (double)at->tasks : 0;
}

static bool tiles_too_small(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    enum { MANY = 256, MANY_EACH = 16, SMALL = 64 << 10 };
    (void)sight;
    snprintf(text, bytes, "tasks: %lld, of %.1f KB each on average; operations: %lld", (long long)at->tasks,
             bytes_a_task(at) * 1e-3, (long long)at->operations);
    return at->tasks >= MANY && at->tasks >= MANY_EACH * at->operations && bytes_a_task(at) < SMALL;
}

/* Those that should have work: GPUs where there are any, else CPU workers. */
static int devices(void)
{
    return sta__runtime.gpus ? sta__runtime.gpus : (int)starpu_cpu_worker_get_count();
}

static bool tiles_too_few(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    enum { TILES = 16 }; /* of the usual size, in a task */
    (void)sight;
    int64_t large = TILES * sta__runtime.settings.tile_bytes;
    snprintf(text, bytes, "tasks of an operation: %.1f on average, of %.1f MB each; workers: %d",
             (double)at->tasks / (double)(at->operations ? at->operations : 1), bytes_a_task(at) * 1e-6, devices());
    return at->operations && at->tasks < at->operations * devices() && bytes_a_task(at) >= (double)large;
}

static bool float64(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    (void)sight;
    snprintf(text, bytes, "%.1f MB of float64 or complex128 came of arrays of half the size",
             megabytes(at->widened_bytes));
    return at->widened_bytes >= MIB;
}

static bool broadcast_writes(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    (void)sight;
    snprintf(text, bytes, "%.1f MB were written that repeat themselves along an axis", megabytes(at->broadcast_bytes));
    return at->broadcast_bytes >= 4 * MIB;
}

static bool kept_arrays(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    (void)sight;
    snprintf(text, bytes, "arrays made here: %lld, %.1f MB; they lived on for %lld calls after they were last read",
             (long long)at->kept, megabytes(at->kept_bytes), (long long)(at->kept ? at->kept_calls / at->kept : 0));
    return at->kept > 0;
}

/* ---- the program and the machine ---- */

static bool idle_device(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    const double bearable = 0.4, enough = 2 * (double)sta__runtime.settings.tile_bytes; /* to be shared */
    (void)at;
    int64_t busy = 0, least = INT64_MAX;
    enum starpu_worker_archtype kind = sta__runtime.gpus ? STARPU_CUDA_WORKER : STARPU_CPU_WORKER;
    for (int worker = 0; worker < (int)starpu_worker_get_count(); worker++)
        if (starpu_worker_get_type(worker) == kind) {
            busy += sight->busy[worker];
            least = sight->busy[worker] < least ? sight->busy[worker] : least;
        }
    double idle = 1 - (double)busy / (double)sight->loaded / devices();
    snprintf(text, bytes,
             "while there were tasks, for %.2f s, the %d %s workers had none for %.0f %% of the time; the idlest "
             "worked %.2f s",
             seconds(sight->loaded), devices(), sta__runtime.gpus ? "GPU" : "CPU", idle * 100, seconds(least));
    return matters(sight) && (sta__runtime.gpus || devices() > 1) && idle > bearable &&
           sight->task_bytes >= enough * (double)sight->work;
}

static bool memory_pressure(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    enum { TILES_AHEAD = 8 }; /* that a worker should find */
    (void)at;
    int64_t peak = sta__memory_peak(STARPU_MAIN_RAM), memory = sta__memory_total();
    int64_t wanted = TILES_AHEAD * sta__runtime.settings.tile_bytes * (int64_t)starpu_worker_get_count();
    snprintf(text, bytes,
             "%lld times a memory had no room for a tile; %.1f MB went to disk; the peak was %.1f of %.1f MB; callers "
             "were held back for %.2f s by a budget of %.1f MB",
             (long long)sight->shortages, megabytes(sight->to_disk), megabytes(peak), megabytes(memory),
             seconds(sight->held), megabytes(sta__runtime.settings.budget_bytes));
    return sight->shortages > 0 || sight->to_disk > 0 || peak > memory / 5 * 4 ||
           (sight->held > 50 * MILLISECOND && sta__runtime.settings.budget_bytes < wanted);
}

static int cores(void)
{
    cpu_set_t set;
    return sta__ranks_cores(sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1);
}

static int threads(void)
{
    const struct sta__settings *settings = &sta__runtime.settings;
    return (int)starpu_cpu_worker_get_count() * (settings->every_core ? 1 : settings->threads);
}

static bool few_workers(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    (void)at;
    int64_t busy = 0;
    for (int worker = 0; worker < (int)starpu_worker_get_count(); worker++)
        busy += starpu_worker_get_type(worker) == STARPU_CPU_WORKER ? sight->busy[worker] : 0;
    double loaded = (double)sight->loaded * (double)starpu_cpu_worker_get_count();
    snprintf(text, bytes, "CPU workers: %u, on %d of %d cores; they had work for %.2f s", starpu_cpu_worker_get_count(),
             threads(), cores(), seconds(busy));
    return matters(sight) && threads() + sta__runtime.gpus < cores() && (double)busy > 0.8 * loaded;
}

static bool uncalibrated(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    (void)at;
    const struct sta__settings *settings = &sta__runtime.settings;
    bool choice = (settings->cpu == STA__CPU_AUTO && settings->threads > 1) ||
                  (sta__runtime.gpus && (starpu_cpu_worker_get_count() || sta__runtime.gpus > 1));
    double factor = sight->guessed ? exp2(sight->guessed_factors / (double)sight->guessed) : 1;
    snprintf(text, bytes,
             "workers were chosen for %.2f s of tasks by guesses, which were wrong by a factor of %.1f on average",
             seconds(sight->guessed), factor);
    return choice && !sta__costs_source() && sight->guessed >= MATTERS * MILLISECOND;
}

static bool blas_threads(const struct sta__sight *sight, const struct sta__place *at, char *text, size_t bytes)
{
    (void)at;
    int each = sta__blas_threads();
    if (each > 1 && devices() > 1) {
        snprintf(text, bytes, "OpenBLAS was set to %d threads in each of %u workers", each,
                 starpu_cpu_worker_get_count());
        return true;
    }
    snprintf(text, bytes, "%u teams of %d threads share %d cores", starpu_cpu_worker_get_count(),
             sta__runtime.settings.threads, cores());
    return matters(sight) && sta__runtime.settings.threads > 1 && threads() > cores();
}

const struct sta__check sta__checks[] = {
    {"element-access", "elements are read or written one by one",
     "Compute with whole arrays; or read all of it once with sta_read, write it once with sta_from_data.", true,
     element_access},
    {"sync-in-loop", "the program waits in a loop",
     "Ask for values later, or in every tenth step: meanwhile the next steps can run.", true, sync_in_loop},
    {"recuts", "tiles are copied to be cut in another way",
     "Keep to one way of cutting: the same shape and order of axes, slices that begin at the same places.", true,
     recuts},
    {"tiles-too-small", "tiles are too small",
     "Leave STA_TILE_ELEMS to the library; avoid slices with many short rows.", true, tiles_too_small},
    {"tiles-too-few", "there are fewer tiles than workers",
     "Leave STA_TILE_ELEMS to the library; along an axis that an operation needs whole, work on several rows at once.",
     true, tiles_too_few},
    {"float64", "float32 becomes float64",
     "Give numbers as sta_float, and small operands in the dtype of the large one: sta_astype(w, STA_float32).", true,
     float64},
    {"broadcast-writes", "a broadcast array is written out",
     "Hand the small array on: functions broadcast it without a copy. Compute first, broadcast after.", true,
     broadcast_writes},
    {"kept-arrays", "arrays live on that nobody reads",
     "Close a scope around the work, or sta_free them; sta_move frees an operand with its last use.", true,
     kept_arrays},
    {"idle-device", "workers are idle while others have tasks",
     "Give independent work at once and wait at the end; larger arrays, more tiles; see tiles-too-few, sync-in-loop.",
     false, idle_device},
    {"memory-pressure", "memory is short",
     "Free arrays sooner, work in parts; take back STA_BUDGET and StarPU's limits where they are too low.", false,
     memory_pressure},
    {"few-workers", "cores are not used", "Take STARPU_NCPU back; or STA_CPU=auto, or a StarPU built for more cores.",
     false, few_workers},
    {"uncalibrated", "nothing was measured on this machine", "Run starray-calibrate --quick once.", false,
     uncalibrated},
    {"blas-threads", "threads fight for cores",
     "Leave OpenBLAS at one thread: openblas_set_num_threads(1); OMP_NUM_THREADS times workers should be the cores.",
     false, blas_threads},
};
const size_t sta__check_count = sizeof sta__checks / sizeof *sta__checks;
