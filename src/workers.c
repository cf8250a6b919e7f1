/* How StarPU is started: how many workers, which scheduler, and what follows for tiles and teams. The user's STARPU_*
 * variables always win. */
#include "runtime.h"
#include "cuda.h"
#include "mpi/ranks.h"
#include "perfmodels/cost.h"
#include "settings.h"
#include "starpu_compat.h"
#include "submit.h"

#include <errno.h>
#include <glob.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define MIB ((int64_t)1 << 20)

struct machine {
    cpu_set_t cpus; /* that this process may use */
    bool cpus_known;
    int cores;
    bool gpus; /* that this StarPU can use */
};

static bool is_set(const char *variable)
{
    const char *text = getenv(variable);

    return text && *text;
}

static bool has_gpus(const struct sta__wishes *wishes)
{
    glob_t devices = {0};
    bool some;

    if (!STA__STARPU_CUDA || !sta__cuda_built() || (is_set("STARPU_NCUDA") && atoi(getenv("STARPU_NCUDA")) == 0))
        return false;
    if (wishes->given[STA__SET_DEVICES] && wishes->value[STA__SET_DEVICES] == STA__DEVICES_CPU)
        return false;
    some = glob("/dev/nvidia[0-9]*", GLOB_NOSORT, NULL, &devices) == 0;
    globfree(&devices);
    return some;
}

static struct machine look_at_machine(const struct sta__wishes *wishes)
{
    struct machine machine = {.gpus = has_gpus(wishes)};

    CPU_ZERO(&machine.cpus);
    machine.cpus_known = sched_getaffinity(0, sizeof machine.cpus, &machine.cpus) == 0;
    machine.cores = machine.cpus_known ? CPU_COUNT(&machine.cpus) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    machine.cores = sta__ranks_cores(machine.cores);
    if (machine.cores < 1)
        machine.cores = 1;
    return machine;
}

/* A GPU wants the cores for itself, or this StarPU cannot count so far: then one worker has a team of the others. */
static bool needs_teams(const struct machine *machine)
{
    return machine->gpus || machine->cores > STARPU_MAXCPUS;
}

/* A worker on each, and teams of all of them. Not where the user says how many workers there are. */
static bool takes_every_core(enum sta__cpu_variant cpu, const struct machine *machine)
{
    return cpu == STA__CPU_AUTO && machine->cpus_known && !needs_teams(machine) && !is_set("STARPU_NCPU");
}

static enum sta__cpu_variant choose_variant(const struct sta__wishes *wishes, const struct machine *machine,
                                            bool joined)
{
    if (wishes->given[STA__SET_CPU])
        return (enum sta__cpu_variant)wishes->value[STA__SET_CPU];
    if (joined || is_set("STARPU_NCPU"))
        return STA__CPU_SEQ;
    return needs_teams(machine) ? STA__CPU_AUTO : STA__CPU_SEQ;
}

/* With a worker on every core, one that polls for tasks has the core of a thread of the program, for a time slice of
 * milliseconds at that. So a worker that finds none offers its core to whoever has work. */
enum { NAP = 50 * 1000 }; /* nanoseconds */

static struct starpu_task *pop_or_yield(unsigned context)
{
    struct starpu_task *task = sta__runtime.pop(context);
    if (task)
        return task;
    starpu_worker_relax_on(); /* tasks can be pushed meanwhile */
    if (atomic_load_explicit(&sta__runtime.teams, memory_order_relaxed))
        nanosleep(&(struct timespec){.tv_nsec = NAP}, NULL); /* a thread of it is on this core */
    else
        sched_yield();
    starpu_worker_relax_off();
    return NULL;
}

static void choose_scheduler(struct starpu_conf *conf, const char *usual)
{
    const char *name = is_set("STARPU_SCHED") ? getenv("STARPU_SCHED") : usual;
    struct starpu_sched_policy **at = starpu_sched_get_predefined_policies();
    while (at && *at && strcmp((*at)->policy_name, name) != 0)
        at++;
    bool known = at && *at && (*at)->pop_task;
    conf->sched_policy_name = name;
    if (known && !sta__runtime.scheduler)
        sta__runtime.scheduler = sta__allocate(sizeof *sta__runtime.scheduler);
    if (!known || !sta__runtime.scheduler)
        return;
    *sta__runtime.scheduler = **at;
    sta__runtime.pop = (*at)->pop_task;
    sta__runtime.scheduler->pop_task = pop_or_yield;
    conf->sched_policy_name = NULL;
    conf->sched_policy = sta__runtime.scheduler;
}

/* StarPU takes the scheduler that the user names as it is, unless it does not see the name. */
static int init_starpu(struct starpu_conf *conf)
{
    char *name = conf->sched_policy && is_set("STARPU_SCHED") ? strdup(getenv("STARPU_SCHED")) : NULL;
    if (name)
        unsetenv("STARPU_SCHED");
    int answer = starpu_init(conf);
    if (name)
        setenv("STARPU_SCHED", name, 1);
    free(name);
    return answer;
}

static int start_starpu(enum sta__cpu_variant cpu, enum sta__device_choice devices, const struct machine *machine)
{
    struct starpu_conf conf;

    if (starpu_conf_init(&conf))
        return -ENODEV;
    conf.catch_signals = 0;
    setenv("STARPU_HISTORY_MAX_ERROR", "100000", 0); /* which times count is decided in perfmodels/history.c */
    if (machine->gpus)
        setenv("STARPU_BACKOFF_MAX", "1", 0); /* a call waits for a GPU's worker to see its task */
    bool shares = cpu != STA__CPU_SEQ && !takes_every_core(cpu, machine);
    if (shares && !is_set("STARPU_NCPU"))
        conf.ncpus = 1;
    if ((devices == STA__DEVICES_CPU || !sta__cuda_built()) && !is_set("STARPU_NCUDA"))
        conf.ncuda = 0;
    if (!is_set("STARPU_NOPENCL"))
        conf.nopencl = 0; /* each would take a core, and no kernel of ours is OpenCL */
    if (!shares && !machine->gpus)
        choose_scheduler(&conf, "lws");
    else if (!is_set("STARPU_SCHED"))
        conf.sched_policy_name = "dmdas";
    sta__ranks_place(&conf, machine->cores);
    return init_starpu(&conf);
}

/* ---- teams ---- */

struct taken {
    pthread_mutex_t mutex;
    cpu_set_t cpus;
};

/* The core to which a GPU's worker is bound. It polls: a thread of a team that shared it would hold up all the others. */
static void take_core(void *argument)
{
    struct taken *taken = argument;
    cpu_set_t own;

    if (sched_getaffinity(0, sizeof own, &own) || CPU_COUNT(&own) != 1)
        return;
    pthread_mutex_lock(&taken->mutex);
    CPU_OR(&taken->cpus, &taken->cpus, &own);
    pthread_mutex_unlock(&taken->mutex);
}

static cpu_set_t cpus_of_teams(const struct machine *machine)
{
    struct taken taken = {.mutex = PTHREAD_MUTEX_INITIALIZER};
    cpu_set_t others, left;

    CPU_ZERO(&taken.cpus);
    if (sta__runtime.gpus > 0)
        starpu_execute_on_each_worker(take_core, &taken, STARPU_CUDA);
    CPU_AND(&others, &machine->cpus, &taken.cpus);
    CPU_XOR(&left, &machine->cpus, &others);
    return CPU_COUNT(&left) ? left : machine->cpus;
}

/* A team inside a bound worker would share one core. Threads take the mask of the one that makes them. */
static void unbind(void *cpus)
{
    pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), cpus);
}

static int team_size(const struct machine *machine, bool every_core)
{
    int workers = (int)starpu_cpu_worker_get_count(), cores = machine->cores - (int)starpu_cuda_worker_get_count();
    const char *wanted = getenv("OMP_NUM_THREADS");
    int threads = wanted ? atoi(wanted) : 0;

    if (threads < 1 && workers > 0)
        threads = every_core ? cores : cores / workers;
    return threads < 1 ? 1 : threads;
}

/* The same for one body where every worker has a core of its own. */
void sta__team_begin(cpu_set_t *bound)
{
    if (!sta__runtime.settings.every_core)
        return;
    atomic_fetch_add(&sta__runtime.teams, 1);
    pthread_getaffinity_np(pthread_self(), sizeof *bound, bound);
    pthread_setaffinity_np(pthread_self(), sizeof(cpu_set_t), &sta__runtime.cores);
}

void sta__team_end(const cpu_set_t *bound)
{
    if (!sta__runtime.settings.every_core)
        return;
    pthread_setaffinity_np(pthread_self(), sizeof *bound, bound);
    atomic_fetch_sub(&sta__runtime.teams, 1);
}

/* eager, lws and others take the first variant that may run. What is not known here asks, as all that is new does. */
static bool asks_models(void)
{
    static const char *const names[] = {"eager", "prio", "random", "lws", "ws", "peager"};
    const char *name = getenv("STARPU_SCHED");

    for (size_t k = 0; k < sizeof names / sizeof *names && name; k++)
        if (strcmp(name, names[k]) == 0)
            return false;
    return true;
}

static void set_up_teams(struct sta__settings *settings, const struct machine *machine, bool joined)
{
    unsigned workers = starpu_cpu_worker_get_count();

    settings->threads = 1;
    if (joined && settings->cpu != STA__CPU_SEQ && workers > 1) {
        sta__log(1, "StarPU was started by the program with %u CPU workers, so there are no OpenMP teams", workers);
        settings->cpu = STA__CPU_SEQ;
    }
    if (settings->cpu == STA__CPU_SEQ) {
        if ((int)workers + (int)starpu_cuda_worker_get_count() < machine->cores && !joined &&
            !getenv("STARPU_SILENT") && !is_set("STARPU_NCPU") && !is_set("STARPU_RESERVE_NCPU"))
            sta__log(1, "StarPU uses %u of %d cores; STA_CPU=auto reaches all of them", workers, machine->cores);
        return;
    }
    settings->every_core = workers > 1 && takes_every_core(settings->cpu, machine);
    settings->threads = team_size(machine, settings->every_core);
    settings->picks = settings->every_core || (settings->cpu == STA__CPU_AUTO && !asks_models());
    sta__runtime.cores = machine->cpus;
    if (machine->cpus_known && !settings->every_core) {
        cpu_set_t cpus = cpus_of_teams(machine);
        starpu_execute_on_each_worker(unbind, &cpus, STARPU_CPU);
    }
}

static int64_t between(int64_t least, int64_t value, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

static int64_t wish(const struct sta__wishes *wishes, int setting, int64_t otherwise)
{
    return wishes->given[setting] ? wishes->value[setting] : otherwise;
}

/* Tiles suit the fastest worker that can take them: a team or a GPU wants larger ones. */
static void set_sizes(struct sta__settings *settings, const struct sta__wishes *wishes)
{
    int64_t available = sta__ranks_part(sta__memory_available());

    bool team = settings->threads > 1 && !settings->every_core;
    enum sta__variant fastest = sta__runtime.gpus ? STA__CUDA : team ? STA__OPENMP : STA__SEQUENTIAL;
    int64_t usual = sta__runtime.gpus ? 32 * MIB : between(2, team ? 2 * settings->threads : 0, 32) * MIB;
    int64_t measured = (int64_t)sta__costs.tile_bytes[fastest], small = (int64_t)sta__costs.inline_bytes;

    settings->tile_elements = wish(wishes, STA__SET_TILE_ELEMS, 0);
    settings->tile_bytes = measured > 0 ? between(MIB / 4, measured, 1024 * MIB) : usual;
    settings->inline_bytes = wish(wishes, STA__SET_INLINE_BYTES, small > 0 ? between(4096, small, MIB) : 256 * 1024);
    settings->cache_bytes = between(8 * MIB, sysconf(_SC_LEVEL3_CACHE_SIZE), 256 * MIB);
    settings->budget_bytes = wish(wishes, STA__SET_BUDGET, between(256 * MIB, available / 4, INT64_MAX));
    settings->pool_bytes = wish(wishes, STA__SET_POOL, between(64 * MIB, available / 8, 4096 * MIB));
}

bool sta__workers_start(const struct sta__wishes *wishes, struct sta__settings *settings, bool *joined, char *text,
                        size_t bytes)
{
    struct machine machine = look_at_machine(wishes);
    int answer;

    *joined = starpu_is_initialized();
    settings->devices = (enum sta__device_choice)wish(wishes, STA__SET_DEVICES, STA__DEVICES_ALL);
    settings->cpu = choose_variant(wishes, &machine, *joined);
    answer = *joined ? starpu_init(NULL) : start_starpu(settings->cpu, settings->devices, &machine);
    if (answer) {
        snprintf(text, bytes, answer == -ENODEV ? "StarPU finds no worker" : "StarPU does not start (error %d)",
                 -answer);
        return false;
    }
    if (!sta__cuda_start(text, bytes)) {
        starpu_shutdown();
        return false;
    }
    sta__runtime.cpus = (int)starpu_cpu_worker_get_count();
    set_up_teams(settings, &machine, *joined);
    sta__costs_load();
    set_sizes(settings, wishes);
    sta__log(2, "StarPU %d.%d, %u CPU and %u CUDA workers, teams of %d", STARPU_MAJOR_VERSION, STARPU_MINOR_VERSION,
             starpu_cpu_worker_get_count(), (unsigned)sta__runtime.gpus, settings->threads);
    return true;
}

int sta__priority(int depth)
{
    int least = starpu_sched_get_min_priority(), most = starpu_sched_get_max_priority();

    return depth < least ? least : depth > most ? most : depth;
}
