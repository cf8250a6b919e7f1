/* The cost table from the points: what a task, a byte and the computing of a kernel cost here. */
#include "calibrate.h"

#include "runtime.h"

#include <math.h>
#include <string.h>

static const struct point *at(const struct plan *plan, guint k)
{
    return &g_array_index(plan->points, struct point, k);
}

/* Disturbed times say nothing about the machine. */
static bool counts(const struct point *point)
{
    return point->microseconds > 0 && point->tasks > 0 && point->undisturbed;
}

static bool is_addition(const struct point *point)
{
    return point->work == works && (point->dtype == STA_float32 || point->dtype == STA_float64);
}

static double computing(const struct point *point, const struct sta__costs *costs)
{
    int threads = point->variant == STA__OPENMP ? sta__runtime.settings.threads : 1;
    return point->nanoseconds / 1000 / threads / (point->variant == STA__CUDA ? costs->gpu_speedup : 1);
}

static double task_of(const struct sta__costs *costs, enum sta__variant variant)
{
    return costs->task[variant] +
           (variant == STA__OPENMP ? costs->fork + costs->thread * sta__runtime.settings.threads : 0);
}

static double exponent_of(const struct sta__costs *costs, const struct point *p)
{
    return sta__cost_overlap(costs, p->bytes / p->tasks);
}

/* What is left of a whole when one part is known: a in (a^p + b^p)^(1/p). Never less than a twentieth. */
static double rest_of(double whole, double part, double exponent)
{
    if (exponent >= 8)
        return whole;
    double rest = pow(fmax(whole, 0), exponent) - pow(part, exponent);
    return fmax(rest > 0 ? pow(rest, 1 / exponent) : 0, whole / 20);
}

/* ---- tasks ---- */

/* What remains of the shortest additions when their loop is taken off. Of a team the median counts: its threads may sleep
 * when a task comes. */
static double smallest(const struct plan *plan, enum sta__variant variant, double otherwise)
{
    double best = INFINITY;
    for (guint k = 0; k < plan->points->len; k++) {
        const struct point *p = at(plan, k);
        if (is_addition(p) && p->variant == variant && counts(p))
            best = fmin(best, (variant == STA__OPENMP ? p->median : p->microseconds) -
                                  (variant == STA__CUDA ? 0 : p->nanoseconds / 1000));
    }
    return isfinite(best) ? fmax(best, 0.1) : otherwise;
}

static void fit_tasks(struct sta__costs *costs, const struct plan *plan)
{
    costs->task[STA__SEQUENTIAL] = smallest(plan, STA__SEQUENTIAL, costs->task[STA__SEQUENTIAL]);
    costs->task[STA__OPENMP] = costs->task[STA__SEQUENTIAL];
    costs->task[STA__CUDA] = smallest(plan, STA__CUDA, costs->task[STA__CUDA]);
    double team = smallest(plan, STA__OPENMP, 0);
    if (team > 0) {
        costs->thread = 0.05;
        costs->fork = fmax(team - costs->task[STA__OPENMP] - costs->thread * sta__runtime.settings.threads, 0.1);
    }
}

/* ---- bytes ---- */

/* The speed at so many bytes: of the additions around it, on a straight line between them. 0: none is near. */
static double speed_at(const struct plan *plan, const struct sta__costs *costs, enum sta__variant variant, double bytes)
{
    double below = 0, above = INFINITY, slow = 0, fast = 0;
    for (guint k = 0; k < plan->points->len; k++) {
        const struct point *p = at(plan, k);
        if (!is_addition(p) || p->variant != variant || !counts(p))
            continue;
        double moving = rest_of(p->microseconds - task_of(costs, variant), computing(p, costs), exponent_of(costs, p));
        double speed = p->bytes / fmax(moving, p->microseconds / 20);
        if (p->bytes <= bytes && p->bytes > below)
            below = p->bytes, slow = speed;
        if (p->bytes >= bytes && p->bytes < above)
            above = p->bytes, fast = speed;
    }
    if (!(below > 0) || !isfinite(above))
        return below > bytes / 4 ? slow : above < bytes * 4 ? fast : 0;
    double share = above > below ? log2(bytes / below) / log2(above / below) : 0;
    return exp2(log2(slow) * (1 - share) + log2(fast) * share);
}

static void fit_speeds(struct sta__costs *costs, const struct plan *plan)
{
    for (int v = 0; v < STA__VARIANTS; v++)
        for (int level = 0; level < STA__LEVELS; level++) {
            double speed = speed_at(plan, costs, (enum sta__variant)v, sta__level_bytes(level));
            if (speed > 0)
                costs->near[v][level] = speed;
        }
    const double far = 8 * sta__level_bytes(STA__LEVELS - 1);
    double core = speed_at(plan, costs, STA__SEQUENTIAL, far / 2), gpu = speed_at(plan, costs, STA__CUDA, far);
    double machine = speed_at(plan, costs, STA__OPENMP, far / 2);
    costs->core_bytes = core > 0 ? core : costs->core_bytes;
    costs->machine_bytes = fmax(machine > 0 ? machine : costs->core_bytes, costs->core_bytes);
    costs->gpu_bytes = gpu > 0 ? gpu : costs->gpu_bytes;
}

/* ---- kernels ---- */

/* By which factor the computing of the point would have to be longer; NaN: too little of it to tell. */
static double factor_of(const struct point *p, const struct sta__costs *costs)
{
    double whole = p->microseconds - task_of(costs, p->variant) * p->tasks, known = computing(p, costs);
    double moving = p->bytes / sta__cost_speed(costs, p->variant, p->bytes / p->tasks);
    if (!(known > 0) || whole < 0.5 * p->microseconds || whole < 1.5 * moving)
        return NAN;
    return rest_of(whole, moving, exponent_of(costs, p)) / known;
}

enum { SMALL = 64 << 10, CACHED = 2 << 20 };

/* What is left of sums in caches. The front's cautious guess of it is in the points of all who fold. */
static void fit_fold(const struct sta__costs *costs, const struct plan *plan, sta_dtype dtype)
{
    double fold[64];
    size_t count = 0;
    for (guint k = 0; k < plan->points->len && count < 64; k++) {
        const struct point *p = at(plan, k);
        if (!counts(p) || strcmp(p->work->name, "sum") != 0 || p->dtype != dtype || p->variant != STA__SEQUENTIAL ||
            p->bytes > CACHED)
            continue;
        double moving = p->bytes / sta__cost_speed(costs, p->variant, p->bytes / p->tasks);
        double whole = p->microseconds - task_of(costs, p->variant) * p->tasks;
        if (whole > 0.5 * p->microseconds) /* sums only read, which may be faster than what additions say of moving */
            fold[count++] = 1000 * fmax(rest_of(whole, moving, exponent_of(costs, p)), whole / 3) / (double)p->n;
    }
    if (count == 0)
        return;
    double guess = sta__fold_nanoseconds(dtype);
    sta__fold_measured(dtype, median_of(fold, count));
    for (guint k = 0; k < plan->points->len; k++) {
        struct point *p = &g_array_index(plan->points, struct point, k);
        if (p->dtype == dtype)
            p->nanoseconds += p->work->folds * (double)p->n * (sta__fold_nanoseconds(dtype) - guess);
    }
}

static bool has_factor(const struct point *p)
{
    return counts(p) && !is_addition(p) && strcmp(p->work->family, "copy") != 0; /* these are additions of their own */
}

/* The factors of a symbol's points, of all or only of those in caches and large enough that what a task costs is little. */
static size_t factors_of(const struct sta__costs *costs, const struct plan *plan, const char *symbol, bool cached,
                         double *to, size_t room)
{
    size_t count = 0;
    for (guint k = 0; k < plan->points->len && count < room; k++) {
        const struct point *p = at(plan, k);
        if (!has_factor(p) || strcmp(p->symbol, symbol) != 0 || (cached && (p->bytes > CACHED || p->bytes < SMALL)))
            continue;
        to[count] = factor_of(p, costs);
        count += isnan(to[count]) ? 0 : 1;
    }
    return count;
}

/* A team shares what one core computes: where it seems to be twice as much, its threads were late. */
static double plausible(const char *symbol, double factor)
{
    if (!g_str_has_suffix(symbol, "_omp"))
        return factor;
    char *alone = g_strndup(symbol, strlen(symbol) - strlen("_omp"));
    double of_core = sta__kernel_factor(alone);
    g_free(alone);
    return fmin(fmax(factor, of_core / 1.5), of_core * 1.5);
}

/* The median over the points of each symbol: in caches, where memory disturbs least, if there are some. */
static void fit_kernel(const struct sta__costs *costs, const struct plan *plan, const char *symbol)
{
    double factor[64];
    size_t count = factors_of(costs, plan, symbol, true, factor, 64);
    if (count == 0)
        count = factors_of(costs, plan, symbol, false, factor, 64);
    if (count)
        sta__kernel_measured(symbol, plausible(symbol, median_of(factor, count)));
}

static void fit_kernels(const struct sta__costs *costs, const struct plan *plan)
{
    for (int teams = 0; teams < 2; teams++)
        for (guint k = 0; k < plan->points->len; k++)
            if ((at(plan, k)->variant == STA__OPENMP) == teams && *at(plan, k)->symbol)
                fit_kernel(costs, plan, at(plan, k)->symbol);
}

/* ---- all together ---- */

enum { NEAR = 4 << 20 }; /* bytes */

/* Of those in caches, or of all others. */
static double misfit(const struct sta__costs *costs, const struct plan *plan, bool far)
{
    double error[1024];
    size_t count = 0;
    for (guint k = 0; k < plan->points->len && count < 1024; k++) {
        const struct point *p = at(plan, k);
        if (!has_factor(p) || p->variant != STA__SEQUENTIAL || strcmp(p->work->family, "elementwise") != 0 ||
            (p->bytes > NEAR) != far)
            continue;
        double moving = p->bytes / sta__cost_speed(costs, p->variant, p->bytes / p->tasks);
        double both = sta__cost_together(moving, computing(p, costs), exponent_of(costs, p));
        error[count++] = fabs(log((task_of(costs, p->variant) * p->tasks + both) / p->microseconds));
    }
    return count ? median_of(error, count) : 0;
}

/* Speeds follow from the exponent, and the other way round: each is tried. */
static void fit_overlap(struct sta__costs *costs, const struct plan *plan, double *exponent, bool far)
{
    static const double exponents[] = {8, 3, 2, 1.5, 1.25, 1};
    double least = INFINITY, best = *exponent;
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++) {
        *exponent = exponents[k];
        fit_speeds(costs, plan);
        double error = misfit(costs, plan, far);
        if (error < least) {
            least = error;
            best = exponents[k];
        }
    }
    *exponent = best;
    fit_speeds(costs, plan);
}

void costs_fit(struct sta__costs *costs, const struct plan *plan)
{
    costs->instruction = sta__ufunc_nanoseconds(sta__ufunc_find("add"), STA_float64);
    fit_tasks(costs, plan);
    fit_overlap(costs, plan, &costs->overlap, false);
    fit_overlap(costs, plan, &costs->overlap_far, true);
    for (int dtype = 0; dtype < STA__DTYPES; dtype++)
        if (sta__dtype_valid((sta_dtype)dtype))
            fit_fold(costs, plan, (sta_dtype)dtype);
    fit_kernels(costs, plan);
}
