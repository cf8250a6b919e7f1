/* What the files of the reductions' front share: reduce.c validates and infers, functions.c says what each function is
 * made of, direct.c and finish.c compute small arrays at once or make nodes. */
#ifndef STA__REDUCE_FRONT_H
#define STA__REDUCE_FRONT_H

#include "elementwise/ufunc.h"
#include "graph.h"
#include "reduce/tree.h"

struct sta__reduction_call;
/* The value in whatever dtype it comes, of the shape without the reduced axes. NULL: the call's error. */
typedef struct sta__value *(*sta__reduce_function)(struct sta__reduction_call *r);

enum sta__reduce_result {
    STA__RESULT_SUM,
    STA__RESULT_SAME,
    STA__RESULT_BOOL,
    STA__RESULT_INT64,
    STA__RESULT_MEAN,
    STA__RESULT_AVERAGE,
    STA__RESULT_VAR
};
enum sta__reduce_empty { STA__EMPTY_NUMBER, STA__EMPTY_NAN, STA__EMPTY_ERROR };
enum {
    STA__USES_DTYPE = 1,
    STA__USES_CORRECTION = 2,
    STA__USES_INITIAL = 4,
    STA__USES_WHERE = 8,
    STA__USES_WEIGHTS = 16
};

/* One row for each public function. */
struct sta__reduce_row {
    const char *name;
    sta__reduce_function compute;
    int reducer;                    /* where one is enough */
    enum sta__reduce_result result; /* the rule of the result's dtype */
    enum sta__reduce_empty empty;
    int number;    /* what an empty range gives; what NaN counts as */
    unsigned uses; /* which options */
    int joins;     /* the ufunc of `initial` */
};

struct sta__reduction_call {
    struct sta__call *call;
    const struct sta__reduce_row *row;
    struct sta__operand x;   /* has the reduced axes: one of length 1 was added where none is reduced */
    uint32_t axes;           /* of x */
    int count_of_axes;       /* that were named; 0: one was added */
    int axis[STA_MAXDIM];    /* in the order in which they were */
    struct sta__shape shape; /* without them */
    int64_t count, cells;    /* elements that make one result; results */
    sta_dtype given, result; /* the option, or NONE; the dtype of what is returned */
    double correction;
    struct sta__operand initial;        /* value NULL: none */
    struct sta__operand where, weights; /* over the axes of x; value NULL: none */
    bool keep;                          /* the reduced axes stay */
};

/* ---- options (options.c). False: call->error ---- */

bool sta__reduce_options(struct sta__reduction_call *r, const sta_reduce_options *given);
bool sta__reduce_allowed(struct sta__reduction_call *r); /* once the result's dtype is known */

/* ---- the functions (functions.c, masked.c, average.c, median.c) ---- */

struct sta__value *sta__reduce_simple(struct sta__reduction_call *r);   /* one component of one reducer */
struct sta__value *sta__reduce_position(struct sta__reduction_call *r); /* argmin, argmax */
struct sta__value *sta__reduce_nan_position(struct sta__reduction_call *r);
struct sta__value *sta__reduce_range(struct sta__reduction_call *r); /* ptp */
struct sta__value *sta__reduce_mean(struct sta__reduction_call *r);
struct sta__value *sta__reduce_var(struct sta__reduction_call *r);
struct sta__value *sta__reduce_std(struct sta__reduction_call *r);
struct sta__value *sta__reduce_average(struct sta__reduction_call *r);
sta_dtype sta__reduce_average_dtype(const struct sta__reduction_call *r);
struct sta__value *sta__reduce_median(struct sta__reduction_call *r);
struct sta__value *sta__reduce_nan_median(struct sta__reduction_call *r);
struct sta__value *sta__reduce_nan_simple(struct sta__reduction_call *r); /* nansum, nanprod */
struct sta__value *sta__reduce_nan_mean(struct sta__reduction_call *r);
struct sta__value *sta__reduce_nan_var(struct sta__reduction_call *r);
struct sta__value *sta__reduce_nan_std(struct sta__reduction_call *r);

/* ---- what they share. Both take the operand's reference over ---- */

bool sta__reduce_may_be_nan(sta_dtype dtype);
/* One component of a reducer's state. */
struct sta__value *sta__reduce_component(struct sta__reduction_call *r, struct sta__operand operand, int reducer,
                                         sta_dtype accumulator, int part);
/* The first component, of the operand in the dtype asked for. */
struct sta__value *sta__reduce_first(struct sta__reduction_call *r, struct sta__operand operand, int reducer,
                                     sta_dtype dtype);
/* Where `where` or NaN leave elements out (masked.c): x with what changes nothing in their places; mean and var. */
struct sta__operand sta__reduce_chosen(struct sta__reduction_call *r, bool nan);
struct sta__value *sta__reduce_masked_mean(struct sta__reduction_call *r, bool nan);
struct sta__value *sta__reduce_masked_var(struct sta__reduction_call *r, bool nan);

/* ---- components (direct.c) ---- */

/* The components of the reducer's state for which `wanted` has a bit, of the operand cast to `accumulator`; computed at
 * once where the operand is small and there, else pending. False: call->error. */
bool sta__reduce_components(struct sta__reduction_call *r, const struct sta__operand *operand, int reducer,
                            sta_dtype accumulator, unsigned wanted, struct sta__value **to);
/* `result` where no element of `value` is what it must not be: else the error VALUE. Takes both references over. */
enum sta__check { STA__CHECK_NAN, STA__CHECK_ZERO };
struct sta__value *sta__reduce_checked(struct sta__call *call, struct sta__value *value, struct sta__value *result,
                                       enum sta__check check);

/* ---- element-wise arithmetic on them (finish.c). All take the references of operands over, and pass a failure on:
 * an operand without a value gives NULL ---- */

struct sta__operand sta__reduce_whole(struct sta__value *value);               /* the value as it is */
struct sta__operand sta__reduce_again(const struct sta__operand *operand);     /* one more reference */
struct sta__operand sta__reduce_number(struct sta__call *call, double number); /* weak */
struct sta__operand sta__reduce_nan(struct sta__call *call,
                                    sta_dtype dtype); /* weak; in both parts where there are two */
struct sta__operand sta__reduce_integer(struct sta__call *call, int64_t number);
/* A value of the shape without the axes as one of `ndim` axes, with length 1 for the reduced ones. */
struct sta__view sta__reduce_kept_view(const struct sta__shape *shape, uint32_t axes, int ndim);
struct sta__value *sta__reduce_apply(struct sta__call *call, int op, int count, struct sta__operand *in);
struct sta__value *sta__reduce_cast(struct sta__call *call, struct sta__operand operand, sta_dtype dtype);
#define STA__APPLY(call, op, ...)                                                                                      \
    sta__reduce_apply(call, STA__OP_##op,                                                                              \
                      (int)(sizeof((struct sta__operand[]){__VA_ARGS__}) / sizeof(struct sta__operand)),               \
                      (struct sta__operand[]){__VA_ARGS__})

#endif
