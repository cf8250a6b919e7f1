/* Facts of the reducers, their states and their memory. Everything comes from reducers.def. */
#include "fold.h"

#include <string.h>

enum blocks { BLOCKS_SUM, BLOCKS_ORDER, BLOCKS_BOOL, BLOCKS_MOMENT };
enum component { COMPONENT_NONE, COMPONENT_SAME, COMPONENT_REAL, COMPONENT_INT64 };
enum empty { EMPTY_NONE, EMPTY_ZERO, EMPTY_ONE };

struct row {
    const char *name;
    enum blocks blocks;
    enum component component[STA__COMPONENTS];
    enum empty empty;
};
static const struct row rows[STA__REDUCERS] = {
#define STA_REDUCER(name, blocks, state0, state1, empty)                                                               \
    {#name, BLOCKS_##blocks, {COMPONENT_##state0, COMPONENT_##state1}, EMPTY_##empty},
#include "reducers.def"
#undef STA_REDUCER
};

enum kind { BOOL, SIGNED, UNSIGNED, FLOATING, COMPLEX };
struct type {
    enum kind kind;
    size_t bytes;
};
static const struct type types[STA__FOLD_DTYPES] = {
#define STA_DTYPE(name, number, storage, brief, kind, typestr) [number] = {kind, sizeof(storage)},
#include <starray/dtypes.def>
#undef STA_DTYPE
};

const char *sta__reducer_name(enum sta__reducer reducer)
{
    return rows[reducer].name;
}

/* ---- dtypes ---- */

static sta_dtype wide(sta_dtype dtype)
{
    static const sta_dtype to[] = {[BOOL] = STA_int64, [SIGNED] = STA_int64, [UNSIGNED] = STA_uint64};
    return types[dtype].kind < FLOATING ? to[types[dtype].kind] : dtype;
}

sta_dtype sta__reducer_dtype(enum sta__reducer reducer, sta_dtype dtype)
{
    if (dtype <= STA_DTYPE_NONE || dtype >= STA__FOLD_DTYPES || !types[dtype].bytes)
        return STA_DTYPE_NONE;
    if (rows[reducer].blocks == BLOCKS_BOOL)
        return STA_bool;
    if (dtype == STA_float16 || dtype == STA_bfloat16)
        return STA_float32;
    if (rows[reducer].blocks == BLOCKS_MOMENT)
        return types[dtype].kind < FLOATING ? STA_float64 : dtype;
    return rows[reducer].blocks == BLOCKS_SUM ? wide(dtype) : dtype;
}

static sta_dtype real_of(sta_dtype dtype)
{
    if (dtype == STA_complex64)
        return STA_float32;
    return dtype == STA_complex128 ? STA_float64 : dtype;
}

sta_dtype sta__reducer_component(enum sta__reducer reducer, sta_dtype dtype, int component)
{
    switch (rows[reducer].component[component]) {
    case COMPONENT_SAME:
        return dtype;
    case COMPONENT_REAL:
        return real_of(dtype);
    case COMPONENT_INT64:
        return STA_int64;
    default:
        return STA_DTYPE_NONE;
    }
}

static size_t component_bytes(enum sta__reducer reducer, sta_dtype dtype, int component)
{
    return types[sta__reducer_component(reducer, dtype, component)].bytes;
}

/* ---- what an empty range gives ---- */

/* The number one in each dtype, to copy from. */
static const void *one_of(sta_dtype dtype)
{
    static const uint8_t one8 = 1;
    static const int64_t one64 = 1;
    static const float re32[2] = {1, 0};
    static const double re64[2] = {1, 0};
    static const void *const ones[STA__FOLD_DTYPES] = {
        [STA_bool] = &one8,   [STA_int64] = &one64,   [STA_uint64] = &one64,   [STA_float32] = re32,
        [STA_float64] = re64, [STA_complex64] = re32, [STA_complex128] = re64,
    };
    return ones[dtype];
}

bool sta__reducer_empty(enum sta__reducer reducer, sta_dtype dtype, int64_t cells, const struct sta__state *to)
{
    if (rows[reducer].empty == EMPTY_NONE)
        return false;
    for (int k = 0; k < STA__COMPONENTS; k++)
        if (rows[reducer].component[k])
            memset(to->at[k], 0, (size_t)cells * component_bytes(reducer, dtype, k));
    if (rows[reducer].empty == EMPTY_ZERO)
        return true;
    const size_t bytes = component_bytes(reducer, dtype, 0);
    for (int64_t i = 0; i < cells; i++)
        memcpy((char *)to->at[0] + (size_t)i * bytes, one_of(dtype), bytes);
    return true;
}

/* ---- the NaN of a result ---- */

static void settle_f32(float *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (x[i] != x[i])
            x[i] = __builtin_nanf("");
}

static void settle_f64(double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (x[i] != x[i])
            x[i] = __builtin_nan("");
}

void sta__reducer_settle(enum sta__reducer reducer, sta_dtype dtype, int64_t cells, const struct sta__state *to)
{
    const enum blocks blocks = rows[reducer].blocks;
    if (types[dtype].kind < FLOATING || (blocks != BLOCKS_SUM && blocks != BLOCKS_MOMENT))
        return;
    for (int k = 0; k < STA__COMPONENTS; k++) {
        const sta_dtype part = sta__reducer_component(reducer, dtype, k);
        const int64_t count = part == real_of(part) ? cells : 2 * cells;
        if (part && real_of(part) == STA_float32)
            settle_f32(to->at[k], count);
        else if (part)
            settle_f64(to->at[k], count);
    }
}

/* ---- states in memory ---- */

/* Each component begins where any element may: GPUs read a complex128 in one piece. */
static size_t padded(size_t bytes)
{
    return (bytes + 15) / 16 * 16;
}

size_t sta__state_bytes(enum sta__reducer reducer, sta_dtype dtype, int64_t cells)
{
    size_t bytes = 0;
    for (int k = 0; k < STA__COMPONENTS; k++)
        bytes += padded((size_t)cells * component_bytes(reducer, dtype, k));
    return bytes;
}

struct sta__state sta__state_in(enum sta__reducer reducer, sta_dtype dtype, void *memory, int64_t cells)
{
    struct sta__state state = {{NULL}};
    char *at = memory;
    for (int k = 0; k < STA__COMPONENTS && rows[reducer].component[k]; k++) {
        state.at[k] = at;
        at += padded((size_t)cells * component_bytes(reducer, dtype, k));
    }
    return state;
}

struct sta__state sta__state_at(enum sta__reducer reducer, sta_dtype dtype, const struct sta__state *state,
                                int64_t cells)
{
    struct sta__state moved = {{NULL}};
    for (int k = 0; k < STA__COMPONENTS && rows[reducer].component[k]; k++)
        moved.at[k] = (char *)state->at[k] + cells * (int64_t)component_bytes(reducer, dtype, k);
    return moved;
}

void sta__state_copy(enum sta__reducer reducer, sta_dtype dtype, int64_t cells, const struct sta__state *to,
                     const struct sta__state *from)
{
    for (int k = 0; k < STA__COMPONENTS && rows[reducer].component[k]; k++)
        memcpy(to->at[k], from->at[k], (size_t)cells * component_bytes(reducer, dtype, k));
}

size_t sta__partial_bytes(enum sta__reducer reducer, sta_dtype dtype, int64_t first, int64_t last, int64_t cells)
{
    return (size_t)sta__tree_nodes(first, last, NULL) * sta__state_bytes(reducer, dtype, cells);
}

struct sta__state sta__partial_node(enum sta__reducer reducer, sta_dtype dtype, void *partial, int64_t cells, int node,
                                    int64_t first_cell)
{
    char *memory = (char *)partial + (size_t)node * sta__state_bytes(reducer, dtype, cells);
    const struct sta__state start = sta__state_in(reducer, dtype, memory, cells);
    return sta__state_at(reducer, dtype, &start, first_cell);
}
