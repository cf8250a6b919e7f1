/* A program that runs StarPU and StarPU-MPI itself, and goes on with both after the library has ended. */
#include <starray/starray.h>

#include <starpu_mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int use_library(int rank, int ranks)
{
    static double data[1000];
    sta_init_options options = {.size = sizeof options, .tile_elements = 70, .inline_bytes = -1};
    double sum = 0;
    if (sta_init(&options) || sta_rank() != rank || sta_ranks() != ranks)
        return 1;
    sta_array x = sta_arange(0, 1000, 1, STA_float64), y = sta_add(x, sta_slice(x, "::-1"));
    int wrong = sta_item_float(sta_sum(y, STA_ALL, 0), &sum) || sum != 999000;
    wrong |= sta_read(sta_multiply(y, x), data, sizeof data) || data[3] != 2997;
    sta_finish();
    return wrong;
}

static int use_starpu(int rank, int ranks, int64_t tag)
{
    int value = rank, other = -1;
    starpu_data_handle_t out, in;
    MPI_Status status;
    starpu_mpi_req request;
    starpu_variable_data_register(&out, STARPU_MAIN_RAM, (uintptr_t)&value, sizeof value);
    starpu_variable_data_register(&in, STARPU_MAIN_RAM, (uintptr_t)&other, sizeof other);
    starpu_mpi_isend(out, &request, (rank + 1) % ranks, tag, MPI_COMM_WORLD);
    starpu_mpi_recv(in, (rank + ranks - 1) % ranks, tag, MPI_COMM_WORLD, &status);
    starpu_mpi_wait(&request, &status);
    starpu_data_unregister(out);
    starpu_data_unregister(in);
    return other != (rank + ranks - 1) % ranks;
}

int main(void)
{
    int level, rank, ranks, wrong = 0;
    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE || starpu_mpi_init_conf(NULL, NULL, 0, MPI_COMM_WORLD, NULL))
        return 77;
    starpu_mpi_comm_rank(MPI_COMM_WORLD, &rank);
    starpu_mpi_comm_size(MPI_COMM_WORLD, &ranks);
    for (int round = 0; round < 2; round++) {
        wrong |= use_starpu(rank, ranks, 1);
        wrong |= use_library(rank, ranks);
    }
    wrong |= use_starpu(rank, ranks, 2);
    starpu_mpi_shutdown();
    MPI_Finalize();
    return wrong;
}
