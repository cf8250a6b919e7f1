/* How one task walks its tile: strips of kept cells, and for each of them nested trees over the reduced axes. */
#ifndef STA__REDUCE_WALK_H
#define STA__REDUCE_WALK_H

#include "reduce/program.h"

/* Where the innermost trees get their elements: blocks that the evaluator makes; operands where they lie; blocks of whole
 * short last axes, each folded to a state at once. */
enum sta__leaves { STA__LEAVES_BLOCKS, STA__LEAVES_DIRECT, STA__LEAVES_FOLDED };

struct sta__walk {
    struct sta__run run;
    int depth; /* reduced axes, outermost first */
    int axis[STA_MAXDIM];
    int64_t unit[STA_MAXDIM];
    int trees; /* levels with a tree: all, but for a last axis that is folded */
    int kept;  /* axes whose indices make strips, outermost first */
    int kept_axis[STA_MAXDIM];
    enum sta__leaves leaves;
    int column_axis; /* of the trees' columns; -1: they have one */
    int crossed;     /* the level whose own axis gives those of the levels inside it their columns; -1: none */
    int64_t leaf;    /* elements of the last axis that the innermost tree takes as one leaf */
    int64_t columns; /* kept: the length of the column axis, else 1 */
    int64_t width;   /* columns at once */
    int64_t rows;    /* leaves of a block */
    int64_t strips, cells;
    int64_t from, to; /* of the outermost reduced axis */
    enum sta__reduce_mode mode;
    struct sta__reduce_target target[STA__MAXOUTPUTS];
    int64_t carry[STA__MAXOUTPUTS]; /* memory with the part from 0 to this tile; -1: none */
};

static inline const struct sta__reduction *sta__walk_reduction(const struct sta__walk *w, int k)
{
    return &w->run.program->reduction[k];
}
static inline int sta__walk_reductions(const struct sta__walk *w)
{
    return w->run.program->reductions;
}
/* The length of a level's axis in its tree's leaves. */
static inline int64_t sta__walk_length(const struct sta__walk *w, int level)
{
    return w->run.extent[w->axis[level]] / (level == w->depth - 1 ? w->leaf : 1);
}
/* Reads the task's arguments and chooses the walk. */
void sta__walk_open(struct sta__walk *walk, struct sta__job *job);

/* The ranges of the members of a team, cut[m] .. cut[m + 1]. */
void sta__walk_cut(int64_t from, int64_t to, int team, int64_t *cut);
/* A member's share of the walk: strips first .. end, over from .. to of the outermost reduced axis. `partial`: where the
 * parts of that range go; NULL: to the task's results. False without memory. */
bool sta__reduce_share(struct sta__job *job, int64_t first, int64_t end, int64_t from, int64_t to,
                       void *const *partial);
/* Merges such parts of the members' ranges, which begin at cut[0] ...; the parts of the k-th reduction at parts[m][k]. */
bool sta__reduce_merge(const struct sta__walk *walk, void *const (*parts)[STA__MAXOUTPUTS], const int64_t *cut,
                       int team);

#endif
