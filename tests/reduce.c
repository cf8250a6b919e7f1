/* Reductions against NumPy, over axes and views, with their options. ctest: tiny here omp gpu */
#include "reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- against NumPy ---- */

static const struct reduction *find(const char *name)
{
    for (int f = 0; f < REDUCTIONS; f++)
        if (strcmp(reductions[f].name, name) == 0)
            return &reductions[f];
    return NULL;
}

/* One line of the oracle's: what is called. */
struct request {
    const struct reduction *function;
    unsigned flags;
    sta_reduce_options options;
    sta_dims axes;
    char view[40];
};

/* "-", or a weak number: i300, f1.5. */
static sta_array read_initial(const char *text)
{
    return text[0] == 'i' ? sta_int(atoll(text + 1)) : text[0] == 'f' ? sta_float(atof(text + 1)) : (sta_array){0};
}

/* Arrays of no elements are not given. */
static sta_array given(const struct sta_record *record)
{
    return record->count ? sta_test_record_array(record) : (sta_array){0};
}

/* From k/call, k/in, k/axes, k/where, k/weights. */
static struct request read_request(const struct sta_oracle *oracle, size_t k)
{
    const struct sta_record *call = sta_oracle_at(oracle, k), *axes = sta_oracle_at(oracle, k + 2);
    struct request q = {.options.size = sizeof q.options};
    char name[40], initial[40];
    int dtype, all;
    int read = sscanf(call->data, "%39s %u %d %lf %d %39s %39[^\n]", name, &q.flags, &dtype, &q.options.correction,
                      &all, initial, q.view);
    CU_ASSERT_EQUAL_FATAL(read, 7);
    q.function = find(name);
    q.options.dtype = (sta_dtype)dtype;
    q.options.initial = read_initial(initial);
    q.options.where = given(sta_oracle_at(oracle, k + 3));
    q.options.weights = given(sta_oracle_at(oracle, k + 4));
    q.axes.count = all ? -1 : (int)axes->count;
    for (int i = 0; i < q.axes.count; i++)
        q.axes.at[i] = ((const int64_t *)axes->data)[i];
    return q;
}

static sta_array view_of(sta_array x, const char *view)
{
    if (strcmp(view, "T") == 0)
        return sta_transpose(x, STA_ALL);
    if (strcmp(view, "B") == 0)
        return sta_broadcast_to(sta_slice(x, ":, :1"), sta_shape(x));
    return sta_slice(x, "%s", view);
}

static struct sta_tolerance tolerance_of(sta_dtype dtype)
{
    static const double error[STA__DTYPES] = {
        [STA_float16] = 2e-3,   [STA_bfloat16] = 1.6e-2, [STA_float32] = 2e-5,
        [STA_complex64] = 2e-5, [STA_float64] = 1e-13,   [STA_complex128] = 1e-13};
    return error[dtype] != 0 ? STA_NEAR(error[dtype], error[dtype]) : STA_EXACT;
}

static sta_error_code code_of(const char *name)
{
    return strcmp(name, "EMPTY") == 0   ? STA_ERROR_EMPTY
           : strcmp(name, "VALUE") == 0 ? STA_ERROR_VALUE
                                        : STA_ERROR_DTYPE;
}

static void compare(const struct sta_oracle *oracle, size_t k)
{
    const struct sta_record *call = sta_oracle_at(oracle, k), *out = sta_oracle_at(oracle, k + 5);
    struct request q = read_request(oracle, k);
    sta_array x = view_of(sta_test_record_array(sta_oracle_at(oracle, k + 1)), q.view);
    bool plain = !q.options.dtype && q.options.correction == 0 && !q.options.initial.id && !q.options.where.id &&
                 !q.options.weights.id;
    sta_array y = plain ? q.function->plain(x, q.axes, q.flags) : q.function->extended(x, q.axes, q.flags, &q.options);
    unsigned before = CU_get_number_of_failures();
    if (strstr(out->name, "error"))
        STA_ASSERT_ERROR(y, code_of(out->data));
    else
        STA_ASSERT_RECORD(y, out, tolerance_of(out->dtype));
    if (CU_get_number_of_failures() > before)
        fprintf(stderr, "\n  %s: %s\n", call->name, (const char *)call->data);
}

static void compare_all(const char *names)
{
    const struct sta_oracle *oracle = sta_test_oracle("reduce", names);
    for (size_t k = 0; oracle && k + 5 < sta_oracle_count(oracle); k += 6) {
        if (sta__runtime.settings.tile_elements && k / 6 % 7)
            continue; /* many tasks: some of the cases are enough */
        sta_scope scope = sta_open();
        compare(oracle, k);
        sta_close(scope);
    }
}

static void sums(void)
{
    compare_all("sum prod count_nonzero any all");
}

static void extremes(void)
{
    compare_all("min max ptp nanmin nanmax");
}

static void positions(void)
{
    compare_all("argmin argmax nanargmin nanargmax");
}

static void moments(void)
{
    compare_all("mean var std average");
}

static void without_nan(void)
{
    compare_all("nansum nanprod nanmean nanvar nanstd");
}

static void medians(void)
{
    compare_all("median nanmedian");
}

/* No elements, no results, or neither. */
static void empty(void)
{
    compare_all("empty");
}

STA_TESTS("reduce", STA_CASE(sums), STA_CASE(extremes), STA_CASE(positions), STA_CASE(moments), STA_CASE(without_nan),
          STA_CASE(medians), STA_CASE(empty))
