/* The stages of a reduction over many tiles: each tile's task gives a part, merges make wholes of them, and where an
 * axis outside is cut too, its states are gathered and reduced last. */
#ifndef STA__STAGES_H
#define STA__STAGES_H

#include "launch.h"
#include "reduce/program.h"

struct sta__stages;
/* Makes the results (entries of reducing outputs) and the parts. NULL: call->error. */
struct sta__stages *sta__stages_plan(struct sta__call *call, struct sta__plan *plan, struct sta__grid *grid, bool now,
                                     struct sta__value **results);
uint32_t sta__stages_axes(const struct sta__stages *stages); /* what the tiles' tasks reduce */
int sta__stages_handles(const struct sta__stages *stages);   /* that each of them writes */
void sta__stages_words(const struct sta__stages *stages, int64_t tile, struct sta__words *words,
                       struct sta__task *task);
void sta__stages_merge(struct sta__stages *stages, struct sta__batch *batch); /* the tasks after them */
void sta__stages_end(struct sta__stages *stages);

#endif
