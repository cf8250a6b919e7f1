/** @file starpu.h
 *  For programs that use StarPU themselves. Start StarPU with starpu_init before sta_init: then sta_init joins it, and
 *  sta_finish leaves it running. The library never waits for tasks of the program. Where sta_init started StarPU, the library
 *  pauses StarPU's workers while it has no task of its own, until sta_from_handle is called: a program that then submits
 *  tasks by itself sets STA_REST=0 in the environment, or its tasks wait for the library's next ones.
 */
#ifndef STARRAY_STARPU_H
#define STARRAY_STARPU_H

#include <starray/array.h>

#ifdef __cplusplus
extern "C" {
#endif

struct _starpu_data_state;

/** Data that the program has registered with StarPU, as an array: a variable (), vector (n,), matrix (ny, nx) or block
 *  (nz, ny, nx), with the strides it has. handle is a starpu_data_handle_t. The array is the data: writes to it go there.
 *
 *  The data is borrowed. The call waits for the tasks that the program has submitted on the handle; tasks that it submits
 *  later wait until the array, its views and the tasks that read them are gone, and then find the values written through
 *  the array. So close the scope, or free the array, before you wait for such tasks; unregister the handle after that.
 *  flags: STA_READ_ONLY of create.h, or 0.
 *  Errors: DTYPE if an element of the data has not the size of the dtype; VALUE for a NULL handle, another kind of data,
 *  an unknown flag, or a call inside a task; MEMORY. */
sta_array sta_from_handle(struct _starpu_data_state *handle, sta_dtype dtype, unsigned flags);

#ifdef __cplusplus
}
#endif
#endif
