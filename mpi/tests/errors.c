/* A task that fails on one rank: all ranks get the same error, the one that comes first in the order of the program. */
#include "mpi/ranks.h"
#include "sta_test.h"

#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { N = 1000, TILE = 50 };

struct probe {
    int64_t tile, first, second;
};

/* Fills a tile with its number; two tiles fail, the one that comes first takes longer. */
static sta_error_code probe_cpu(struct sta__job *job)
{
    const struct probe *probe = job->arguments;
    if (probe->tile == probe->first || probe->tile == probe->second) {
        usleep(probe->tile == probe->first ? 30000 : 0);
        snprintf(job->text, sizeof job->text, "tile %lld does not want", (long long)probe->tile);
        return STA_ERROR_VALUE;
    }
    for (int64_t i = 0; i < job->memory[0].shape[0]; i++)
        ((double *)(void *)job->memory[0].data)[i] = (double)probe->tile;
    return STA_ERROR_NONE;
}

static const struct sta__kernel probe_kernel = {.name = "probe", .cpu = probe_cpu};

static sta_array probe(int64_t first, int64_t second)
{
    struct sta__call call = sta__enter("probe");
    struct sta__shape shape = {1, {N}};
    struct sta__grid *grid = sta__grid_default(&shape, STA_float64);
    struct sta__value *value = sta__value_tiled(STA_float64, grid);
    struct sta__batch *batch = sta__batch_open(&call, &probe_kernel, STA_float64, false);
    for (int64_t t = 0; t < grid->tiles; t++) {
        struct probe arguments = {t, first, second};
        sta__task_writes(sta__batch_task(batch, &arguments, sizeof arguments), value, t);
    }
    sta__grid_drop(grid);
    CU_ASSERT(sta__batch_submit(batch));
    return sta__leave(&call, value);
}

static void expect(const sta_error *error, const char *text)
{
    STA_ASSERT_FAILS(error, STA_ERROR_VALUE);
    STA_ASSERT_TEXT(error ? error->text : "none", text);
    STA_ASSERT_TEXT(error ? error->op : "none", "probe");
}

static void first_of_all(void)
{
    static double data[N];
    double item;
    const int64_t last = N / TILE - 1;
    expect(sta_wait(probe(last, last)), "tile 19 does not want");
    expect(sta_wait(probe(1, last)), "tile 1 does not want");
    expect(sta_read(probe(last - 1, last), data, sizeof data), "tile 18 does not want");
    expect(sta_read(probe(0, last), data, sizeof data), "tile 0 does not want");
    expect(sta_item_float(sta_sum(probe(2, last), STA_ALL, 0), &item), "tile 2 does not want");
    STA_ASSERT_OK(sta_item_float(sta_sum(probe(-1, -1), STA_ALL, 0), &item));
    CU_ASSERT_EQUAL(item, 9500);
}

/* Through operations, to other ranks and back; what does not touch the failed tile is fine. */
static void consumers(void)
{
    static double data[N];
    sta_array x = probe(15, 17), turned = sta_eval(sta_slice(x, "::-1"));
    double item;
    expect(sta_wait(sta_add(turned, sta_float(1))), "tile 15 does not want");
    expect(sta_read(sta_add(x, turned), data, sizeof data), "tile 15 does not want");
    expect(sta_wait(sta_max(turned, STA_ALL, 0)), "tile 15 does not want");
    STA_ASSERT_OK(sta_item_float(sta_slice(turned, "0"), &item));
    CU_ASSERT_EQUAL(item, 19);
    expect(sta_item_float(sta_slice(turned, "%d", 4 * TILE), &item), "tile 15 does not want");
    sta_array y = sta_copy(x);
    sta_assign(sta_slice(y, "%d:%d", 15 * TILE, 18 * TILE), sta_int(3));
    expect(sta_save("mpi_errors.npy", x), "tile 15 does not want");
    CU_ASSERT(access("mpi_errors.npy", F_OK) != 0);
}

/* A failed tile is known to the rank that has it: functions that are made of others must not go another way there. */
static void known_to_one(void)
{
    double item;
    sta_array x = probe(1, 1);
    expect(sta_wait(x), "tile 1 does not want");
    const sta_array made[] = {sta_diff(x, 1, 0),
                              sta_ediff1d(x, (sta_array){0}, (sta_array){0}),
                              sta_vdot(x, x),
                              sta_gradient(x, sta_float(1), 0, 1),
                              sta_vector_norm(x, 2, STA_ALL, 0),
                              sta_resize(x, STA_DIMS(3 * N)),
                              sta_roll(x, STA_DIMS(3), STA_ALL)};
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        expect(sta_wait(made[i]), "tile 1 does not want");
        STA_ASSERT_OK(sta_item_float(sta_sum(probe(-1, -1), STA_ALL, 0), &item));
    }
}

static void barrier(void)
{
    struct sta__call call = sta__enter("barrier");
    sta__ranks_agree(&call, NULL);
    sta__leave_error(&call);
}

/* The file loses its end between its header and its tiles. */
static void cut_file(void)
{
    const char *path = "mpi_errors_cut.npy";
    STA_ASSERT_OK(sta_save(path, sta_arange(0, N, 1, STA_float64)));
    starpu_pause();
    sta_array x = sta_load(path);
    barrier();
    if (sta_rank() == 0)
        CU_ASSERT_EQUAL(truncate(path, 128 + 8 * (N / 2 + 10)), 0);
    barrier();
    starpu_resume();
    const sta_error *error = sta_wait(sta_multiply(x, sta_int(2)));
    STA_ASSERT_FAILS(error, STA_ERROR_IO);
    STA_ASSERT_TEXT(error ? error->text : "none", "mpi_errors_cut.npy: the file ends at byte 4208");
    STA_ASSERT_FAILS(sta_wait(sta_sum(sta_slice(x, "501:"), STA_ALL, 0)), STA_ERROR_IO);
    STA_ASSERT_ERROR(sta_sum(sta_slice(x, ":500"), STA_ALL, 0), STA_ERROR_NONE);
    barrier();
    unlink(path);
}

/* Files of several arrays and of text: read by all, written by the first. */
static void other_files(void)
{
    double item = 0;
    const sta_array x = sta_arange(0, N, 1, STA_float64), both[] = {x, sta_multiply(x, sta_int(2))};
    STA_ASSERT_OK(sta_savez("mpi_errors.npz", NULL, both, 2));
    STA_ASSERT_OK(sta_item_float(sta_sum(sta_load_npz("mpi_errors.npz", "arr_1"), STA_ALL, 0), &item));
    CU_ASSERT_EQUAL(item, N * (N - 1));
    STA_ASSERT_OK(sta_savetxt("mpi_errors.txt", x, NULL));
    STA_ASSERT_OK(sta_item_float(sta_sum(sta_loadtxt("mpi_errors.txt", NULL), STA_ALL, 0), &item));
    CU_ASSERT_EQUAL(item, N * (N - 1) / 2);
    const sta_array bad[] = {x, probe(3, 3)};
    expect(sta_savez("mpi_errors.none", NULL, bad, 2), "tile 3 does not want");
    expect(sta_savetxt("mpi_errors.none", bad[1], NULL), "tile 3 does not want");
    CU_ASSERT(access("mpi_errors.none", F_OK) != 0);
    barrier();
    if (sta_rank() == 0) {
        unlink("mpi_errors.npz");
        unlink("mpi_errors.txt");
    }
}

/* Only one rank has the file. */
static void missing_file(void)
{
    const char *path = "mpi_errors_one.npy", *no_path = "mpi_errors_none.npy";
    STA_ASSERT_OK(sta_save(path, sta_arange(0, 10, 1, STA_float64)));
    const sta_error *error = sta_wait(sta_load(sta_rank() == sta_ranks() - 1 ? no_path : path));
    STA_ASSERT_FAILS(error, STA_ERROR_IO);
    STA_ASSERT_TEXT(error ? error->text : "none", "mpi_errors_none.npy: No such file or directory");
    STA_ASSERT_FAILS(sta_save(sta_rank() == 0 ? "no such folder/x.npy" : path, sta_ones(STA_DIMS(5), STA_float64)),
                     STA_ERROR_IO);
    barrier();
    if (sta_rank() == 0)
        unlink(path);
}

int main(int argc, char **argv)
{
    static const struct sta_test_case cases[] = {STA_CASE(first_of_all), STA_CASE(consumers),   STA_CASE(known_to_one),
                                                 STA_CASE(cut_file),     STA_CASE(other_files), STA_CASE(missing_file)};
    /* Files of their own for each number of ranks. */
    const char *ranks = getenv("OMPI_COMM_WORLD_SIZE");
    char folder[60];
    snprintf(folder, sizeof folder, "mpi_errors.%s", ranks ? ranks : "1");
    mkdir(folder, 0777);
    if (chdir(folder))
        return 1;
    setenv("STA_TILE_ELEMS", "50", 1);
    setenv("STA_INLINE_BYTES", "0", 1);
    return sta_test_main(argc, argv, "mpi errors", true, cases, sizeof cases / sizeof *cases);
}
