/* Tiles as StarPU handles: written, read, copied, packed, dropped, and what happens without memory. ctest: sanitize cpu */
#include "sta_test.h"

#include "tile.h"

#include "failure.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- tasks on tiles, as the library makes them ---- */

static atomic_int bodies, empties;

struct arguments {
    struct sta__tile *tile; /* a reference, dropped by the callback */
    int64_t value;
};

static void fill(void *buffers[], void *argument)
{
    struct arguments *arguments = argument;
    struct sta__memory to;

    sta__tile_arrive(arguments->tile);
    if (!sta__tile_memory(buffers[0], &to)) {
        atomic_fetch_add(&empties, 1);
        return;
    }
    for (int64_t i = 0, n = sta__interface_bytes(buffers[0]) / 4; i < n; i++)
        ((int32_t *)(void *)to.data)[i] = (int32_t)(i + arguments->value);
    atomic_fetch_add(&bodies, 1);
    sta__tile_leave(arguments->tile);
}

static void check(void *buffers[], void *argument)
{
    struct arguments *arguments = argument;
    struct sta__memory from;
    int64_t wrong = 0;

    sta__tile_arrive(arguments->tile);
    if (!sta__tile_memory(buffers[0], &from)) {
        atomic_fetch_add(&empties, 1);
        return;
    }
    for (int64_t i = 0, n = sta__interface_bytes(buffers[0]) / 4; i < n; i++)
        wrong += ((int32_t *)(void *)from.data)[i] != i + arguments->value;
    if (wrong)
        abort();
    atomic_fetch_add(&bodies, 1);
    sta__tile_leave(arguments->tile);
}

static struct starpu_codelet filling = {.cpu_funcs = {fill}, .nbuffers = 1, .modes = {STARPU_W}, .name = "fill"};
static struct starpu_codelet checking = {.cpu_funcs = {check}, .nbuffers = 1, .modes = {STARPU_R}, .name = "check"};

static void end(void *argument)
{
    struct arguments *arguments = argument;

    sta__tile_drop(arguments->tile);
    free(arguments);
}

/* The task holds a reference until its callback, as those of the library do. */
static void submit(struct starpu_codelet *codelet, struct sta__tile *tile, int64_t value)
{
    struct starpu_task *task = starpu_task_create();
    struct arguments *arguments = malloc(sizeof *arguments);

    *arguments = (struct arguments){sta__tile_take(tile), value};
    task->cl = codelet;
    task->handles[0] = sta__tile_handle(tile);
    task->cl_arg = arguments;
    task->callback_func = end;
    task->callback_arg = arguments;
    CU_ASSERT_EQUAL_FATAL(starpu_task_submit(task), 0);
}

static struct sta__tile *tile_of(sta_dtype dtype, int ndim, const int64_t *shape)
{
    struct sta__box box = {.ndim = ndim};
    struct sta__tile *tile;

    for (int axis = 0; axis < ndim; axis++) {
        box.from[axis] = 5;
        box.to[axis] = 5 + shape[axis];
    }
    tile = sta__tile_new(dtype, &box);
    CU_ASSERT_PTR_NOT_NULL_FATAL(tile);
    return tile;
}

static void start(void)
{
    struct starpu_conf conf;

    starpu_conf_init(&conf);
    conf.catch_signals = 0;
    if (starpu_init(&conf))
        exit(77);
    sta__tiles_start();
    atomic_store(&bodies, 0);
    atomic_store(&empties, 0);
}

static void stop(void)
{
    starpu_task_wait_for_all(); /* their callbacks drop tiles */
    sta__tiles_wait();
    CU_ASSERT_EQUAL(sta__tiles_alive(), 0);
    starpu_shutdown();
    sta__pool_limit(0);
}

/* ---- */

static void test_life(void)
{
    int64_t shapes[][STA_MAXDIM] = {
        {1}, {0}, {3, 4, 5}, {1000, 1000}, {2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 3}};
    int ndims[] = {0, 1, 3, 2, 16};

    start();
    for (int round = 0; round < 3; round++) {
        for (size_t k = 0; k < sizeof ndims / sizeof *ndims; k++) {
            struct sta__tile *tile = tile_of(STA_int32, ndims[k], shapes[k]);

            submit(&filling, tile, round);
            submit(&checking, tile, round);
            sta__tile_drop(tile); /* long before the tasks have ended */
        }
        sta__tile_drop(tile_of(STA_float64, 2, shapes[3])); /* never written */
    }
    stop();
    CU_ASSERT_EQUAL(atomic_load(&bodies), 30);
    CU_ASSERT_EQUAL(atomic_load(&empties), 0);
}

static void *make_tiles(void *argument)
{
    (void)argument;
    for (int k = 0; k < 300; k++) {
        int64_t shape[] = {1 + k, 3};
        struct sta__tile *tile = tile_of(STA_int32, 2, shape);

        submit(&filling, tile, k);
        submit(&checking, tile, k);
        sta__tile_drop(tile);
    }
    return NULL;
}

static void test_threads(void)
{
    pthread_t thread[3];

    start();
    for (int k = 0; k < 3; k++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[k], NULL, make_tiles, NULL), 0);
    for (int k = 0; k < 3; k++)
        pthread_join(thread[k], NULL);
    stop();
    CU_ASSERT_EQUAL(atomic_load(&bodies), 1800);
}

static void test_no_memory_for_tile(void)
{
    int64_t shape[] = {3};

    start();
    CU_ASSERT_PTR_NULL(sta__tile_new(STA_float64, &(struct sta__box){2, {0}, {(int64_t)1 << 40, (int64_t)1 << 40}}));
    sta__fail_allocation(1);
    CU_ASSERT_PTR_NULL(sta__tile_new(STA_int32, &(struct sta__box){1, {0}, {3}}));
    sta__fail_allocation(0);
    for (int k = 1; k < 4; k++) { /* a lack that passes is not seen */
        struct sta__tile *tile = tile_of(STA_int32, 1, shape);

        sta__fail_allocation(k);
        submit(&filling, tile, 7);
        submit(&checking, tile, 7);
        starpu_data_acquire(sta__tile_handle(tile), STARPU_R);
        starpu_data_release(sta__tile_handle(tile));
        sta__fail_allocation(0);
        sta__tile_drop(tile);
    }
    stop();
    CU_ASSERT_EQUAL(atomic_load(&bodies), 6);
    CU_ASSERT_EQUAL(atomic_load(&empties), 0);
}

/* 800 GB: StarPU alone would try for ever. */
static void test_tile_too_large(void)
{
    int64_t shape[] = {200, 1000000000};
    struct sta__tile *tile;

    start();
    tile = tile_of(STA_int32, 2, shape);
    submit(&filling, tile, 0);
    submit(&checking, tile, 0);
    starpu_data_acquire(sta__tile_handle(tile), STARPU_R);
    CU_ASSERT(sta__tile_is_empty(starpu_data_get_interface_on_node(sta__tile_handle(tile), STARPU_MAIN_RAM)));
    starpu_data_release(sta__tile_handle(tile));
    sta__tile_drop(tile);
    stop();
    CU_ASSERT_EQUAL(atomic_load(&empties), 2);
}

/* A limit of StarPU's, filled by tiles that are kept: the next one comes out empty, and memory given back serves. */
static void test_limit(void)
{
    int64_t shape[] = {5, 1 << 20};
    struct sta__tile *tile[4];

    setenv("STARPU_LIMIT_CPU_MEM", "64", 1);
    start();
    for (int k = 0; k < 4; k++) {
        tile[k] = tile_of(STA_int32, 2, shape); /* 20 MiB */
        submit(&filling, tile[k], k);
        submit(&checking, tile[k], k);
        starpu_task_wait_for_all();
    }
    CU_ASSERT_EQUAL(atomic_load(&bodies), 6);
    CU_ASSERT_EQUAL(atomic_load(&empties), 2);
    for (int k = 0; k < 4; k++)
        sta__tile_drop(tile[k]);
    sta__tiles_wait();
    for (int k = 0; k < 6; k++) {
        tile[0] = tile_of(STA_int32, 2, shape);
        submit(&filling, tile[0], k);
        submit(&checking, tile[0], k);
        starpu_task_wait_for_all();
        sta__tile_drop(tile[0]);
    }
    CU_ASSERT_EQUAL(atomic_load(&empties), 2);
    stop();
    unsetenv("STARPU_LIMIT_CPU_MEM");
}

/* ---- copies ---- */

static void test_copy_strided(void)
{
    int64_t shape[] = {3, 1, 4, 5}, from[4], to[4];
    size_t items[] = {1, 2, 3, 4, 8, 16, 24};

    for (size_t k = 0; k < sizeof items / sizeof *items; k++) {
        int64_t item = (int64_t)items[k];
        char *source = calloc(1, 300 * items[k]), *target = calloc(1, 300 * items[k]);
        int64_t begin_from, begin_to, wrong = 0;

        for (int64_t i = 0; i < 300 * item; i++)
            source[i] = (char)(i * 7 + 1);
        from[0] = -25 * item, from[1] = 99999, from[2] = item, from[3] = 4 * item; /* backwards, transposed */
        to[0] = 20 * item, to[1] = 0, to[2] = 5 * item, to[3] = -item;
        begin_from = 75 * item;
        begin_to = 10 * item;
        sta__copy_strided(target + begin_to, to, source + begin_from, from, shape, 4, items[k]);
        for (int64_t i = 0; i < 3; i++)
            for (int64_t j = 0; j < 4; j++)
                for (int64_t l = 0; l < 5; l++)
                    wrong += memcmp(target + begin_to + i * to[0] + j * to[2] + l * to[3],
                                    source + begin_from + i * from[0] + j * from[2] + l * from[3], items[k]) != 0;
        CU_ASSERT_EQUAL(wrong, 0);
        free(source);
        free(target);
    }
    sta__copy_strided(NULL, to, NULL, from, (int64_t[]){3, 0}, 2, 8);
}

static void test_copy_interface(void)
{
    float source[6][5], target[4][3] = {{0}};
    struct sta__tile_interface from = {.item = 4, .dtype = STA_float32, .ndim = 2, .shape = {4, 3}}, to;

    start();
    for (int i = 0; i < 30; i++)
        source[i / 5][i % 5] = (float)i;
    to = from;
    from.memory = from.pointer = (uintptr_t)source;
    from.offset = (size_t)((char *)&source[5][4] - (char *)source);
    from.pointer += from.offset;
    from.stride[0] = -20;
    from.stride[1] = -8;
    to.memory = to.pointer = (uintptr_t)target;
    sta__interface_contiguous(&to);
    CU_ASSERT_EQUAL(sta__tile_ops.copy_methods->any_to_any(&from, 0, &to, 0, NULL), 0);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 3; j++)
            CU_ASSERT_EQUAL(target[i][j], source[5 - i][4 - 2 * j]);
    from.stride[0] = 0; /* broadcast */
    CU_ASSERT_EQUAL(sta__tile_ops.copy_methods->any_to_any(&from, 0, &to, 0, NULL), 0);
    CU_ASSERT_EQUAL(target[3][1], source[5][2]);
    from.empty = true;
    CU_ASSERT_EQUAL(sta__tile_ops.copy_methods->any_to_any(&from, 0, &to, 0, NULL), 0);
    CU_ASSERT(sta__tile_is_empty(&to));
    stop();
}

/* ---- parcels ---- */

static struct sta__tile *send(struct sta__tile *tile)
{
    int64_t shape[] = {7, 9};
    struct sta__tile *other = tile_of(STA_int32, 2, shape);
    starpu_ssize_t bytes, packed;
    void *parcel;

    submit(&filling, other, 999); /* something to be overwritten */
    starpu_data_acquire(sta__tile_handle(tile), STARPU_R);
    starpu_data_acquire(sta__tile_handle(other), STARPU_W);
    sta__tile_arrive(tile);
    sta__tile_arrive(other);
    CU_ASSERT_EQUAL(starpu_data_pack(sta__tile_handle(tile), NULL, &bytes), 0);
    CU_ASSERT_EQUAL(starpu_data_pack(sta__tile_handle(tile), &parcel, &packed), 0);
    CU_ASSERT_EQUAL(bytes, packed);
    CU_ASSERT_EQUAL(starpu_data_unpack(sta__tile_handle(other), parcel, (size_t)packed), 0);
    sta__tile_leave(other);
    starpu_data_release(sta__tile_handle(other));
    starpu_data_release(sta__tile_handle(tile));
    return other;
}

static void test_parcels(void)
{
    int64_t shape[] = {7, 9};
    struct sta__failure *failure = sta__failure_new(STA_ERROR_VALUE, "cholesky", "not positive definite", 42, 3);
    const struct sta__failure *got;
    struct sta__tile *tile, *other;

    start();
    tile = tile_of(STA_int32, 2, shape);
    submit(&filling, tile, 11);
    other = send(tile);
    submit(&checking, other, 11);
    CU_ASSERT_PTR_NULL(atomic_load(&other->failure));
    sta__tile_drop(other);

    sta__tile_fail(tile, failure);
    other = send(tile);
    got = atomic_load(&other->failure);
    CU_ASSERT_PTR_NOT_NULL_FATAL(got);
    CU_ASSERT_EQUAL(got->error.code, STA_ERROR_VALUE);
    CU_ASSERT_STRING_EQUAL(got->error.op, "cholesky");
    CU_ASSERT_STRING_EQUAL(got->error.text, "not positive definite");
    CU_ASSERT(got->operation == 42 && got->tile == 3);
    sta__tile_drop(other);
    sta__tile_drop(tile);
    sta__failure_drop(failure);

    tile = tile_of(STA_int32, 2, shape);
    submit(&filling, tile, 0);
    starpu_data_acquire(sta__tile_handle(tile), STARPU_R);
    sta__tile_arrive(tile);
    ((struct sta__tile_interface *)starpu_data_get_interface_on_node(sta__tile_handle(tile), STARPU_MAIN_RAM))->empty =
        true;
    starpu_data_release(sta__tile_handle(tile));
    other = send(tile);
    got = atomic_load(&other->failure);
    CU_ASSERT_PTR_NOT_NULL_FATAL(got);
    CU_ASSERT_EQUAL(got->error.code, STA_ERROR_MEMORY);
    sta__tile_drop(other);
    sta__tile_drop(tile);
    stop();
}

/* ---- failures ---- */

static void *fail_tile(void *argument)
{
    struct sta__tile *tile = argument;

    for (int64_t k = 500; k > 0; k--) {
        struct sta__failure *failure = sta__failure_new(STA_ERROR_VALUE, "op", k == 1 ? "one" : "more", k, k % 7);

        sta__tile_fail(tile, failure);
        sta__failure_drop(failure);
        if (atomic_load(&tile->failure)->operation > k)
            return tile;
    }
    return NULL;
}

static void test_failures(void)
{
    pthread_t thread[3];
    struct sta__failure *failure;
    const sta_error *error;
    struct sta__tile *tile;

    start();
    tile = tile_of(STA_int8, 0, NULL);
    for (int k = 0; k < 3; k++)
        CU_ASSERT_EQUAL_FATAL(pthread_create(&thread[k], NULL, fail_tile, tile), 0);
    for (int k = 0; k < 3; k++) {
        void *complaint;

        pthread_join(thread[k], &complaint);
        CU_ASSERT_PTR_NULL(complaint);
    }
    failure = atomic_load(&tile->failure);
    CU_ASSERT(failure->operation == 1 && failure->tile == 1);
    error = sta__error_of_failure(failure);
    sta__tile_drop(tile);
    stop();
    CU_ASSERT_STRING_EQUAL(error->text, "one"); /* outlives the tile */
    sta__error_seen(error);
    sta__failures_finish();
    sta__errors_finish();

    sta__fail_allocation(1);
    failure = sta__failure_new(STA_ERROR_VALUE, "op", "text", 9, 9);
    sta__fail_allocation(0);
    CU_ASSERT_EQUAL(failure->error.code, STA_ERROR_MEMORY);
    sta__failure_drop(failure);
}

STA_PURE_TESTS("tile", STA_CASE(test_life), STA_CASE(test_threads), STA_CASE(test_no_memory_for_tile),
               STA_CASE(test_tile_too_large), STA_CASE(test_limit), STA_CASE(test_copy_strided),
               STA_CASE(test_copy_interface), STA_CASE(test_parcels), STA_CASE(test_failures))
