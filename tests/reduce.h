/* What the tests of reductions share: all of the functions, and small arrays. */
#ifndef STA_TEST_REDUCE_H
#define STA_TEST_REDUCE_H

#include "sta_test.h"

#include "internal.h"

#include <CUnit/CUnit.h>
#include <math.h>

typedef sta_array (*plain)(sta_array x, sta_dims axes, unsigned flags);
typedef sta_array (*extended)(sta_array x, sta_dims axes, unsigned flags, const sta_reduce_options *options);
static const struct reduction {
    const char *name;
    plain plain;
    extended extended;
} reductions[] = {
    {"sum", sta_sum, sta_sum_ex},
    {"prod", sta_prod, sta_prod_ex},
    {"count_nonzero", sta_count_nonzero, NULL},
    {"min", sta_min, sta_min_ex},
    {"max", sta_max, sta_max_ex},
    {"ptp", sta_ptp, NULL},
    {"argmin", sta_argmin, NULL},
    {"argmax", sta_argmax, NULL},
    {"any", sta_any, sta_any_ex},
    {"all", sta_all, sta_all_ex},
    {"mean", sta_mean, sta_mean_ex},
    {"average", sta_average, sta_average_ex},
    {"median", sta_median, NULL},
    {"var", sta_var, sta_var_ex},
    {"std", sta_std, sta_std_ex},
    {"nansum", sta_nansum, sta_nansum_ex},
    {"nanprod", sta_nanprod, sta_nanprod_ex},
    {"nanmin", sta_nanmin, sta_nanmin_ex},
    {"nanmax", sta_nanmax, sta_nanmax_ex},
    {"nanargmin", sta_nanargmin, NULL},
    {"nanargmax", sta_nanargmax, NULL},
    {"nanmean", sta_nanmean, sta_nanmean_ex},
    {"nanmedian", sta_nanmedian, NULL},
    {"nanvar", sta_nanvar, sta_nanvar_ex},
    {"nanstd", sta_nanstd, sta_nanstd_ex},
};
enum { REDUCTIONS = sizeof reductions / sizeof *reductions };

#define ARRAY(dtype, type, ...)                                                                                        \
    sta_test_array(dtype, (sta_dims){1, {sizeof((type[]){__VA_ARGS__}) / sizeof(type)}}, (type[]){__VA_ARGS__})
#define NUMBERS(...) ARRAY(STA_float64, double, __VA_ARGS__)
#define IS(x, dtype, type, value) STA_ASSERT_EQUAL(x, dtype, STA_SCALAR, ((type[]){value}))

#endif
