/** @file mpi.h
 *  Several ranks: the same program, started by mpirun or srun.
 *
 *  Every rank runs the whole program and makes the same calls with the same arguments; each keeps only its own tiles, runs
 *  the tasks that write them, and receives what these read. So:
 *
 *  - One thread makes the calls that make, write, free or read arrays, in the same order on every rank. What decides the
 *    order must be the same everywhere: arguments, files, and what sta_read, sta_item_* and sta_wait gave.
 *  - sta_read, sta_item_*, sta_wait, sta_save, sta_load and sta_format are collective: every rank calls them, and all get
 *    the same values and the same error. sta_check only looks at what this rank knows.
 *  - sta_save and sta_print write on rank 0; sta_load reads on the ranks that own the tiles, so that all must see the file.
 *  - Small arrays are computed by every rank. Tiles of large ones are shared out in blocks, in the order of their numbers.
 *  - sta_from_buffer: each rank gives memory of its own, with the same contents. Without STA_COPY each rank works in place
 *    on the tiles that it owns, and sta_wait, and the end of the array before done(), bring all of it home on all ranks.
 *  - The settings are those of rank 0.
 *  - A lack of memory for the library's own records ends the job; for tiles it is an error as always.
 *
 *  MPI is started by sta_init, asking for MPI_THREAD_MULTIPLE, unless the program has started it (with MPI_THREAD_SERIALIZED
 *  at least, and then makes no call of MPI between sta_init and sta_finish below MPI_THREAD_MULTIPLE). It is ended when the
 *  program ends. A program that starts StarPU itself has to start StarPU-MPI as well, with MPI_THREAD_MULTIPLE. STA_MPI=off:
 *  each rank is a program of its own.
 */
#ifndef STARRAY_MPI_H
#define STARRAY_MPI_H

#ifdef __cplusplus
extern "C" {
#endif

/** The number of ranks, and which of them this process is: 1 and 0 where there is one, or before sta_init. */
int sta_ranks(void);
int sta_rank(void);

#ifdef __cplusplus
}
#endif
#endif
