/* STA_CPU: which variant computes an array, from the first task on, without anything measured before. ctest: cpu */
#include "sta_test.h"

#include "internal.h"
#include "reduce/walk.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char home[] = "/tmp/starray-variants-XXXXXX";

/* Nothing that was measured on this machine. */
static void fresh_home(void)
{
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(home));
    setenv("STARPU_HOME", home, 1);
    setenv("XDG_CACHE_HOME", home, 1);
    setenv("STA_INLINE_BYTES", "0", 1);
    unsetenv("STA_TILE_ELEMS");
    unsetenv("STARPU_NCPU");
    setenv("STA_DEVICES", "cpu", 1); /* a GPU would take what is large */
}

static void start(const char *cpu)
{
    setenv("STA_CPU", cpu, 1);
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
    atomic_store(&sta__runtime.largest_team, 0);
}

/* The largest team at work on x -> sqrt(x * x + 1) of so many elements; 0: no team at all. */
static int team_on(int64_t elements)
{
    double value = 0;
    sta_scope scope = sta_open();
    sta_array x = sta_ones(STA_DIMS(elements), STA_float64);
    STA_ASSERT_OK(sta_wait(x));
    atomic_store(&sta__runtime.largest_team, 0);
    sta_array y = sta_sqrt(sta_add(sta_multiply(x, x), sta_int(3)));
    STA_ASSERT_OK(sta_wait(y));
    int team = atomic_load(&sta__runtime.largest_team);
    STA_ASSERT_OK(sta_item_float(sta_slice(y, "-1"), &value));
    CU_ASSERT_EQUAL(value, 2);
    sta_close(scope);
    return team;
}

static int team(void)
{
    return sta__runtime.settings.threads > 1 ? sta__runtime.settings.threads : 0;
}

/* Of four tasks for each worker at once: where each core is a worker, nobody has a team. */
static void many(int64_t tile)
{
    CU_ASSERT_EQUAL(team_on(4 * tile * sta__runtime.cpus), sta__runtime.settings.every_core ? 0 : team());
}

static void automatic(void)
{
    start("auto");
    CU_ASSERT_EQUAL(team_on(6), 0);
    many(sta__runtime.settings.tile_bytes / 8);
    CU_ASSERT_EQUAL(team_on(50), 0);
    sta_finish();
    start("auto"); /* now some of it was measured */
    CU_ASSERT_EQUAL(team_on(6), 0);
    sta_finish();
    setenv("STA_TILE_ELEMS", "4000000", 1);
    start("auto"); /* one task, for which all but one worker would wait */
    CU_ASSERT_EQUAL(team_on(1 << 21), team());
    CU_ASSERT_EQUAL(team_on(50), 0);
    sta_finish();
    unsetenv("STA_TILE_ELEMS");
}

/* These schedulers ask no models. */
static void any_scheduler(void)
{
    for (int k = 0; k < 2; k++) {
        setenv("STARPU_SCHED", k ? "eager" : "lws", 1);
        setenv("STA_TILE_ELEMS", k ? "150000" : "200000", 1); /* sizes never measured before */
        start("auto");
        CU_ASSERT_EQUAL(team_on(12 << k), 0);
        many(k ? 150000 : 200000);
        CU_ASSERT_EQUAL(team_on(k ? 100000 : 140000), team()); /* one task */
        sta_finish();
    }
    unsetenv("STARPU_SCHED");
    unsetenv("STA_TILE_ELEMS");
}

static void sequential(void)
{
    start("seq");
    CU_ASSERT_EQUAL(team_on(6), 0);
    CU_ASSERT_EQUAL(team_on(1 << 21), 0);
    sta_finish();
}

static void openmp(void)
{
    start("omp");
    CU_ASSERT_EQUAL(team_on(6), team());
    CU_ASSERT_EQUAL(team_on(1 << 21), team());
    sta_finish();
}

/* ---- teams of any size ---- */

/* A member with more than its share is waited for by all others. */
static void even_shares(void)
{
    static const int64_t range[][2] = {{0, 1 << 20}, {0, 1000000}, {12345, 999999}, {1 << 16, 3 << 20}, {7, 5000}};
    enum { LARGEST = 64 };
    for (size_t r = 0; r < sizeof range / sizeof *range; r++)
        for (int team = 1; team <= LARGEST; team++) {
            int64_t cut[LARGEST + 1], most = 0, all = range[r][1] - range[r][0];
            sta__walk_cut(range[r][0], range[r][1], team, cut);
            CU_ASSERT(cut[0] == range[r][0] && cut[team] == range[r][1]);
            for (int m = 0; m < team; m++) {
                CU_ASSERT(cut[m] <= cut[m + 1]);
                most = cut[m + 1] - cut[m] > most ? cut[m + 1] - cut[m] : most;
            }
            if ((double)most > 1.2 * (double)all / team)
                sta_test_fail(__FILE__, __LINE__, "of a team of %d one has %.2f of its share of %lld", team,
                              (double)most * team / (double)all, (long long)all);
        }
}

enum { RESULTS = 4 };

static void reduce_all(double *result)
{
    sta_scope scope = sta_open();
    sta_array x = sta_sin(sta_arange(0, 300007, 1, STA_float64));
    sta_array y = sta_reshape(sta_slice(x, ":300000"), STA_DIMS(100000, 3));
    STA_ASSERT_OK(sta_item_float(sta_sum(x, STA_ALL, 0), &result[0]));
    STA_ASSERT_OK(sta_item_float(sta_var(sta_multiply(x, x), STA_ALL, 0), &result[1]));
    STA_ASSERT_OK(sta_item_float(sta_slice(sta_sum(y, STA_DIMS(0), 0), "1"), &result[2]));
    STA_ASSERT_OK(sta_item_float(sta_slice(sta_std(y, STA_DIMS(0), 0), "2"), &result[3]));
    sta_close(scope);
}

static void same_bits(void)
{
    double first[RESULTS], result[RESULTS];
    for (int team = 1; team <= 7; team += 1 + (team > 2)) {
        char text[8];
        snprintf(text, sizeof text, "%d", team);
        setenv("OMP_NUM_THREADS", text, 1);
        start("omp");
        CU_ASSERT_EQUAL(sta__runtime.settings.threads, team);
        reduce_all(team == 1 ? first : result);
        CU_ASSERT(team == 1 || memcmp(first, result, sizeof first) == 0);
        sta_finish();
    }
    unsetenv("OMP_NUM_THREADS");
}

static void remove_home(void)
{
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", home);
    CU_ASSERT_EQUAL(system(command), 0);
}

STA_PURE_TESTS("variants", STA_CASE(fresh_home), STA_CASE(automatic), STA_CASE(any_scheduler), STA_CASE(sequential),
               STA_CASE(openmp), STA_CASE(even_shares), STA_CASE(same_bits), STA_CASE(remove_home))
