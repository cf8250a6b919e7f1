/* What was counted, as a table for people and as JSON. */
#include "look.h"

#include "perfmodels/model.h"
#include "runtime.h"
#include "starpu_compat.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const variant_name[STA__VARIANTS] = {"cpu", "omp", "cuda"};
static const char *const memory_name[STA__KINDS] = {"host", "GPU", "disk"};

/* ---- figures of a row ---- */

/* The time of all tasks, from those that were timed. */
static double total_us(const struct sta__profile_row *row)
{
    return row->timed ? row->microseconds / (double)row->timed * (double)row->tasks : 0;
}

static double gigabytes(const struct sta__profile_row *row)
{
    return row->microseconds > 0 ? row->bytes / row->microseconds / 1000 : 0;
}

static double share_of_limit(const struct sta__profile_row *row)
{
    const double limit[STA__VARIANTS] = {sta__costs.core_bytes, sta__costs.machine_bytes, sta__costs.gpu_bytes};
    return row->microseconds > 0 ? row->bytes / row->microseconds / limit[row->variant] : 0;
}

/* Predicted over measured at a quantile; NaN: nothing was predicted. */
static double ratio_at(const struct sta__profile_row *row, double quantile)
{
    int64_t all = 0, seen = 0;
    for (int k = 0; k < STA__RATIOS; k++)
        all += row->ratio[k];
    for (int k = 0; k < STA__RATIOS && all; k++) {
        seen += row->ratio[k];
        if ((double)seen > quantile * (double)all || seen == all)
            return exp2((k - STA__RATIO_OF_ONE) / 8.0);
    }
    return NAN;
}

static int by_time(const void *a, const void *b)
{
    double x = total_us(*(const struct sta__profile_row *const *)a);
    double y = total_us(*(const struct sta__profile_row *const *)b);
    return (x < y) - (x > y);
}

static int by_calls(const void *a, const void *b)
{
    const struct sta__function *x = a, *y = b;
    int order = (x->calls < y->calls) - (x->calls > y->calls);
    return order ? order : strcmp(x->op, y->op);
}

/* Adds what was counted under one literal to its text. */
static int add_function(struct sta__function *all, int count, const struct sta__function *function)
{
    int k = 0;
    while (k < count && strcmp(all[k].op, function->op) != 0)
        k++;
    if (k == count)
        all[k] = (struct sta__function){.op = function->op};
    all[k].calls += function->calls;
    all[k].at_once += function->at_once;
    all[k].operations += function->operations;
    all[k].tasks += function->tasks;
    return k == count ? count + 1 : count;
}

/* What was called, most often first; *count of them. With both locks. */
static const struct sta__function *sorted_functions(int *count)
{
    static struct sta__function all[STA__FUNCTIONS];
    *count = 0;
    for (const struct sta__function *f = sta__functions; f < sta__functions + STA__FUNCTIONS; f++)
        if (f->calls || f->operations)
            *count = add_function(all, *count, f);
    qsort(all, (size_t)*count, sizeof *all, by_calls);
    return all;
}

/* The rows, longest first; *count of them. NULL: none, or no memory. */
static const struct sta__profile_row **sorted_rows(size_t *count)
{
    *count = 0;
    for (const struct sta__profile_row *row = sta__profile.rows; row; row = row->next)
        *count += row->tasks > 0;
    const struct sta__profile_row **rows = malloc(sizeof(void *) * (*count ? *count : 1));
    size_t k = 0;
    for (const struct sta__profile_row *row = sta__profile.rows; row && rows; row = row->next)
        if (row->tasks > 0)
            rows[k++] = row;
    if (rows)
        qsort(rows, k, sizeof *rows, by_time);
    return rows;
}

static const char *dtype_of(const struct sta__profile_row *row)
{
    return strrchr(sta__codelet_symbol(row->codelet, STA__SEQUENTIAL), '_') + 1;
}

static double seconds_counted(void)
{
    int64_t more = sta__looks(STA__LOOK_PROFILE) ? sta__clock() - sta__profile.since : 0;
    return (double)(sta__profile.lasted + more) * 1e-9;
}

/* ---- the table ---- */

static void put_row(FILE *to, const struct sta__profile_row *row)
{
    char flops[16] = "-", ratio[24] = "-";
    if (row->flops > 0)
        snprintf(flops, sizeof flops, "%.1f", row->flops / row->microseconds / 1000);
    if (!isnan(ratio_at(row, 0.5)))
        snprintf(ratio, sizeof ratio, "%.2f (%.2f..%.2f)", ratio_at(row, 0.5), ratio_at(row, 0.1), ratio_at(row, 0.9));
    fprintf(to, "%-40.40s %-5s %-5s %7lld %10.3f %9.1f %7.1f %8s %5.0f%%  %s\n", row->label, dtype_of(row),
            variant_name[row->variant], (long long)row->tasks, total_us(row) / 1000,
            row->timed ? row->microseconds / (double)row->timed : 0, gigabytes(row), flops, 100 * share_of_limit(row),
            ratio);
}

static void put_calls(FILE *to)
{
    int count;
    const struct sta__function *all = sorted_functions(&count);
    fprintf(to, "\n%-40s %9s %9s %9s %9s\n", "function", "calls", "at once", "submits", "tasks");
    for (const struct sta__function *f = all; f < all + count; f++)
        fprintf(to, "%-40s %9lld %9lld %9lld %9lld\n", f->op, (long long)f->calls, (long long)f->at_once,
                (long long)f->operations, (long long)f->tasks);
}

static void put_memory(FILE *to)
{
    fprintf(to, "\nwaited %lld times, %.3f ms\n", (long long)sta__profile.waits, (double)sta__profile.waited * 1e-6);
    for (int from = 0; from < STA__KINDS; from++)
        for (int k = 0; k < STA__KINDS; k++)
            if (sta__profile.moves[from][k])
                fprintf(to, "copied from %s to %s: %lld times, %.1f MB\n", memory_name[from], memory_name[k],
                        (long long)sta__profile.moves[from][k], (double)sta__profile.moved[from][k] * 1e-6);
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++) {
        char name[64];
        starpu_memory_node_get_name(node, name, sizeof name);
        fprintf(to, "peak of tiles in %s: %.1f MB\n", name, (double)sta__memory_peak(node) * 1e-6);
    }
}

static void put_table(FILE *to)
{
    size_t count;
    const struct sta__profile_row **rows = sorted_rows(&count);
    fprintf(to, "starray profile: %.3f s", seconds_counted());
    if (sta__runtime.settings.ranks > 1)
        fprintf(to, ", rank %d of %d", sta__runtime.settings.rank, sta__runtime.settings.ranks);
    fprintf(to, "\n%-40s %-5s %-5s %7s %10s %9s %7s %8s %6s  %s\n", "task", "dtype", "on", "tasks", "total ms",
            "mean us", "GB/s", "GFLOP/s", "limit", "predicted/measured");
    for (size_t k = 0; k < count && rows; k++)
        put_row(to, rows[k]);
    put_calls(to);
    put_memory(to);
    free(rows);
}

char *sta__profile_report(void)
{
    char *text = NULL;
    size_t bytes;
    FILE *to = open_memstream(&text, &bytes);
    if (!to)
        return NULL;
    sta__lock(); /* of calls; first */
    sta__profile_lock();
    put_table(to);
    sta__profile_unlock();
    sta__unlock();
    return fclose(to) == 0 ? text : NULL;
}

char *sta_profile_text(void)
{
    if (!sta__started())
        return NULL;
    sta__tasks_wait();
    return sta__profile_report();
}

/* ---- JSON ---- */

/* JSON has no infinities. */
static void put_number(FILE *to, const char *key, double value)
{
    if (isfinite(value))
        fprintf(to, ", \"%s\": %.17g", key, value);
    else
        fprintf(to, ", \"%s\": null", key);
}

static void put_json_functions(FILE *to)
{
    int count;
    const struct sta__function *all = sorted_functions(&count);
    for (const struct sta__function *f = all; f < all + count; f++)
        fprintf(to,
                "%s\n  {\"function\": \"%s\", \"calls\": %lld, \"at_once\": %lld, \"submits\": %lld, \"tasks\": %lld}",
                f > all ? "," : "", f->op, (long long)f->calls, (long long)f->at_once, (long long)f->operations,
                (long long)f->tasks);
}

static void put_json(FILE *to)
{
    size_t count;
    const struct sta__profile_row **rows = sorted_rows(&count);
    fprintf(to, "{\"seconds\": %.9g, \"rank\": %d, \"tasks\": [", seconds_counted(), sta__runtime.settings.rank);
    for (size_t k = 0; k < count && rows; k++) {
        const struct sta__profile_row *row = rows[k];
        fprintf(to, "%s\n  {\"task\": \"%s\", \"codelet\": \"%s\", \"on\": \"%s\", \"tasks\": %lld, \"timed\": %lld",
                k ? "," : "", row->label, sta__codelet_symbol(row->codelet, STA__SEQUENTIAL),
                variant_name[row->variant], (long long)row->tasks, (long long)row->timed);
        put_number(to, "microseconds", total_us(row));
        put_number(to, "gigabytes_per_second", gigabytes(row));
        put_number(to, "gigaflops", row->flops > 0 ? row->flops / row->microseconds / 1000 : NAN);
        put_number(to, "limit", share_of_limit(row));
        put_number(to, "predicted_over_measured", ratio_at(row, 0.5));
        fputs("}", to);
    }
    fputs("\n], \"functions\": [", to);
    put_json_functions(to);
    fprintf(to, "\n], \"waits\": %lld, \"waited_seconds\": %.9g, \"copies\": [", (long long)sta__profile.waits,
            (double)sta__profile.waited * 1e-9);
    for (int from = 0, first = 1; from < STA__KINDS; from++)
        for (int k = 0; k < STA__KINDS; k++)
            if (sta__profile.moves[from][k]) {
                fprintf(to, "%s{\"from\": \"%s\", \"to\": \"%s\", \"copies\": %lld, \"bytes\": %lld}",
                        first ? "" : ", ", memory_name[from], memory_name[k], (long long)sta__profile.moves[from][k],
                        (long long)sta__profile.moved[from][k]);
                first = 0;
            }
    fputs("], \"peaks\": [", to);
    for (unsigned node = 0; node < starpu_memory_nodes_get_count(); node++)
        fprintf(to, "%s{\"memory\": %u, \"bytes\": %lld}", node ? ", " : "", node, (long long)sta__memory_peak(node));
    fputs("]}\n", to);
    free(rows);
}

const sta_error *sta_profile_save(const char *path)
{
    struct sta__call call = sta__enter("profile_save");
    if (call.error)
        return sta__leave_error(&call);
    FILE *to = path ? fopen(path, "w") : NULL;
    if (!to) {
        sta__fail(&call, path ? STA_ERROR_IO : STA_ERROR_VALUE, "%s: %s", path ? path : "the path is NULL",
                  path ? strerror(errno) : "give the name of a file");
        return sta__leave_error(&call);
    }
    sta__unlock();
    call.locked = false;
    sta__tasks_wait();
    sta__lock();
    sta__profile_lock();
    put_json(to);
    sta__profile_unlock();
    sta__unlock();
    bool fine = !ferror(to);
    fine &= fclose(to) == 0;
    if (!fine)
        sta__fail(&call, STA_ERROR_IO, "%s: %s", path, strerror(errno));
    return sta__leave_error(&call);
}
