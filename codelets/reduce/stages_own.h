/* What the files of the stages share: stages.c plans and numbers, stages_merge.c makes the tasks after the tiles' own. */
#ifndef STA__STAGES_OWN_H
#define STA__STAGES_OWN_H

#include "reduce/stages.h"

struct sta__stages {
    struct sta__call *call;
    struct sta__plan *plan;
    struct sta__grid *grid, *result_grid;
    int merged;                        /* the axis */
    uint32_t axes, outer;              /* reduced by the tiles' tasks and merges; reduced last */
    int64_t parts;                     /* tiles along the merged axis */
    int64_t unit;                      /* elements of a leaf of the merged axis */
    bool chain;                        /* each tile's task goes on from the part of the one before it */
    int most;                          /* handles of a tile's task */
    enum sta__reduce_mode first, last; /* how tiles and the last merge write */
    struct sta__value *result[STA__MAXOUTPUTS][STA__COMPONENTS]; /* by reduction; not counted */
    struct sta__tile **tile[STA__MAXOUTPUTS];                    /* parts, by tile of the grid */
    struct sta__tile **state[STA__MAXOUTPUTS];                   /* of the last merge, by group */
};

static inline const struct sta__reduction *sta__stages_reduction(const struct sta__stages *s, int k)
{
    return &s->plan->program->reduction[k];
}
static inline int sta__stages_reductions(const struct sta__stages *s)
{
    return s->plan->program->reductions;
}

/* Kept cells of a tile, those of outer reduced axes too. */
int64_t sta__stages_cells(const struct sta__stages *stages, const struct sta__box *box);
/* An empty tile for the k-th reduction's part of the indices from .. to. NULL: no memory. */
struct sta__tile *sta__stages_part(const struct sta__stages *stages, int k, int64_t from, int64_t to, int64_t cells);
/* The task writes the results of a tile of the grid. */
struct sta__reduce_target sta__stages_target(const struct sta__stages *stages, int k, int64_t tile,
                                             struct sta__task *task);
/* How far the tiles of a group are apart; the number of a tile among those without some axes; the tile of results. */
int64_t sta__stages_stride(const struct sta__stages *stages);
int64_t sta__stages_number(const struct sta__grid *grid, int64_t tile, uint32_t axes);
int64_t sta__stages_result(const struct sta__stages *stages, int64_t tile);

#endif
