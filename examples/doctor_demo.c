/* Costly habits, one each, and what STA_DOCTOR=1 says of them. Each runs in a library started anew, with its settings.
 * links: glib-2.0 openblas */
#define _XOPEN_SOURCE 700
#include <starray/starray.h>

#include <cblas.h>
#include <ftw.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4 << 20 };

static void check(const sta_error *error)
{
    if (error)
        fprintf(stderr, "%s: %s\n", error->op, error->text);
}

static sta_array ones(int64_t n, sta_dtype dtype)
{
    return sta_eval(sta_ones(STA_DIMS(n), dtype));
}

/* ---- the habits ---- */

static void sum_one_by_one(void)
{
    sta_array x = ones(1000, STA_float64);
    double sum = 0, element = 0;
    for (int i = 0; i < 1000 && !sta_item_float(sta_slice(x, "%d", i), &element); i++)
        sum += element;
    printf("a sum of %g\n", sum);
}

static void look_after_each_step(void)
{
    sta_array x = ones(1 << 19, STA_float64);
    double size = 1;
    for (int k = 0; k < 60; k++) {
        x = sta_eval(sta_multiply(x, sta_float(0.9)));
        check(sta_item_float(sta_max(x, STA_ALL, 0), &size));
    }
    printf("down to %.3g\n", size);
}

static void transform_along_both_axes(void)
{
    sta_array x = sta_eval(sta_ones(STA_DIMS(1024, 1024), STA_complex128));
    check(sta_wait(sta_fft(sta_fft(x, 1, NULL), 0, NULL)));
}

static void add_one(void)
{
    check(sta_wait(sta_add(ones(2 * N, STA_float64), sta_int(1))));
}

static void scale_by_a_float64(void)
{
    sta_array scale = sta_full(STA_DIMS(1), sta_float(0.1), STA_float64);
    check(sta_wait(sta_multiply(ones(N, STA_float32), scale)));
}

static void broadcast_first(void)
{
    sta_array row = sta_linspace(0, 1, 1024, STA_float64);
    check(sta_wait(sta_exp(sta_broadcast_to(row, STA_DIMS(1024, 1024)))));
}

static void keep_what_is_used_up(void)
{
    sta_array x = ones(N, STA_float64), y = sta_int(0);
    check(sta_wait(sta_sum(x, STA_ALL, 0)));
    for (int k = 0; k < 200; k++)
        y = sta_add(y, sta_int(k));
    check(sta_wait(y));
}

/* Half a second of exponentials; each is waited for if the next one needs it. */
static void work(bool step_by_step)
{
    sta_array x = ones(N, STA_float64);
    for (gint64 end = g_get_monotonic_time() + 800000; g_get_monotonic_time() < end;) {
        sta_scope scope = sta_open();
        sta_array y = sta_eval(sta_exp(sta_negative(x)));
        if (step_by_step)
            check(sta_wait(y));
        sta_close(scope);
    }
    check(sta_wait(x));
}

static void work_on_one_tile(void)
{
    work(true);
}

static void work_on_many_tiles(void)
{
    work(false);
}

static void work_on_new_things(void)
{
    sta_array x = ones(N, STA_float64);
    gint64 end = g_get_monotonic_time() + 1000000;
    for (int terms = 1; g_get_monotonic_time() < end; terms++) {
        sta_scope scope = sta_open();
        sta_array y = x;
        for (int k = 0; k < terms; k++)
            y = sta_exp(sta_negative(y));
        check(sta_wait(y));
        sta_close(scope);
    }
}

static void give_threads_to_openblas(void)
{
    sta_array x = sta_ones(STA_DIMS(100, 100), STA_float64);
    check(sta_wait(sta_matmul(x, x)));
    openblas_set_num_threads(4);
    check(sta_wait(sta_matmul(x, x)));
}

static const struct habit {
    const char *check, *setting, *value;
    void (*run)(void);
} habits[] = {
    {"element-access", NULL, NULL, sum_one_by_one},
    {"sync-in-loop", NULL, NULL, look_after_each_step},
    {"recuts", NULL, NULL, transform_along_both_axes},
    {"tiles-too-small", "STA_TILE_ELEMS", "1000", add_one},
    {"tiles-too-few", "STA_TILE_ELEMS", "100000000", add_one},
    {"float64", NULL, NULL, scale_by_a_float64},
    {"broadcast-writes", NULL, NULL, broadcast_first},
    {"kept-arrays", NULL, NULL, keep_what_is_used_up},
    {"idle-device", "STA_TILE_ELEMS", "100000000", work_on_one_tile},
    {"memory-pressure", "STA_BUDGET", "1M", work_on_many_tiles},
    {"few-workers", "STARPU_NCPU", "1", work_on_many_tiles},
    {"uncalibrated", "STA_CPU", "auto", work_on_new_things},
    {"blas-threads", NULL, NULL, give_threads_to_openblas},
};

/* Whether the doctor named it. */
static bool examine(const struct habit *habit)
{
    char anchor[80];
    g_setenv("STA_CPU", "seq", TRUE);
    if (habit->setting)
        g_setenv(habit->setting, habit->value, TRUE);
    bool started = !sta_init(NULL) && !sta_doctor_start();
    sta_scope scope = sta_open();
    if (started)
        habit->run();
    sta_close(scope);
    char *text = started ? sta_doctor_text() : NULL;
    snprintf(anchor, sizeof anchor, "doctor.md#%s\n", habit->check);
    bool named = text && strstr(text, anchor);
    printf("---- %s: %s\n%s\n", habit->check, named ? "found" : "NOT FOUND", text ? text : "");
    free(text);
    sta_finish();
    if (habit->setting)
        g_unsetenv(habit->setting);
    openblas_set_num_threads(1);
    return named;
}

static int remove_one(const char *path, const struct stat *facts, int type, struct FTW *where)
{
    (void)facts, (void)type, (void)where;
    return remove(path);
}

int main(void)
{
    char *folder = g_dir_make_tmp("doctor-demo-XXXXXX", NULL);
    int missed = 0;
    if (g_get_num_processors() < 2 || !folder)
        return 77; /* nobody to be idle */
    /* As on a machine without GPUs that was never calibrated. */
    g_setenv("STA_DEVICES", "cpu", TRUE);
    g_setenv("STARPU_HOME", folder, TRUE);
    g_setenv("XDG_CACHE_HOME", folder, TRUE);
    g_setenv("STA_MACHINES", folder, TRUE);
    for (size_t k = 0; k < sizeof habits / sizeof *habits; k++)
        missed += !examine(&habits[k]);
    printf("%d habits were not found\n", missed);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    g_free(folder);
    return missed;
}
