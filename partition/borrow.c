/* Data that a StarPU program has registered itself. StarPU's own interfaces count their extents in 32 bits and in
 * elements, the fastest axis first. */
#include "filter.h"

#include "starpu_compat.h"

static void set(struct sta__borrowed *to, uintptr_t memory, size_t item)
{
    *to = (struct sta__borrowed){.memory = (void *)memory, .item = item};
}

static void add_axis(struct sta__borrowed *to, uint32_t length, int64_t step)
{
    to->shape.at[to->shape.ndim] = length;
    to->stride[to->shape.ndim++] = step * (int64_t)to->item;
}

static void describe_variable(const void *interface, struct sta__borrowed *to)
{
    const struct starpu_variable_interface *data = interface;

    set(to, data->ptr, data->elemsize);
}

static void describe_vector(const void *interface, struct sta__borrowed *to)
{
    const struct starpu_vector_interface *data = interface;

    set(to, data->ptr, data->elemsize);
    add_axis(to, data->nx, 1);
}

static void describe_matrix(const void *interface, struct sta__borrowed *to)
{
    const struct starpu_matrix_interface *data = interface;

    set(to, data->ptr, data->elemsize);
    add_axis(to, data->ny, data->ld);
    add_axis(to, data->nx, 1);
}

static void describe_block(const void *interface, struct sta__borrowed *to)
{
    const struct starpu_block_interface *data = interface;

    set(to, data->ptr, data->elemsize);
    add_axis(to, data->nz, data->ldz);
    add_axis(to, data->ny, data->ldy);
    add_axis(to, data->nx, 1);
}

static const struct {
    enum starpu_data_interface_id id;
    void (*describe)(const void *interface, struct sta__borrowed *to);
} kinds[] = {
    {STARPU_VARIABLE_INTERFACE_ID, describe_variable},
    {STARPU_VECTOR_INTERFACE_ID, describe_vector},
    {STARPU_MATRIX_INTERFACE_ID, describe_matrix},
    {STARPU_BLOCK_INTERFACE_ID, describe_block},
};

bool sta__handle_borrow(struct _starpu_data_state *handle, struct sta__borrowed *to)
{
    enum starpu_data_interface_id id = starpu_data_get_interface_id(handle);

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (kinds[k].id != id)
            continue;
        if (starpu_data_acquire_on_node(handle, STARPU_MAIN_RAM, STARPU_RW))
            return false;
        kinds[k].describe(starpu_data_get_interface_on_node(handle, STARPU_MAIN_RAM), to);
        return true;
    }
    return false;
}

void sta__handle_return(void *handle)
{
    starpu_data_release_on_node(handle, STARPU_MAIN_RAM);
}
