/* The page: one file, plots as SVG in it, nothing loaded from elsewhere. */
#include "report.h"
#include "svg.h"

#include "runtime.h"
#include "starpu_compat.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* ---- the figures above ---- */

static void put_card(FILE *to, const char *value, const char *what)
{
    fprintf(to, "<div class='card'><b>%s</b><span>%s</span></div>\n", value, what);
}

static void put_percent(FILE *to, double error, const char *what)
{
    char text[40];
    snprintf(text, sizeof text, isnan(error) ? "–" : "%.0f %%", 100 * error);
    put_card(to, text, what);
}

static void put_cards(FILE *to, const struct plan *plan)
{
    const struct sta__costs *c = &sta__costs;
    char text[40];
    fputs("<div class='cards'>\n", to);
    put_card(to, text_of_speed(c->core_bytes, text, sizeof text), "memory, one core");
    put_card(to, text_of_speed(c->machine_bytes, text, sizeof text), "memory, all cores");
    if (sta__runtime.gpus)
        put_card(to, text_of_speed(c->gpu_bytes, text, sizeof text), "memory of a GPU");
    put_card(to, text_of_time(c->task[STA__SEQUENTIAL], text, sizeof text), "a task on one core");
    if (c->inline_bytes > 0) /* else there was no time for it */
        put_card(to, text_of_bytes(c->inline_bytes, text, sizeof text), "computed at once");
    put_percent(to, median_error(plan, false, -1), "error for programs never seen");
    put_percent(to, median_error(plan, true, -1), "error for programs seen before");
    fputs("</div>\n", to);
}

/* ---- advice ---- */

static void put_tiles(FILE *to)
{
    static const char *const who[STA__VARIANTS] = {"a core", "a team", "a GPU"};
    const char *comma = "";
    char text[40];
    fputs("<li>Tiles that suit ", to);
    for (int v = 0; v < STA__VARIANTS; v++)
        if (sta__costs.tile_bytes[v] > 0) {
            fprintf(to, "%s%s: %s", comma, who[v], text_of_bytes(sta__costs.tile_bytes[v], text, sizeof text));
            comma = ", ";
        }
    fputs(". The library takes those of its fastest worker; <code>STA_TILE_ELEMS</code> overrides it.</li>\n", to);
}

static void put_disturbed(FILE *to, const struct plan *plan)
{
    int disturbed = 0, missing = 0;
    for (guint k = 0; k < plan->points->len; k++) {
        const struct point *p = &g_array_index(plan->points, struct point, k);
        disturbed += p->microseconds > 0 && !p->undisturbed;
        missing += !(p->microseconds > 0);
    }
    if (disturbed)
        fprintf(
            to,
            "<li>Other programs had the cores in %d of %u measurements (hollow marks), which the cost table does not "
            "use. On an idle machine: <code>starray-calibrate --restart</code>.</li>\n",
            disturbed, plan->points->len);
    if (missing)
        fprintf(to,
                "<li>There was no time for %d of %u measurements: the next <code>starray-calibrate</code> goes on."
                "</li>\n",
                missing, plan->points->len);
}

static void put_advice(FILE *to, const struct plan *plan)
{
    const struct sta__costs *c = &sta__costs;
    char text[40];
    fputs("<ul>\n", to);
    if (c->inline_bytes > 0)
        fprintf(to,
                "<li>Arrays up to %s are computed at once by the calling thread; <code>STA_INLINE_BYTES</code> "
                "overrides it."
                "</li>\n",
                text_of_bytes(c->inline_bytes, text, sizeof text));
    put_tiles(to);
    if (c->machine_bytes > 1.3 * c->core_bytes)
        fputs("<li>A team reaches more of the memory's speed than one core: with few large arrays "
              "<code>STA_CPU=auto</code>.</li>\n",
              to);
    else
        fputs("<li>One core nearly fills the memory: what fits into caches gains from more cores, the rest does "
              "not.</li>\n",
              to);
    if (median_error(plan, false, -1) > 0.25)
        fputs("<li>Predictions of programs never seen are off by more than a quarter. <code>starray-calibrate "
              "--full</code> measures more.</li>\n",
              to);
    put_disturbed(to, plan);
    fputs("</ul>\n", to);
}

/* ---- the page ---- */

static void put_key(FILE *to)
{
    static const char *const mark[STA__VARIANTS] = {
        "<circle cx='17' cy='7' r='3'", "<rect x='14' y='4' width='6' height='6'", "<path d='M17 3l3.6 6.2h-7.2z'"};
    char team[60];
    snprintf(team, sizeof team, "omp: a team of %d threads", sta__runtime.settings.threads);
    const char *const text[STA__VARIANTS] = {"cpu: one core", team, "cuda: one GPU"};
    fputs("<div class='key'>\n", to);
    for (int v = 0; v < STA__VARIANTS; v++)
        if (v == STA__CUDA ? sta__runtime.gpus > 0 : v == STA__OPENMP ? sta__runtime.settings.threads > 1 : true)
            fprintf(
                to,
                "<div><svg viewBox='0 0 34 14'><path class='line %s' d='M0 7H34'/>%s class='mark %s'/></svg>%s</div>\n",
                variant_names[v], mark[v], variant_names[v], text[v]);
    fputs("<div><svg viewBox='0 0 34 14'><path class='line' stroke='currentColor' d='M0 7H34'/></svg>float64</div>\n"
          "<div><svg viewBox='0 0 34 14'><path class='line dashed' stroke='currentColor' d='M0 "
          "7H34'/></svg>float32</div>\n"
          "</div>\n",
          to);
}

static void put_head(FILE *to)
{
    char *machine = sta__machine_description(), *path = sta__costs_path();
    GDateTime *now = g_date_time_new_now_local();
    char *date = g_date_time_format(now, "%Y-%m-%d %H:%M");
    fputs(report_style, to);
    fputs("<h1>Calibration of ", to);
    html_escaped(to, g_get_host_name());
    fputs("</h1>\n<p class='soft'>", to);
    html_escaped(to, machine);
    fprintf(to, " · starray %d.%d.%d · StarPU %d.%d · %s<br/>Cost table: <code>", STA_VERSION_MAJOR, STA_VERSION_MINOR,
            STA_VERSION_PATCH, STARPU_MAJOR_VERSION, STARPU_MINOR_VERSION, date);
    html_escaped(to, path);
    fputs("</code></p>\n", to);
    g_free(date);
    g_date_time_unref(now);
    g_free(path);
    g_free(machine);
}

static void put_page(FILE *to, const struct plan *plan)
{
    put_head(to);
    put_cards(to, plan);
    fputs("<h2 id='advice'>Advice</h2>\n", to);
    put_advice(to, plan);
    fputs("<h2 id='fastest'>Who is fastest, and from where on</h2>\n<p class='soft'>The fastest kind of worker for one "
          "task of "
          "so many elements, and how many times faster it is than the next one. To the right the crossovers, in "
          "elements.</p>\n",
          to);
    put_winners(to, plan);
    fputs(
        "<h2 id='predictions'>Predicted against measured</h2>\n<p class='soft'>Programs that the calibration does not "
        "contain, at sizes that it does not have: first by the cost table alone, against the best time; then with a "
        "history, against the median. On the line predictions are right, between the dashed ones within a factor of "
        "two.</p>\n",
        to);
    put_errors(to, plan);
    put_key(to);
    fputs("<div class='plots'>\n", to);
    put_predictions(to, plan);
    put_speeds(to, plan);
    fputs("</div>\n<h2 id='times'>Time by size</h2>\n<p class='soft'>One task in one tile. Both axes are "
          "logarithmic.</p>\n",
          to);
    put_key(to);
    fputs("<div class='plots'>\n", to);
    put_times(to, plan);
    fputs("</div>\n<h2 id='costs'>Cost table</h2>\n", to);
    put_costs(to);
    fputs("<h2 id='loops'>Nanoseconds of an element</h2>\n<p class='soft'>One core, operands in the cache.</p>\n", to);
    put_loops(to);
    fputs("</body>\n</html>\n", to);
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
