/* Starting and ending, settings, the budget, forks, and joining a StarPU that runs. ctest: sanitize cpu */
#include "sta_test.h"

#include "partition/tile.h"
#include "runtime.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char folder[] = "/tmp/starray-runtime-XXXXXX"; /* stands for ~/.config */

static void expect_error(const sta_error *error, sta_error_code code, const char *part)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(error);
    CU_ASSERT_EQUAL(error->code, code);
    CU_ASSERT_STRING_EQUAL(error->op, "init");
    CU_ASSERT_PTR_NOT_NULL(strstr(error->text, part));
    if (!strstr(error->text, part))
        fprintf(stderr, "text: %s\n", error->text);
}

static void write_file(const char *text)
{
    char path[100];
    FILE *file;

    snprintf(path, sizeof path, "%s/starray", folder);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/starray/settings.ini", folder);
    file = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fputs(text, file);
    fclose(file);
}

static void remove_files(void)
{
    char path[100];

    snprintf(path, sizeof path, "%s/starray/settings.ini", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/starray", folder);
    rmdir(path);
    rmdir(folder);
}

static int64_t tile_elements_with(const char *variable, const sta_init_options *options)
{
    int64_t seen;

    if (variable)
        setenv("STA_TILE_ELEMS", variable, 1);
    CU_ASSERT_PTR_NULL(sta_init(options));
    seen = sta__runtime.settings.tile_elements;
    sta_finish();
    unsetenv("STA_TILE_ELEMS");
    return seen;
}

static void test_life(void)
{
    CU_ASSERT_EQUAL(sta_version(), 100);
    sta_finish(); /* too early: nothing */
    CU_ASSERT_FALSE(sta__started());
    for (int k = 0; k < 3; k++) {
        CU_ASSERT_PTR_NULL(sta_init(NULL));
        CU_ASSERT_PTR_NULL(sta_init(NULL));
        CU_ASSERT(sta__started());
        sta_finish();
        CU_ASSERT(sta__started());
        CU_ASSERT(starpu_is_initialized());
        sta_finish();
        CU_ASSERT_FALSE(sta__started());
        CU_ASSERT_FALSE(starpu_is_initialized());
    }
}

static void *start_and_end(void *unused)
{
    (void)unused;
    for (int k = 0; k < 10; k++) {
        if (sta_init(NULL) || !sta__started())
            return (void *)"not started";
        sta_finish();
    }
    return NULL;
}

static void test_threads(void)
{
    pthread_t thread[3];

    for (int k = 0; k < 3; k++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[k], NULL, start_and_end, NULL), 0);
    for (int k = 0; k < 3; k++) {
        void *complaint;

        pthread_join(thread[k], &complaint);
        CU_ASSERT_PTR_NULL(complaint);
    }
    CU_ASSERT_FALSE(sta__started());
}

static void test_settings(void)
{
    sta_init_options options = {.size = sizeof options, .tile_elements = 7};

    CU_ASSERT_EQUAL(tile_elements_with(NULL, NULL), 0);
    CU_ASSERT_EQUAL(tile_elements_with("3", NULL), 3);
    CU_ASSERT_EQUAL(tile_elements_with("3", &options), 7); /* options, environment, file, default */
    write_file("[starray]\ntile_elems = 11\nbudget = 3G\n");
    CU_ASSERT_EQUAL(tile_elements_with(NULL, NULL), 11);
    CU_ASSERT_EQUAL(tile_elements_with("3", NULL), 3);

    setenv("STA_INLINE_BYTES", " 8KiB ", 1);
    options.budget_bytes = 123;
    CU_ASSERT_PTR_NULL(sta_init(&options));
    CU_ASSERT_EQUAL(sta__runtime.settings.inline_bytes, 8192);
    CU_ASSERT_EQUAL(sta__runtime.settings.budget_bytes, 123);
    CU_ASSERT_EQUAL(sta__runtime.settings.ranks, 1);
    sta_finish();
    options.inline_bytes = -1; /* none; 0 would be "as the environment says" */
    CU_ASSERT_PTR_NULL(sta_init(&options));
    CU_ASSERT_EQUAL(sta__runtime.settings.inline_bytes, 0);
    sta_finish();
    options.size = offsetof(sta_init_options, budget_bytes); /* of an older header */
    CU_ASSERT_PTR_NULL(sta_init(&options));
    CU_ASSERT_EQUAL(sta__runtime.settings.budget_bytes, (int64_t)3 << 30);
    sta_finish();
    unsetenv("STA_INLINE_BYTES");
    write_file("");
}

static void test_bad_settings(void)
{
    static const struct {
        const char *variable, *text, *part;
    } bad[] = {
        {"STA_TILE_ELEMS", "many", "STA_TILE_ELEMS in the environment is \"many\", but it must be a number"},
        {"STA_TILE_ELEMS", "0", "at least 1"},
        {"STA_TILE_ELEMS", "4K", "at least 1"},
        {"STA_TILE_ELEMS", "99999999999999999999", "at least 1"},
        {"STA_BUDGET", "10X", "bytes"},
        {"STA_BUDGET", "-1", "bytes"},
        {"STA_BUDGET", "9223372036854775807K", "bytes"},
        {"STA_INLINE_BYTES", "2G", "0 to 1G"},
        {"STA_CPU", "fast", "seq, omp or auto"},
        {"STA_DEVICES", "gpu", "all, cpu or cuda"},
        {"STA_TRAP", "yes", "0 or 1"},
        {"STA_LOG", "4", "0 (nothing) to 3"},
    };
    sta_init_options options = {.size = sizeof options, .devices = "tpu"};

    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        setenv(bad[k].variable, bad[k].text, 1);
        expect_error(sta_init(NULL), STA_ERROR_VALUE, bad[k].part);
        expect_error(sta_init(NULL), STA_ERROR_VALUE, bad[k].variable);
        unsetenv(bad[k].variable);
        CU_ASSERT_FALSE(sta__started());
    }
    expect_error(sta_init(&options), STA_ERROR_VALUE, "sta_init_options.devices is \"tpu\"");
    options = (sta_init_options){.size = sizeof options, .budget_bytes = -5};
    expect_error(sta_init(&options), STA_ERROR_VALUE, "sta_init_options.budget_bytes is -5");
    options = (sta_init_options){.budget_bytes = 5};
    expect_error(sta_init(&options), STA_ERROR_VALUE, "sta_init_options.size");
    write_file("[starray]\nlog = loud\n");
    expect_error(sta_init(NULL), STA_ERROR_VALUE, "STA_LOG in settings.ini is \"loud\"");
    write_file("no settings");
    expect_error(sta_init(NULL), STA_ERROR_VALUE, "settings.ini");
    write_file("");
    setenv("STARPU_NCPU", "0", 1);
    setenv("STARPU_NCUDA", "0", 1);
    expect_error(sta_init(NULL), STA_ERROR_STARPU, "no worker");
    unsetenv("STARPU_NCPU");
    unsetenv("STARPU_NCUDA");
    CU_ASSERT_PTR_NULL(sta_init(NULL));
    sta_finish();
}

/* What sta_init says on the standard error. */
static const char *messages_of_init(void)
{
    static char text[4096];
    FILE *file = tmpfile();
    int old = dup(STDERR_FILENO);

    CU_ASSERT_FATAL(file && old >= 0);
    dup2(fileno(file), STDERR_FILENO);
    CU_ASSERT_PTR_NULL(sta_init(NULL));
    dup2(old, STDERR_FILENO);
    close(old);
    sta_finish();
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

/* What is none is told, with what there is; the rest is read as ever. */
static void test_unknown_settings(void)
{
    static const struct {
        const char *file, *isa, *message; /* NULL: none */
    } rows[] = {
        {"[starray]\nbudgett = 3G\n", NULL,
         "a key in settings.ini is \"budgett\", but it must be devices, cpu, tile_elems"},
        {"[starray]\nTILE_ELEMS = 3\n", NULL, "a key in settings.ini is \"TILE_ELEMS\""},
        {"[starray]\nSTA_BUDGET = 3G\n", NULL, "\"STA_BUDGET\", but it must be "},
        {"[starray]\nisa = v2\n", NULL, "tf32 or profile"},
        {"[starray]\nbudget = 3G\ncpuu = seq\n", NULL, "\"cpuu\""},
        {"[StarPU]\nbudget = 3G\n", NULL, "a group in settings.ini is \"StarPU\", but it must be starray"},
        {"", "v9", "STA_ISA in the environment is \"v9\", but it must be "},
        {"", "V2", "\"V2\""},
        {"[starray]\nbudget = 3G\ntile_elems = 7\n", NULL, NULL},
        {"# nothing\n", "", NULL},
#if defined __x86_64__
        {"", "v9", "but it must be v2, v3 or v4"},
        {"", "v2", NULL},
        {"", "v4", NULL}, /* lower, where the processor has it not */
#endif
    };

    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        const char *said;

        write_file(rows[k].file);
        if (rows[k].isa)
            setenv("STA_ISA", rows[k].isa, 1);
        said = messages_of_init();
        if (rows[k].message ? !strstr(said, rows[k].message) : strstr(said, "must be") != NULL)
            sta_test_fail(__FILE__, __LINE__, "row %zu: \"%s\"", k, said);
        setenv("STA_LOG", "0", 1);
        CU_ASSERT_PTR_NULL(strstr(messages_of_init(), "must be"));
        unsetenv("STA_LOG");
        unsetenv("STA_ISA");
    }
    write_file("");
}

/* ---- workers ---- */

static atomic_int cpus_of_worker;

static void look(void *unused)
{
    cpu_set_t mask;

    (void)unused;
    pthread_getaffinity_np(pthread_self(), sizeof mask, &mask);
    atomic_store(&cpus_of_worker, CPU_COUNT(&mask));
}

static void look_in_team(void *unused)
{
    cpu_set_t bound, again;
    sta__team_begin(&bound);
    look(unused);
    sta__team_end(&bound);
    pthread_getaffinity_np(pthread_self(), sizeof again, &again);
    CU_ASSERT_EQUAL(CPU_COUNT(&bound), 1);
    CU_ASSERT(CPU_EQUAL(&bound, &again));
}

static void test_teams(void)
{
    cpu_set_t mask;
    int cores;

    sched_getaffinity(0, sizeof mask, &mask);
    cores = CPU_COUNT(&mask);
    for (int variant = 0; variant < 3; variant++) {
        setenv("STA_CPU", variant == 0 ? "seq" : variant == 1 ? "omp" : "auto", 1);
        CU_ASSERT_PTR_NULL(sta_init(NULL));
        CU_ASSERT_EQUAL((int)sta__runtime.settings.cpu, variant);
        int left = cores - sta__runtime.gpus; /* each GPU has a core */
        CU_ASSERT_EQUAL(sta__runtime.settings.threads, variant ? left : 1);
        if (variant) {
            bool every_core = sta__runtime.settings.every_core; /* in "auto", if StarPU can */
            CU_ASSERT(!every_core || variant == 2);
            CU_ASSERT_EQUAL((int)starpu_cpu_worker_get_count(), every_core ? left : 1);
            starpu_execute_on_each_worker(every_core ? look_in_team : look, NULL, STARPU_CPU);
            int cpus = atomic_load(&cpus_of_worker);
            CU_ASSERT(cpus == left || (cpus == cores && (every_core || getenv("STARPU_WORKERS_NOBIND"))));
        }
        sta_finish();
    }
    setenv("STARPU_NCPU", "2", 1); /* the user's word */
    CU_ASSERT_PTR_NULL(sta_init(NULL));
    CU_ASSERT_EQUAL(starpu_cpu_worker_get_count(), 2);
    CU_ASSERT_FALSE(sta__runtime.settings.every_core); /* then a scheduler that asks models chooses teams */
    if (!getenv("STARPU_SCHED"))
        CU_ASSERT_STRING_EQUAL(starpu_sched_ctx_get_sched_policy(0)->policy_name, "dmdas");
    sta_finish();
    unsetenv("STARPU_NCPU");
    setenv("OMP_NUM_THREADS", "3,2", 1);
    CU_ASSERT_PTR_NULL(sta_init(NULL));
    CU_ASSERT_EQUAL(sta__runtime.settings.threads, 3);
    sta_finish();
    unsetenv("OMP_NUM_THREADS");
    unsetenv("STA_CPU");
}

static void test_join(void)
{
    struct starpu_conf conf;

    starpu_conf_init(&conf);
    conf.catch_signals = 0;
    CU_ASSERT_EQUAL_FATAL(starpu_init(&conf), 0);
    CU_ASSERT_PTR_NULL(sta_init(NULL));
    CU_ASSERT(sta__runtime.joined);
    sta_finish();
    CU_ASSERT(starpu_is_initialized());
    CU_ASSERT_PTR_NULL(sta_init(NULL));
    sta_finish();
    starpu_shutdown();
    CU_ASSERT_FALSE(starpu_is_initialized());
}

/* ---- forks ---- */

static void test_fork(void)
{
    int status = 0;
    pid_t child;

    CU_ASSERT_PTR_NULL(sta_init(NULL));
    sta__lock(); /* a fork while somebody holds the lock */
    child = fork();
    if (child == 0) {
        struct sta__call call = sta__enter("add");
        const sta_error *again = sta_init(NULL);
        bool fine = call.error && call.error->code == STA_ERROR_FORKED && again && again->code == STA_ERROR_FORKED;

        sta_finish();
        _exit(fine ? 0 : 1);
    }
    sta__unlock();
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
    CU_ASSERT_EQUAL(status, 0);
    sta_finish();
    child = fork(); /* not started: the child may start it */
    if (child == 0)
        _exit(0);
    CU_ASSERT_EQUAL(waitpid(child, &status, 0), child);
}

/* ---- the budget ---- */

static void *leave_later(void *unused)
{
    (void)unused;
    for (int k = 0; k < 4; k++) {
        usleep(20000);
        sta__budget_leave(300);
    }
    return NULL;
}

static void test_budget(void)
{
    sta_init_options options = {.size = sizeof options, .budget_bytes = 1000};
    pthread_t thread;

    CU_ASSERT_PTR_NULL(sta_init(&options));
    sta__budget_enter(1000000);
    sta__budget_leave(1000000);
    sta__budget_wait();
    for (int k = 0; k < 4; k++)
        sta__budget_enter(300);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&thread, NULL, leave_later, NULL), 0);
    sta__budget_wait();
    CU_ASSERT(atomic_load(&sta__runtime.bytes_in_flight) <= 500);
    sta__budget_wait();
    sta__tasks_wait();
    CU_ASSERT_EQUAL(atomic_load(&sta__runtime.tasks_in_flight), 0);
    pthread_join(thread, NULL);
    sta_finish();
}

static char order[8];

static void first_hook(void)
{
    strcat(order, starpu_is_initialized() ? "1" : "?");
}

static void second_hook(void)
{
    strcat(order, "2");
}

static void test_hooks(void)
{
    for (int k = 0; k < 2; k++) {
        order[0] = 0;
        CU_ASSERT_PTR_NULL(sta_init(NULL));
        sta__at_finish(first_hook);
        sta__at_finish(second_hook);
        sta__at_finish(first_hook);
        sta_finish();
        CU_ASSERT_STRING_EQUAL(order, "21");
    }
}

/* Whatever the caller's environment says. */
static void test_environment(void)
{
    static const char *const variables[] = {"STA_CPU",         "STA_DEVICES", "STA_TILE_ELEMS", "STA_INLINE_BYTES",
                                            "STA_BUDGET",      "STA_LOG",     "STA_TRAP",       "STARPU_NCPU",
                                            "OMP_NUM_THREADS", "STA_ISA"};

    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++)
        unsetenv(variables[k]);
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    CU_ASSERT_EQUAL(setenv("XDG_CONFIG_HOME", folder, 1), 0);
}

STA_PURE_TESTS("runtime", STA_CASE(test_environment), STA_CASE(test_life), STA_CASE(test_threads),
               STA_CASE(test_settings), STA_CASE(test_bad_settings), STA_CASE(test_unknown_settings),
               STA_CASE(test_teams), STA_CASE(test_join), STA_CASE(test_fork), STA_CASE(test_budget),
               STA_CASE(test_hooks), STA_CASE(remove_files))
