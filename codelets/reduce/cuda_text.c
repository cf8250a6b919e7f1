/* The text of a reduction's kernel: the program's element, what it works on as macros, and the walk over it. */
#include "reduce/cuda_reduce.h"

#include "cuda_compile.h"
#include "elementwise/cuda_layout.h"
#include "elementwise/texts.h"

#include <string.h>

static void put_reductions(struct sta__text *text, const struct sta__reduce_key *key)
{
    sta__text_put(text, "#define REDUCTIONS(X)");
    for (int r = 0; r < key->count; r++)
        sta__text_put(text, " X(%d, %s, %s)", r, sta__reducer_name((enum sta__reducer)key->reducer[r]),
                      sta__cuda_type((sta_dtype)key->dtype[r]));
    sta__text_put(text, "\n");
}

/* ---- the program ---- */

static void put_operand(struct sta__text *text, const struct sta__reduce_key *key, int o, sta_dtype dtype)
{
    static const char *const modes[] = {"VECTORS", "STRIDED", "FIXED"};
    sta__text_put(text, " X(%d, %s, %s)", o, sta__cuda_type(dtype), modes[key->access[o]]);
}

static void put_operands(struct sta__text *text, const struct sta__reduce_key *key, const struct sta__program *p)
{
    int o = 0;
    sta__text_put(text, "#define INPUTS(X)");
    for (; o < p->inputs; o++)
        put_operand(text, key, o, p->slot_dtype[o]);
    sta__text_put(text, "\n#define STORES(X)");
    for (int out = 0; out < p->outputs; out++)
        if (!p->output[out].reduce)
            put_operand(text, key, o++, p->slot_dtype[p->output[out].slot]);
    sta__text_put(text, "\n");
}

static void put_element_call(struct sta__text *text, const struct sta__reduce_key *key, const struct sta__program *p)
{
    const char *comma = "";
    sta__text_put(text, "#define ELEMENT(in, out, to) element(");
    for (int o = 0; o < key->operands; o++, comma = ", ")
        sta__text_put(text, "%s%s.x%d", comma, o < p->inputs ? "in" : "out", o);
    for (int r = 0; r < key->count; r++, comma = ", ")
        sta__text_put(text, "%sto.r%d", comma, r);
    sta__text_put(text, ")\n");
}

/* ---- the kernel ---- */

static const char *const kernels[] = {
    [STA__REDUCE_ROWS] = sta__text_cuda_rows,
    [STA__REDUCE_COLUMNS] = sta__text_cuda_columns,
    [STA__REDUCE_NODES] = sta__text_cuda_columns,
    [STA__REDUCE_MERGE] = sta__text_cuda_merge,
};

void sta__reduce_put_kernel(struct sta__text *text, const struct sta__reduce_key *key,
                            const struct sta__program *program)
{
    if (key->small)
        sta__text_put(text, STA__CUDA_QUICK);
    sta__cuda_put_prelude(text);
    if (program) {
        sta__cuda_put_functions(text, program);
        sta__cuda_put_element(text, program);
        put_operands(text, key, program);
        put_element_call(text, key, program);
    }
    put_reductions(text, key);
    if (key->kind != STA__REDUCE_MERGE)
        sta__text_put(
            text, "#define OUTER %d\n#define OPERANDS %d\n#define PIECES %d\n#define VECTOR %d\n#define UNROLL %d\n",
            key->outer, program ? key->operands : 1, key->pieces > 1 ? key->pieces : 1, key->vector, key->unroll);
    if (key->kind == STA__REDUCE_ROWS)
        sta__text_put(text, "#define LANES %d\n#define WARPS %d\n", key->lanes, key->warps);
    if (key->kind == STA__REDUCE_COLUMNS || key->kind == STA__REDUCE_NODES)
        sta__text_put(text, "#define LIGHT %d\n", !program || program->cost <= STA__REDUCE_LIGHT);
    if (key->kind == STA__REDUCE_NODES)
        sta__text_put(text, "#define STATES\n");
    sta__text_put(text, "%s%s%s", sta__text_cuda_fold, key->kind == STA__REDUCE_MERGE ? "" : sta__text_cuda_walk,
                  kernels[key->kind]);
}

struct context {
    const struct sta__reduce_key *key;
    const struct sta__program *program;
};

static bool write_text(const void *argument, struct sta__text *text)
{
    const struct context *context = argument;
    sta__reduce_put_kernel(text, context->key, context->program);
    return !text->failed;
}

struct sta__cuda_kernel *sta__reduce_kernel(struct sta__job *job, const struct sta__reduce_key *key,
                                            const struct sta__program *program)
{
    enum { OWN = (sizeof *key + 7) / 8 };
    const struct context context = {key, program};
    uint64_t words[STA__CUDA_KEY_WORDS + OWN + 1] = {UINT64_C(0x7265647563650000)}; /* no other kind of kernel's */
    memcpy(&words[1], key, sizeof *key);
    const int own = 1 + OWN, more = program ? sta__cuda_program_key(program, &words[own]) : 0;
    return sta__cuda_kernel_of(job, words, own + more, write_text, &context);
}
