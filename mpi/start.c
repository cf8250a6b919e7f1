/* Ranks: start and end. What they tell each other here goes by plain MPI, before StarPU-MPI's thread begins. */
#include "travel.h"

#include "partition/tile.h"
#include "ranks.h"
#include "settings.h"
#include "starpu_compat.h"

#include <starray/mpi.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct {
    MPI_Comm all;
    bool made; /* all is there: where the program runs StarPU-MPI, that listens to it for ever */
    int ranks, rank;
    int neighbours; /* ranks that have this rank's cores, itself too */
    int node_ranks; /* ranks that have this machine's memory */
    int level;
    pid_t process; /* that started MPI: not one forked from it */
    bool running;  /* between begin and end */
    bool serving;  /* StarPU-MPI was started here */
} world = {.ranks = 1, .neighbours = 1, .node_ranks = 1};

MPI_Comm sta__ranks_communicator(void)
{
    return world.all;
}

int sta_ranks(void)
{
    return sta__runtime.settings.ranks > 0 ? sta__runtime.settings.ranks : 1;
}

int sta_rank(void)
{
    return sta__runtime.settings.rank;
}

/* ---- MPI ---- */

/* Starting MPI takes long, so it is done only where a launcher says that there are others. */
static bool launched(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE", "PMI_SIZE"};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        if (getenv(sizes[k]))
            return atoi(getenv(sizes[k])) > 1;
    return getenv("PMIX_RANK") || getenv("PMI_RANK");
}

/* Only after a proper end: where a rank leaves early, the launcher has to see it and end the others. */
static void end_mpi(void)
{
    int ended;
    MPI_Finalized(&ended);
    if (!ended && !world.running && world.process == getpid())
        MPI_Finalize();
}

static void start_mpi(void)
{
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &world.level);
    world.process = getpid();
    atexit(end_mpi);
}

/* Ranks of one machine whose launcher did not give each its own cores share them. */
static void look_at_neighbours(void)
{
    cpu_set_t cpus, others;
    MPI_Comm node;
    int me;

    CPU_ZERO(&cpus);
    sched_getaffinity(0, sizeof cpus, &cpus);
    MPI_Comm_split_type(world.all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &world.node_ranks);
    MPI_Comm_rank(node, &me);
    world.neighbours = 0;
    for (int rank = 0; rank < world.node_ranks; rank++) {
        others = cpus;
        MPI_Bcast(&others, sizeof others, MPI_BYTE, rank, node);
        CPU_AND(&others, &others, &cpus);
        world.neighbours += CPU_COUNT(&others) > 0;
    }
    MPI_Comm_free(&node);
}

bool sta__ranks_begin(const struct sta__wishes *wishes, char *text, size_t bytes)
{
    int started, ended, ranks = 1;

    world.ranks = world.neighbours = world.node_ranks = 1;
    world.rank = 0;
    MPI_Initialized(&started);
    MPI_Finalized(&ended);
    if (wishes->value[STA__SET_MPI] || ended || (!started && !launched()))
        return true;
    if (started)
        MPI_Query_thread(&world.level);
    else
        start_mpi();
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (ranks == 1)
        return true;
    if (world.level < MPI_THREAD_SERIALIZED) {
        snprintf(text, bytes, "MPI was started without MPI_THREAD_SERIALIZED");
        return false;
    }
    if (!world.made)
        MPI_Comm_dup(MPI_COMM_WORLD, &world.all);
    world.made = true;
    MPI_Comm_rank(world.all, &world.rank);
    world.ranks = ranks;
    world.running = true;
    look_at_neighbours();
    return true;
}

bool sta__ranks_share(struct sta__wishes *wishes, bool fine, char *text, size_t bytes)
{
    int good = fine;

    if (world.ranks == 1)
        return fine;
    MPI_Bcast(&good, 1, MPI_INT, 0, world.all);
    MPI_Bcast(wishes, sizeof *wishes, MPI_BYTE, 0, world.all);
    MPI_Bcast(text, (int)bytes, MPI_CHAR, 0, world.all);
    world.running = good;
    return good;
}

/* ---- cores and memory ---- */

/* StarPU-MPI's thread polls and takes a core. */
int sta__ranks_cores(int cores)
{
    if (world.ranks == 1)
        return cores;
    cores /= world.neighbours;
    return cores > 2 ? cores - 1 : 1;
}

int64_t sta__ranks_part(int64_t bytes)
{
    return bytes / world.node_ranks;
}

void sta__ranks_place(struct starpu_conf *conf, int cores)
{
    if (world.ranks == 1)
        return;
    conf->will_use_mpi = 1;
    if (conf->ncpus == -1 && !getenv("STARPU_NCPU"))
        conf->ncpus = cores;
    setenv("STARPU_MPI_GPUDIRECT", "0", 1); /* parcels are packed in main memory */
    setenv("STARPU_MPI_NOBIND", "1", 0);
    /* All would bind to the first cores. */
    setenv(world.neighbours > 1 ? "STARPU_WORKERS_NOBIND" : "STARPU_WORKERS_GETBIND", "1", 0);
}

/* ---- StarPU-MPI ---- */

/* What the graph depends on is the first rank's. */
static void share_sizes(struct sta__settings *settings, int64_t *memory)
{
    int64_t sizes[] = {settings->tile_elements, settings->tile_bytes, settings->inline_bytes};

    MPI_Bcast(sizes, (int)(sizeof sizes / sizeof *sizes), MPI_INT64_T, 0, world.all);
    settings->tile_elements = sizes[0];
    settings->tile_bytes = sizes[1];
    settings->inline_bytes = sizes[2];
    *memory = sta__ranks_part(*memory);
    MPI_Allreduce(MPI_IN_PLACE, memory, 1, MPI_INT64_T, MPI_SUM, world.all);
}

bool sta__ranks_start(struct sta__settings *settings, int64_t *memory, bool joined, bool fine)
{
    int good = fine && (!joined || world.level == MPI_THREAD_MULTIPLE);

    settings->ranks = world.ranks;
    settings->rank = world.rank;
    sta__travel_start();
    if (world.ranks == 1)
        return fine;
    MPI_Allreduce(MPI_IN_PLACE, &good, 1, MPI_INT, MPI_MIN, world.all);
    if (good)
        share_sizes(settings, memory);
    world.serving = good && !joined;
    if (world.serving)
        good = starpu_mpi_init_comm(NULL, NULL, 0, world.all) == 0;
    else if (good)
        sta__starpu_mpi_join(world.all);
    world.running = good;
    return good;
}

void sta__ranks_end(void)
{
    struct sta__call call = {.op = "finish"};

    if (world.ranks == 1)
        return;
    sta__lock();
    call.locked = true;
    sta__ranks_agree(&call, NULL); /* nobody needs anybody any more */
    sta__unlock();
    if (world.serving) {
        sta__starpu_mpi_end(world.all);
        MPI_Comm_free(&world.all);
        world.made = false;
    }
    world.running = world.serving = false;
    world.ranks = world.neighbours = world.node_ranks = 1;
}

void sta__ranks_lost(const char *op)
{
    if (sta__runtime.settings.ranks <= 1)
        return;
    fprintf(stderr,
            "starray: %s: rank %d has not enough memory for its records, so that the ranks cannot go on together\n", op,
            sta__runtime.settings.rank);
    MPI_Abort(world.all, EXIT_FAILURE);
}
