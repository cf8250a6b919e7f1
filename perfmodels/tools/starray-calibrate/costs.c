/* The cost table: what a task, a byte and an instruction cost here, and the sizes that follow from it. */
#include "calibrate.h"

#include "mem.h"
#include "starpu_compat.h"

#include <math.h>
#include <string.h>

/* ---- loops in the cache ---- */

enum { ELEMENTS = 1024 };

/* The best of some rounds, in nanoseconds an element. */
static double time_loop(sta__loop loop, char *to, const void *const *from, bool full)
{
    double best = INFINITY;
    int calls = 1;
    for (int round = 0; round < (full ? 12 : 5); round++) {
        int64_t begin = sta__clock();
        for (int k = 0; k < calls; k++)
            loop(ELEMENTS, to, from);
        double time = (double)(sta__clock() - begin);
        if (time < 4000) { /* the clock itself takes some 25 ns */
            calls *= 4;
            round--;
        } else if (time / calls < best) {
            best = time / calls;
        }
    }
    return best / ELEMENTS;
}

/* Small positive numbers of every dtype: no loop takes an unusual way. */
static void fill(char *to, sta_dtype dtype)
{
    double numbers[ELEMENTS];
    const void *from = numbers;
    for (int i = 0; i < ELEMENTS; i++)
        numbers[i] = 1 + (double)(i % 7) / 4;
    sta__cast_loop(STA_float64, dtype)(ELEMENTS, to, &from);
}

static void measure_dtype(sta_dtype dtype, char *memory, bool full)
{
    const size_t part = ELEMENTS * 16 + 64;
    const void *from[3] = {memory, memory + part, memory + 2 * part};
    char *to = memory + 3 * part;
    for (int k = 0; k < 3; k++)
        fill(memory + (size_t)k * part, dtype);
    for (int op = 0; op < STA__OPS; op++) {
        sta__loop loop = sta__ufunc_loop(op, dtype);
        if (loop && strcmp(sta__ufunc(op)->name, "ldexp") != 0) /* its second operand is of another dtype */
            sta__ufunc_measured(op, dtype, time_loop(loop, to, from, full));
    }
    for (int into = 0; into < STA__DTYPES; into++)
        if (sta__dtype_valid((sta_dtype)into) && into != (int)dtype)
            sta__cast_measured(dtype, (sta_dtype)into,
                               time_loop(sta__cast_loop(dtype, (sta_dtype)into), to, from, full));
}

void loops_measure(bool full)
{
    static const sta_dtype usual[] = {STA_float32, STA_float64, STA_int64, STA_bool, STA_complex64, STA_complex128};
    char *memory = sta__allocate(4 * (ELEMENTS * 16 + 64));
    if (!memory)
        return;
    for (int dtype = 0; dtype < STA__DTYPES; dtype++) {
        bool wanted = full;
        for (size_t k = 0; k < sizeof usual / sizeof *usual; k++)
            wanted |= usual[k] == (sta_dtype)dtype;
        if (wanted && sta__dtype_valid((sta_dtype)dtype))
            measure_dtype((sta_dtype)dtype, memory, full);
    }
    sta__release(memory);
}

/* ---- tasks and bytes, from the points ---- */

static const struct point *find(const struct plan *plan, const char *work, sta_dtype dtype, enum sta__variant variant,
                                bool largest)
{
    const struct point *found = NULL;
    for (guint k = 0; k < plan->points->len; k++) {
        const struct point *point = &g_array_index(plan->points, struct point, k);
        if (strcmp(point->work->name, work) == 0 && point->dtype == dtype && point->variant == variant &&
            point->microseconds > 0 && (!found || (point->n > found->n) == largest))
            found = point;
    }
    return found;
}

static double speed(const struct plan *plan, enum sta__variant variant, double otherwise)
{
    const struct point *add = find(plan, "add", STA_float64, variant, true);
    return add && add->n >= 1 << 20 ? add->bytes / add->microseconds : otherwise;
}

/* What remains of the smallest task when its bytes and instructions are taken off. */
static double smallest(const struct plan *plan, enum sta__variant variant, double otherwise)
{
    const struct point *add = find(plan, "add", STA_float64, variant, false);
    if (!add)
        return otherwise;
    double computing = (double)add->n * sta__ufunc_nanoseconds(sta__ufunc_find("add"), STA_float64) / 1000;
    return fmax(add->microseconds - (variant == STA__CUDA ? 0 : computing), 0.1);
}

/* ---- sizes ---- */

/* Microseconds of wall time for a task that does nothing much, submitted back to back. */
static double time_of_submission(enum sta__variant variant)
{
    enum { TASKS = 512, TILE = 64 };
    if (!variant_force(variant))
        return 0;
    sta__runtime.settings.tile_elements = TILE;
    sta_scope scope = sta_open();
    double best = INFINITY;
    for (int round = 0; round < 4; round++) {
        sta_scope inner = sta_open();
        sta_array x = sta_zeros(STA_DIMS((int64_t)TASKS * TILE), STA_float64);
        sta_wait(x);
        int64_t begin = sta__clock();
        sta_wait(sta_add(x, sta_int(1)));
        best = fmin(best, (double)(sta__clock() - begin) / 1000 / TASKS);
        sta_close(inner);
    }
    sta_close(scope);
    variants_restore();
    return best;
}

/* The smallest power of two for which the cost of a task is a twentieth of its work. */
static double tile_for(double task_us, double bytes_per_us, double least, double most)
{
    double bytes = 20 * task_us * bytes_per_us / 3; /* two operands and a result */
    return fmin(fmax(exp2(ceil(log2(fmax(bytes, 1)))), least), most);
}

static double wall_of_add(sta_array x, sta_array y)
{
    double best = INFINITY;
    for (int round = 0; round < 9; round++) {
        sta_scope scope = sta_open();
        int64_t begin = sta__clock();
        sta_wait(sta_add(x, y));
        best = fmin(best, (double)(sta__clock() - begin) / 1000);
        sta_close(scope);
    }
    return best;
}

/* Up to where the calling thread alone is faster than tasks on all workers, waiting included. */
static double inline_limit(void)
{
    int64_t usual = sta__runtime.settings.inline_bytes, limit = 16 << 10;
    for (int64_t bytes = 16 << 10; bytes <= 1 << 20; bytes *= 2) {
        double wall[2];
        for (int tasks = 0; tasks < 2; tasks++) {
            sta__runtime.settings.inline_bytes = tasks ? 0 : INT64_MAX;
            sta_scope scope = sta_open();
            sta_array x = sta_ones(STA_DIMS(bytes / 8), STA_float64), y = sta_ones(STA_DIMS(bytes / 8), STA_float64);
            sta_wait(x);
            sta_wait(y);
            wall[tasks] = wall_of_add(x, y);
            sta_close(scope);
        }
        if (wall[0] > wall[1])
            break;
        limit = bytes;
    }
    sta__runtime.settings.inline_bytes = usual;
    return (double)limit;
}

void costs_measure(struct sta__costs *costs, const struct plan *plan)
{
    *costs = sta__costs;
    costs->instruction = sta__ufunc_nanoseconds(sta__ufunc_find("add"), STA_float64);
    costs->core_bytes = speed(plan, STA__SEQUENTIAL, costs->core_bytes);
    costs->machine_bytes = fmax(speed(plan, STA__OPENMP, costs->core_bytes), costs->core_bytes);
    costs->gpu_bytes = speed(plan, STA__CUDA, costs->gpu_bytes);
    costs->task[STA__SEQUENTIAL] = smallest(plan, STA__SEQUENTIAL, costs->task[STA__SEQUENTIAL]);
    costs->task[STA__OPENMP] = costs->task[STA__SEQUENTIAL];
    costs->task[STA__CUDA] = smallest(plan, STA__CUDA, costs->task[STA__CUDA]);
    double team = smallest(plan, STA__OPENMP, 0);
    if (team > 0) {
        costs->thread = 0.05;
        costs->fork = fmax(team - costs->task[STA__OPENMP] - costs->thread * sta__runtime.settings.threads, 0.1);
    }
    const double limit[STA__VARIANTS] = {costs->core_bytes, costs->machine_bytes, costs->gpu_bytes};
    const double most[STA__VARIANTS] = {8 << 20, 32 << 20, 256 << 20};
    for (int v = 0; v < STA__VARIANTS; v++) {
        double task = time_of_submission((enum sta__variant)v);
        costs->tile_bytes[v] = task > 0 ? tile_for(task, limit[v], 1 << 20, most[v]) : 0;
    }
    costs->inline_bytes = inline_limit();
}
