/* Reductions whose tasks take many tiles, as where there are GPUs: bits, and how many tasks there are. CPU workers compute them
 * here, which are taken for GPUs.
 * ctest: sanitize */
#include "sta_test.h"

#include "internal.h"
#include "submit.h"

#include <starpu.h>
#include <stdlib.h>
#include <string.h>

typedef sta_array (*function)(sta_array x, sta_dims axes, unsigned flags);

enum { ROWS = 300, COLUMNS = 5, TILE = 64 };
static double numbers[ROWS * COLUMNS];

static sta_array table(void)
{
    for (int i = 0; i < ROWS * COLUMNS; i++)
        numbers[i] = (double)((INT64_C(7919) * i + i / 3) % 20011) * 1.37e-3 - 5;
    return sta_test_array(STA_float64, STA_DIMS(ROWS, COLUMNS), numbers);
}

/* How many tasks the reduction takes; its result in `to`. */
static int64_t tasks_of(function f, sta_array x, sta_dims axes, double *to)
{
    int64_t before = sta__tasks_submitted();
    sta_array y = f(x, axes, 0);
    STA_ASSERT_OK(sta_read(y, to, (size_t)sta_size(y) * sta_itemsize(sta_dtype_of(y))));
    return sta__tasks_submitted() - before;
}

static void compare(function f, const char *name, sta_array x, sta_dims axes)
{
    const int gpus = sta__runtime.gpus;
    double apart[ROWS] = {0}, together[ROWS] = {0};
    sta__runtime.gpus = 0;
    int64_t many = tasks_of(f, x, axes, apart);
    sta__runtime.gpus = gpus;
    int64_t few = tasks_of(f, x, axes, together);
    if (memcmp(apart, together, sizeof apart))
        sta_test_fail(__FILE__, __LINE__, "%s over axis %d has other bits", name, axes.count ? (int)axes.at[0] : -1);
    if (few >= many || few > gpus + 2)
        sta_test_fail(__FILE__, __LINE__, "%s takes %lld tasks instead of %lld", name, (long long)few, (long long)many);
}

static void same_bits(void)
{
    static const struct {
        const char *name;
        function run;
    } table_of[] = {{"sum", sta_sum}, {"var", sta_var}, {"argmax", sta_argmax}, {"prod", sta_prod}};
#ifdef __SANITIZE_THREAD__
    return; /* the number of GPUs is changed while workers may look at it */
#endif
    const sta_init_options options = {.size = sizeof options, .tile_elements = TILE, .inline_bytes = -1};
    CU_ASSERT_FATAL(sta_init(&options) == NULL);
    if (starpu_cpu_worker_get_count() > 0 && sta__runtime.gpus == 0) {
        sta__runtime.gpus = (int)starpu_cpu_worker_get_count();
        sta_array x = table(), y = sta_multiply(x, sta_float(0.5));
        STA_ASSERT_OK(sta_wait(y));
        for (size_t f = 0; f < sizeof table_of / sizeof *table_of; f++) {
            compare(table_of[f].run, table_of[f].name, y, STA_DIMS(0));
            compare(table_of[f].run, table_of[f].name, y, STA_ALL);
        }
        sta__runtime.gpus = 0;
    }
    sta_finish();
}

STA_PURE_TESTS("reduce_together", STA_CASE(same_bits))
