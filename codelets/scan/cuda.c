/* Scans on a GPU: one text for each operator, dtype and kind of kernel, compiled when the first task of it is submitted.
 * Contract: scan.h, cuda_scan.h. */
#include "scan/cuda.h"

#include "cuda_compile.h"
#include "cuda_worker.h"
#include "elementwise/cuda_layout.h"
#include "elementwise/cuda_text.h"
#include "elementwise/texts.h"
#include "scan/cuda_scan.h"
#include "scan/scan.h"

#include <string.h>

enum { THREADS = 256, EACH = 8, TREE_THREADS = 1024, WHOLE = 62 };

enum kind { LINE, COLUMNS, TREE, LISTS, SERIAL, KINDS };

/* ---- kernels ---- */

struct kernel {
    enum kind kind;
    struct sta__program program;
};

static void describe_kernel(struct kernel *k, enum kind kind, int op, sta_dtype dtype)
{
    memset(k, 0, sizeof *k);
    k->kind = kind;
    k->program.inputs = 2;
    k->program.slots = 3;
    for (int s = 0; s < 3; s++)
        k->program.slot_dtype[s] = dtype;
    k->program.instructions = k->program.outputs = 1;
    k->program.instruction[0] =
        (struct sta__instruction){.op = (int16_t)op, .type = dtype, .to = 2, .count = 2, .from = {0, 1}};
    k->program.output[0].slot = 2;
}

static bool write_text(const void *context, struct sta__text *text)
{
    static const char *const entry[] = {
        [LINE] = "line", [COLUMNS] = "columns", [TREE] = "tree", [LISTS] = "join_lists", [SERIAL] = "serial"};
    const struct kernel *k = context;
    sta__cuda_put_prelude(text);
    sta__cuda_put_functions(text, &k->program);
    sta__cuda_put_element(text, &k->program);
    sta__text_put(text,
                  "typedef %s element_t;\nstatic __device__ __forceinline__ element_t joined(const element_t a, const "
                  "element_t b)\n{\n    element_t y;\n    element(a, b, y);\n    return y;\n}\n",
                  sta__cuda_type(k->program.slot_dtype[0]));
    sta__text_put(text, "%s", sta__text_cuda_scan);
    sta__text_put(text,
                  "extern \"C\" __global__ void __launch_bounds__(%d) sta_kernel(const __grid_constant__ "
                  "sta__scan_walk w)\n{\n    %s(w);\n}\n",
                  k->kind == TREE ? TREE_THREADS : THREADS, entry[k->kind]);
    return !text->failed;
}

bool sta__scan_text(int kind, int op, sta_dtype dtype, struct sta__text *text)
{
    struct kernel kernel;
    if (kind >= KINDS)
        return false;
    describe_kernel(&kernel, (enum kind)kind, op, dtype);
    return write_text(&kernel, text);
}

static struct sta__cuda_kernel *find(struct sta__job *job, enum kind kind)
{
    const struct sta__scan_arguments *a = job->arguments;
    struct kernel kernel;
    uint64_t key[STA__CUDA_KEY_WORDS] = {UINT64_C(0x7363616e00000000) | (uint64_t)kind}; /* no other kind of kernel's */
    describe_kernel(&kernel, kind, a->op, a->dtype);
    int words = 1 + sta__cuda_program_key(&kernel.program, &key[1]);
    return sta__cuda_kernel_of(job, key, words, write_text, &kernel);
}

/* ---- how a tile is walked ---- */

static int64_t product(const struct sta__memory *memory, int from, int to)
{
    int64_t count = 1;
    for (int axis = from; axis < to; axis++)
        count *= memory->shape[axis];
    return count;
}

static void count_chunks(struct sta__scan_walk *w)
{
    w->chunk = w->first >> w->shift;
    w->chunks = ((w->last - 1) >> w->shift) - w->chunk + 1;
}

/* Lines are cut into what four, 32 or 256 threads hold: the least that holds one as a whole, if any does. Columns so that there
 * are enough threads. */
static enum kind cut(struct sta__scan_walk *w)
{
    enum { SHORT = 24, ENOUGH = 1 << 18, LEAST = 6, MOST_CHUNKS = 1 << 13 };
    if (w->inner == 1 && w->length >= SHORT) {
        static const int groups[] = {4, 32, 256};
        for (int g = 0; g < 3; g++) {
            w->group = groups[g];
            w->shift = g == 0 ? 5 : g == 1 ? 8 : 11;
            count_chunks(w);
            if (w->chunks == 1)
                break;
        }
        return LINE;
    }
    w->shift = LEAST;
    while (w->shift < 40 && ((w->length >> w->shift) > MOST_CHUNKS || w->cells * (w->length >> w->shift) > ENOUGH))
        w->shift++;
    if (w->length >> w->shift < 2 || w->cells >= ENOUGH)
        w->shift = WHOLE;
    count_chunks(w);
    return COLUMNS;
}

static void *data_of(const struct sta__job *job, int at)
{
    return at < 0 ? NULL : job->memory[at].data;
}

/* What tasks that read x have in common. */
static enum kind open_tile(const struct sta__job *job, struct sta__scan_walk *w)
{
    const struct sta__scan_arguments *a = job->arguments;
    const struct sta__memory *x = &job->memory[a->x];
    *w = (struct sta__scan_walk){.outer = product(x, 0, a->axis),
                                 .length = a->last - a->first,
                                 .inner = product(x, a->axis + 1, x->ndim),
                                 .first = a->first,
                                 .last = a->last,
                                 .started = a->started,
                                 .x = x->data,
                                 .prefix = data_of(job, a->prefix)};
    w->cells = w->outer * w->inner;
    w->y_line = (w->length + (a->lead ? 1 : 0)) * w->inner;
    w->y = data_of(job, a->y);
    return cut(w);
}

/* ---- launches ---- */

static sta_error_code launch(struct sta__job *job, enum kind kind, const struct sta__scan_walk *w, int64_t blocks)
{
    struct sta__cuda_kernel *kernel = find(job, kind);
    if (!kernel)
        return STA_ERROR_DEVICE;
    return blocks ? sta__cuda_launch(job, kernel, blocks, kind == TREE ? TREE_THREADS : THREADS, w) : STA_ERROR_NONE;
}

static int64_t parts(int64_t count, int64_t part)
{
    return (count + part - 1) / part;
}

static sta_error_code launch_chunks(struct sta__job *job, enum kind kind, struct sta__scan_walk *w,
                                    enum sta__scan_step step)
{
    w->step = (int)step;
    return launch(job, kind, w,
                  kind == LINE ? parts(w->outer * w->chunks, THREADS / w->group)
                               : parts(w->cells * w->chunks, THREADS));
}

static sta_error_code launch_tree(struct sta__job *job, struct sta__scan_walk *w)
{
    int64_t columns = 1;
    while (columns < w->inner && columns < 32)
        columns *= 2;
    return launch(job, TREE, w, w->outer * parts(w->inner, columns));
}

/* The nodes of all chunks, joined. */
static sta_error_code make_totals(struct sta__job *job, enum kind kind, struct sta__scan_walk *w,
                                  enum sta__scan_step step)
{
    const struct sta__scan_arguments *a = job->arguments;
    w->totals = sta__cuda_scratch(job, (size_t)(w->cells * w->chunks) * sta_itemsize(a->dtype));
    if (!w->totals)
        return STA_ERROR_MEMORY;
    sta_error_code code = launch_chunks(job, kind, w, step);
    return code ? code : launch_tree(job, w);
}

/* ---- bodies ---- */

sta_error_code sta__scan_total_cuda(struct sta__job *job)
{
    const struct sta__scan_arguments *a = job->arguments;
    struct sta__scan_walk w;
    if (!sta__cuda_upload_all(job))
        return STA_ERROR_MEMORY;
    enum kind kind = open_tile(job, &w);
    w.list = data_of(job, a->carry);
    return w.cells ? make_totals(job, kind, &w, STA__SCAN_LIST) : STA_ERROR_NONE;
}

/* What stands before the first element of each line. */
static sta_error_code put_identities(struct sta__job *job, struct sta__scan_walk *w)
{
    const struct sta__scan_arguments *a = job->arguments;
    const void *from[] = {&a->identity};
    sta__cast_loop(STA_int64, a->dtype)(1, w->identity, from);
    w->step = STA__SCAN_IDENTITY;
    sta_error_code code = launch(job, LISTS, w, parts(w->cells, THREADS));
    w->y = (char *)w->y + (size_t)w->inner * sta_itemsize(a->dtype);
    return code;
}

sta_error_code sta__scan_cuda(struct sta__job *job)
{
    const struct sta__scan_arguments *a = job->arguments;
    struct sta__scan_walk w;
    if (!sta__cuda_upload_all(job))
        return STA_ERROR_MEMORY;
    enum kind kind = open_tile(job, &w);
    sta_error_code code = STA_ERROR_NONE;
    if (w.cells == 0)
        return code;
    if (a->lead)
        code = put_identities(job, &w);
    if (!code && w.chunks > 1)
        code = make_totals(job, kind, &w, STA__SCAN_TOTALS);
    return code ? code : launch_chunks(job, kind, &w, STA__SCAN_ELEMENTS);
}

static sta_error_code join_lists(struct sta__job *job, enum sta__scan_join join)
{
    const struct sta__scan_arguments *a = job->arguments;
    if (!sta__cuda_upload_all(job))
        return STA_ERROR_MEMORY;
    struct sta__scan_walk w = {.outer = 1,
                               .cells = job->memory[a->partial].shape[1],
                               .first = a->first,
                               .last = a->last,
                               .step = (int)join,
                               .prefix = data_of(job, a->prefix),
                               .partial = data_of(job, a->partial),
                               .list = data_of(job, a->carry),
                               .y = data_of(job, a->y)};
    w.inner = w.cells;
    return launch(job, LISTS, &w, parts(w.cells, THREADS));
}

sta_error_code sta__scan_prefix_cuda(struct sta__job *job)
{
    return join_lists(job, STA__SCAN_PREFIX);
}

sta_error_code sta__scan_finish_cuda(struct sta__job *job)
{
    return join_lists(job, STA__SCAN_FINISH);
}

sta_error_code sta__scan_serial_cuda(struct sta__job *job)
{
    const struct sta__scan_arguments *a = job->arguments;
    struct sta__scan_walk w;
    if (!sta__cuda_upload_all(job))
        return STA_ERROR_MEMORY;
    open_tile(job, &w);
    w.list = data_of(job, a->carry);
    return launch(job, SERIAL, &w, parts(w.cells, THREADS));
}

/* ---- before the task is submitted ---- */

bool sta__scan_total_ready(struct sta__job *job)
{
    struct sta__scan_walk w;
    return find(job, open_tile(job, &w)) && find(job, TREE);
}

bool sta__scan_ready(struct sta__job *job)
{
    const struct sta__scan_arguments *a = job->arguments;
    struct sta__scan_walk w;
    enum kind kind = open_tile(job, &w);
    return find(job, kind) && (w.chunks == 1 || find(job, TREE)) && (!a->lead || find(job, LISTS));
}

bool sta__scan_lists_ready(struct sta__job *job)
{
    return find(job, LISTS) != NULL;
}

bool sta__scan_serial_ready(struct sta__job *job)
{
    return find(job, SERIAL) != NULL;
}
