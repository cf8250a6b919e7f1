/* The kernel: for each x its interval, then NumPy's formula, part by part for complex numbers. */
#include "interp/cuda.h"
#include "interp/interp.h"

#include <math.h>

struct table {
    const double *x, *f; /* of f `parts` numbers for each point */
    const double *left, *right;
    int64_t count;
    int parts;
};

/* The last point at or below x, for x within the points: looked for near the last one first. */
static int64_t interval(const struct table *t, double x, int64_t guess)
{
    int64_t low = 0, high = t->count;
    if (t->x[guess] <= x) {
        low = guess;
        if (guess + 1 >= t->count || x < t->x[guess + 1])
            return guess;
        if (guess + 2 >= t->count || x < t->x[guess + 2])
            return guess + 1;
    } else {
        high = guess;
    }
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        if (t->x[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static double between(const struct table *t, double x, int64_t j, int part)
{
    double x0 = t->x[j], x1 = t->x[j + 1], f0 = t->f[j * t->parts + part], f1 = t->f[(j + 1) * t->parts + part];
    double slope = t->parts == 1 ? (f1 - f0) / (x1 - x0) : (f1 - f0) * (1.0 / (x1 - x0));
    double value = slope * (x - x0) + f0;
    if (!isnan(value))
        return value;
    value = slope * (x - x1) + f1; /* infinite points */
    return isnan(value) && f0 == f1 ? f0 : value;
}

static void interpolate(const struct table *t, const double *x, double *to, int64_t from, int64_t end)
{
    int64_t last = t->count - 1, j = 0;
    for (int64_t i = from; i < end; i++) {
        const double *constant = NULL;
        bool none = isnan(x[i]) && last > 0;
        if (x[i] < t->x[0])
            constant = t->left;
        else if (x[i] > t->x[last])
            constant = t->right;
        else if (!none)
            j = last ? interval(t, x[i], j) : 0;
        if (!constant && !none && (j == last || t->x[j] == x[i]))
            constant = &t->f[j * t->parts];
        for (int part = 0; part < t->parts; part++) {
            double *value = &to[i * t->parts + part];
            if (none)
                *value = part ? 0 : x[i];
            else
                *value = constant ? constant[part] : between(t, x[i], j, part);
        }
    }
}

static sta_error_code interp(struct sta__job *job)
{
    const struct sta__interp_arguments *a = job->arguments;
    const struct sta__memory *to = &job->memory[0];
    struct table t = {.x = (const double *)(const void *)job->memory[a->xp].data,
                      .f = (const double *)(const void *)job->memory[a->fp].data,
                      .count = job->memory[a->xp].shape[0],
                      .parts = to->dtype == STA_complex128 ? 2 : 1};
    t.left = a->left ? (const double *)(const void *)job->memory[a->left].data : t.f;
    t.right = a->right ? (const double *)(const void *)job->memory[a->right].data : &t.f[(t.count - 1) * t.parts];
    int64_t size = 1, team = job->threads > 1 ? job->threads : 1;
    for (int d = 0; d < to->ndim; d++)
        size *= to->shape[d];
#pragma omp parallel for num_threads(job->threads) if (team > 1)
    for (int64_t m = 0; m < team; m++)
        interpolate(&t, (const double *)(const void *)job->memory[a->x].data, (double *)(void *)to->data,
                    size * m / team, size * (m + 1) / team);
    return STA_ERROR_NONE;
}

/* A search by halves. */
static double interp_cost(const struct sta__job *job)
{
    const struct sta__interp_arguments *a = job->arguments;
    double size = 1;
    for (int d = 0; d < job->memory[0].ndim; d++)
        size *= (double)job->memory[0].shape[d];
    return size * (5 + 2 * log2((double)job->memory[a->xp].shape[0] + 1));
}

const struct sta__kernel sta__interp = {.name = "interp", .cpu = interp, .cost = interp_cost, .cuda = sta__interp_cuda};
