/* Interpolation: the points whole, a task for each tile of x. */
#include "interp/interp.h"

#include "elementwise/front.h"

#include <starray/interp.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct interpolation {
    struct sta__call call;
    sta_interp_options options;
    struct sta__operand x, xp, fp;
    sta_dtype dtype;                                   /* of the result, and of fp */
    struct sta__value *at, *points, *values, *side[2]; /* what the tasks read */
};

/* ---- validation ---- */

static bool validate(struct interpolation *p)
{
    struct sta__call *call = &p->call;
    const struct sta__shape *xp = &p->xp.view.shape, *fp = &p->fp.view.shape;
    const double period = p->options.period;
    if (sta__dtype_kind(p->x.value->dtype) == STA__KIND_COMPLEX ||
        sta__dtype_kind(p->xp.value->dtype) == STA__KIND_COMPLEX)
        sta__fail(call, STA_ERROR_DTYPE, "x and xp must be real");
    else if (xp->ndim != 1 || fp->ndim != 1)
        sta__fail(call, STA_ERROR_SHAPE, "xp and fp have one axis, not %d and %d", xp->ndim, fp->ndim);
    else if (xp->at[0] != fp->at[0])
        sta__fail(call, STA_ERROR_SHAPE, "xp and fp differ in length: %lld and %lld", (long long)xp->at[0],
                  (long long)fp->at[0]);
    else if (xp->at[0] == 0)
        sta__fail(call, STA_ERROR_VALUE, "there are no points");
    else if (!isfinite(period))
        sta__fail(call, STA_ERROR_VALUE, "the period is not finite");
    p->dtype = sta__dtype_kind(p->fp.value->dtype) == STA__KIND_COMPLEX ? STA_complex128 : STA_float64;
    return !call->error;
}

/* ---- points of a period: on the host, sorted, with one more at each end ---- */

struct point {
    double x, f[2];
    int64_t place;
};

static int by_x(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    return p->place < q->place ? -1 : p->place > q->place;
}

/* Python's remainder, with the sign of the period. */
static double folded(double x, double period)
{
    double rest = fmod(x, period);
    return rest < 0 ? rest + period : rest == 0 ? 0 : rest;
}

static bool read(struct interpolation *p, const struct sta__operand *x, sta_dtype dtype, void *to)
{
    struct sta__value *whole = sta__prepare(&p->call, x, dtype, NULL);
    struct sta__operand operand = sta__whole(whole);
    if (!whole)
        return false;
    struct sta__box box = sta__whole_box(&whole->shape);
    bool fine = sta__read_operand(&p->call, &operand, &box, to);
    sta__operand_drop(&operand);
    return fine;
}

static void put_point(struct interpolation *p, int64_t at, const struct point *point, double shift)
{
    int parts = p->dtype == STA_complex128 ? 2 : 1;
    ((double *)p->points->data)[at] = point->x + shift;
    memcpy((double *)p->values->data + at * parts, point->f, sizeof(double) * (size_t)parts);
}

static void make_points(struct interpolation *p, struct point *point, const double *x, const double *f, int64_t count)
{
    double period = fabs(p->options.period);
    int parts = p->dtype == STA_complex128 ? 2 : 1;
    for (int64_t i = 0; i < count; i++) {
        point[i] = (struct point){.x = folded(x[i], period), .place = i};
        memcpy(point[i].f, f + i * parts, sizeof(double) * (size_t)parts);
    }
    qsort(point, (size_t)count, sizeof *point, by_x);
    put_point(p, 0, &point[count - 1], -period);
    for (int64_t i = 0; i < count; i++)
        put_point(p, i + 1, &point[i], 0);
    put_point(p, count + 1, &point[0], period);
}

static bool periodic(struct interpolation *p)
{
    int64_t count = p->xp.view.shape.at[0];
    struct sta__shape shape = {.ndim = 1, .at = {count + 2}};
    struct point *point = sta__allocate(sizeof *point * (size_t)count);
    double *x = sta__allocate(sizeof *x * (size_t)count), *f = sta__allocate(2 * sizeof *f * (size_t)count);
    p->points = sta__value_now(STA_float64, &shape);
    p->values = sta__value_now(p->dtype, &shape);
    bool fine = point && x && f && p->points && p->values;
    if (!fine)
        sta__fail_memory(&p->call);
    fine = fine && read(p, &p->xp, STA_float64, x) && read(p, &p->fp, p->dtype, f);
    if (fine)
        make_points(p, point, x, f, count);
    sta__release(point);
    sta__release(x);
    sta__release(f);
    if (!fine)
        return false;
    p->x = sta__cast(&p->call, p->x, STA_float64);
    p->x = STA__BINARY(&p->call, remainder, p->x, sta__number(&p->call, fabs(p->options.period), 0, false));
    return p->x.value != NULL;
}

/* ---- what tasks read ---- */

static struct sta__value *in_one_tile(struct sta__call *call, const struct sta__operand *x, sta_dtype dtype)
{
    struct sta__grid *grid = sta__grid_single(&x->view.shape);
    struct sta__value *value = grid ? sta__prepare(call, x, dtype, grid) : sta__fail_memory(call);
    sta__grid_drop(grid);
    return value;
}

static bool take_side(struct interpolation *p, int which, sta_array given)
{
    struct sta__operand side;
    int64_t size = 0;
    if (given.id == 0 || p->options.period != 0)
        return true;
    if (!sta__operand_of(&p->call, given, &side))
        return false;
    if (!sta__shape_size(&side.view.shape, &size) || size != 1)
        sta__fail(&p->call, STA_ERROR_SHAPE, "what stands beside the points is one element");
    else
        p->side[which] = in_one_tile(&p->call, &side, p->dtype);
    sta__operand_drop(&side);
    return p->side[which] != NULL;
}

static bool prepare(struct interpolation *p)
{
    if (!take_side(p, 0, p->options.left) || !take_side(p, 1, p->options.right))
        return false;
    if (p->options.period != 0 && !periodic(p))
        return false;
    if (!p->points)
        p->points = in_one_tile(&p->call, &p->xp, STA_float64);
    if (!p->values && p->points)
        p->values = in_one_tile(&p->call, &p->fp, p->dtype);
    if (p->values)
        p->at = sta__prepare(&p->call, &p->x, STA_float64, NULL);
    return p->at != NULL;
}

/* ---- tasks ---- */

static struct sta__value *result_of(struct interpolation *p, bool now)
{
    const struct sta__shape *shape = &p->at->shape;
    if (now)
        return sta__value_now(p->dtype, shape);
    struct sta__grid *grid = p->at->state == STA__TILED ? sta__grid_take(p->at->grid) : sta__grid_single(shape);
    struct sta__value *value = grid ? sta__value_tiled(p->dtype, grid) : NULL;
    sta__grid_drop(grid);
    if (value)
        value->depth = p->at->depth + 1;
    return value;
}

static void add_task(struct interpolation *p, struct sta__batch *batch, struct sta__value *result, int64_t tile)
{
    struct sta__task *task = sta__batch_task(batch, NULL, sizeof(struct sta__interp_arguments));
    if (!task)
        return;
    struct sta__interp_arguments *a = sta__task_arguments(task);
    sta__task_writes(task, result, tile);
    a->x = sta__task_reads(task, p->at, tile);
    a->xp = sta__task_reads(task, p->points, 0);
    a->fp = sta__task_reads(task, p->values, 0);
    a->left = p->side[0] ? sta__task_reads(task, p->side[0], 0) : 0;
    a->right = p->side[1] ? sta__task_reads(task, p->side[1], 0) : 0;
}

static struct sta__value *submit(struct interpolation *p)
{
    struct sta__value *inputs[5] = {p->at, p->points, p->values};
    int count = 3;
    for (int k = 0; k < 2; k++)
        if (p->side[k])
            inputs[count++] = p->side[k];
    bool now = p->at->size == 0 || sta__runs_now(p->at->size * (int64_t)sta_itemsize(p->dtype), inputs, count);
    struct sta__value *result = result_of(p, now);
    struct sta__batch *batch = result ? sta__batch_open(&p->call, &sta__interp, p->dtype, now) : NULL;
    if (!batch) {
        sta__value_drop(result);
        return sta__fail_memory(&p->call);
    }
    sta__batch_depth(batch, p->at->depth + 1);
    for (int64_t tile = 0; p->at->size > 0 && tile < (now ? 1 : result->grid->tiles); tile++)
        add_task(p, batch, result, tile);
    if (sta__batch_submit(batch))
        return result;
    sta__value_drop(result);
    return NULL;
}

sta_array sta_interp(sta_array x, sta_array xp, sta_array fp, const sta_interp_options *options)
{
    struct interpolation p = {.options = {.size = sizeof p.options}};
    struct sta__value *result = NULL;
    if (options)
        memcpy(&p.options, options, options->size < sizeof p.options ? options->size : sizeof p.options);
    p.call = sta__enter("interp");
    if (sta__operand_of(&p.call, x, &p.x) && sta__operand_of(&p.call, xp, &p.xp) &&
        sta__operand_of(&p.call, fp, &p.fp) && validate(&p) && prepare(&p))
        result = submit(&p);
    sta__operand_drop(&p.x);
    sta__operand_drop(&p.xp);
    sta__operand_drop(&p.fp);
    sta__value_drop(p.at);
    sta__value_drop(p.points);
    sta__value_drop(p.values);
    sta__value_drop(p.side[0]);
    sta__value_drop(p.side[1]);
    return sta__leave(&p.call, result);
}
