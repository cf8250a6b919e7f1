/* Errors live in arrays: an expression is written without checks, and whoever wants its values gets the first error.
 * ctest: tiny sanitize */
#include <starray/starray.h>

#include <stdio.h>

static int failures;

static void expect(const char *what, const sta_error *error, sta_error_code code)
{
    printf("%-34s %s\n", what, error ? error->text : "no error");
    failures += (error ? error->code : STA_ERROR_NONE) != code;
}

int main(void)
{
    if (sta_init(NULL))
        return 1;
    sta_array x = sta_zeros(STA_DIMS(3, 4), STA_float64), y = sta_zeros(STA_DIMS(5, 6), STA_float64);

    /* The sum is in error. What is made of it has the same error, and does nothing. */
    sta_array sum = sta_add(x, y), more = sta_mean(sta_exp(sta_slice(sum, "0")), STA_ALL, 0);
    expect("the sum", sta_check(sum), STA_ERROR_SHAPE);
    expect("what is made of it", sta_check(more), STA_ERROR_SHAPE);
    failures += sta_check(sum) != sta_check(more) || sta_ndim(more) != 0;

    /* Who leaves the world of arrays waits, and gets the error. */
    double value = 7;
    expect("reading one number", sta_item_float(more, &value), STA_ERROR_SHAPE);
    failures += value != 7;
    expect("saving", sta_save("never.npy", more), STA_ERROR_SHAPE);

    /* The operands are as good as before. */
    expect("x", sta_wait(x), STA_ERROR_NONE);

    expect("a file", sta_check(sta_load("no such file.npy")), STA_ERROR_IO);
    expect("a slice", sta_check(sta_slice(x, "0, 4")), STA_ERROR_INDEX);
    expect("an axis", sta_check(sta_sum(x, STA_AXES(2), 0)), STA_ERROR_AXIS);
    expect("an exabyte", sta_wait(sta_zeros(STA_DIMS(1 << 27, 1 << 30), STA_float64)), STA_ERROR_MEMORY);
    expect("no array at all", sta_check(sta_add(x, (sta_array){0})), STA_ERROR_INVALID_ARRAY);
    sta_free(y);
    expect("one that was freed", sta_check(sta_add(x, y)), STA_ERROR_INVALID_ARRAY);

    sta_finish(); /* had nobody looked at an error, it would be printed here */
    return failures != 0;
}
