/* Scans. ctest: sanitize tiny omp */
#include "sta_test.h"

static void first(void)
{
    sta_array x = sta_test_array(STA_float64, STA_DIMS(5), ((double[]){1, 2, 3, 4, 5}));
    STA_ASSERT_EQUAL(sta_cumsum(x, 0), STA_float64, STA_DIMS(5), ((double[]){1, 3, 6, 10, 15}));
    STA_ASSERT_EQUAL(sta_cummax(x, 0), STA_float64, STA_DIMS(5), ((double[]){1, 2, 3, 4, 5}));
}

STA_TESTS("scan", STA_CASE(first))
