/* A program with tasks of its own joins the library: the same workers, the same scheduler, and data that goes from its
 * tasks to arrays and back without a copy. links: starpu ctest: cpu */
#define _GNU_SOURCE /* StarPU's headers want it where the compiler is strict about C11 */
#include <starray/starray.h>
#include <starray/starpu.h>

#include <starpu.h>
#include <stdio.h>

enum { N = 100000 };

static void count_up(void *buffers[], void *argument)
{
    double *x = (double *)STARPU_VECTOR_GET_PTR(buffers[0]);
    (void)argument;
    for (unsigned i = 0; i < STARPU_VECTOR_GET_NX(buffers[0]); i++)
        x[i] += i;
}

static struct starpu_codelet counting = {
    .cpu_funcs = {count_up}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "count_up"};

int main(void)
{
    static double memory[N];
    starpu_data_handle_t vector;
    double sum = 0;
    if (starpu_init(NULL))
        return 77; /* no worker here */
    starpu_vector_data_register(&vector, STARPU_MAIN_RAM, (uintptr_t)memory, N, sizeof *memory);
    starpu_task_insert(&counting, STARPU_RW, vector, 0); /* x[i] = i */

    sta_init(NULL); /* finds StarPU running, and joins it */
    sta_scope scope = sta_open();
    sta_array x = sta_from_handle(vector, STA_float64, 0); /* waits for the task above */
    const sta_error *error = sta_item_float(sta_sum(x, STA_ALL, 0), &sum);
    sta_assign(x, sta_multiply(x, sta_int(2))); /* x[i] = 2 i */
    sta_close(scope);                           /* gives the vector back when that is done */

    starpu_task_insert(&counting, STARPU_RW, vector, 0); /* x[i] = 3 i */
    starpu_data_unregister(vector);
    if (error)
        fprintf(stderr, "%s: %s\n", error->op, error->text);
    printf("sum of i: %.0f; last element: %.0f\n", sum, memory[N - 1]);
    sta_finish(); /* leaves StarPU to the program */
    starpu_shutdown();
    return error || sum != (double)N * (N - 1) / 2 || memory[N - 1] != 3.0 * (N - 1);
}
