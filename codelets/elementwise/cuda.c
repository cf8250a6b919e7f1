/* Element-wise programs on a GPU: the kernel of program and layout, made when the task is submitted, launched by the body. */
#include "elementwise/cuda_layout.h"

#include "copy/cuda_copy.h"
#include "cuda.h"
#include "cuda_compile.h"
#include "elementwise/program_cuda.h"

#include <stdio.h>

/* ---- kernels ---- */

static bool write_text(const void *context, struct sta__text *text)
{
    const struct sta__cuda_nest *nest = context;
    sta__cuda_put_prelude(text);
    sta__cuda_put_functions(text, nest->run.program);
    sta__cuda_put_element(text, nest->run.program);
    sta__cuda_put_kernel(text, nest->run.program, &nest->layout);
    return !text->failed;
}

struct sta__cuda_kernel *sta__cuda_nest_kernel(const struct sta__cuda_nest *nest, struct sta__job *job)
{
    uint64_t key[STA__CUDA_KEY_WORDS];
    int words = sta__cuda_layout_key(nest->run.program, &nest->layout, key);
    return sta__cuda_kernel_of(job, key, words, write_text, nest);
}

sta_error_code sta__cuda_nest_launch(struct sta__cuda_nest *nest, struct sta__job *job)
{
    uint64_t words[STA__CUDA_WORDS];
    struct sta__cuda_kernel *kernel = sta__cuda_nest_kernel(nest, job);
    sta_error_code code = kernel ? STA_ERROR_NONE : STA_ERROR_DEVICE;
    for (int64_t first = 0; first < nest->boxes && !code; first += nest->layout.boxes) {
        int64_t blocks = sta__cuda_nest_words(nest, first, words);
        code = sta__cuda_launch(job, kernel, blocks, STA__CUDA_THREADS, words);
    }
    return code;
}

/* ---- the variant ---- */

static bool bring_operands(struct sta__job *job)
{
    for (int i = 0; i < job->count; i++)
        if (job->memory[i].on_host && job->memory[i].value->size != 1 && !sta__cuda_upload(job, i))
            return false;
    return true;
}

sta_error_code sta__program_cuda(struct sta__job *job)
{
    const struct sta__program_arguments *arguments = job->arguments;
    struct sta__cuda_nest nest;
    if (!bring_operands(job))
        return STA_ERROR_MEMORY;
    if (arguments->copy_from >= 0) {
        sta_error_code code = sta__cuda_copy_rest(job);
        if (code)
            return code;
    }
    sta__cuda_nest_open(&nest, job);
    return sta__cuda_nest_launch(&nest, job);
}

/* As operands will lie on a GPU: contiguous, at the beginning of an allocation. */
void sta__cuda_imagine(struct sta__job *job)
{
    for (int i = 0; i < job->count; i++) {
        struct sta__memory *memory = &job->memory[i];
        int64_t stride = (int64_t)sta_itemsize(memory->dtype);
        if (memory->on_host && memory->value->size == 1)
            continue;
        memory->data = (char *)(uintptr_t)4096;
        for (int a = memory->ndim - 1; a >= 0; a--) {
            memory->stride[a] = stride;
            stride *= memory->shape[a];
        }
    }
}

bool sta__program_ready(struct sta__job *job)
{
    struct sta__cuda_nest nest;
    sta__cuda_imagine(job);
    sta__cuda_nest_open(&nest, job);
    return sta__cuda_nest_kernel(&nest, job) != NULL;
}
