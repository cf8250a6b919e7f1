/* What the front of masks and their kernels share. */
#ifndef STA__MASK_H
#define STA__MASK_H

#include "codelets/index/index.h"

enum { STA__MASK_TILES = 16 }; /* of a mask that one task looks at */

/* memory[0]: how many of memory[1] are true. */
extern const struct sta__kernel sta__mask_count;

/* memory[0]: the selected elements; then a tile of the mask and one of x in turn. x has more axes, which go along. */
struct sta__mask_take_arguments {
    int tiles;
    int mask[STA__MASK_TILES], x[STA__MASK_TILES];
    int64_t count[STA__MASK_TILES]; /* true elements of each */
};
extern const struct sta__kernel sta__mask_take_kernel;

enum sta__indices_form { STA__INDICES_APART, STA__INDICES_COLUMNS, STA__INDICES_FLAT };

/* The indices of true elements: along axis a into memory to[a]; with one result, into its columns, or flat. */
struct sta__mask_indices_arguments {
    int tiles, ndim;
    enum sta__indices_form form;
    int to[STA_MAXDIM], mask[STA__MASK_TILES];
    int64_t count[STA__MASK_TILES];             /* true elements of each */
    int64_t shape[STA_MAXDIM];                  /* of the whole mask */
    int64_t first[STA__MASK_TILES][STA_MAXDIM]; /* index of each tile */
};
extern const struct sta__kernel sta__mask_indices_kernel;

/* A mask made ready: bool, in tiles that are runs, or there at once; and how many are true in each. */
struct sta__mask {
    struct sta__value *value;
    int64_t *count; /* of each tile; the whole is one where it is NOW */
    int64_t total;
};
/* grid: how it is to be cut, NULL: as is good; tiled: even if it is small. Waits once. False: call->error; end it all the
 * same. */
bool sta__mask_open(struct sta__call *call, const struct sta__operand *mask, struct sta__grid *grid, bool tiled,
                    struct sta__mask *to);
void sta__mask_end(struct sta__mask *mask);
/* The indices in one of the forms. `to` has room for the arrays: new references. */
bool sta__mask_write(struct sta__call *call, const struct sta__mask *mask, int form, struct sta__value **to);

#endif
