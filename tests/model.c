/* Performance models: the right variant from the first task on, histories where StarPU keeps them. ctest: sanitize */
#include "sta_test.h"

#include "perfmodels/history.h"
#include "perfmodels/model.h"
#include "perfmodels/samples.h"
#include "runtime.h"
#include "starpu_compat.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char home[] = "/tmp/starray-model-XXXXXX"; /* histories of this test only */

/* A fresh home; two threads, however many cores there are. */
static void test_environment(void)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(home));
    setenv("STARPU_HOME", home, 1);
    setenv("STARPU_HOSTNAME", "test", 1);
    setenv("XDG_CACHE_HOME", home, 1);
    setenv("OMP_NUM_THREADS", "2", 1);
    unsetenv("STARPU_NCPU");
    unsetenv("STARPU_SCHED");
    unsetenv("STARPU_CALIBRATE");
}

/* ---- a kernel whose time is known: 10 ns an element on one core, half of it for a team of two ---- */

static atomic_int ran[2]; /* sequential, OpenMP */

static sta_error_code take_time(struct sta__job *job)
{
    int64_t n = 1;

    for (int axis = 0; axis < job->memory[0].ndim; axis++)
        n *= job->memory[0].shape[axis];
    atomic_fetch_add(&ran[job->threads > 1], 1);
    usleep((unsigned)(n / 100 / job->threads));
    return STA_ERROR_NONE;
}

static double time_of(const struct sta__job *job)
{
    double n = 1;

    for (int axis = 0; axis < job->memory[0].ndim; axis++)
        n *= (double)job->memory[0].shape[axis];
    return 10 * n;
}

static const struct sta__kernel probe = {.name = "test_probe", .cpu = take_time, .cost = time_of};

/* The cost table promises the same of it, but a team takes twice as long as one core. */
static sta_error_code take_longer(struct sta__job *job)
{
    atomic_fetch_add(&ran[job->threads > 1], 1);
    usleep((unsigned)(time_of(job) / 1000) * (job->threads > 1 ? 2U : 1U));
    return STA_ERROR_NONE;
}

static const struct sta__kernel stubborn = {.name = "test_stubborn", .cpu = take_longer, .cost = time_of};

static void run_kernel(const struct sta__kernel *kernel, int64_t elements, int times)
{
    struct sta__shape shape = {1, {elements}};

    atomic_store(&ran[0], 0);
    atomic_store(&ran[1], 0);
    for (int k = 0; k < times; k++) {
        struct sta__call call = sta__enter("test");
        struct sta__grid *grid = sta__grid_single(&shape);
        struct sta__value *value = sta__value_tiled(STA_float32, grid);
        struct sta__batch *batch = sta__batch_open(&call, kernel, STA_float32, false);

        sta__grid_drop(grid);
        sta__task_writes(sta__batch_task(batch, NULL, 0), value, 0);
        CU_ASSERT(sta__batch_submit(batch));
        sta__value_drop(value);
        sta__unlock();
        sta__tasks_wait();
    }
}

static void run(int64_t elements, int times)
{
    run_kernel(&probe, elements, times);
}

static struct sta__measure measure_in(int64_t elements, int64_t tasks)
{
    struct sta__memory memory;
    struct sta__job job = {.count = 1, .memory = &memory};
    struct sta__measure measure;

    memory = (struct sta__memory){.dtype = STA_float32, .ndim = 1, .shape = {elements}, .stride = {4}};
    sta__lock();
    sta__measure_prepare(&measure, sta__codelet_of(&probe, STA_float32), &probe, &job, NULL, tasks);
    sta__unlock();
    return measure;
}

static struct sta__measure measure_of(int64_t elements)
{
    return measure_in(elements, 1);
}

/* ---- */

static void test_first_task(void)
{
    setenv("STA_CPU", "auto", 1);
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    for (int64_t n = 1 << 18; n <= 1 << 20; n *= 2) { /* each a size never seen */
        run(n, 1);
        CU_ASSERT(atomic_load(&ran[0]) == 0 && atomic_load(&ran[1]) == 1);
    }
    for (int64_t n = 4; n <= 256; n *= 4) {
        run(n, 1);
        CU_ASSERT(atomic_load(&ran[0]) == 1 && atomic_load(&ran[1]) == 0);
    }
    run(1 << 20, 12);
    CU_ASSERT(atomic_load(&ran[1]) > atomic_load(&ran[0])); /* measured by now */
    sta_finish();
}

/* A team is twice as fast as one worker, and worth it only where other workers have nothing to do. */
static void test_crowd(void)
{
    const int64_t size = 1 << 20;
    setenv("STA_CPU", "auto", 1);
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    const int64_t workers = sta__runtime.cpus;
    if (sta__runtime.settings.every_core) {
        CU_ASSERT_EQUAL(measure_in(size, 1).pick, STA__OPENMP);
        CU_ASSERT_EQUAL(measure_in(size, workers).pick, STA__SEQUENTIAL);
        CU_ASSERT_EQUAL(measure_in(size, 100 * workers + 1).pick, STA__SEQUENTIAL);
        CU_ASSERT_EQUAL(measure_in(4, 1).pick, STA__SEQUENTIAL);
    }
    sta_finish();
}

static void test_variants(void)
{
    setenv("STA_CPU", "seq", 1);
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    run(1 << 20, 3);
    CU_ASSERT(atomic_load(&ran[0]) == 3 && atomic_load(&ran[1]) == 0);
    sta_finish();
    setenv("STA_CPU", "omp", 1);
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    run(64, 3);
    CU_ASSERT(atomic_load(&ran[0]) == 0 && atomic_load(&ran[1]) == 3);
    sta_finish();
}

static size_t files(const char *name)
{
    glob_t found = {0};
    char pattern[200];
    size_t count;

    snprintf(pattern, sizeof pattern, "%s/.starpu/sampling/codelets/*/%s.test", home, name);
    count = glob(pattern, 0, NULL, &found) == 0 ? found.gl_pathc : 0;
    globfree(&found);
    return count;
}

/* Both variants are in StarPU's own files, and a second start reads them. */
static void test_histories(void)
{
    struct sta__history *read = calloc(1, sizeof *read);
    struct sta__measure measure;
    double mean;

    CU_ASSERT_EQUAL(files("sta_test_probe_f32"), 1);
    CU_ASSERT_EQUAL(files("sta_test_probe_f32_omp"), 1);
    setenv("STA_CPU", "auto", 1);
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    measure = measure_of(1 << 20);
    pthread_mutex_init(&read->mutex, NULL);
    sta__history_load(read, sta__codelet_symbol(measure.codelet, STA__OPENMP));
    mean = sta__history_mean(read, measure.footprint);
    CU_ASSERT(mean > 5000 && mean < 1e6);
    CU_ASSERT_EQUAL(measure_of((1 << 20) + 1000).footprint, measure.footprint); /* about the same size */
    CU_ASSERT_NOT_EQUAL(measure_of(1 << 21).footprint, measure.footprint);
    sta_finish();
    free(read);
}

static void test_estimates(void)
{
    struct sta__measure measure;

    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    measure = measure_of(3 << 22); /* never ran */
    CU_ASSERT(sta__measure_expected(&measure, STA__OPENMP) < sta__measure_expected(&measure, STA__SEQUENTIAL));
    measure = measure_of(0);
    CU_ASSERT(sta__measure_expected(&measure, STA__SEQUENTIAL) > 0);
    CU_ASSERT(sta__measure_expected(&measure, STA__SEQUENTIAL) < sta__measure_expected(&measure, STA__OPENMP));
    sta_finish();
    setenv("STARPU_CALIBRATE", "1", 1); /* then StarPU wants to be told what is not known */
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    measure = measure_of(3 << 22);
    CU_ASSERT(isnan(sta__measure_expected(&measure, STA__OPENMP)));
    sta_finish();
    unsetenv("STARPU_CALIBRATE");
}

/* ---- the cost table ---- */

static void test_speeds(void)
{
    struct sta__costs before = sta__costs;

    sta__costs.core_bytes = 1000;
    for (int level = 0; level < STA__LEVELS; level++)
        sta__costs.near[STA__SEQUENTIAL][level] = 8000 >> level;
    for (int level = 0; level < STA__LEVELS; level++)
        CU_ASSERT_DOUBLE_EQUAL(sta__cost_speed(&sta__costs, STA__SEQUENTIAL, sta__level_bytes(level)), 8000 >> level,
                               1e-6);
    CU_ASSERT_DOUBLE_EQUAL(sta__cost_speed(&sta__costs, STA__SEQUENTIAL, 0), 8000, 1e-6);
    CU_ASSERT_DOUBLE_EQUAL(sta__cost_speed(&sta__costs, STA__SEQUENTIAL, 1e12), 1000, 1e-6);
    double between = sta__cost_speed(&sta__costs, STA__SEQUENTIAL, 3 * sta__level_bytes(1));
    CU_ASSERT(between < 4000 && between > 2000);
    sta__costs.overlap = 1; /* nothing hides anything */
    CU_ASSERT_DOUBLE_EQUAL(sta__cost(STA__SEQUENTIAL, 1e9, 1e9, 1), sta__costs.task[0] + 2e6, 1);
    sta__costs.overlap = 2;
    CU_ASSERT_DOUBLE_EQUAL(sta__cost(STA__SEQUENTIAL, 1e9, 1e9, 1), sta__costs.task[0] + 1.41421356e6, 1);
    sta__costs.overlap = 8;
    CU_ASSERT_DOUBLE_EQUAL(sta__cost(STA__SEQUENTIAL, 1e9, 1e9, 1), sta__costs.task[0] + 1e6, 1);
    sta__costs = before;
}

/* What a kernel really takes of computing, for each variant. */
static void test_kernels(void)
{
    struct sta__measure measure;
    double alone, team;

    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    measure = measure_of(3 << 22);
    alone = sta__measure_estimate(&measure, STA__SEQUENTIAL);
    team = sta__measure_estimate(&measure, STA__OPENMP);
    sta__kernel_measured("sta_test_probe_f32", 3);
    sta__models_refit();
    CU_ASSERT_DOUBLE_EQUAL(sta__measure_estimate(&measure, STA__SEQUENTIAL) / alone, 3, 0.05);
    CU_ASSERT_EQUAL(sta__measure_estimate(&measure, STA__OPENMP), team);
    CU_ASSERT_EQUAL(sta__kernel_factor("sta_nobody_f32"), 1);
    sta_finish();
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL)); /* no file says so */
    measure = measure_of(3 << 22);
    CU_ASSERT_EQUAL(sta__measure_estimate(&measure, STA__SEQUENTIAL), alone);
    sta_finish();
}

/* One sample that was kept waiting does not count, work that has become slower does, a young mean that was too high goes. */
static void test_outliers(void)
{
    struct sta__history *history = calloc(1, sizeof *history);

    pthread_mutex_init(&history->mutex, NULL);
    for (int k = 0; k < 4; k++)
        CU_ASSERT(sta__history_add(history, 1, 100));
    CU_ASSERT_FALSE(sta__history_add(history, 1, 5000));
    CU_ASSERT_DOUBLE_EQUAL(sta__history_mean(history, 1), 100, 1e-9);
    for (int k = 0; k < 100; k++)
        sta__history_add(history, 1, 500);
    CU_ASSERT(sta__history_mean(history, 1) > 400);
    sta__history_add(history, 2, 9000);
    sta__history_add(history, 2, 9000);
    sta__history_add(history, 2, 50);
    CU_ASSERT_DOUBLE_EQUAL(sta__history_mean(history, 2), 50, 1e-9);
    free(history);
}

/* Two bad times of a busy machine do not rule a variant out; many do. */
static void test_second_chance(void)
{
    struct sta__measure measure;
    double estimate;

    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    measure = measure_of(7 << 20);
    measure.variant = STA__OPENMP;
    estimate = sta__measure_estimate(&measure, STA__OPENMP);
    measure.microseconds = 100 * estimate;
    for (int k = 0; k < 2; k++)
        sta__measure_learn(&measure, 0);
    CU_ASSERT_DOUBLE_EQUAL(sta__measure_expected(&measure, STA__OPENMP) / estimate, 4, 1e-6);
    for (int k = 0; k < 10; k++)
        sta__measure_learn(&measure, 0);
    CU_ASSERT_DOUBLE_EQUAL(sta__measure_expected(&measure, STA__OPENMP) / estimate, 100, 1e-3);
    sta_finish();
}

static void learn(int64_t elements, enum sta__variant variant, double microseconds, int times)
{
    struct sta__measure measure = measure_of(elements);

    measure.variant = variant;
    measure.microseconds = microseconds;
    for (int k = 0; k < times; k++)
        sta__measure_learn(&measure, 0);
}

/* What a busy machine has taught is forgotten again, also by StarPU's files; what is slow indeed is seldom tried. */
static void test_another_chance(void)
{
    struct sta__history *read = calloc(1, sizeof *read);
    struct sta__measure measure;
    double mean;

    setenv("STA_CPU", "auto", 1);
    setenv("STARPU_NCPU", "1", 1); /* it may run on any core, and measures what others do the less */
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    learn(3 << 15, STA__OPENMP, 1e5, 40);
    learn(3 << 15, STA__SEQUENTIAL, 1200, 40);
    measure = measure_of(3 << 15);
    run(3 << 15, 100);
    CU_ASSERT(atomic_load(&ran[1]) > 50);
    run_kernel(&stubborn, 1 << 14, 200);
    CU_ASSERT(atomic_load(&ran[1]) < 20);
    sta_finish();
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    pthread_mutex_init(&read->mutex, NULL);
    sta__history_load(read, sta__codelet_symbol(measure.codelet, STA__OPENMP));
    mean = sta__history_mean(read, measure.footprint);
    CU_ASSERT(mean > 100 && mean < 1e4);
    sta_finish();
    free(read);
    unsetenv("STARPU_NCPU");
}

/* Samples that are held are learned from later, or never. */
static void test_samples(void)
{
    struct sta__measure measure, sample[8];

    setenv("STA_CPU", "seq", 1);
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    for (int learn = 0; learn < 2; learn++) {
        double before;

        measure = measure_of(1 << 15);
        before = sta__measure_expected(&measure, STA__SEQUENTIAL);
        sta__samples_hold();
        run(1 << 15, 4);
        CU_ASSERT_EQUAL(sta__samples(sample, 8), 4);
        CU_ASSERT_EQUAL(sample[0].footprint, measure.footprint);
        CU_ASSERT(sample[3].microseconds >= 300);
        for (int k = 0; k < 4; k++)
            CU_ASSERT(sample[k].delay >= 0);
        CU_ASSERT_EQUAL(sta__measure_expected(&measure, STA__SEQUENTIAL), before);
        sta__samples_settle(learn);
        CU_ASSERT_EQUAL(sta__samples(sample, 8), 0);
        sta__samples_end();
        CU_ASSERT_FALSE(sta__samples_held());
        if (!learn)
            CU_ASSERT_EQUAL(sta__measure_expected(&measure, STA__SEQUENTIAL), before);
    }
    sta_finish();
}

static void test_costs(void)
{
    struct sta__costs costs = sta__costs;
    char text[200] = "";

    costs.core_bytes = 1234;
    costs.near[STA__OPENMP][2] = 4321;
    costs.overlap = 1.5;
    costs.overlap_far = 3;
    sta__fold_measured(STA_float32, 0.125);
    sta__kernel_measured("sta_test_probe_f32_omp", 0.25);
    CU_ASSERT(sta__costs_save(&costs, text, sizeof text));
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    CU_ASSERT_EQUAL(sta__costs.near[STA__OPENMP][2], 4321);
    CU_ASSERT_EQUAL(sta__costs.near[STA__OPENMP][1], 0);
    CU_ASSERT_EQUAL(sta__costs.overlap, 1.5);
    CU_ASSERT_EQUAL(sta__fold_nanoseconds(STA_float32), 0.125);
    CU_ASSERT_DOUBLE_EQUAL(sta__cost_overlap(&sta__costs, 1 << 20), 1.5, 1e-9); /* caches, memory, between */
    CU_ASSERT_DOUBLE_EQUAL(sta__cost_overlap(&sta__costs, 1e9), 3, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(sta__cost_overlap(&sta__costs, 4 << 20), 2, 1e-9);
    CU_ASSERT_EQUAL(sta__kernel_factor("sta_test_probe_f32_omp"), 0.25);
    CU_ASSERT_EQUAL(sta__costs.core_bytes, 1234);
    CU_ASSERT_EQUAL(sta__costs.fork, costs.fork);
    sta_finish();
    setenv("XDG_CACHE_HOME", "/proc/none", 1);
}

static void remove_home(void)
{
    char command[100];

    snprintf(command, sizeof command, "rm -rf %s", home);
    CU_ASSERT_EQUAL(system(command), 0);
}

STA_PURE_TESTS("model", STA_CASE(test_environment), STA_CASE(test_first_task), STA_CASE(test_crowd),
               STA_CASE(test_variants), STA_CASE(test_histories), STA_CASE(test_estimates), STA_CASE(test_speeds),
               STA_CASE(test_kernels), STA_CASE(test_outliers), STA_CASE(test_second_chance),
               STA_CASE(test_another_chance), STA_CASE(test_samples), STA_CASE(test_costs), STA_CASE(remove_home))
