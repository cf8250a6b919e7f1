/* What the files of mpi/ share. */
#ifndef STA__TRAVEL_H
#define STA__TRAVEL_H

#include "internal.h"
#include "starpu_compat.h"

#include <starpu_mpi.h>

/* StarPU-MPI ends: 1.3 knows one communicator only. */
static inline void sta__starpu_mpi_end(MPI_Comm all)
{
    (void)all;
    STA__ONLY_1_4(starpu_mpi_shutdown_comm(all));
    STA__ONLY_1_3(starpu_mpi_shutdown());
}

/* Another communicator for a StarPU-MPI that runs; 1.3 finds it by itself. */
static inline void sta__starpu_mpi_join(MPI_Comm all)
{
    (void)all;
    STA__ONLY_1_4(starpu_mpi_comm_register(all));
}

void sta__travel_start(void);
MPI_Comm sta__ranks_communicator(void);

/* Tiles and their bytes that this rank posted, for tests and reports. */
struct sta__traffic {
    int64_t sent, received, bytes_sent, bytes_received;
};
struct sta__traffic sta__traffic(void);

#endif
