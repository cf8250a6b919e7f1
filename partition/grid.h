/* How large tiles are. */
#ifndef STA__GRID_H
#define STA__GRID_H

#include "internal.h"

/* Elements that a tile of an array of `size` should have. A GPU takes large tiles of large arrays, up to four times as
 * large as others, so that starting tasks costs it nothing; each still has some. Ranks, whose machines may differ, all
 * cut alike. */
int64_t sta__grid_room(int64_t size, sta_dtype dtype);

#endif
