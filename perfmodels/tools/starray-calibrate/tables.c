/* The tables of the page. */
#include "report.h"
#include "svg.h"

#include "runtime.h"

#include <math.h>
#include <string.h>

const struct point *point_of(const struct plan *plan, const struct work *work, sta_dtype dtype, int64_t n,
                             enum sta__variant variant)
{
    for (guint k = 0; k < plan->points->len; k++) {
        const struct point *point = &g_array_index(plan->points, struct point, k);
        if (point->work == work && point->dtype == dtype && point->n == n && point->variant == variant &&
            point->microseconds > 0)
            return point;
    }
    return NULL;
}

int64_t crossover(const struct plan *plan, const struct work *work, sta_dtype dtype, enum sta__variant slower,
                  enum sta__variant faster)
{
    int64_t from = -1;
    for (int bits = 40; bits >= 0; bits--) {
        const struct point *a = point_of(plan, work, dtype, (int64_t)1 << bits, slower);
        const struct point *b = point_of(plan, work, dtype, (int64_t)1 << bits, faster);
        if (!a || !b || !a->undisturbed || !b->undisturbed)
            continue;
        if (b->microseconds >= a->microseconds)
            return from < 0 ? 0 : from;
        from = (int64_t)1 << bits;
    }
    return from;
}

static void put_name(FILE *to, const struct work *work, sta_dtype dtype)
{
    fputs("<tr><td>", to);
    html_escaped(to, work->name);
    fprintf(to, "</td><td>%s</td>", sta_dtype_name(dtype));
}

static bool is_planned(const struct plan *plan, const struct work *work, sta_dtype dtype)
{
    for (guint k = 0; k < plan->points->len; k++) {
        const struct point *point = &g_array_index(plan->points, struct point, k);
        if (point->work == work && point->dtype == dtype && point->microseconds > 0)
            return true;
    }
    return false;
}

/* ---- from where one overtakes the other ---- */

static const struct {
    enum sta__variant slower, faster;
    const char *title;
} races[] = {{STA__SEQUENTIAL, STA__OPENMP, "omp beats cpu from"},
             {STA__SEQUENTIAL, STA__CUDA, "cuda beats cpu from"},
             {STA__OPENMP, STA__CUDA, "cuda beats omp from"}};
enum { RACES = sizeof races / sizeof *races };

static bool takes_part(enum sta__variant variant)
{
    return variant == STA__CUDA     ? sta__runtime.gpus > 0
           : variant == STA__OPENMP ? sta__runtime.settings.threads > 1
                                    : true;
}

static void put_crossover(FILE *to, int64_t size)
{
    char text[40];
    if (size < 0)
        fputs("<td class='none'>not measured</td>", to);
    else if (size == 0)
        fputs("<td class='none'>never</td>", to);
    else
        fprintf(to, "<td class='number'>%s</td>", text_of_count((double)size, text, sizeof text));
}

/* ---- who is fastest ---- */

static void put_winner(FILE *to, const struct plan *plan, const struct work *work, sta_dtype dtype, int64_t n)
{
    const struct point *best = NULL;
    double second = INFINITY;
    for (int v = 0; v < STA__VARIANTS; v++) {
        const struct point *p = point_of(plan, work, dtype, n, (enum sta__variant)v);
        if (!p || !p->undisturbed)
            continue;
        if (!best || p->microseconds < best->microseconds) {
            second = best ? best->microseconds : second;
            best = p;
        } else {
            second = fmin(second, p->microseconds);
        }
    }
    if (!best)
        fputs("<td class='none'></td>", to);
    else if (isfinite(second))
        fprintf(to,
                second > 100 * best->microseconds ? "<td class='win %s'>%s &gt; 100×</td>"
                                                  : "<td class='win %s'>%s %.1f×</td>",
                variant_names[best->variant], variant_names[best->variant], second / best->microseconds);
    else
        fprintf(to, "<td class='win %s'>%s</td>", variant_names[best->variant], variant_names[best->variant]);
}

static bool any_of_size(const struct plan *plan, int64_t n)
{
    for (guint k = 0; k < plan->points->len; k++)
        if (g_array_index(plan->points, struct point, k).n == n)
            return true;
    return false;
}

void put_winners(FILE *to, const struct plan *plan)
{
    char text[40];
    fputs("<div class='scroll'><table>\n<tr><th>work</th><th>dtype</th>", to);
    for (int bits = 0; bits < 40; bits++)
        if (any_of_size(plan, (int64_t)1 << bits))
            fprintf(to, "<th class='middle'>%s</th>", text_of_count(exp2(bits), text, sizeof text));
    for (int r = 0; r < RACES; r++)
        if (takes_part(races[r].slower) && takes_part(races[r].faster))
            fprintf(to, "<th class='number'>%s</th>", races[r].title);
    fputs("</tr>\n", to);
    for (int w = 0; w < work_count; w++)
        for (int d = 0; d < STA__DTYPES; d++) {
            if (!sta__dtype_valid((sta_dtype)d) || !is_planned(plan, &works[w], (sta_dtype)d))
                continue;
            put_name(to, &works[w], (sta_dtype)d);
            for (int bits = 0; bits < 40; bits++)
                if (any_of_size(plan, (int64_t)1 << bits))
                    put_winner(to, plan, &works[w], (sta_dtype)d, (int64_t)1 << bits);
            for (int r = 0; r < RACES; r++)
                if (takes_part(races[r].slower) && takes_part(races[r].faster))
                    put_crossover(to, crossover(plan, &works[w], (sta_dtype)d, races[r].slower, races[r].faster));
            fputs("</tr>\n", to);
        }
    fputs("</table></div>\n", to);
}

/* ---- errors of predictions ---- */

static void put_error(FILE *to, double error)
{
    if (isnan(error))
        fputs("<td class='none'>not measured</td>", to);
    else
        fprintf(to, "<td class='number'>%.0f %%</td>", 100 * error);
}

void put_errors(FILE *to, const struct plan *plan)
{
    fputs("<table>\n<tr><th>median error</th><th>never seen</th><th>seen before</th></tr>\n", to);
    for (int v = -1; v < STA__VARIANTS; v++) {
        if (v >= 0 && isnan(median_error(plan, false, v)))
            continue;
        fprintf(to, "<tr><td>%s</td>", v < 0 ? "all" : variant_names[v]);
        put_error(to, median_error(plan, false, v));
        put_error(to, median_error(plan, true, v));
        fputs("</tr>\n", to);
    }
    fputs("</table>\n", to);
}

/* ---- the cost table ---- */

static void put_cost(FILE *to, const char *what, const char *value)
{
    fprintf(to, "<tr><td>%s</td><td class='number'>%s</td></tr>\n", what, value);
}

static void put_overlap(FILE *to, const char *what, double exponent)
{
    char text[40];
    snprintf(text, sizeof text, exponent >= 8 ? "in full" : "in part, exponent %.3g", exponent);
    put_cost(to, what, text);
}

void put_costs(FILE *to)
{
    const struct sta__costs *c = &sta__costs;
    char text[80], time[40];
    fputs("<table>\n<tr><th>what</th><th class='number'>costs</th></tr>\n", to);
    put_cost(to, "a task on one core", text_of_time(c->task[STA__SEQUENTIAL], time, sizeof time));
    if (sta__runtime.settings.threads > 1)
        put_cost(to, "a team: more for each task",
                 text_of_time(c->fork + c->thread * sta__runtime.settings.threads, time, sizeof time));
    if (sta__runtime.gpus)
        put_cost(to, "a task on a GPU", text_of_time(c->task[STA__CUDA], time, sizeof time));
    snprintf(text, sizeof text, "%.3f ns", c->instruction);
    put_cost(to, "an addition of float64 in the cache", text);
    put_overlap(to, "moving and computing hide each other in caches", c->overlap);
    put_overlap(to, "in memory", sta__cost_overlap(c, 1e12));
    fputs("</table>\n", to);
}

/* Nanoseconds an element of the usual functions. */
void put_loops(FILE *to)
{
    static const char *const names[] = {"add", "multiply", "divide", "maximum", "less",  "sqrt",    "exp",
                                        "log", "sin",      "cos",    "tanh",    "power", "arctan2", "where"};
    static const sta_dtype dtypes[] = {STA_float32, STA_float64, STA_int64, STA_complex128};
    enum { NAMES = sizeof names / sizeof *names, DTYPES = sizeof dtypes / sizeof *dtypes };
    fputs("<table>\n<tr><th>function</th>", to);
    for (int d = 0; d < DTYPES; d++)
        fprintf(to, "<th class='number'>%s</th>", sta_dtype_name(dtypes[d]));
    fputs("</tr>\n", to);
    for (int k = 0; k < NAMES; k++) {
        int op = sta__ufunc_find(names[k]);
        if (op < 0)
            continue;
        fprintf(to, "<tr><td>%s</td>", names[k]);
        for (int d = 0; d < DTYPES; d++)
            if (sta__ufunc_loop(op, dtypes[d]))
                fprintf(to, "<td class='number'>%.2f</td>", sta__ufunc_nanoseconds(op, dtypes[d]));
            else
                fputs("<td></td>", to);
        fputs("</tr>\n", to);
    }
    fputs("</table>\n", to);
}
