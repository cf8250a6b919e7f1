/* Data of a StarPU program as an array: the program's memory, borrowed from its handle. */
#include "partition/filter.h"
#include "rest.h"
#include "runtime.h"

#include <starray/create.h>
#include <starray/starpu.h>

static bool check(struct sta__call *call, struct _starpu_data_state *handle, sta_dtype dtype, unsigned flags)
{
    if (call->error)
        return false;
    if (!handle)
        return sta__fail(call, STA_ERROR_VALUE, "the handle is NULL") != NULL;
    if (flags & ~(unsigned)STA_READ_ONLY)
        return sta__fail(call, STA_ERROR_VALUE, "only the flag STA_READ_ONLY is known") != NULL;
    if (!sta_itemsize(dtype))
        return sta__fail(call, STA_ERROR_DTYPE, "%d is no dtype", (int)dtype) != NULL;
    if (sta__inside_task())
        return sta__fail(call, STA_ERROR_VALUE, "a task cannot wait for the data of a handle") != NULL;
    return true;
}

/* Waits for the program's tasks, so the lock is given back. */
static bool borrow(struct sta__call *call, struct _starpu_data_state *handle, sta_dtype dtype, struct sta__borrowed *to)
{
    sta__rest_forbid();
    sta__unlock();
    bool known = sta__handle_borrow(handle, to);
    sta__lock();
    if (!known)
        return sta__fail(call, STA_ERROR_VALUE,
                         "only StarPU's variables, vectors, matrices and blocks are understood") != NULL;
    if (to->item == sta_itemsize(dtype))
        return true;
    sta__fail(call, STA_ERROR_DTYPE, "the elements of the data have %zu bytes, those of %s %zu", to->item,
              sta_dtype_name(dtype), sta_itemsize(dtype));
    sta__handle_return(handle);
    return false;
}

sta_array sta_from_handle(struct _starpu_data_state *handle, sta_dtype dtype, unsigned flags)
{
    struct sta__call call = sta__enter("from_handle");
    struct sta__borrowed data;
    if (!check(&call, handle, dtype, flags) || !borrow(&call, handle, dtype, &data))
        return sta__leave(&call, NULL);
    sta__leave_error(&call);
    sta_dims shape = {.count = data.shape.ndim};
    for (int a = 0; a < shape.count; a++)
        shape.at[a] = data.shape.at[a];
    return sta_from_buffer(data.memory, dtype, shape, data.stride, flags, sta__handle_return, handle);
}
