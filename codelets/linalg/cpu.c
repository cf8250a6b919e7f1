/* Products of one task, sequential or shared by a team. */
#include "linalg.h"

#include <stdio.h>
#include <string.h>

static bool multiply(const struct sta__product *p)
{
    if (p->m == 0 || p->n == 0)
        return true;
    if (p->k == 0) {
        for (int64_t i = 0; i < p->m && !p->add; i++)
            memset(p->c + (size_t)(i * p->c_pitch) * sta_itemsize(p->dtype), 0, (size_t)p->n * sta_itemsize(p->dtype));
        return true;
    }
    if (sta__dtype_kind(p->dtype) < STA__KIND_FLOATING)
        return sta__product_integer(p);
    sta__product_blas(p);
    return true;
}

/* Share t of the rows, or of the columns where these are more: in steps that fill registers. */
static struct sta__product share(const struct sta__product *p, int t, int threads)
{
    enum { STEP = 16 };
    struct sta__product q = *p;
    const bool rows = p->m >= p->n || p->m >= (int64_t)threads * STEP;
    const int64_t length = rows ? p->m : p->n, bytes = (int64_t)sta_itemsize(p->dtype);
    const int64_t each = (length + (int64_t)threads * STEP - 1) / ((int64_t)threads * STEP) * STEP;
    const int64_t from = each * t < length ? each * t : length, to = from + each < length ? from + each : length;
    if (rows) {
        q.m = to - from;
        q.a += from * (p->a_transposed ? 1 : p->a_pitch) * bytes;
        q.c += from * p->c_pitch * bytes;
    } else {
        q.n = to - from;
        q.b += from * (p->b_transposed ? p->b_pitch : 1) * bytes;
        q.c += from * bytes;
    }
    return q;
}

static struct sta__product product_of(const struct sta__job *job, int64_t i)
{
    const struct sta__matmul_arguments *m = job->arguments;
    const sta_dtype dtype = job->memory[0].dtype;
    const int64_t bytes = (int64_t)sta_itemsize(dtype);
    return (struct sta__product){
        .dtype = dtype,
        .m = m->m,
        .n = m->n,
        .k = m->k,
        .a = job->memory[m->a.at].data + (m->a.first + i * m->a.step) * bytes,
        .b = job->memory[m->b.at].data + (m->b.first + i * m->b.step) * bytes,
        .c = job->memory[0].data + i * m->m * m->n * bytes,
        .a_pitch = m->a.pitch,
        .b_pitch = m->b.pitch,
        .c_pitch = m->n,
        .a_transposed = m->a.transposed,
        .b_transposed = m->b.transposed,
        .add = m->add,
    };
}

static sta_error_code matmul_cpu(struct sta__job *job)
{
    const struct sta__matmul_arguments *arguments = job->arguments;
    const int threads = job->threads;
    bool good = true;
    for (int64_t i = 0; i < arguments->stack && threads <= 1; i++) {
        const struct sta__product whole = product_of(job, i);
        good = multiply(&whole) && good;
    }
    if (threads > 1) {
#pragma omp parallel for num_threads(threads) schedule(static, 1) reduction(&& : good)
        for (int t = 0; t < threads; t++)
            for (int64_t i = arguments->stack > 1 ? t : 0; i < arguments->stack; i += threads) {
                const struct sta__product whole = product_of(job, i);
                const struct sta__product mine = arguments->stack > 1 ? whole : share(&whole, t, threads);
                good = multiply(&mine) && good;
            }
    }
    if (good)
        return STA_ERROR_NONE;
    snprintf(job->text, sizeof job->text, "no memory for a product");
    return STA_ERROR_MEMORY;
}

/* Some 30 multiplications and additions of floats a nanosecond. */
static double matmul_cost(const struct sta__job *job)
{
    const struct sta__matmul_arguments *m = job->arguments;
    const sta_dtype dtype = job->memory[0].dtype;
    const double size = (double)sta_itemsize(dtype) / (double)sizeof(float);
    const double kind = sta__dtype_kind(dtype) == STA__KIND_COMPLEX   ? 2.0
                        : sta__dtype_kind(dtype) < STA__KIND_FLOATING ? 4.0
                                                                      : 1.0;
    return (double)m->stack * (double)m->m * (double)m->n * (double)m->k * size * kind / 30.0;
}

static double matmul_flops(const struct sta__job *job)
{
    const struct sta__matmul_arguments *m = job->arguments;
    const double kind = sta__dtype_kind(job->memory[0].dtype) == STA__KIND_COMPLEX ? 8.0 : 2.0;
    return kind * (double)m->stack * (double)m->m * (double)m->n * (double)m->k;
}

/* ---- sums of partial products ---- */

#define ADD(type, word)                                                                                                \
    for (int64_t i = 0; i < count; i++)                                                                                \
        ((type *)(void *)to)[i] = (type)((word)((type *)(void *)to)[i] + (word)((const type *)(const void *)from)[i]);

static void add(sta_dtype dtype, int64_t count, const char *from, char *to)
{
    switch (dtype) {
    case STA_bool:
        for (int64_t i = 0; i < count; i++)
            to[i] = (char)(to[i] != 0 || from[i] != 0);
        break;
    case STA_complex64:
        count *= 2;
        ADD(float, float)
        break;
    case STA_float32:
        ADD(float, float)
        break;
    case STA_complex128:
        count *= 2;
        ADD(double, double)
        break;
    case STA_float64:
        ADD(double, double)
        break;
    case STA_int8:
    case STA_uint8:
        ADD(uint8_t, uint32_t)
        break;
    case STA_int16:
    case STA_uint16:
        ADD(uint16_t, uint32_t)
        break;
    case STA_int32:
    case STA_uint32:
        ADD(uint32_t, uint32_t)
        break;
    default:
        ADD(uint64_t, uint64_t)
    }
}

static sta_error_code add_cpu(struct sta__job *job)
{
    const struct sta__memory *sum = &job->memory[0];
    int64_t count = 1;
    for (int axis = 0; axis < sum->ndim; axis++)
        count *= sum->shape[axis];
    memcpy(sum->data, job->memory[1].data, (size_t)count * sta_itemsize(sum->dtype));
    for (int i = 2; i < job->count; i++)
        add(sum->dtype, count, job->memory[i].data, sum->data);
    return STA_ERROR_NONE;
}

const struct sta__kernel sta__matmul = {
    .name = "matmul", .cpu = matmul_cpu, .cost = matmul_cost, .flops = matmul_flops};
const struct sta__kernel sta__matmul_add = {.name = "matmul_add", .cpu = add_cpu};
