/* Arrays of zeros, whose memory nobody writes where it is zero already: after others have used it, in parts, and written to
 * later. ctest: omp sanitize */
#include "sta_test.h"

#include "internal.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* NOW; one tile that huge pages do not hold; several, the last a small one; of two axes. */
static const sta_dims shapes[] = {{1, {1000}}, {1, {100000}}, {1, {1048576}}, {1, {1300003}}, {2, {1200, 1001}}};
enum { SHAPES = sizeof shapes / sizeof *shapes };
static const sta_dtype dtypes[] = {STA_bool, STA_int8, STA_uint16, STA_float32, STA_int64, STA_complex128};
enum { DTYPES = sizeof dtypes / sizeof *dtypes };

static bool all_zero(sta_array x)
{
    const size_t bytes = (size_t)sta_size(x) * sta_itemsize(sta_dtype_of(x));
    char *data = malloc(bytes + 1);
    bool right = data && !sta_read(x, data, bytes);
    for (size_t i = 0; i < bytes && right; i++)
        right = data[i] == 0;
    free(data);
    return right;
}

/* Leaves buffers of such arrays behind, full of something else; and no array is too small for zeros without writing. */
static void use_memory(sta_dims shape, sta_dtype dtype)
{
    sta__runtime.settings.cache_bytes = 0;
    sta_scope scope = sta_open();
    for (int k = 0; k < 3; k++)
        STA_ASSERT_OK(sta_wait(sta_eval(sta_full(shape, sta_int(1), dtype))));
    sta_close(scope);
}

static void after_others(void)
{
    for (int k = 0; k < SHAPES * DTYPES; k++) {
        const sta_dims shape = shapes[k % SHAPES];
        const sta_dtype dtype = dtypes[k / SHAPES];
        sta_scope scope = sta_open();
        use_memory(shape, dtype);
        sta_array ones = sta_ones(shape, dtype);
        sta_array made[] = {sta_zeros(shape, dtype), sta_empty(shape, dtype), sta_full(shape, sta_bool(0), dtype),
                            sta_zeros_like(ones, STA_DTYPE_NONE), sta_full_like(ones, sta_int(0), STA_DTYPE_NONE)};
        for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
            STA_ASSERT_OK(sta_wait(made[i]));
            CU_ASSERT(all_zero(made[i]));
        }
        sta_close(scope);
    }
}

/* A zero with a sign has a bit. */
static void minus_zero(void)
{
    double value = 0;
    sta_array x = sta_full(STA_DIMS(1300003), sta_float(-0.0), STA_float64);
    STA_ASSERT_OK(sta_wait(x));
    STA_ASSERT_OK(sta_item_float(sta_slice(x, "1234567"), &value));
    CU_ASSERT(value == 0 && signbit(value));
}

/* Written in a part, whole, and while another array shares the tiles. */
static void written_later(void)
{
    for (int k = 0; k < SHAPES; k++) {
        sta_scope scope = sta_open();
        use_memory(shapes[k], STA_float64);
        sta_array x = sta_zeros(shapes[k], STA_float64), y, part;
        STA_ASSERT_OK(sta_wait(x));
        y = sta_copy(x);
        part = sta_slice(x, "3:-4:2");
        sta_assign(part, sta_int(5));
        sta_add_into(part, part, sta_int(2));
        CU_ASSERT(all_zero(y));
        CU_ASSERT(all_zero(sta_subtract(part, sta_int(7))));
        CU_ASSERT(all_zero(sta_slice(x, "4:-4:2")));
        CU_ASSERT(all_zero(sta_slice(x, "-4:")));
        sta_assign(sta_slice(y, "1:"), sta_slice(sta_ones(shapes[k], STA_float64), "1:"));
        CU_ASSERT(all_zero(sta_slice(y, "0")));
        CU_ASSERT(all_zero(sta_subtract(sta_slice(y, "1:"), sta_int(1))));
        sta_close(scope);
    }
}

/* What reads them: tasks that compute, turn and join. */
static void read_later(void)
{
    for (int k = 0; k < SHAPES; k++) {
        sta_scope scope = sta_open();
        use_memory(shapes[k], STA_float64);
        sta_array x = sta_zeros(shapes[k], STA_float64), one = sta_ones(shapes[k], STA_float64);
        STA_ASSERT_OK(sta_wait(x));
        CU_ASSERT(all_zero(sta_subtract(sta_add(x, one), one)));
        CU_ASSERT(all_zero(sta_sum(x, STA_ALL, 0)));
        CU_ASSERT(all_zero(sta_positive(sta_transpose(x, STA_ALL))));
        CU_ASSERT(all_zero(sta_positive(sta_flip(x, STA_ALL))));
        CU_ASSERT(all_zero(sta_concat((sta_array[]){x, x}, 2, 0)));
        CU_ASSERT(all_zero(sta_cumsum(x, 0)));
        CU_ASSERT(all_zero(x));
        sta_close(scope);
    }
}

static const char *make_some(int seed)
{
    for (size_t k = 0; k < 12; k++) {
        sta_scope scope = sta_open();
        const sta_dims shape = shapes[(k + (size_t)seed) % SHAPES];
        sta_array x = sta_zeros(shape, STA_float64), y = sta_full(shape, sta_int(3), STA_float64);
        if (sta_wait(x) || sta_wait(y) || !all_zero(x) || !all_zero(sta_subtract(y, sta_int(3))))
            return "not what was asked for";
        sta_assign(sta_slice(x, "1:"), sta_int(1));
        if (!all_zero(sta_slice(x, ":1")) || !all_zero(sta_subtract(sta_slice(x, "1:"), sta_int(1))))
            return "not what was assigned";
        sta_close(scope);
    }
    return NULL;
}

static void from_threads(void)
{
    sta_test_threads(4, make_some);
}

STA_TESTS("zeros", STA_CASE(after_others), STA_CASE(minus_zero), STA_CASE(written_later), STA_CASE(read_later),
          STA_CASE(from_threads))
