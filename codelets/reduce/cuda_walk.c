/* One axis of a reduction on a GPU: how the threads share it, and the launch of its kernel (cuda_walk.h). */
#include "reduce/cuda_reduce.h"

#include "cuda_compile.h"
#include "cuda_worker.h"
#include "reduce/fold.h"
#include "runtime.h"

#include <starpu.h>
#include <string.h>

enum {
    THREADS = 256,
    MOST_TURNS = 5,    /* a lane for each granule */
    MOST_BATCHES = 20, /* log2; the stack of a thread */
    WARPS_ENOUGH = 32, /* warps a multiprocessor from which on rows need not be shared by more */
    BLOCKS_ENOUGH = 4, /* blocks a multiprocessor that keep it busy */
    COLUMNS_ENOUGH =
        6, /* the same of columns, of which fewer are there at once: a whole number of times and little more */
    COUNTERS = 16384, /* kept by a worker */
    FEW_BYTES = 16,   /* of nodes side by side, which registers hold at several levels */
    SHORT = 32,       /* rows up to here, if not of a power of two, have a thread each */
    SMALL = 32768     /* elements up to which one kernel serves all layouts: it is sooner compiled than it gains */
};

static bool is_heavy(const struct sta__cuda_walk *w)
{
    return w->program && w->program->cost > STA__REDUCE_LIGHT;
}

static bool is_small(const struct sta__cuda_walk *w)
{
    return w->cells * w->length * w->columns <= SMALL;
}

static int log2_ceil(int64_t x)
{
    return x > 1 ? 64 - __builtin_clzll((unsigned long long)(x - 1)) : 0;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* ---- vectors ---- */

/* Whether operand o can be read `vector` elements at a time. */
static bool fits(const struct sta__cuda_walk *w, int o, int vector)
{
    const struct sta__cuda_walk_operand *operand = &w->operand[o];
    const uint64_t bytes = (uint64_t)w->item[o] * (uint64_t)vector;
    const bool rows = w->key.kind == STA__REDUCE_ROWS;
    uint64_t bits = 0;
    for (int p = 0; p < w->key.pieces; p++)
        bits |= (uint64_t)(uintptr_t)operand->base[p];
    if (operand->side != (int64_t)w->item[o] || (rows && w->first % vector))
        return false;
    for (int d = 0; d < w->key.outer; d++)
        bits |= w->extent[d] > 1 ? (uint64_t)operand->outer[d] : 0;
    if (!rows)
        bits |= (uint64_t)operand->step;
    return bytes > 0 && bits % bytes == 0;
}

/* Else neighbours are better read by neighbouring threads. */
static bool any_fits(const struct sta__cuda_walk *w, int vector)
{
    for (int o = 0; o < w->key.operands; o++)
        if (fits(w, o, vector))
            return true;
    return false;
}

static size_t widest(const struct sta__cuda_walk *w)
{
    size_t most = 1;
    for (int o = 0; o < w->key.operands; o++)
        if (w->operand[o].side != 0 && w->item[o] > most)
            most = w->item[o];
    return most;
}

static size_t state_bytes(const struct sta__cuda_walk *w)
{
    size_t bytes = 0;
    for (int r = 0; r < w->key.count; r++)
        bytes += sta__state_bytes((enum sta__reducer)w->key.reducer[r], (sta_dtype)w->key.dtype[r], 1);
    return bytes;
}

/* 16 bytes at a time; nodes of all threads of a block have room in shared memory. Of columns each thread has a stack of
 * nodes in registers: rather 8 bytes at a time than larger ones. */
static void choose_vector(struct sta__cuda_walk *w)
{
    const bool rows = w->key.kind == STA__REDUCE_ROWS, plain = is_small(w) || w->key.kind == STA__REDUCE_NODES;
    const size_t state = state_bytes(w);
    int vector = plain ? 1 : (int)(16 / widest(w));
    vector = vector > 8 ? 8 : vector;
    if (!rows)
        while (vector > 1 && (w->columns % vector || state * (size_t)vector * THREADS > 40960 ||
                              (state * (size_t)vector > FEW_BYTES && widest(w) * (size_t)vector > 8)))
            vector /= 2;
    if (is_heavy(w) && vector > 2)
        vector = 2;
    while (rows && vector > 1 && vector / 2 >= w->length)
        vector /= 2;
    while (vector > 1 && !any_fits(w, vector))
        vector /= 2;
    for (int o = 0; o < w->key.operands; o++) {
        const bool fixed = w->operand[o].side == 0, aligned = fits(w, o, vector);
        w->key.access[o] = plain                             ? STA__ACCESS_STRIDED
                           : fixed && o < w->program->inputs ? STA__ACCESS_FIXED
                           : aligned                         ? STA__ACCESS_VECTORS
                                                             : STA__ACCESS_STRIDED;
    }
    w->key.vector = (uint8_t)vector;
}

/* ---- sharing ---- */

/* Chunks of 2^chunk indices that a cell has: of its node list, or of the whole axis. */
static int64_t parts_of(const struct sta__cuda_walk *w, int chunk)
{
    if (!w->partial)
        return (w->length + ((int64_t)1 << chunk) - 1) >> chunk;
    struct sta__tree_node node[STA__TREE_NODES];
    const int count = sta__tree_nodes(w->first, w->first + w->length, node);
    int64_t parts = 0;
    for (int n = 0; n < count; n++)
        parts += node[n].level > chunk ? (int64_t)1 << (node[n].level - chunk) : 1;
    return parts;
}

/* log2 of the longest run that a chunk may have to hold. */
static int longest(const struct sta__cuda_walk *w)
{
    struct sta__tree_node node[STA__TREE_NODES];
    int most = 0;
    if (!w->partial)
        return log2_ceil(w->length);
    for (int n = sta__tree_nodes(w->first, w->first + w->length, node) - 1; n >= 0; n--)
        most = node[n].level > most ? node[n].level : most;
    return most;
}

/* log2 of the longest chunk: it lies in one piece. */
static int longest_chunk(const struct sta__cuda_walk *w)
{
    return w->key.pieces > 1 && w->piece_axis < 0 ? w->piece_level : 62;
}

static void shape_rows(struct sta__cuda_walk *w, int processors)
{
    const int levels = longest(w), vector = log2_ceil(w->key.vector), step = vector + 5, most = longest_chunk(w);
    int unroll = is_heavy(w) || is_small(w) ? 0 : 2;
    w->key.warps = 1;
    if (levels < step && !is_small(w)) {
        w->key.lanes = (uint8_t)(levels > vector ? 1 << (levels - vector) : 1);
        w->key.unroll = 1;
        w->chunk = levels > vector ? levels : vector;
        w->turns = 0;
    } else {
        if (unroll > levels - step)
            unroll = levels > step ? levels - step : 0;
        const int granule = step + unroll;
        w->key.lanes = 32;
        w->key.unroll = (uint8_t)(1 << unroll);
        w->turns = levels > granule ? levels - granule : 0;
        if (w->turns > MOST_TURNS || levels > most || (w->turns > 0 && w->cells < (int64_t)processors * WARPS_ENOUGH)) {
            w->key.warps = 8;
            w->turns = levels > granule + 3 ? (int)smaller(levels - granule - 3, MOST_TURNS) : 0;
            while (w->turns > 0 && (granule + 3 + w->turns > most || w->cells * parts_of(w, granule + 3 + w->turns) <
                                                                         (int64_t)processors * BLOCKS_ENOUGH))
                w->turns--;
        }
        w->chunk = granule + w->turns + (w->key.warps == 8 ? 3 : 0);
    }
    w->parts = parts_of(w, w->chunk);
    w->items = w->cells * w->parts;
    const int64_t a_block = THREADS / (w->key.lanes * w->key.warps);
    w->blocks = (w->items + a_block - 1) / a_block;
    w->groups = 1;
    w->nodes = w->items;
}

/* log2 of the indices that a thread reads at once: 64 to 128 bytes are under way for each. */
static int columns_unroll(const struct sta__cuda_walk *w)
{
    const size_t vector = w->key.vector, states = vector * state_bytes(w);
    size_t bytes = 0;
    for (int o = 0; o < w->key.operands; o++)
        bytes += vector * w->item[o];
    if (is_small(w))
        return 0;
    if (is_heavy(w) || states > 64 || bytes > 48)
        return 1;
    return states <= 2 * FEW_BYTES && bytes <= 16 ? 3 : 2;
}

static void shape_columns(struct sta__cuda_walk *w, int processors)
{
    const int64_t flat = w->cells * w->columns / w->key.vector;
    int unroll = columns_unroll(w);
    const int levels = longest(w);
    unroll = unroll < levels ? unroll : levels;
    const int high =
        levels - unroll < 3 ? levels - unroll : 3; /* log2 of threads below each other, if there are enough */
    w->wide = (int)smaller(8 - high, log2_ceil(flat));
    w->key.unroll = (uint8_t)(1 << unroll);
    w->groups = (flat + ((int64_t)1 << w->wide) - 1) >> w->wide;
    const int least = unroll + 8 - w->wide;
    w->turns = levels > least ? (int)smaller(levels - least, MOST_BATCHES) : 0;
    while (w->turns > 0 && (least + w->turns > longest_chunk(w) ||
                            w->groups * parts_of(w, least + w->turns) < (int64_t)processors * COLUMNS_ENOUGH))
        w->turns--;
    w->chunk = least + w->turns;
    w->parts = parts_of(w, w->chunk);
    w->items = w->blocks = w->groups * w->parts;
    w->nodes = w->cells * w->parts * w->columns;
}

/* Few numbers of axes, so that programs have few kernels. */
static void round_outer(struct sta__cuda_walk *w)
{
    for (int outer = 1; outer <= STA_MAXDIM; outer *= 4)
        if (outer >= w->key.outer) {
            for (int d = w->key.outer; d < outer; d++)
                w->extent[d] = 1;
            w->key.outer = (uint8_t)outer;
            return;
        }
}

/* Rows that are short and would leave lanes idle have a thread each: they are columns one beside the other. */
static void turn_short_rows(struct sta__cuda_walk *w)
{
    if (w->key.kind != STA__REDUCE_ROWS || w->length >= SHORT || !(w->length & (w->length - 1)) || is_small(w))
        return;
    w->key.kind = STA__REDUCE_COLUMNS;
    for (int o = 0; o < w->key.operands; o++) {
        w->operand[o].step = w->operand[o].side;
        w->operand[o].side = w->operand[o].side ? (int64_t)w->item[o] : 0;
    }
}

void sta__cuda_walk_shape(struct sta__cuda_walk *w, int processors)
{
    w->key.small = is_small(w);
    round_outer(w);
    turn_short_rows(w);
    choose_vector(w);
    if (w->key.kind == STA__REDUCE_ROWS)
        shape_rows(w, processors);
    else
        shape_columns(w, processors);
}

/* ---- memory ---- */

static unsigned *kept[STARPU_NMAXWORKERS]; /* each by its worker's thread */

static void forget_counters(void)
{
    for (int number = 0; number < STARPU_NMAXWORKERS; number++) {
        const struct sta__cuda_worker *worker = sta__cuda_worker(number);
        if (kept[number] && worker)
            cudaFreeAsync(kept[number], worker->stream);
        kept[number] = NULL;
    }
}

/* Zeros; a kernel leaves them so. NULL: no memory. */
static unsigned *counters(struct sta__job *job, int64_t count)
{
    struct sta__cuda_worker *worker = job->cuda;
    const size_t bytes = sizeof(unsigned) * (size_t)(count > COUNTERS ? count : COUNTERS);
    unsigned *memory = count > COUNTERS ? NULL : kept[worker->number];
    if (memory)
        return memory;
    if (count > COUNTERS)
        memory = sta__cuda_scratch(job, bytes);
    else if (sta__cuda_check(job, cudaMallocAsync((void **)&memory, bytes, worker->stream), "counters"))
        return NULL;
    if (!memory || sta__cuda_check(job, cudaMemsetAsync(memory, 0, bytes, worker->stream), "counters"))
        return NULL;
    if (count <= COUNTERS) {
        kept[worker->number] = memory;
        sta__at_finish(forget_counters);
    }
    return memory;
}

static size_t padded(size_t bytes)
{
    return (bytes + 255) & ~(size_t)255;
}

/* Room for the nodes of chunks. */
static bool take_nodes(struct sta__job *job, const struct sta__cuda_walk *w, struct sta__state *node)
{
    size_t bytes = 0;
    for (int r = 0; r < w->key.count; r++)
        bytes += padded(sta__state_bytes((enum sta__reducer)w->key.reducer[r], (sta_dtype)w->key.dtype[r], w->nodes));
    char *memory = sta__cuda_walk_scratch(job, bytes);
    if (!memory)
        return false;
    for (int r = 0; r < w->key.count; r++) {
        const enum sta__reducer reducer = (enum sta__reducer)w->key.reducer[r];
        const sta_dtype dtype = (sta_dtype)w->key.dtype[r];
        node[r] = sta__state_in(reducer, dtype, memory, w->nodes);
        memory += padded(sta__state_bytes(reducer, dtype, w->nodes));
    }
    return true;
}

/* ---- the launch ---- */

static int64_t word_of(const void *pointer)
{
    return (int64_t)(intptr_t)pointer;
}

/* struct walk of cuda_walk.h. */
static void put_words(const struct sta__cuda_walk *w, const unsigned *counter, const struct sta__state *node,
                      int64_t *to)
{
    const int64_t head[] = {w->length, w->first,      w->cells,       w->columns,      w->groups,  w->parts,
                            w->items,  w->chunk,      w->turns,       w->wide,         w->partial, w->finished,
                            w->unit,   w->piece_axis, w->piece_level, word_of(counter)};
    memcpy(to, head, sizeof head);
    to += sizeof head / sizeof *head;
    for (int d = 0; d < w->key.outer; d++)
        *to++ = w->extent[d];
    const int operands = w->key.kind == STA__REDUCE_NODES ? 1 : w->key.operands;
    for (int o = 0; o < operands; o++) {
        for (int p = 0; p == 0 || p < w->key.pieces; p++)
            *to++ = word_of(w->operand[o].base[p]);
        *to++ = w->operand[o].step;
        *to++ = w->operand[o].side;
        for (int d = 0; d < w->key.outer; d++)
            *to++ = w->operand[o].outer[d];
    }
    for (int r = 0; r < w->key.count; r++) {
        *to++ = word_of(w->target[r].at[0]);
        *to++ = word_of(w->target[r].at[1]);
        *to++ = w->target[r].node;
    }
    for (int r = 0; r < w->key.count; r++)
        for (int c = 0; c < STA__COMPONENTS; c++)
            *to++ = word_of(node[r].at[c]);
    for (int r = 0; r < w->key.count; r++)
        for (int c = 0; c < STA__COMPONENTS; c++)
            *to++ = word_of(w->source[r].at[c]);
}

void *sta__cuda_walk_scratch(struct sta__job *job, size_t bytes)
{
    return job->cuda ? sta__cuda_scratch(job, bytes) : (void *)(uintptr_t)4096;
}

static int processors_of(const struct sta__job *job)
{
    for (int number = 0; number < sta__cuda_workers() && !job->cuda; number++)
        if (sta__cuda_worker(number))
            return sta__cuda_worker(number)->processors;
    return job->cuda ? job->cuda->processors : 1;
}

sta_error_code sta__cuda_walk_run(struct sta__job *job, struct sta__cuda_walk *w)
{
    int64_t words[STA__WALK_WORDS];
    struct sta__state node[STA__MAXOUTPUTS];
    unsigned *counter = NULL;
    sta__cuda_walk_shape(w, processors_of(job));
    struct sta__cuda_kernel *kernel = sta__reduce_kernel(job, &w->key, w->program);
    if (!kernel)
        return STA_ERROR_DEVICE;
    if (!job->cuda)
        return STA_ERROR_NONE;
    memset(node, 0, sizeof node);
    if (longest(w) > w->chunk) {
        counter = counters(job, w->key.kind == STA__REDUCE_ROWS ? w->cells : w->groups);
        if (!counter || !take_nodes(job, w, node))
            return STA_ERROR_MEMORY;
    }
    put_words(w, counter, node, words);
    return sta__cuda_launch(job, kernel, w->blocks, THREADS, words);
}
