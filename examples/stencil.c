/* Heat in a plate: a five-point stencil written with slices, in place. All of the right side is read as it was before the
 * first write, so no second array is needed. ctest: omp sanitize */
#include <starray/starray.h>

#include <stdio.h>

enum { SIZE = 300, STEPS = 200 };

static void step(sta_array u)
{
    sta_scope scope = sta_open(); /* the temporaries of a step die with it */
    sta_array up = sta_slice(u, ":-2, 1:-1"), down = sta_slice(u, "2:, 1:-1");
    sta_array left = sta_slice(u, "1:-1, :-2"), right = sta_slice(u, "1:-1, 2:");
    sta_array sum = sta_add(sta_add(up, down), sta_add(left, right));
    sta_assign(sta_slice(u, "1:-1, 1:-1"), sta_multiply(sum, sta_float(0.25)));
    sta_close(scope);
}

int main(void)
{
    double near = 0, far = 0;
    if (sta_init(NULL))
        return 1;
    sta_array u = sta_zeros(STA_DIMS(SIZE, SIZE), STA_float64);
    sta_assign(sta_slice(u, "0"), sta_int(100)); /* the upper edge is hot */
    for (int k = 0; k < STEPS; k++)
        step(u);

    sta_print(sta_slice(u, ":%d:%d, ::%d", 60, 10, 75));
    const sta_error *error = sta_item_float(sta_slice(u, "10, %d", SIZE / 2), &near);
    if (!error)
        error = sta_item_float(sta_slice(u, "-10, %d", SIZE / 2), &far);
    if (error)
        fprintf(stderr, "%s: %s\n", error->op, error->text);
    printf("10 rows below the hot edge: %.2f; 10 above the cold one: %.2g\n", near, far);
    sta_finish();
    return error || near < 30 || near > 34 || far != 0; /* heat goes one row a step */
}
