/* The plots of the page. */
#include "report.h"
#include "svg.h"

#include "runtime.h"

#include <math.h>
#include <string.h>

enum { WIDE = 400, HIGH = 270, SIZES = 40 };

/* ---- time by size ---- */

/* float32 and float64 share a plot; every other dtype has one of its own. */
static bool belongs(sta_dtype dtype, sta_dtype plot)
{
    return dtype == plot || (plot == STA_float64 && dtype == STA_float32);
}

static bool is_measured(const struct point *p, const struct work *work, sta_dtype plot)
{
    return p->work == work && belongs(p->dtype, plot) && p->microseconds > 0;
}

static void put_line(const struct svg_plot *plot, const struct plan *plan, const struct work *work, sta_dtype dtype,
                     enum sta__variant variant)
{
    double x[SIZES], y[SIZES];
    char classes[40], tip[200], time[40];
    int count = 0;
    snprintf(classes, sizeof classes, "%s%s", variant_names[variant], dtype == STA_float32 ? " dashed" : "");
    for (int bits = 0; bits < SIZES; bits++) {
        const struct point *p = point_of(plan, work, dtype, (int64_t)1 << bits, variant);
        if (p && p->undisturbed) {
            x[count] = (double)p->n;
            y[count++] = p->microseconds;
        }
    }
    svg_line(plot, x, y, count, classes);
    for (int bits = 0; bits < SIZES; bits++) {
        const struct point *p = point_of(plan, work, dtype, (int64_t)1 << bits, variant);
        if (!p)
            continue;
        snprintf(tip, sizeof tip, "%s %s, %lld elements on %s: %s%s", work->name, sta__dtype_brief(dtype),
                 (long long)p->n, variant_names[variant], text_of_time(p->microseconds, time, sizeof time),
                 p->undisturbed ? "" : " (other programs had the cores)");
        snprintf(classes, sizeof classes, "%s%s", variant_names[variant], p->undisturbed ? "" : " hollow");
        svg_mark(plot, (double)p->n, p->microseconds, (int)variant, classes, tip);
    }
}

static void put_time_plot(FILE *to, const struct plan *plan, const struct work *work, sta_dtype dtype)
{
    char title[100];
    struct svg_plot plot = {.to = to,
                            .wide = WIDE,
                            .high = HIGH,
                            .x0 = INFINITY,
                            .x1 = -INFINITY,
                            .y0 = INFINITY,
                            .y1 = -INFINITY,
                            .title = title,
                            .x_label = "elements",
                            .y_label = "time of one task",
                            .x_text = text_of_count,
                            .y_text = text_of_time};
    for (guint k = 0; k < plan->points->len; k++) {
        const struct point *p = &g_array_index(plan->points, struct point, k);
        if (!is_measured(p, work, dtype))
            continue;
        svg_range(&plot.x0, &plot.x1, (double)p->n);
        svg_range(&plot.y0, &plot.y1, p->microseconds);
    }
    if (!(plot.x1 >= plot.x0))
        return;
    snprintf(title, sizeof title, "%s%s%s", work->name, dtype == STA_float64 ? "" : ", ",
             dtype == STA_float64 ? "" : sta_dtype_name(dtype));
    svg_open(&plot);
    for (int v = 0; v < STA__VARIANTS; v++)
        for (int d = 0; d < STA__DTYPES; d++)
            if (sta__dtype_valid((sta_dtype)d) && belongs((sta_dtype)d, dtype))
                put_line(&plot, plan, work, (sta_dtype)d, (enum sta__variant)v);
    svg_close(&plot);
}

void put_times(FILE *to, const struct plan *plan)
{
    for (int w = 0; w < work_count; w++)
        for (int dtype = 0; dtype < STA__DTYPES; dtype++)
            if (sta__dtype_valid((sta_dtype)dtype) && dtype != STA_float32)
                put_time_plot(to, plan, &works[w], (sta_dtype)dtype);
}

/* ---- the speed of memory and caches ---- */

/* What the cost table says, the task itself included. */
static void put_fitted_speed(const struct svg_plot *plot, enum sta__variant variant)
{
    double x[64], y[64], bytes = pow(10, plot->x0);
    int count = 0;
    if (!variant_force(variant))
        return;
    for (; bytes < pow(10, plot->x1) && count < 64; bytes *= 1.414) {
        double speed = bytes / sta__cost(variant, bytes, 0, sta__runtime.settings.threads);
        if (log10(speed) < plot->y0 || log10(speed) > plot->y1)
            continue;
        x[count] = bytes;
        y[count++] = speed;
    }
    svg_line(plot, x, y, count, variant_names[variant]);
}

void put_speeds(FILE *to, const struct plan *plan)
{
    struct svg_plot plot = {.to = to,
                            .wide = WIDE,
                            .high = HIGH,
                            .x0 = INFINITY,
                            .x1 = -INFINITY,
                            .y0 = INFINITY,
                            .y1 = -INFINITY,
                            .title = "Additions: bytes moved in a second",
                            .x_label = "bytes that a task touches",
                            .y_label = "speed",
                            .x_text = text_of_bytes,
                            .y_text = text_of_speed};
    char tip[120], speed[40], bytes[40];
    for (guint k = 0; k < plan->points->len; k++) {
        const struct point *p = &g_array_index(plan->points, struct point, k);
        if (!is_measured(p, works, STA_float64) || !p->undisturbed)
            continue;
        svg_range(&plot.x0, &plot.x1, p->bytes);
        svg_range(&plot.y0, &plot.y1, p->bytes / p->microseconds);
    }
    if (!(plot.x1 >= plot.x0))
        return;
    svg_open(&plot);
    for (int v = 0; v < STA__VARIANTS; v++)
        put_fitted_speed(&plot, (enum sta__variant)v);
    variants_restore();
    for (guint k = 0; k < plan->points->len; k++) {
        const struct point *p = &g_array_index(plan->points, struct point, k);
        if (!is_measured(p, works, STA_float64) || !p->undisturbed)
            continue;
        snprintf(tip, sizeof tip, "%s on %s: %s", text_of_bytes(p->bytes, bytes, sizeof bytes),
                 variant_names[p->variant], text_of_speed(p->bytes / p->microseconds, speed, sizeof speed));
        svg_mark(&plot, p->bytes, p->bytes / p->microseconds, (int)p->variant, variant_names[p->variant], tip);
    }
    svg_close(&plot);
}

/* ---- predicted against measured ---- */

static void put_prediction_plot(FILE *to, const struct plan *plan, bool seen)
{
    struct svg_plot plot = {.to = to,
                            .wide = WIDE,
                            .high = WIDE - 20,
                            .x0 = INFINITY,
                            .x1 = -INFINITY,
                            .title = seen ? "Programs seen before" : "Programs never seen",
                            .x_label = "measured",
                            .y_label = "predicted",
                            .x_text = text_of_time,
                            .y_text = text_of_time};
    char tip[200], predicted[40], measured[40], classes[40];
    for (guint k = 0; k < plan->predictions->len; k++) {
        const struct prediction *p = &g_array_index(plan->predictions, struct prediction, k);
        svg_range(&plot.x0, &plot.x1, p->predicted);
        svg_range(&plot.x0, &plot.x1, p->measured);
    }
    plot.y0 = plot.x0;
    plot.y1 = plot.x1;
    svg_open(&plot);
    double low = pow(10, plot.x0), high = pow(10, plot.x1);
    svg_segment(&plot, low, low, high, high, "equal");
    svg_segment(&plot, low, 2 * low, high / 2, high, "twice");
    svg_segment(&plot, 2 * low, low, high, high / 2, "twice");
    for (guint k = 0; k < plan->predictions->len; k++) {
        const struct prediction *p = &g_array_index(plan->predictions, struct prediction, k);
        if (p->seen != seen)
            continue;
        snprintf(tip, sizeof tip, "%s, %lld %s on %s: predicted %s, measured %s%s", p->work->name, (long long)p->n,
                 sta__dtype_brief(p->dtype), variant_names[p->variant],
                 text_of_time(p->predicted, predicted, sizeof predicted),
                 text_of_time(p->measured, measured, sizeof measured),
                 p->undisturbed ? "" : " (other programs had the cores)");
        snprintf(classes, sizeof classes, "%s%s", variant_names[p->variant], p->undisturbed ? "" : " hollow");
        svg_mark(&plot, p->measured, p->predicted, (int)p->variant, classes, tip);
    }
    svg_close(&plot);
}

void put_predictions(FILE *to, const struct plan *plan)
{
    for (int seen = 0; seen < 2 && plan->predictions->len; seen++)
        put_prediction_plot(to, plan, seen);
}
