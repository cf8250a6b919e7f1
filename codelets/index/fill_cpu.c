/* The kernel that writes a value where a mask is true. Contract: fill.h. */
#include "codelets/index/fill.h"
#include "codelets/index/loops_mask.h"

#include "elementwise/program.h"

#include <omp.h>
#include <string.h>

/* One member of a team at work. */
struct filler {
    struct sta__run run;
    char *to;
    const char *value;
    int64_t each;         /* elements of x for one of the mask */
    size_t item, pattern; /* bytes of an element, and of what is at `value` */
};

static void open_filler(struct filler *f, struct sta__job *job)
{
    sta__run_open(&f->run, job);
    const int64_t *word = f->run.reduce_words;
    const struct sta__memory *to = &job->memory[word[0]], *value = &job->memory[word[1]];
    f->to = to->data;
    f->value = value->data;
    f->each = word[2];
    f->item = f->pattern = sta_itemsize(to->dtype);
    for (int a = 0; a < value->ndim; a++)
        f->pattern *= (size_t)value->shape[a];
    sta__run_collapse(&f->run);
}

/* What stands for one true element: the value, as often as it takes. */
static void fill_run(const struct filler *f, char *to)
{
    const size_t bytes = (size_t)f->each * f->item;
    memcpy(to, f->value, f->pattern);
    for (size_t done = f->pattern; done < bytes; done *= 2) /* what is there already is repeated */
        memcpy(to + done, to, done < bytes - done ? done : bytes - done);
}

/* n elements of the mask, the first of which is number `first` of the tile. */
static void fill_line(const struct filler *f, const uint8_t *mask, int64_t n, int64_t first)
{
    char *to = f->to + first * f->each * (int64_t)f->item;
    if (f->each == 1) {
        STA__BEST_ISA(sta__mask_loops)->fill[f->item](mask, n, to, f->value);
        return;
    }
    for (int64_t i = 0; i < n; i++)
        if (mask[i])
            fill_run(f, to + i * f->each * (int64_t)f->item);
}

/* Blocks are runs of the tile. */
static void fill_block(const struct filler *f, const struct sta__block *block)
{
    int64_t first = 0;
    for (int a = 0; a < f->run.ndim; a++)
        first = first * f->run.extent[a] + block->origin[a];
    fill_line(f, f->run.slot[f->run.program->output[0].slot], block->count, first);
}

static bool run_member(struct sta__job *job, int member, int team)
{
    struct filler f;
    open_filler(&f, job);
    f.run.scratch = sta__allocate((size_t)(f.run.program->buffers + 1) * STA__SLOT_BYTES);
    if (!f.run.scratch)
        return false;
    struct sta__block_walk walk = sta__block_walk_plan(&f.run);
    for (int64_t number = walk.blocks * member / team; number < walk.blocks * (member + 1) / team; number++) {
        struct sta__block block = {.axis = walk.axis};
        sta__block_walk_place(&f.run, &walk, number, &block);
        sta__run_block(&f.run, &block);
        fill_block(&f, &block);
    }
    sta__release(f.run.scratch);
    return true;
}

static sta_error_code fill(struct sta__job *job)
{
    bool fine = true;
    if (job->threads <= 1)
        return run_member(job, 0, 1) ? STA_ERROR_NONE : STA_ERROR_MEMORY;
#pragma omp parallel num_threads(job->threads) reduction(&& : fine)
    fine = run_member(job, omp_get_thread_num(), omp_get_num_threads());
    return fine ? STA_ERROR_NONE : STA_ERROR_MEMORY;
}

/* As if half of the mask were true. */
static double cost(const struct sta__job *job)
{
    enum { LOOKED_AT = 8, BYTES = 16 }; /* in a nanosecond */
    const struct sta__program_arguments *arguments = job->arguments;
    double elements = 1, bytes = 0;
    for (int a = 0; a < arguments->ndim; a++)
        elements *= (double)arguments->word[a];
    for (int i = 0; i < job->count; i++) {
        double own = (double)sta_itemsize(job->memory[i].dtype);
        for (int a = 0; a < job->memory[i].ndim; a++)
            own *= (double)job->memory[i].shape[a];
        bytes += own;
    }
    return elements / LOOKED_AT + bytes / BYTES;
}

const struct sta__kernel sta__mask_fill_kernel = {
    .name = "put_true", .cpu = fill, .cost = cost, .end = sta__program_end, .hash = sta__program_hash};
