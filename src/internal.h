/* What the parts of the library share. Read it from top to bottom: values, nodes, geometry, calls, tasks.
 *
 * The way of data: header -> front (validate, infer, node) -> graph -> match -> submit -> codelet.
 * One lock (sta__lock) guards everything here but atomics; functions below expect it held unless they say otherwise.
 */
#ifndef STA__INTERNAL_H
#define STA__INTERNAL_H

#include "mem.h"

#include <starray/starray.h>

#include <sched.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define STA__MAXMEMORY 72    /* operands of a task: its handles, and values that enter by address */
#define STA__MAXBUFFERS 8    /* handles of one task, as a rule: STARPU_NMAXBUFS of both versions */
#define STA__MOSTBUFFERS 512 /* of those that sta__task_many lets have more */
#define STA__PRINTF(text, first) __attribute__((format(printf, text, first)))

/* ---- geometry: plain arithmetic, no StarPU (src/shape.c) ---- */

struct sta__shape {
    int ndim;
    int64_t at[STA_MAXDIM];
};

/* A half-open box of element indices. */
struct sta__box {
    int ndim;
    int64_t from[STA_MAXDIM], to[STA_MAXDIM];
};

bool sta__shape_equal(const struct sta__shape *a, const struct sta__shape *b);
bool sta__shape_size(const struct sta__shape *shape, int64_t *size);                 /* false: overflows 63 bits */
bool sta__broadcast(struct sta__shape *to, const struct sta__shape *with);           /* false: they do not fit */
enum { STA__SHAPE_TEXT = 400 };                                                      /* room for any shape's text */
const char *sta__shape_text(const struct sta__shape *shape, char *to, size_t bytes); /* "(3, 4)" */
int64_t sta__box_size(const struct sta__box *box);
struct sta__box sta__whole_box(const struct sta__shape *shape);

/* Where the indices of an array lie in its store: store index = offset + step * (array index along `axis`). axis -1:
 * a fixed index. Two store axes that name one array axis are a diagonal; an array axis that no store axis names is a
 * broadcast one (or a new axis). */
struct sta__axis_map {
    int64_t offset, step;
    int axis;
};
struct sta__view {
    struct sta__shape shape; /* of the array */
    int store_ndim;
    struct sta__axis_map map[STA_MAXDIM];
};
struct sta__view sta__identity_view(const struct sta__shape *shape);
void sta__view_copy(struct sta__view *to, const struct sta__view *from); /* only what is in use */
bool sta__view_is_identity(const struct sta__view *view, const struct sta__shape *store);
bool sta__view_overlaps_itself(const struct sta__view *view); /* a broadcast axis longer than 1 */
void sta__view_broadcast(struct sta__view *view, const struct sta__shape *to);
struct sta__box sta__view_box(const struct sta__view *view, const struct sta__box *box); /* the store box it touches */

/* ---- dtypes (src/dtype.c) ---- */

enum sta__kind { STA__KIND_BOOL, STA__KIND_SIGNED, STA__KIND_UNSIGNED, STA__KIND_FLOATING, STA__KIND_COMPLEX };
enum { STA__DTYPES = 16 }; /* one more than the largest number of dtypes.def */

bool sta__dtype_valid(sta_dtype dtype);
enum sta__kind sta__dtype_kind(sta_dtype dtype);
const char *sta__dtype_brief(sta_dtype dtype);   /* "f64" */
const char *sta__dtype_typestr(sta_dtype dtype); /* "<f8" */
sta_dtype sta__dtype_real(sta_dtype dtype);      /* complex64 -> float32; others themselves */
sta_dtype sta__dtype_complex(sta_dtype dtype);   /* float32 -> complex64; float64 and integers -> complex128 */
sta_dtype
sta__dtype_inexact(sta_dtype dtype); /* the dtype of sin(x) or mean(x): integers -> float64, others themselves */

/* ---- grids: how a shape is cut into tiles (partition/grid.c) ---- */

struct sta__grid {
    atomic_int references;
    struct sta__shape shape;
    int64_t tiles;             /* the product of count */
    int64_t count[STA_MAXDIM]; /* tiles along each axis */
    int64_t edge[STA_MAXDIM];  /* regular axes: the length of a tile; 0 where cuts are given */
    int64_t *cuts[STA_MAXDIM]; /* irregular axes: count + 1 rising indices, 0 .. shape; else NULL */
};
struct sta__grid *sta__grid_regular(const struct sta__shape *shape, const int64_t *edge); /* NULL: no memory */
struct sta__grid *sta__grid_default(const struct sta__shape *shape, sta_dtype dtype);     /* by the settings */
struct sta__grid *sta__grid_at_most(const struct sta__shape *shape, sta_dtype dtype, int64_t tiles); /* roughly */
struct sta__grid *sta__grid_single(const struct sta__shape *shape);
struct sta__grid *sta__grid_rows(const struct sta__shape *shape, sta_dtype dtype, int whole_axis); /* that axis uncut */
struct sta__grid *sta__grid_take(struct sta__grid *grid); /* one more reference */
void sta__grid_drop(struct sta__grid *grid);
bool sta__grid_equal(const struct sta__grid *a, const struct sta__grid *b);
int64_t sta__grid_cut(const struct sta__grid *grid, int axis, int64_t k);      /* where tile k of the axis begins */
int64_t sta__grid_find(const struct sta__grid *grid, int axis, int64_t index); /* the tile that holds the index */
struct sta__box sta__grid_box(const struct sta__grid *grid, int64_t tile);     /* tiles are numbered in C order */
struct sta__grid *sta__grid_of_view(const struct sta__grid *store,
                                    const struct sta__view *view);   /* the view's own cuts */
int64_t sta__view_cut(const struct sta__axis_map *map, int64_t cut); /* the view index where a cut of the store falls */

/* ---- tiles: one StarPU handle each, written once (partition/tile.c) ---- */

/* An error of a task, shared by the tiles that inherit it. The lowest (operation, tile) wins, so that the text never
 * depends on timing. */
struct sta__failure {
    sta_error error; /* first, so that both can be cast into each other */
    atomic_int references;
    int64_t operation, tile;
    char op[32], text[200];
};

struct sta__tile {
    atomic_int references;
    struct _starpu_data_state *handle; /* starpu_data_handle_t */
    int64_t bytes;
    _Atomic(struct sta__failure *) failure;
    struct sta__root *root;   /* tiles of user memory: what they are part of; else NULL */
    int priority;             /* depth: consumers run before more is produced */
    int owner;                /* rank that holds it; -1: not decided */
    bool written;             /* a task that writes it was submitted */
    bool doubtful;            /* such a task can find an error in its data, or reads what is doubtful (src/doubt.c) */
    float due;                /* microseconds, placement.c */
    bool asked;               /* for the reply, by who waited for it first */
    int64_t tag;              /* its number, the same on every rank */
    int64_t cut_out;          /* bytes of strips made of it so far (src/strips.c) */
    uint64_t *ranks;          /* bits: which ranks have a copy; NULL with one rank */
    struct sta__reply *reply; /* where its content comes sooner than StarPU has it; NULL: nowhere */
    void *held;               /* host memory that a calling thread wrote; NULL: StarPU has the content (here.h) */
    struct sta__tile *spare_next; /* while nobody holds it (spare.h) */
    sta_dtype dtype;              /* what a handle is made from */
    int ndim;
    int64_t shape[];
};
/* A tile without contents, of which StarPU knows nothing yet. NULL: no memory. */
struct sta__tile *sta__tile_new(sta_dtype dtype, const struct sta__box *box);
struct sta__tile *sta__tile_take(struct sta__tile *tile);
void sta__tile_drop(struct sta__tile *tile);        /* from any thread, callbacks too, with or without the lock */
bool sta__tile_drop_shared(struct sta__tile *tile); /* unless it is the last reference: then false */
void sta__tile_fail(struct sta__tile *tile, struct sta__failure *failure); /* keeps the lowest; thread-safe */

/* ---- values: the content of an array at one moment. Never changed once anybody else has seen it ---- */

enum sta__value_state {
    STA__PENDING, /* a node says how to compute it */
    STA__TILED,   /* in tiles; a small one of a single tile is "later" */
    STA__NOW      /* in host memory, C order; small */
};
struct sta__value {
    atomic_int references;
    enum sta__value_state state;
    sta_dtype dtype;
    struct sta__shape shape;
    int64_t size;                          /* elements */
    int depth;                             /* how many operations lie behind it */
    bool weak;                             /* a scalar of sta_int and its like */
    bool user;                             /* tiles lie in user memory: written in place */
    bool strided;                          /* and are not contiguous there */
    bool read_only;                        /* its arrays refuse to be written */
    bool reshaped;                         /* tiles are shared with a value of another shape or dtype (reshape.h) */
    struct sta__node *node;                /* PENDING */
    struct sta__grid *grid;                /* TILED; PENDING: the grid that is wanted, or NULL */
    struct sta__tile **tiles;              /* TILED: grid->tiles of them */
    void *data;                            /* NOW */
    void *bytes;                           /* what `data` lies in where it came from a task; else NULL */
    _Atomic(struct sta__upload *) uploads; /* copies of `data` on GPUs */
    struct sta__recut *recuts;             /* copies of this value in other grids, remembered */
    struct sta__note *notes;               /* what was found out about it, remembered */
    int watched;                           /* threads that wait for its tiles without the lock */
    struct sta__value *next_dropped;
};
/* The head of a block in which a family keeps what it would find out again (codelets/index/remember.c). */
struct sta__note {
    struct sta__note *next;
};
struct sta__recut {
    struct sta__recut *next;
    struct sta__view view;
    struct sta__value *value;
};
#define STA__VALUE_BYTES ((sizeof(struct sta__value) + 63) & ~(size_t)63)
struct sta__value *sta__value_now(sta_dtype dtype, const struct sta__shape *shape); /* zeroed memory */
struct sta__value *sta__value_raw(sta_dtype dtype, const struct sta__shape *shape); /* the same, not zeroed */
struct sta__value *sta__value_tiled(sta_dtype dtype,
                                    struct sta__grid *grid); /* new empty tiles; takes a reference of grid */
struct sta__value *sta__value_take(struct sta__value *value);
struct sta__value *sta__value_pending(sta_dtype dtype, const struct sta__shape *shape);
bool sta__value_tiles(struct sta__value *value);                              /* makes the tiles of its grid */
void sta__value_drop(struct sta__value *value);                               /* NULL is fine */
void sta__value_settle_now(struct sta__value *value, struct sta__value *now); /* takes over what now holds, and now */
int64_t sta__value_bytes(const struct sta__value *value);

/* ---- nodes: values not computed yet (src/graph.c) ---- */

struct sta__operand {
    sta_array array; /* where it came from */
    struct sta__value *value;
    struct sta__view view;
};
struct sta__node; /* graph.h */

/* ---- calls: every public function enters and leaves by these (src/array.c, src/error.c) ---- */

struct sta__call {
    const char *op;         /* "matmul" */
    const sta_error *error; /* the first error of this call */
    bool locked;
    bool consumes;                   /* what is computed on the way is read at once, by another family */
    const struct sta__value *wanted; /* who called waits for it and reads it */
    int moved;                       /* operands of sta_move, freed when the call ends */
    sta_array moved_array[4];
};
void sta__call_end(struct sta__call *call); /* frees moved operands, lets go of the lock */
/* The one record of an error, kept until finish; thread-safe. An empty text means the code's own. */
const sta_error *sta__error_of(sta_error_code code, const char *op, const char *text);
void sta__error_seen(const sta_error *error);
void sta__errors_finish(void); /* prints the first error that nobody looked at */

/* Takes the lock, checks that the library is started and not forked. Always pair with a sta__leave_*. */
struct sta__call sta__enter(const char *op);
/* The array behind a handle, or NULL: then call->error says why. The operand owns a reference: sta__operand_drop. */
bool sta__operand_of(struct sta__call *call, sta_array x, struct sta__operand *to);
void sta__operand_drop(struct sta__operand *operand);
/* The same for a function that leaves with a view: nothing is computed, and only the view is looked at, not the value. */
bool sta__view_of(struct sta__call *call, sta_array x, struct sta__operand *to);
/* Sets the call's error if it has none; returns NULL so that "return sta__fail(...)" reads well. The birth place. */
void *sta__fail(struct sta__call *call, sta_error_code code, const char *format, ...) STA__PRINTF(3, 4);
/* Whether a list of `count` results has no place (NULL). Then no array can tell of it: the error is logged, STA_TRAP stops at it,
 * and sta_finish tells of it as of any that nobody looked at. */
bool sta__no_place(const char *op, const sta_array *to, int64_t count);
void *sta__fail_memory(struct sta__call *call);
/* Leaves with a new array of the value (its reference is taken over; NULL = the call's error), in the current scope. */
sta_array sta__leave(struct sta__call *call, struct sta__value *value);
/* The same under a view of the value. */
sta_array sta__leave_under(struct sta__call *call, struct sta__value *value, const struct sta__view *view);
/* Leaves with a view of the array that the operand of sta__view_of came from; operand->view says which. Takes its
 * reference over. */
sta_array sta__leave_view(struct sta__call *call, struct sta__operand *operand);
const sta_error *sta__leave_error(struct sta__call *call);

/* ---- computing ---- */

/* Sees to it that the values are TILED or NOW: what is pending is submitted, together where it can be. */
bool sta__submit_values(struct sta__call *call, struct sta__value *const *values, int count);
/* The operand as a value of its own, cast to dtype (NONE = as it is) and cut by `grid` (NULL = any): the same value
 * where it is so already, else a fused copy. Returns a new reference, NOW or TILED and submitted; NULL: call->error.
 * If the operand is NOW the result is NOW and the grid is not looked at. */
struct sta__value *sta__prepare(struct sta__call *call, const struct sta__operand *operand, sta_dtype dtype,
                                struct sta__grid *grid);
/* Copies a box of the operand's view into `to`, C order; computes and waits (without the lock). */
bool sta__read_operand(struct sta__call *call, struct sta__operand *operand, const struct sta__box *box, void *to);
/* x[...] = source, whose reference is taken over. On failure x is in error. */
void sta__assign(struct sta__call *call, sta_array x, struct sta__operand *source);
/* Whether an op of these inputs with results of so many bytes runs at once on the calling thread. */
bool sta__runs_now(int64_t result_bytes, struct sta__value *const *inputs, int count);

/* ---- tasks of a family: a batch is one operation, built whole (src/batch.c) before any of it
 * is submitted (src/submit.c) ---- */

/* An operand as a kernel sees it. Strides in bytes; what sta__prepare returned is contiguous. */
struct sta__memory {
    char *data;
    struct sta__value *value; /* a NOW value that entered by address; else NULL */
    bool on_host;             /* on a GPU: data is still in host memory (src/cuda.h) */
    sta_dtype dtype;
    int ndim;
    int64_t shape[STA_MAXDIM], stride[STA_MAXDIM];
};
struct sta__job {
    const void *arguments; /* the kernel's own struct */
    int count;
    struct sta__memory *memory;    /* `count` of them */
    int threads;                   /* 1: the sequential variant; more: the OpenMP variant with a team of so many */
    struct sta__cuda_worker *cuda; /* the GPU's variant: launches on this worker's stream (src/cuda.h); else NULL */
    uint32_t *fault;               /* of sta__cuda_fault */
    char text[200];                /* a kernel that fails says why */
    bool no_memory;                /* `ready` says false for lack of memory, not for good */
};
/* A kernel knows no framework. It returns 0 or an error code. */
struct sta__kernel {
    const char *name;                            /* "matmul": the codelet is sta_matmul_f32 */
    sta_error_code (*cpu)(struct sta__job *job); /* both variants, told by job->threads */
    double (*cost)(const struct sta__job
                       *job);     /* nanoseconds on one core, roughly; only shapes are filled in; NULL = by the bytes */
    void (*end)(void *arguments); /* lets go of what the arguments hold; NULL = nothing */
    uint32_t (*hash)(const void *arguments);      /* what beside sizes makes the work another one; NULL = nothing */
    sta_error_code (*cuda)(struct sta__job *job); /* launches on job->cuda, waits for nothing; NULL = no such variant */
    void (*describe)(const void *arguments, char *text, size_t bytes); /* for people; NULL = the name */
    double (*flops)(
        const struct sta__job *job); /* floating-point operations; only shapes are filled in; NULL = not told */
    /* Where there are GPUs, before the task is submitted: makes what its CUDA variant needs and takes long to make; shapes
     * are filled in as they will be there, addresses are not. False: there is no such variant of this task, job->text
     * says why. NULL = nothing to make. */
    bool (*ready)(struct sta__job *job);
    bool waits; /* for files, or calls the program: never run with the lock by who asked */
    sta_error_code (*fault)(const void *arguments, const uint32_t *words, char *text,
                            size_t bytes); /* of sta__cuda_fault; the first word is not 0 */
    bool fails; /* it can find an error in its data: what it writes is doubtful until it has ended */
};

struct sta__batch;
struct sta__task;
/* now: run on the calling thread, every value must be NOW. */
struct sta__batch *sta__batch_open(struct sta__call *call, const struct sta__kernel *kernel, sta_dtype dtype, bool now);
/* One task; the arguments are copied (NULL: zeroed, to be filled in). NULL: no memory, and the batch remembers; the
 * functions below then do nothing. */
struct sta__task *sta__batch_task(struct sta__batch *batch, const void *arguments, size_t bytes);
/* Whether the machine has memory for so many tasks: StarPU would abort without, so they are not begun. A broadcast array, which
 * takes no memory of its own, can be that large. False: call->error. */
bool sta__tasks_fit(struct sta__call *call, int64_t count);
void *sta__task_arguments(struct sta__task *task);
/* These return the index in job->memory; the same tile read twice has one. */
int sta__task_reads(struct sta__task *task, struct sta__value *value, int64_t tile);
int sta__task_writes(struct sta__task *task, struct sta__value *value, int64_t tile);
int sta__task_updates(struct sta__task *task, struct sta__value *value, int64_t tile); /* accumulation chains only */
/* Before the first of them: the task may have more than STA__MAXBUFFERS handles, and `count` operands. */
void sta__task_many(struct sta__task *task, int count);
int sta__task_reads_tile(struct sta__task *task, struct sta__tile *tile); /* the same for a tile by itself */
int sta__task_writes_tile(struct sta__task *task, struct sta__tile *tile);
int sta__task_updates_tile(struct sta__task *task, struct sta__tile *tile);
void sta__batch_kernel(struct sta__batch *batch, const struct sta__kernel *kernel,
                       sta_dtype dtype);                    /* of later tasks */
void sta__batch_fail(struct sta__batch *batch);             /* there was no memory: sta__batch_submit will say so */
void sta__batch_discard(struct sta__batch *batch);          /* ends it without submitting anything */
void sta__batch_depth(struct sta__batch *batch, int depth); /* priority: consumers before producers */
void sta__batch_stage(struct sta__batch *batch, int stage); /* the same within the batch: of later tasks, 0 at first */
/* Submits (or runs) all of it, or nothing and sets the call's error. Ends the batch either way. */
bool sta__batch_submit(struct sta__batch *batch);

/* ---- the runtime's one struct and its settings (src/runtime.c, src/settings.c) ---- */

enum sta__cpu_variant { STA__CPU_SEQ, STA__CPU_OMP, STA__CPU_AUTO };
enum sta__compile_choice { STA__COMPILE_OFF, STA__COMPILE_HOT, STA__COMPILE_NOW };
enum sta__device_choice { STA__DEVICES_ALL, STA__DEVICES_CPU, STA__DEVICES_CUDA };

/* Read at init, then frozen: the same on every rank. */
struct sta__settings {
    enum sta__device_choice devices; /* STA_DEVICES=all|cpu|cuda */
    enum sta__cpu_variant cpu;       /* STA_CPU=seq|omp|auto */
    int64_t tile_elements;           /* STA_TILE_ELEMS; 0 = by tile_bytes */
    int64_t tile_bytes;              /* 2-4 MiB on a CPU, 32 MiB where a GPU can take the work */
    int64_t inline_bytes;            /* STA_INLINE_BYTES; 0 = off */
    int64_t budget_bytes;            /* STA_BUDGET */
    int64_t cache_bytes;             /* of the last level */
    int64_t pool_bytes;              /* STA_POOL: host buffers kept for reuse */
    int threads;                     /* of an OpenMP team */
    bool picks; /* one core or the team is said when a task is made: the scheduler asks no models, or not about teams */
    bool every_core; /* each core is a worker, and there are teams nevertheless: of all of them, one at a time */
    int ranks, rank; /* 1, 0 without MPI */
    bool rest;       /* STA_REST=0: idle workers go on polling */
    bool trap;       /* STA_TRAP=1 */
    bool tf32;       /* STA_TF32=1: products of float32 on GPUs are less exact */
    bool profile;    /* STA_PROFILE=1 */
    int log_level;   /* STA_LOG=0..3 */

    enum sta__compile_choice compile; /* STA_COMPILE=0|1|now */
    bool fma;                         /* STA_FMA=1: compiled programs may contract */
};
struct starpu_sched_policy;
struct starpu_task;
extern struct sta__runtime {
    struct sta__settings settings;
    int starts;                   /* nested sta_init */
    int64_t start_number;         /* how often the library was started */
    int cpus;                     /* CPU workers */
    cpu_set_t cores;              /* that this process may use, where there are teams */
    int gpus;                     /* CUDA workers that have bodies of ours */
    bool joined;                  /* StarPU was running before */
    bool forked;                  /* this is a child of the process that started the library */
    int64_t memory_bytes;         /* of the machine (of all ranks) */
    atomic_llong bytes_in_flight; /* of results of tasks that have not ended */
    atomic_llong tasks_in_flight;
    atomic_int teams;                        /* at work beside workers that may poll */
    atomic_int largest_team;                 /* threads that one body had at most so far: for tests */
    int64_t operations;                      /* numbers the batches, for errors and tags */
    int64_t tasks_submitted, tasks_measured; /* so far; with the lock */
    int64_t tasks_judged;                    /* of those submitted, when here.c last looked */
    double spent_here; /* microseconds that callers computed, short tasks aside, since somebody waited */
    int calibrate;     /* STARPU_CALIBRATE */

    struct starpu_sched_policy *scheduler; /* in use, with workers that yield; kept, as StarPU may be for longer */
    struct starpu_task *(*pop)(unsigned context); /* what it calls */
} sta__runtime;

/* Holds the caller back while the results of tasks not ended exceed the budget. Without the lock. */
void sta__budget_wait(void);
void sta__lock(void);
void sta__unlock(void);
void sta__log(int level, const char *format, ...) STA__PRINTF(2, 3);

#endif
