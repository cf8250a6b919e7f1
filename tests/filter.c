/* User memory as tiles: values at home, done called once and in time, memory of StarPU programs. ctest: sanitize cpu */
#include "sta_test.h"

#include "partition/filter.h"

#include "partition/tile.h"
#include "runtime.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- tasks that add 1 to a tile of float64 ---- */

static void add_to(char *data, const struct sta__memory *m, int axis)
{
    if (axis == m->ndim) {
        *(double *)(void *)data += 1;
        return;
    }
    for (int64_t i = 0; i < m->shape[axis]; i++)
        add_to(data + i * m->stride[axis], m, axis + 1);
}

static void add_one(void *buffers[], void *tile)
{
    struct sta__memory m;

    sta__tile_arrive(tile);
    if (sta__tile_memory(buffers[0], &m))
        add_to(m.data, &m, 0);
    sta__tile_leave(tile);
}

static void slow_add_one(void *buffers[], void *tile)
{
    usleep(20000);
    add_one(buffers, tile);
}

static struct starpu_codelet adding = {.cpu_funcs = {add_one}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "add_one"};
static struct starpu_codelet slowly = {
    .cpu_funcs = {slow_add_one}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "slow"};

static void drop(void *tile)
{
    sta__tile_drop(tile);
    sta__budget_leave(1);
}

/* As the library submits: with the lock, a reference held until the callback. */
static void submit(struct starpu_codelet *codelet, struct sta__tile *tile)
{
    struct starpu_task *task = starpu_task_create();

    task->cl = codelet;
    task->handles[0] = sta__tile_handle(tile);
    task->cl_arg = tile;
    task->callback_func = drop;
    task->callback_arg = sta__tile_take(tile);
    sta__budget_enter(1);
    sta__lock();
    CU_ASSERT_EQUAL_FATAL(starpu_task_submit(task), 0);
    sta__unlock();
}

static atomic_int done_calls;

static void done(void *argument)
{
    if (sta__lock_held())
        abort();
    atomic_fetch_add((atomic_int *)argument, 1);
}

static int64_t wrong_values(const double *memory, int64_t count, double expected)
{
    int64_t wrong = 0;

    for (int64_t k = 0; k < count; k++)
        wrong += memory[k] != expected;
    return wrong;
}

static void make_root(void *memory, const int64_t *stride, const struct sta__grid *grid, struct sta__tile **tiles)
{
    struct sta__owner owner = {done, &done_calls};

    CU_ASSERT_FATAL(sta__root_make(memory, STA_float64, stride, grid, owner, tiles));
}

static void drop_tiles(struct sta__tile **tiles, int64_t count)
{
    for (int64_t t = 0; t < count; t++)
        sta__tile_drop(tiles[t]);
}

/* ---- */

static void start(void)
{
    atomic_store(&done_calls, 0);
    CU_ASSERT_PTR_NULL_FATAL(sta_init(NULL));
}

static void stop(void)
{
    sta_finish();
    CU_ASSERT_EQUAL(sta__tiles_alive(), 0);
}

static void test_contiguous(void)
{
    enum { ROWS = 37, COLUMNS = 23 };
    static double memory[ROWS * COLUMNS];
    struct sta__shape shape = {2, {ROWS, COLUMNS}};
    struct sta__grid *grid = sta__grid_regular(&shape, (int64_t[]){10, 7});
    struct sta__tile *tiles[16];

    start();
    memset(memory, 0, sizeof memory);
    CU_ASSERT_EQUAL_FATAL(grid->tiles, 16);
    make_root(memory, NULL, grid, tiles);
    sta__grid_drop(grid);
    for (int round = 1; round <= 3; round++) {
        for (int t = 0; t < 16; t++)
            submit(&adding, tiles[t]);
        sta__root_home(tiles[0]->root);
        sta__tile_arrive(tiles[0]); /* for the sanitizer; the others hide behind it in StarPU */
        CU_ASSERT_EQUAL(wrong_values(memory, ROWS * COLUMNS, round), 0);
    }
    for (int t = 0; t < 16; t++)
        submit(&adding, tiles[t]);
    CU_ASSERT_EQUAL(atomic_load(&done_calls), 0); /* tiles still use it */
    drop_tiles(tiles, 16);
    stop();
    CU_ASSERT_EQUAL(atomic_load(&done_calls), 1);
    CU_ASSERT_EQUAL(wrong_values(memory, ROWS * COLUMNS, 4), 0);
}

/* Every second element, backwards along one axis; what lies between is not ours. */
static void test_strided(void)
{
    enum { ROWS = 20, COLUMNS = 30 };
    static double memory[ROWS][COLUMNS];
    struct sta__shape shape = {2, {ROWS / 2, COLUMNS / 3}};
    int64_t stride[] = {-2 * COLUMNS * (int64_t)sizeof(double), 3 * (int64_t)sizeof(double)};
    struct sta__grid *grid = sta__grid_regular(&shape, (int64_t[]){3, 4});
    struct sta__tile *tiles[12];
    int64_t wrong = 0;

    start();
    memset(memory, 0, sizeof memory);
    CU_ASSERT_EQUAL_FATAL(grid->tiles, 12);
    make_root(&memory[ROWS - 1][1], stride, grid, tiles);
    for (int t = 0; t < 12; t++)
        for (int k = 0; k <= t; k++)
            submit(&adding, tiles[t]);
    drop_tiles(tiles, 12);
    stop();
    CU_ASSERT_EQUAL(atomic_load(&done_calls), 1);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            bool ours = i % 2 == 1 && j % 3 == 1;
            double expected = ours ? 3 * ((ROWS - 1 - i) / 2 / 3) + (j - 1) / 3 / 4 + 1 : 0;

            wrong += memory[i][j] != expected;
        }
    CU_ASSERT_EQUAL(wrong, 0);
    sta__grid_drop(grid);
}

/* done comes after the last task, whichever thread drops the last tile, and never with the lock. */
static void test_done(void)
{
    double memory[6] = {0};
    struct sta__shape shape = {1, {6}};
    struct sta__grid *grid = sta__grid_regular(&shape, (int64_t[]){2});
    struct sta__tile *tiles[3];

    start();
    for (int variant = 0; variant < 4; variant++) {
        atomic_store(&done_calls, 0);
        memset(memory, 0, sizeof memory);
        make_root(memory, NULL, grid, tiles);
        for (int t = 0; t < 3 && variant < 2; t++)
            submit(variant ? &slowly : &adding, tiles[t]);
        if (variant == 3)
            sta__lock();
        drop_tiles(tiles, 3);
        if (variant == 1)
            CU_ASSERT_EQUAL(atomic_load(&done_calls), 0);
        if (variant == 3)
            sta__unlock();
        sta__tasks_wait();
        sta__roots_finish();
        CU_ASSERT_EQUAL(atomic_load(&done_calls), 1);
        CU_ASSERT_EQUAL(wrong_values(memory, 6, variant < 2), 0);
    }
    CU_ASSERT_FATAL(sta__root_make(memory, STA_float64, NULL, grid, (struct sta__owner){NULL, NULL}, tiles));
    drop_tiles(tiles, 3);
    stop();
    sta__grid_drop(grid);
}

static void test_no_memory(void)
{
    double memory[6] = {0};
    struct sta__shape shape = {1, {6}};
    struct sta__grid *grid = sta__grid_regular(&shape, (int64_t[]){2});
    struct sta__tile *tiles[3];
    bool made = false;
    int k = 0;

    start();
    while (!made && k < 20) {
        sta__fail_allocation(++k);
        made = sta__root_make(memory, STA_float64, NULL, grid, (struct sta__owner){done, &done_calls}, tiles);
        sta__fail_allocation(0);
    }
    CU_ASSERT(k > 3);
    CU_ASSERT_EQUAL(atomic_load(&done_calls), 0);
    CU_ASSERT_FATAL(made);
    drop_tiles(tiles, 3);
    stop();
    CU_ASSERT_EQUAL(atomic_load(&done_calls), 1);
    sta__grid_drop(grid);
}

/* One thread brings values home again and again while others write. */
static void *write_much(void *tile)
{
    for (int k = 0; k < 200; k++)
        submit(&adding, tile);
    return NULL;
}

static void test_threads(void)
{
    static double memory[8000];
    struct sta__shape shape = {1, {8000}};
    struct sta__grid *grid = sta__grid_regular(&shape, (int64_t[]){2000});
    struct sta__tile *tiles[4];
    pthread_t thread[4];

    start();
    memset(memory, 0, sizeof memory);
    make_root(memory, NULL, grid, tiles);
    for (int t = 0; t < 4; t++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[t], NULL, write_much, tiles[t]), 0);
    for (int k = 0; k < 20; k++)
        sta__root_home(tiles[0]->root);
    for (int t = 0; t < 4; t++)
        pthread_join(thread[t], NULL);
    sta__root_home(tiles[0]->root);
    for (int t = 0; t < 4; t++)
        sta__tile_arrive(tiles[t]);
    CU_ASSERT_EQUAL(wrong_values(memory, 8000, 200), 0);
    drop_tiles(tiles, 4);
    stop();
    CU_ASSERT_EQUAL(atomic_load(&done_calls), 1);
    sta__grid_drop(grid);
}

/* ---- data of a StarPU program ---- */

static void double_all(void *buffers[], void *unused)
{
    struct starpu_matrix_interface *matrix = buffers[0];

    (void)unused;
    for (uint32_t j = 0; j < matrix->ny; j++)
        for (uint32_t i = 0; i < matrix->nx; i++)
            ((double *)matrix->ptr)[j * matrix->ld + i] *= 2;
}

static struct starpu_codelet doubling = {
    .cpu_funcs = {double_all}, .nbuffers = 1, .modes = {STARPU_RW}, .name = "double"};

static void double_it(starpu_data_handle_t handle)
{
    struct starpu_task *task = starpu_task_create();

    task->cl = &doubling;
    task->handles[0] = handle;
    CU_ASSERT_EQUAL_FATAL(starpu_task_submit(task), 0);
}

static void test_borrow(void)
{
    double memory[5][8], cube[24] = {0};
    starpu_data_handle_t handle, other;
    struct sta__borrowed data;
    struct sta__grid *grid;
    struct sta__tile *tiles[4];
    int64_t wrong = 0;

    start();
    for (int k = 0; k < 40; k++)
        memory[k / 8][k % 8] = 1;
    starpu_matrix_data_register(&handle, STARPU_MAIN_RAM, (uintptr_t)memory, 8, 6, 5, sizeof(double));
    double_it(handle); /* 2 */
    CU_ASSERT_FATAL(sta__handle_borrow(handle, &data));
    CU_ASSERT(data.shape.ndim == 2 && data.shape.at[0] == 5 && data.shape.at[1] == 6);
    CU_ASSERT(data.stride[0] == 64 && data.stride[1] == 8 && data.item == 8 && data.memory == memory);
    grid = sta__grid_regular(&data.shape, (int64_t[]){3, 4});
    CU_ASSERT_FATAL(sta__root_make(data.memory, STA_float64, data.stride, grid,
                                   (struct sta__owner){sta__handle_return, handle}, tiles));
    for (int t = 0; t < 4; t++)
        submit(&slowly, tiles[t]); /* 3 */
    double_it(handle);             /* 6: waits for the array's end */
    drop_tiles(tiles, 4);
    starpu_data_acquire(handle, STARPU_R);
    for (int k = 0; k < 40; k++)
        wrong += memory[k / 8][k % 8] != (k % 8 < 6 ? 6 : 1);
    CU_ASSERT_EQUAL(wrong, 0);
    starpu_data_release(handle);
    starpu_data_unregister(handle);

    starpu_block_data_register(&other, STARPU_MAIN_RAM, (uintptr_t)cube, 4, 12, 3, 3, 2, sizeof(double));
    CU_ASSERT_FATAL(sta__handle_borrow(other, &data));
    CU_ASSERT(data.shape.ndim == 3 && data.shape.at[0] == 2 && data.shape.at[1] == 3 && data.shape.at[2] == 3);
    CU_ASSERT(data.stride[0] == 96 && data.stride[1] == 32 && data.stride[2] == 8);
    sta__handle_return(other);
    starpu_data_unregister(other);
    starpu_void_data_register(&other);
    CU_ASSERT_FALSE(sta__handle_borrow(other, &data));
    starpu_data_unregister(other);
    sta__grid_drop(grid);
    stop();
}

STA_PURE_TESTS("filter", STA_CASE(test_contiguous), STA_CASE(test_strided), STA_CASE(test_done),
               STA_CASE(test_no_memory), STA_CASE(test_threads), STA_CASE(test_borrow))
