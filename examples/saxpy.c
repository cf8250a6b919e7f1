/* y = a x + y in the program's own memory: the library works in place on it, and sta_wait brings the values home.
 * ctest: omp sanitize */
#include <starray/starray.h>

#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    const int64_t n = 1000000;
    float *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y);
    if (!x || !y || sta_init(NULL))
        return 1;
    for (int64_t i = 0; i < n; i++) {
        x[i] = (float)(i % 1000);
        y[i] = 1;
    }
    sta_array a = sta_float(2);
    sta_array from = sta_from_buffer(x, STA_float32, STA_DIMS(n), NULL, STA_READ_ONLY, NULL, NULL);
    sta_array to = sta_from_buffer(y, STA_float32, STA_DIMS(n), NULL, 0, NULL, NULL);

    sta_add_into(to, sta_multiply(a, from), to); /* one pass over memory: the product is never stored */

    const sta_error *error = sta_wait(to);
    if (error)
        fprintf(stderr, "%s: %s\n", error->op, error->text);
    int64_t wrong = 0;
    for (int64_t i = 0; i < n && !error; i++)
        wrong += y[i] != 2 * (float)(i % 1000) + 1;
    printf("y[999] = %g, %lld wrong\n", (double)y[999], (long long)wrong);
    sta_finish();
    free(x);
    free(y);
    return error || wrong;
}
