/* Small tiles that nobody holds any more, kept for the next ones of their shape and dtype. StarPU has room in a handle for as
 * many memories as it was built for, and to make a handle touches all of it: up to fifteen microseconds, in which a GPU reads
 * 60 MB. Only where there are GPUs: cores compute small tiles without handles (here.h). */
#ifndef STA__SPARE_H
#define STA__SPARE_H

#include "internal.h"

/* Takes over a tile without references. False: it is not wanted. From any thread. */
bool sta__spare_keep(struct sta__tile *tile);
/* Such a tile, as if it were new. NULL: there is none. */
struct sta__tile *sta__spare_take(sta_dtype dtype, const struct sta__box *box);
/* Gives all of them to StarPU. Application threads only. */
void sta__spares_drop(void);

#endif
