/* The page: one file, plots as SVG in it, nothing loaded from elsewhere. */
#include "calibrate.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- figures ---- */

static const struct point *point_of(const struct plan *plan, const struct work *work, sta_dtype dtype, int64_t n,
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
        if (!a || !b)
            continue;
        if (b->microseconds >= a->microseconds)
            return from < 0 ? 0 : from;
        from = (int64_t)1 << bits;
    }
    return from;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median_error(const struct plan *plan, bool seen)
{
    double error[512];
    size_t count = 0;
    for (guint k = 0; k < plan->predictions->len && count < 512; k++) {
        const struct prediction *p = &g_array_index(plan->predictions, struct prediction, k);
        if (p->seen == seen)
            error[count++] = fabs(p->predicted / p->measured - 1);
    }
    qsort(error, count, sizeof *error, compare);
    return count ? error[count / 2] : NAN;
}

/* ---- plots ---- */

enum { WIDE = 320, HIGH = 200, LEFT = 46, BELOW = 26, ABOVE = 20, RIGHT = 10 };
static const char *const colour[STA__VARIANTS] = {"#2563eb", "#d97706", "#15803d"};

struct range {
    double x0, x1, y0, y1; /* logarithms */
};

static double place_x(const struct range *r, double x)
{
    return LEFT + (log10(x) - r->x0) / (r->x1 - r->x0) * (WIDE - LEFT - RIGHT);
}

static double place_y(const struct range *r, double y)
{
    return HIGH - BELOW - (log10(y) - r->y0) / (r->y1 - r->y0) * (HIGH - BELOW - ABOVE);
}

static const char *unit_text(double microseconds, char *to, size_t bytes)
{
    if (microseconds >= 1e6)
        snprintf(to, bytes, "%g s", microseconds / 1e6);
    else if (microseconds >= 1000)
        snprintf(to, bytes, "%g ms", microseconds / 1000);
    else
        snprintf(to, bytes, "%g us", microseconds);
    return to;
}

static void put_escaped(FILE *to, const char *text)
{
    for (; *text; text++)
        if (*text == '<' || *text == '>' || *text == '&')
            fprintf(to, "&#%d;", *text);
        else
            fputc(*text, to);
}

static void put_axes(FILE *to, const struct range *r, const char *title, bool times_on_x)
{
    char text[32];
    fprintf(to, "<svg viewBox='0 0 %d %d' class='plot'><text x='%d' y='13' class='title'>", WIDE, HIGH, LEFT);
    put_escaped(to, title);
    fputs("</text>", to);
    for (int e = (int)ceil(r->x0); e <= (int)floor(r->x1); e++) {
        double x = place_x(r, pow(10, e));
        fprintf(to, "<path d='M%.1f %dV%d' class='grid'/><text x='%.1f' y='%d' class='tick middle'>", x, ABOVE,
                HIGH - BELOW, x, HIGH - BELOW + 14);
        if (times_on_x)
            fprintf(to, "%s</text>", unit_text(pow(10, e), text, sizeof text));
        else
            fprintf(to, "10<tspan dy='-4' font-size='7'>%d</tspan></text>", e);
    }
    for (int e = (int)ceil(r->y0); e <= (int)floor(r->y1); e++) {
        double y = place_y(r, pow(10, e));
        fprintf(to, "<path d='M%d %.1fH%d' class='grid'/><text x='%d' y='%.1f' class='tick end'>%s</text>", LEFT, y,
                WIDE - RIGHT, LEFT - 4, y + 3, unit_text(pow(10, e), text, sizeof text));
    }
}

static bool range_of(const struct plan *plan, const struct work *work, sta_dtype dtype, struct range *r)
{
    *r = (struct range){INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (guint k = 0; k < plan->points->len; k++) {
        const struct point *p = &g_array_index(plan->points, struct point, k);
        if (p->work != work || p->dtype != dtype || !(p->microseconds > 0))
            continue;
        r->x0 = fmin(r->x0, log10((double)p->n));
        r->x1 = fmax(r->x1, log10((double)p->n));
        r->y0 = fmin(r->y0, floor(log10(p->microseconds)));
        r->y1 = fmax(r->y1, ceil(log10(p->microseconds)));
    }
    if (r->y1 <= r->y0)
        r->y1 = r->y0 + 1;
    return r->x1 > r->x0;
}

static void put_plot(FILE *to, const struct plan *plan, const struct work *work, sta_dtype dtype)
{
    struct range r;
    char title[80];
    if (!range_of(plan, work, dtype, &r))
        return;
    snprintf(title, sizeof title, "%s, %s", work->name, sta__dtype_brief(dtype));
    put_axes(to, &r, title, false);
    for (int v = 0; v < STA__VARIANTS; v++) {
        bool first = true;
        for (int bits = 0; bits < 40; bits++) {
            const struct point *p = point_of(plan, work, dtype, (int64_t)1 << bits, (enum sta__variant)v);
            if (!p)
                continue;
            fprintf(to, first ? "<path fill='none' stroke='%s' stroke-width='1.8' d='M" : "", colour[v]);
            fprintf(to, "%s%.1f %.1f", first ? "" : "L", place_x(&r, (double)p->n), place_y(&r, p->microseconds));
            first = false;
        }
        fputs(first ? "" : "'/>", to);
    }
    fputs("</svg>\n", to);
}

static void put_predictions(FILE *to, const struct plan *plan)
{
    struct range r = {INFINITY, -INFINITY, 0, 0};
    for (guint k = 0; k < plan->predictions->len; k++) {
        const struct prediction *p = &g_array_index(plan->predictions, struct prediction, k);
        r.x0 = fmin(r.x0, floor(log10(fmin(p->predicted, p->measured))));
        r.x1 = fmax(r.x1, ceil(log10(fmax(p->predicted, p->measured))));
    }
    if (!(r.x1 > r.x0))
        return;
    r.y0 = r.x0;
    r.y1 = r.x1;
    put_axes(to, &r, "predicted (up) against measured (right)", true);
    fprintf(to, "<path d='M%d %dL%d %d' stroke='#888' stroke-dasharray='3 3'/>", LEFT, HIGH - BELOW, WIDE - RIGHT,
            ABOVE);
    for (guint k = 0; k < plan->predictions->len; k++) {
        const struct prediction *p = &g_array_index(plan->predictions, struct prediction, k);
        fprintf(to, "<circle cx='%.1f' cy='%.1f' r='3' stroke='%s' fill='%s'><title>", place_x(&r, p->measured),
                place_y(&r, p->predicted), colour[p->variant], p->seen ? colour[p->variant] : "none");
        put_escaped(to, p->name);
        fprintf(to, ": %.1f us, predicted %.1f us</title></circle>", p->measured, p->predicted);
    }
    fputs("</svg>\n", to);
}

/* ---- tables and advice ---- */

static void put_size(FILE *to, int64_t from)
{
    if (from > 0)
        fprintf(to, "<td>%lld</td>", (long long)from);
    else
        fprintf(to, "<td class='none'>%s</td>", from == 0 ? "nowhere" : "not measured");
}

static void put_crossovers(FILE *to, const struct plan *plan)
{
    fputs("<table><tr><th>work</th><th>dtype</th><th>omp beats cpu from</th><th>cuda beats cpu from</th>"
          "<th>cuda beats omp from</th></tr>\n",
          to);
    for (int w = 0; w < work_count; w++)
        for (int dtype = 0; dtype < STA__DTYPES; dtype++) {
            struct range r;
            if (!(works[w].dtypes >> dtype & 1) || !range_of(plan, &works[w], (sta_dtype)dtype, &r))
                continue;
            fputs("<tr><td>", to);
            put_escaped(to, works[w].name);
            fprintf(to, "</td><td>%s</td>", sta__dtype_brief((sta_dtype)dtype));
            put_size(to, crossover(plan, &works[w], (sta_dtype)dtype, STA__SEQUENTIAL, STA__OPENMP));
            put_size(to, crossover(plan, &works[w], (sta_dtype)dtype, STA__SEQUENTIAL, STA__CUDA));
            put_size(to, crossover(plan, &works[w], (sta_dtype)dtype, STA__OPENMP, STA__CUDA));
            fputs("</tr>\n", to);
        }
    fputs("</table>\n", to);
}

static void put_advice(FILE *to, const struct plan *plan)
{
    const struct sta__costs *c = &sta__costs;
    fputs("<ul>\n", to);
    fprintf(to, "<li>One core moves %.1f GB/s, all cores %.1f GB/s", c->core_bytes / 1000, c->machine_bytes / 1000);
    if (sta__runtime.gpus)
        fprintf(to, ", a GPU %.0f GB/s", c->gpu_bytes / 1000);
    fputs(".</li>\n", to);
    fprintf(to, "<li>Arrays up to %.0f KiB are computed at once by the calling thread (STA_INLINE_BYTES).</li>\n",
            c->inline_bytes / 1024);
    fprintf(to, "<li>A core wants tiles of %.1f MiB, a team of %.1f MiB", c->tile_bytes[STA__SEQUENTIAL] / 1048576,
            c->tile_bytes[STA__OPENMP] / 1048576);
    if (sta__runtime.gpus)
        fprintf(to, ", a GPU of %.0f MiB", c->tile_bytes[STA__CUDA] / 1048576);
    fputs(" (STA_TILE_ELEMS).</li>\n", to);
    if (c->machine_bytes > 1.3 * c->core_bytes || sta__runtime.settings.threads == 1)
        fputs(
            "<li>Teams reach more of the memory's speed than one core does: with few large arrays STA_CPU=auto.</li>\n",
            to);
    else
        fputs("<li>One core nearly fills the memory: what fits in caches gains from more cores, the rest does "
              "not.</li>\n",
              to);
    if (!(median_error(plan, false) < 0.25))
        fprintf(to, "<li>Predictions of unseen work are %.0f %% off: was the machine idle? Run --full.</li>\n",
                100 * median_error(plan, false));
    fputs("</ul>\n", to);
}

static const char head[] =
    "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
    "<title>starray: calibration</title><style>"
    "body{font:15px/1.5 system-ui,sans-serif;max-width:1040px;margin:2em auto;padding:0 "
    "1em;color:#1f2937;background:#fff}"
    "h1{font-size:1.5em}h2{margin-top:2em;font-size:1.15em;border-bottom:1px solid #e5e7eb}"
    ".plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(300px,1fr));gap:12px}"
    ".plot{width:100%;border:1px solid "
    "#e5e7eb;border-radius:6px}.grid{stroke:#eee}.title{font-size:11px;font-weight:600}"
    ".tick{font-size:9px;fill:#6b7280}.middle{text-anchor:middle}.end{text-anchor:end}"
    "table{border-collapse:collapse}td,th{padding:2px 14px 2px 0;text-align:left;border-bottom:1px solid #f0f0f0}"
    "td{font-variant-numeric:tabular-nums}.none{color:#9ca3af}.key span{margin-right:1.2em;font-weight:600}"
    "</style>\n";

static void put_page(FILE *to, const struct plan *plan)
{
    char *machine = sta__machine_description();
    GDateTime *now = g_date_time_new_now_local();
    char *date = g_date_time_format(now, "%Y-%m-%d %H:%M");
    fprintf(to, "%s<h1>starray on %s</h1><p>%s, %s. Times of one task in one tile; both axes are logarithmic.</p>",
            head, g_get_host_name(), machine, date);
    fprintf(to,
            "<p class='key'><span style='color:%s'>cpu: one core</span><span style='color:%s'>omp: a team of %d"
            "</span><span style='color:%s'>cuda</span></p>",
            colour[0], colour[1], sta__runtime.settings.threads, colour[2]);
    fputs("<h2>Advice</h2>\n", to);
    put_advice(to, plan);
    fputs("<h2>Where one kind of worker overtakes another (elements)</h2>\n", to);
    put_crossovers(to, plan);
    fprintf(to,
            "<h2>Predictions</h2><p>Median error %.0f %% for programs never seen (rings), %.0f %% for those seen"
            " (dots).</p><div class='plots'>\n",
            100 * median_error(plan, false), 100 * median_error(plan, true));
    put_predictions(to, plan);
    fputs("</div><h2>Time by elements</h2><div class='plots'>\n", to);
    for (int w = 0; w < work_count; w++)
        for (int dtype = 0; dtype < STA__DTYPES; dtype++)
            if (works[w].dtypes >> dtype & 1)
                put_plot(to, plan, &works[w], (sta_dtype)dtype);
    fputs("</div></html>\n", to);
    g_free(date);
    g_date_time_unref(now);
    g_free(machine);
}

bool report_write(const char *path, const struct plan *plan, char *text, size_t bytes)
{
    FILE *to = fopen(path, "w");
    if (to)
        put_page(to, plan);
    bool fine = to && !ferror(to);
    fine = (!to || fclose(to) == 0) && fine;
    if (!fine)
        snprintf(text, bytes, "%s", strerror(errno));
    return fine;
}
