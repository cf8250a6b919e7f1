/* The public scans: validate, infer, make tasks. One table row for each. */
#include "composed.h"
#include "scan/front.h"

#include <starray/scan.h>

#include <string.h>

enum widens { WIDENS, KEEPS };

/* One row for each public function. */
struct row {
    const char *name;
    int op;
    enum widens widens; /* integers, to 64 bits */
    bool skips;         /* NaN counts as the identity */
    int identity;       /* -1: there is none */
};

/* ---- validation ---- */

bool sta__scan_axis(struct sta__call *call, const struct sta__shape *shape, int64_t axis, int *to)
{
    char why[STA__WHY];
    if (shape->ndim == 0)
        return sta__fail(call, STA_ERROR_SHAPE, "the shape is (): there is no axis") != NULL;
    sta_error_code code = sta__axis(axis, shape->ndim, to, why);
    return !code || sta__fail(call, code, "%s", why) != NULL;
}

static bool read_options(struct sta__call *call, const struct row *row, const sta_scan_options *given,
                         sta_scan_options *options)
{
    if (!given)
        return true;
    if (given->size < sizeof given->size || given->size > 4096)
        return sta__fail(call, STA_ERROR_VALUE, "sta_scan_options.size is %zu, but it must be sizeof(sta_scan_options)",
                         given->size) != NULL;
    memcpy(options, given, given->size < sizeof *options ? given->size : sizeof *options);
    if (options->include_initial && row->identity < 0)
        return sta__fail(call, STA_ERROR_VALUE, "%s has no identity to begin with", row->name) != NULL;
    return !options->dtype || sta__check_dtype(call, options->dtype);
}

/* ---- inference ---- */

static sta_dtype result_dtype(const struct row *row, sta_dtype x, sta_dtype given)
{
    const enum sta__kind kind = sta__dtype_kind(x);
    if (given)
        return given;
    if (row->widens == KEEPS || kind >= STA__KIND_FLOATING)
        return x;
    return kind == STA__KIND_UNSIGNED ? STA_uint64 : STA_int64;
}

/* x, but the identity where it is NaN. */
static struct sta__operand without_nan(struct sta__call *call, const struct row *row, const struct sta__operand *x)
{
    if (!row->skips || sta__dtype_kind(x->value->dtype) < STA__KIND_FLOATING)
        return sta__again(x);
    struct sta__operand nan = STA__UNARY(call, isnan, sta__again(x));
    return STA__TERNARY(call, where, nan, sta__number(call, row->identity, 0, false), sta__again(x));
}

static struct sta__value *scan(struct sta__call *call, const struct row *row, const struct sta__operand *x,
                               int64_t axis, const sta_scan_options *given)
{
    sta_scan_options options = {0};
    struct sta__scan_request request = {.op = row->op, .identity = row->identity};
    if (!sta__scan_axis(call, &x->view.shape, axis, &request.axis) || !read_options(call, row, given, &options))
        return NULL;
    request.dtype = result_dtype(row, x->value->dtype, options.dtype);
    request.lead = options.include_initial;
    struct sta__operand elements = without_nan(call, row, x);
    struct sta__value *y = elements.value ? sta__scan_rounded(call, &elements, &request) : NULL;
    sta__operand_drop(&elements);
    return y;
}

/* bool is added and multiplied as one bit where that was asked for: or, and. */
struct sta__value *sta__scan_rounded(struct sta__call *call, const struct sta__operand *x,
                                     const struct sta__scan_request *request)
{
    struct sta__scan_request wide = *request;
    if (request->dtype == STA_float16 || request->dtype == STA_bfloat16)
        wide.dtype = STA_float32;
    /* What is not exact in the dtype asked for becomes so first. */
    const bool cast_first = wide.dtype != request->dtype && x->value->dtype != request->dtype;
    struct sta__operand cast = cast_first ? sta__cast(call, sta__again(x), request->dtype) : sta__again(x);
    struct sta__operand y = sta__whole(cast.value ? sta__scan_value(call, &cast, &wide) : NULL);
    sta__operand_drop(&cast);
    if (wide.dtype != request->dtype)
        y = sta__cast(call, y, request->dtype);
    return y.value;
}

/* ---- the functions ---- */

static sta_array function(const struct row *row, sta_array x, int64_t axis, const sta_scan_options *options)
{
    if (axis == STA_FLAT) {
        const sta_scope scope = sta_open();
        return sta__composed(scope, function(row, sta__line(x), 0, options));
    }
    struct sta__call call = sta__enter(row->name);
    struct sta__operand operand;
    struct sta__value *y = NULL;
    if (sta__operand_of(&call, x, &operand)) {
        y = scan(&call, row, &operand, axis, options);
        sta__operand_drop(&operand);
    }
    return sta__leave(&call, y);
}

/* name, operator, dtype, NaN counts as the identity, identity */
#define SCANS(ROW, ROW_EX)                                                                                             \
    ROW_EX(cumsum, add, WIDENS, false, 0)                                                                              \
    ROW_EX(cumprod, multiply, WIDENS, false, 1)                                                                        \
    ROW_EX(nancumsum, add, WIDENS, true, 0)                                                                            \
    ROW_EX(nancumprod, multiply, WIDENS, true, 1)                                                                      \
    ROW(cummax, maximum, KEEPS, false, -1)                                                                             \
    ROW(cummin, minimum, KEEPS, false, -1)                                                                             \
    ROW(nancummax, fmax, KEEPS, false, -1)                                                                             \
    ROW(nancummin, fmin, KEEPS, false, -1)

#define FUNCTION(name, op, widens, skips, identity)                                                                    \
    static const struct row name##_row = {#name, STA__OP_##op, widens, skips, identity};                               \
    sta_array sta_##name(sta_array x, int64_t axis)                                                                    \
    {                                                                                                                  \
        return function(&name##_row, x, axis, NULL);                                                                   \
    }
#define FUNCTION_EX(name, op, widens, skips, identity)                                                                 \
    FUNCTION(name, op, widens, skips, identity)                                                                        \
    sta_array sta_##name##_ex(sta_array x, int64_t axis, const sta_scan_options *options)                              \
    {                                                                                                                  \
        return function(&name##_row, x, axis, options);                                                                \
    }
SCANS(FUNCTION, FUNCTION_EX)

static const struct row cumulative_sum = {"cumulative_sum", STA__OP_add, WIDENS, false, 0};
static const struct row cumulative_prod = {"cumulative_prod", STA__OP_multiply, WIDENS, false, 1};

sta_array sta_cumulative_sum(sta_array x, int64_t axis, const sta_scan_options *options)
{
    return function(&cumulative_sum, x, axis, options);
}

sta_array sta_cumulative_prod(sta_array x, int64_t axis, const sta_scan_options *options)
{
    return function(&cumulative_prod, x, axis, options);
}
