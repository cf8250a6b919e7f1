/* The lazy graph: nodes, and the programs that they are compiled to. */
#ifndef STA__GRAPH_H
#define STA__GRAPH_H

#include "elementwise/ufunc.h"
#include "internal.h"

/* ---- nodes ---- */

enum sta__node_kind {
    STA__NODE_UFUNC, /* element-wise: op of ufuncs.def */
    STA__NODE_CAST,  /* element-wise: a copy, perhaps to another dtype */
    STA__NODE_REDUCE /* op of reducers.def over `axes` of its one operand */
};
enum { STA__MAXOPERANDS = 3 };

struct sta__node {
    enum sta__node_kind kind;
    int op;
    int count;
    struct sta__operand in[STA__MAXOPERANDS];
    sta_dtype operand[STA__MAXOPERANDS]; /* what each operand is in NumPy's terms: weak scalars are rounded to it */
    sta_dtype compute[STA__MAXOPERANDS]; /* what the loop reads */
    sta_dtype loop;                      /* picks the loop of the ufunc, or the reducer's accumulator */
    sta_dtype natural;                   /* what the loop gives; cast to the value's dtype at the end */
    uint32_t axes;                       /* REDUCE: a bit for each reduced axis of the operand */
    int component;                       /* REDUCE: which part of the reducer's state */
    struct sta__value *value;            /* what it computes; not counted, the value owns the node */
    struct sta__node *previous, *next;   /* all pending nodes, in the order of the calls */
    int depth;                           /* of pending nodes below; the priority of its tasks */
    int slots, inputs, leaves;           /* upper bounds of its program: leaves are arrays and scalars, inputs arrays */
    int height;                          /* pending values that wait for one another below it */
    int64_t seen;                        /* by which measurement of a program's length */
    int absorbed;                        /* programs that computed it on the way */
    bool doubtful;                       /* it reads what is (doubt.c) */
};

/* A pending value; takes the operands' references over, also when it fails (NULL: call->error). */
struct sta__value *sta__node_ufunc(struct sta__call *call, const struct sta__types *types, struct sta__operand *in,
                                   int count, const struct sta__shape *shape);
struct sta__value *sta__node_cast(struct sta__call *call, struct sta__operand *in, sta_dtype dtype);
/* The result has no reduced axes. `component` picks a part of the state, of dtype `dtype`. Where an equal node is
 * pending its value is the answer. */
struct sta__value *sta__node_reduce(struct sta__call *call, int op, int component, struct sta__operand *in,
                                    sta_dtype accumulator, sta_dtype dtype, uint32_t axes);
/* Sees to it that a new node's program is neither too long nor too high (src/bound.c): submits operands. False: an error. */
bool sta__node_shorten(struct sta__call *call, struct sta__node *node, const struct sta__shape *shape,
                       sta_dtype result);
/* What one program of several values needs, counting what they share once. False: too much by far. */
struct sta__needs {
    int slots, inputs, leaves;
};
bool sta__nodes_measure(struct sta__value *const *values, int count, const struct sta__shape *shape,
                        struct sta__needs *to);
/* The pending operand that makes the program longest, or the tower highest; NULL: none. */
struct sta__operand *sta__node_worst_operand(struct sta__node *node, const struct sta__shape *shape);
/* Unlinks the node and frees it; operands that die with it are put on the list. */
void sta__node_dismantle(struct sta__node *node, struct sta__value **list);
/* Submits the pending nodes that read this value: before user memory is written. */
bool sta__submit_readers(struct sta__call *call, struct sta__value *value, const struct sta__value *but);
/* Computes the value at once if all that it reads is small and there already; else leaves it pending. */
bool sta__submit_when_now(struct sta__call *call, struct sta__value *value);
/* Whether a task may yet find an error in its data that the value will be in (src/doubt.c). */
bool sta__value_doubtful(const struct sta__value *value);
/* Before all of `old` is replaced by `next`: waits where an error would be lost with it. False: it was in error. */
bool sta__doubts_settle(struct sta__call *call, struct sta__value *old, const struct sta__value *next);
/* Waits for the tiles of this rank. False: one is in error. */
bool sta__tiles_await(struct sta__call *call, struct sta__value *value);
/* Before it is written in place: its copies elsewhere, and what is known about it. */
void sta__value_forget_recuts(struct sta__value *value);

/* ---- programs: instructions over slots. Slots 0 .. inputs - 1 are the inputs, then come registers ---- */

enum { STA__MAXINPUTS = 64, STA__MAXINSTRUCTIONS = 176, STA__MAXSLOTS = 160, STA__MAXOUTPUTS = 8 };
/* Programs are kept below these: slots with room for a reduction's, arrays so that results still have handles. */
enum { STA__LONGEST = STA__MAXSLOTS - 2, STA__MOST_INPUTS = 6 };

struct sta__instruction {
    sta__loop loop;
    int16_t op;     /* a row of ufuncs.def; -1: a cast between the dtypes of its slots */
    sta_dtype type; /* which loop of the row */
    uint8_t to, count, from[STA__MAXOPERANDS];
};
struct sta__output {
    uint8_t slot;
    bool reduce;
    int reduction;   /* which one of the program's */
    int component;   /* of its state */
    sta_dtype dtype; /* of the result */
};
struct sta__reduction {
    uint8_t slot;
    int op;          /* a reducer */
    sta_dtype dtype; /* of the slot: the accumulator */
};
struct sta__program {
    atomic_int references;
    int inputs, slots, instructions, outputs;
    sta_dtype slot_dtype[STA__MAXSLOTS];
    uint8_t buffer[STA__MAXSLOTS]; /* where each slot's block lies; those that are never needed at once share one */
    int buffers;
    struct sta__instruction instruction[STA__MAXINSTRUCTIONS];
    struct sta__output output[STA__MAXOUTPUTS];
    int reductions;
    struct sta__reduction reduction[STA__MAXOUTPUTS];
    uint32_t axes;             /* reduced axes, common to the reductions */
    uint32_t hash;             /* of instructions and dtypes: the footprint of models */
    int block;                 /* elements of a block: slots stay in the first-level cache */
    float cost;                /* nanoseconds an element, for estimates */
    char name[32];             /* the codelet: "add" or "fused" */
    struct sta__kernel kernel; /* of that name */
    sta_dtype dtype;           /* of the codelet's name */

    uint64_t scalars;               /* a bit for each input of one element */
    uint64_t numbers;               /* those that all loops read as one element: they have no block */
    struct sta__machine_code *code; /* where it is compiled, or may be (elementwise/compile.h); else NULL */
};
void sta__program_drop(struct sta__program *program);
/* Whether the instruction's loop reads operand k as one element. */
bool sta__reads_number(const struct sta__program *program, const struct sta__instruction *instruction, int k);

/* What the values of one submission share: the program and the operands it reads. */
struct sta__plan {
    struct sta__program *program;
    struct sta__shape shape;                 /* what the program runs over */
    bool scatter;                            /* its one output is written through a view */
    bool stream;                             /* results are too large for the caches and not read at once */
    bool too_long;                           /* why it was not built, where there is no error */
    struct sta__operand in[STA__MAXINPUTS];  /* of that shape, TILED or NOW; own references */
    struct sta__value *out[STA__MAXOUTPUTS]; /* pending values; not counted */
    int depth;
};
/* Compiles the program that computes all of the values (of one shape, or reductions over it). What is pending and does
 * not fuse is submitted first. scatter: the one value is written through a view and stays pending. False: an error, or
 * plan->too_long, or all of the values were computed on the way. */
bool sta__plan_build(struct sta__call *call, struct sta__value *const *values, int count, bool scatter,
                     struct sta__plan *plan);
void sta__plan_end(struct sta__plan *plan);
/* Runs it at once or submits its tasks; the values become NOW or TILED. */
bool sta__plan_run(struct sta__call *call, struct sta__plan *plan);
struct sta__node *sta__pending_first(void);
/* Whether a program of this shape computes the operand on its way. */
bool sta__operand_fuses(const struct sta__operand *operand, const struct sta__shape *shape);
bool sta__operand_equal(const struct sta__operand *a, const struct sta__operand *b);
bool sta__view_equal(const struct sta__view *a, const struct sta__view *b);

#endif
