/* Data that a StarPU program registered, as arrays: kinds, strides, order with the program's tasks, errors.
 * ctest: tiny omp sanitize cpu */
#include "sta_test.h"

#include <starray/starpu.h>

#include <starpu.h>

static void kinds(void)
{
    double number = 5, line[6] = {0, 1, 2, 3, 4, 5}, table[12];
    starpu_data_handle_t handle;
    sta_scope scope = sta_open();
    for (int k = 0; k < 12; k++)
        table[k] = k;
    starpu_variable_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)&number, sizeof number);
    STA_ASSERT_EQUAL(sta_from_handle(handle, STA_float64, 0), STA_float64, STA_SCALAR, ((double[]){5}));
    sta_close(scope);
    starpu_data_unregister(handle);

    scope = sta_open();
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)line, 6, sizeof *line);
    STA_ASSERT_EQUAL(sta_slice(sta_from_handle(handle, STA_float64, 0), "::-2"), STA_float64, STA_DIMS(3),
                     ((double[]){5, 3, 1}));
    sta_close(scope);
    starpu_data_unregister(handle);

    scope = sta_open();
    starpu_matrix_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)table, 4, 2, 3,
                                sizeof *table); /* rows of 2, 4 apart */
    sta_array x = sta_from_handle(handle, STA_float64, 0);
    STA_ASSERT_EQUAL(x, STA_float64, STA_DIMS(3, 2), ((double[]){0, 1, 4, 5, 8, 9}));
    sta_assign(sta_slice(x, ":, 1"), sta_int(-1));
    sta_close(scope);
    starpu_data_unregister(handle); /* waits for the array's end */
    CU_ASSERT(table[1] == -1 && table[5] == -1 && table[9] == -1 && table[2] == 2 && table[8] == 8);
}

static void twice(void *buffers[], void *argument)
{
    float *x = (float *)STARPU_VECTOR_GET_PTR(buffers[0]);
    (void)argument;
    for (unsigned i = 0; i < STARPU_VECTOR_GET_NX(buffers[0]); i++)
        x[i] *= 2;
}

static struct starpu_codelet doubling = {.cpu_funcs = {twice}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "twice"};

static void order(void)
{
    enum { N = 5000 };
    static float memory[N];
    int64_t wrong = 0;
    if (starpu_cpu_worker_get_count() == 0)
        return; /* nobody could run this codelet */
    starpu_data_handle_t handle;
    for (int i = 0; i < N; i++)
        memory[i] = 1;
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)memory, N, sizeof *memory);
    sta_scope scope = sta_open();
    for (int round = 0; round < 3; round++) {
        CU_ASSERT_EQUAL_FATAL(starpu_task_insert(&doubling, STARPU_RW, handle, 0), 0);
        sta_array x = sta_from_handle(handle, STA_float32, 0);
        sta_add_into(x, x, sta_int(1));
        sta_free(x);
    }
    sta_close(scope);
    starpu_data_unregister(handle);
    for (int i = 0; i < N; i++)
        wrong += memory[i] != 15; /* ((1 * 2 + 1) * 2 + 1) * 2 + 1 */
    CU_ASSERT_EQUAL(wrong, 0);
}

static void errors(void)
{
    double line[4] = {0};
    starpu_data_handle_t vector, nothing;
    sta_scope scope = sta_open();
    starpu_vector_data_register(&vector, STARPU_MAIN_RAM, (uintptr_t)line, 4, sizeof *line);
    starpu_void_data_register(&nothing);
    STA_ASSERT_ERROR(sta_from_handle(NULL, STA_float64, 0), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_from_handle(vector, STA_float64, 64), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_from_handle(nothing, STA_float64, 0), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_from_handle(vector, (sta_dtype)99, 0), STA_ERROR_DTYPE);
    sta_array narrow = sta_from_handle(vector, STA_float32, 0);
    STA_ASSERT_ERROR(narrow, STA_ERROR_DTYPE);
    STA_ASSERT_TEXT(sta_check(narrow)->text, "the elements of the data have 8 bytes, those of float32 4");
    sta_array fixed = sta_from_handle(vector, STA_int64, STA_READ_ONLY); /* the same size: any dtype */
    STA_ASSERT_ERROR(sta_assign(fixed, sta_int(1)), STA_ERROR_READ_ONLY);
    sta_close(scope);
    starpu_data_unregister(nothing);
    starpu_data_unregister(vector);
}

STA_TESTS("handle", STA_CASE(kinds), STA_CASE(order), STA_CASE(errors))
