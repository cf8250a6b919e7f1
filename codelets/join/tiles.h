/* The values of mosaics whose parts are there: with the shape of the result, in which axes are merged. */
#ifndef STA__JOIN_TILES_H
#define STA__JOIN_TILES_H

#include "join/mosaic.h"

/* NULL: no memory, or call->error. */
struct sta__value *sta__mosaic_now(struct sta__mosaic *mosaic, const struct sta__shape *shape);
struct sta__value *sta__mosaic_tiled(struct sta__mosaic *mosaic, const struct sta__shape *shape);

/* How the pattern is cut (grid.c); *shares: tiles of parts may stand in it as they are. NULL: no memory. */
struct sta__grid *sta__mosaic_grid(const struct sta__mosaic *mosaic, const struct sta__shape *shape, bool *shares);
/* The same grid of the result, where axes are merged. */
struct sta__grid *sta__mosaic_merged_grid(const struct sta__mosaic *mosaic, const struct sta__grid *grid,
                                          const struct sta__shape *shape);
/* Whether a tile of the part can be one of the result: it lies in it as it lies in its store. */
bool sta__mosaic_shares(const struct sta__operand *part);

#endif
