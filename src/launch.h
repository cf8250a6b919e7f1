/* Writing the arguments of program tasks. */
#ifndef STA__LAUNCH_H
#define STA__LAUNCH_H

#include "elementwise/program.h"
#include "graph.h"
#include "partition/match.h"

/* Words are counted in a first pass (room 0) and written in a second. */
struct sta__words {
    int64_t *at;
    int64_t count, room;
};
void sta__words_put(struct sta__words *words, int64_t word);
void sta__words_box(struct sta__words *words, const struct sta__box *box);
void sta__words_operand(struct sta__words *words, const struct sta__view *view, int pieces);
void sta__words_piece(struct sta__words *words, const struct sta__view *view, int memory,
                      const struct sta__match *match);
void sta__words_whole(struct sta__words *words, const struct sta__view *view, int memory, const struct sta__box *box,
                      const int64_t *start);

/* The pieces of all inputs of one task. */
struct sta__matches {
    int count, first[STA__MAXINPUTS + 1];
    struct sta__match match[STA__MAXPIECES];
    struct sta__tile *strip[STA__MAXPIECES]; /* holds the piece instead of its tile; else NULL */
};
/* False: too many; *worst is the input with the most, -1 if none has more than one. */
bool sta__matches_find(const struct sta__plan *plan, const struct sta__box *box, int most_handles,
                       struct sta__matches *to, int *worst);
/* For a task of that rank (-1: not known): adds the tasks that cut out what is small of other ranks' tiles. */
void sta__strips_make(struct sta__batch *batch, const struct sta__plan *plan, struct sta__matches *matches, int rank);
void sta__strips_drop(struct sta__matches *matches);
void sta__words_inputs(struct sta__words *words, const struct sta__plan *plan, const struct sta__matches *matches,
                       struct sta__task *task);
struct sta__task *sta__program_task(struct sta__batch *batch, struct sta__plan *plan, int64_t words);
const struct sta__kernel *sta__program_kernel(struct sta__program *program);
struct sta__grid *sta__plan_grid(const struct sta__plan *plan, sta_dtype dtype);
/* A copy of the operand in a grid, remembered with the operand's value. A new reference. */
struct sta__value *sta__recut(struct sta__call *call, const struct sta__operand *operand, struct sta__grid *grid);

#endif
