/* The stages of a reduction over many tiles: each tile's task gives a part, merges make wholes of them, and where an
 * axis outside is cut too, its states are gathered and reduced last. */
#ifndef STA__STAGES_H
#define STA__STAGES_H

#include "launch.h"
#include "reduce/program.h"

enum { STA__TOGETHER = 32 }; /* handles of a task that takes many tiles: each costs a microsecond */
/* So many, or as few as usual where tiles would come from other ranks. */
static inline int sta__handles_together(void)
{
    return sta__runtime.settings.ranks <= 1 ? STA__TOGETHER : STA__MAXBUFFERS;
}

struct sta__stages;
/* A grid that suits the program's reductions better than that of its operands, and whether parts are then passed on; NULL:
 * theirs is fine. */
struct sta__grid *sta__stages_grid(const struct sta__plan *plan, const struct sta__grid *grid, bool *chain);
/* Makes the results (entries of reducing outputs) and the parts. `chain`: parts are passed on from tile to tile where
 * there is enough to do beside it. NULL: call->error. */
struct sta__stages *sta__stages_plan(struct sta__call *call, struct sta__plan *plan, struct sta__grid *grid, bool now,
                                     bool chain, struct sta__value **results);
uint32_t sta__stages_axes(const struct sta__stages *stages); /* what the tiles' tasks reduce */
int sta__stages_handles(const struct sta__stages *stages);   /* that each of them writes */
int sta__stages_most(const struct sta__stages *stages);      /* handles that each of them may have */
void sta__stages_words(const struct sta__stages *stages, int64_t tile, struct sta__words *words,
                       struct sta__task *task);
/* Tiles come in groups, those of one group after the other, then what merges them: few parts are there at once. */
int64_t sta__stages_groups(const struct sta__stages *stages);
int64_t sta__stages_parts(const struct sta__stages *stages); /* of a group */
int64_t sta__stages_tile(const struct sta__stages *stages, int64_t group, int64_t part);
void sta__stages_merge(struct sta__stages *stages, struct sta__batch *batch,
                       int64_t group);                                        /* after its tiles' tasks */
void sta__stages_outer(struct sta__stages *stages, struct sta__batch *batch); /* after all */
void sta__stages_end(struct sta__stages *stages);

#endif
