/* Arrays larger than a GPU's memory: StarPU evicts tiles and brings them back. ctest: gpu */
#include "sta_test.h"

#include <stdlib.h>

enum { N = 24 << 20 }; /* float32: 96 MiB an array, under a limit of 64 MB */

__attribute__((constructor)) static void limit_memory(void)
{
    setenv("STARPU_LIMIT_CUDA_MEM", "64", 1);
    setenv("STA_TILE_ELEMS", "1048576", 1);
}

/* Every array is read again after the others have pushed it out. */
static void more_than_the_memory(void)
{
    sta_array x[4];
    double sum;
    for (int k = 0; k < 4; k++)
        x[k] = sta_eval(sta_add(sta_arange_int(0, N, 1, STA_float32), sta_float(k)));
    for (int round = 0; round < 2; round++)
        for (int k = 0; k < 4; k++) {
            STA_ASSERT_OK(sta_item_float(sta_sum(sta_less(x[k], sta_float(k + 1000)), STA_ALL, 0), &sum));
            CU_ASSERT_EQUAL(sum, 1000);
        }
    sta_array all = sta_add(sta_add(x[0], x[1]), sta_add(x[2], x[3]));
    STA_ASSERT_OK(sta_item_float(sta_slice(all, "%d", 1000), &sum));
    CU_ASSERT_EQUAL(sum, 4006);
}

/* A chain of steps that each keep their result. */
static void written_and_read_again(void)
{
    sta_array x = sta_zeros(STA_DIMS(N), STA_float32);
    for (int k = 0; k < 6; k++)
        sta_assign(x, sta_add(x, sta_float(1)));
    double sum;
    STA_ASSERT_OK(sta_item_float(sta_sum(x, STA_ALL, 0), &sum));
    CU_ASSERT_EQUAL(sum, 6.0 * N);
}

STA_TESTS("evict", STA_CASE(more_than_the_memory), STA_CASE(written_and_read_again))
