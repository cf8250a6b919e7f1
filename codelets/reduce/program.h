/* How reductions at the end of a program write their results, and the tasks that merge what tiles gave. */
#ifndef STA__REDUCE_PROGRAM_H
#define STA__REDUCE_PROGRAM_H

#include "elementwise/program.h"
#include "reduce/tree.h"

/* PARTIAL: the node list of a part of the axis. STATES: the whole axis is done, but an axis outside it is not: one
 * node. FINAL: the components of the state go to results of their own. */
enum sta__reduce_mode { STA__REDUCE_PARTIAL, STA__REDUCE_STATES, STA__REDUCE_FINAL };

/* Where one reduction of a task writes: memory[0] is the partial (PARTIAL, STATES) or memory[k] the result of component
 * k (FINAL; -1 = nobody wants it). */
struct sta__reduce_target {
    int64_t memory[STA__COMPONENTS];
};

/* Where the finished state of a cell goes; components that nobody wants to `spare`. */
struct sta__state sta__target_state(const struct sta__job *job, const struct sta__reduce_target *target,
                                    enum sta__reduce_mode mode, int reducer, sta_dtype dtype, int64_t cells,
                                    int64_t cell, struct sta__state spare);

/* A merge of adjacent parts, the inputs in memory 0 .. count - 1. */
struct sta__merge_arguments {
    int reducer;
    sta_dtype dtype;
    int count;
    enum sta__reduce_mode mode;
    int64_t cells, unit;
    int64_t cut[STA__MAXBUFFERS + 1]; /* part i covers [cut[i], cut[i + 1]) */
    struct sta__reduce_target target;
};
extern const struct sta__kernel sta__merge_kernel;

/* States in tiles that an outer reduced axis cuts: copies tile after tile into one array of states, and the last task
 * reduces the outer axes (at most STA_MAXDIM, the last first). */
struct sta__outer_arguments {
    int reducer;
    sta_dtype dtype;
    int count;     /* state tiles in memory 0 .. count - 1 */
    int ndim;      /* of the cells: kept and outer reduced axes */
    uint32_t axes; /* the outer reduced ones */
    int64_t unit;  /* elements of one state */
    int64_t extent[STA_MAXDIM];
    struct {
        int64_t from[STA_MAXDIM], to[STA_MAXDIM];
    } box[STA__MAXBUFFERS]; /* of each state tile, in the cells */
    int64_t gathered;       /* memory of the array of states */
    bool last;
    struct sta__reduce_target target;
};
extern const struct sta__kernel sta__outer_kernel;
/* Reduces axes of an array of states, the last first; both arrays are overwritten. Returns the one that has the result,
 * NULL without memory. */
const struct sta__state *sta__reduce_states(enum sta__reducer reducer, sta_dtype dtype, const struct sta__shape *shape,
                                            uint32_t axes, int64_t unit, const struct sta__state *from,
                                            const struct sta__state *spare);

#endif
