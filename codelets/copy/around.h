/* What an assignment to a part of a tile leaves of it. */
#ifndef STA__AROUND_H
#define STA__AROUND_H

#include "elementwise/program.h"

/* The box of the target that the program of an opened run writes: indices from .. end - 1. False: it is none, since the view
 * has steps, or two of its axes are one of the target's. */
bool sta__written_box(const struct sta__run *run, const struct sta__memory *to, int64_t *from, int64_t *end);
/* Copies all but a box. */
void sta__copy_around(const struct sta__memory *to, const struct sta__memory *from, const int64_t *begin,
                      const int64_t *end);
/* Copies, of the tile that is replaced, what the program does not write. */
void sta__copy_rest(struct sta__job *job);

#endif
