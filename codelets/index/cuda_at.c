/* Operators on selected elements, on a GPU: the kernel is made of the operator's row of ufuncs.def when the task is submitted.
 * Contract: cuda_index.h, cuda_at.h. */
#include "codelets/index/cuda_index.h"
#include "codelets/index/index.h"

#include "codelets/index/cuda_at.h"
#include "cuda_compile.h"
#include "cuda_worker.h"
#include "elementwise/cuda_layout.h"
#include "elementwise/cuda_text.h"
#include "elementwise/texts.h"

#include <string.h>

enum { THREADS = 256 };

static int add_instruction(struct sta__program *p, int op, sta_dtype type, sta_dtype to, int count, int a, int b)
{
    const int slot = p->slots++;
    p->slot_dtype[slot] = to;
    p->instruction[p->instructions++] = (struct sta__instruction){.op = (int16_t)op,
                                                                  .type = type,
                                                                  .to = (uint8_t)slot,
                                                                  .count = (uint8_t)count,
                                                                  .from = {(uint8_t)a, (uint8_t)b}};
    return slot;
}

/* x, source -> x: rounded to x's dtype each time, as the CPU's loops do. */
static void make_program(struct sta__program *p, const struct sta__at *at, sta_dtype x)
{
    memset(p, 0, sizeof *p);
    p->inputs = p->slots = 2;
    p->slot_dtype[0] = x;
    p->slot_dtype[1] = at->compute[1];
    int left = at->compute[0] == x ? 0 : add_instruction(p, -1, x, at->compute[0], 1, 0, 0);
    int result = add_instruction(p, at->op, at->type, at->computed, 2, left, 1);
    if (at->computed != x)
        result = add_instruction(p, -1, at->computed, x, 1, result, 0);
    p->outputs = 1;
    p->output[0].slot = (uint8_t)result;
}

static bool write_text(const void *context, struct sta__text *text)
{
    const struct sta__program *p = context;
    sta__cuda_put_prelude(text);
    sta__cuda_put_functions(text, p);
    sta__cuda_put_element(text, p);
    sta__text_put(text, "%s", sta__text_cuda_at);
    sta__text_put(
        text,
        "extern \"C\" __global__ void __launch_bounds__(%d) sta_kernel(const __grid_constant__ sta__at_walk w)\n"
        "{\n    walk<%s, %s>(w);\n}\n",
        THREADS, sta__cuda_type(p->slot_dtype[0]), sta__cuda_type(p->slot_dtype[1]));
    return !text->failed;
}

bool sta__cuda_at_text(const struct sta__at *at, sta_dtype dtype, struct sta__text *text)
{
    struct sta__program program;
    make_program(&program, at, dtype);
    return write_text(&program, text);
}

static struct sta__cuda_kernel *find(struct sta__job *job, const struct sta__at *at, sta_dtype dtype)
{
    struct sta__program program;
    uint64_t key[STA__CUDA_KEY_WORDS] = {UINT64_C(0x61740000000000)}; /* no other kind of kernel's */
    make_program(&program, at, dtype);
    int words = 1 + sta__cuda_program_key(&program, &key[1]);
    return sta__cuda_kernel_of(job, key, words, write_text, &program);
}

bool sta__cuda_at_ready(struct sta__job *job, const struct sta__at *at, sta_dtype dtype)
{
    return find(job, at, dtype) != NULL;
}

sta_error_code sta__cuda_at(struct sta__job *job, const struct sta__at *at, sta_dtype dtype,
                            const struct sta__cuda_move *c, const struct sta__cuda_targets *t)
{
    struct sta__cuda_kernel *kernel = find(job, at, dtype);
    const struct sta__cuda_shares shares = sta__cuda_share(c->count, c->units, THREADS);
    struct sta__at_walk w = {.count = c->count,
                             .first = c->first,
                             .units = c->units,
                             .space = t->space,
                             .across = shares.across,
                             .shift = shares.x,
                             .leads = c->leads,
                             .rests = c->rests,
                             .wide = t->wide,
                             .key = t->key[1],
                             .order = t->order[1],
                             .target = t->target,
                             .strides = t->strides,
                             .partner = c->partner};
    if (!kernel)
        return STA_ERROR_DEVICE;
    if (c->count == 0 || c->units == 0)
        return STA_ERROR_NONE;
    memcpy(w.lead_extent, c->lead_extent, sizeof w.lead_extent);
    memcpy(w.lead_partner, c->lead_partner, sizeof w.lead_partner);
    memcpy(w.rest_extent, c->rest_extent, sizeof w.rest_extent);
    memcpy(w.rest_partner, c->rest_partner, sizeof w.rest_partner);
    return sta__cuda_launch(job, kernel, shares.blocks, THREADS, &w);
}
