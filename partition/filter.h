/* Memory of the program as tiles: a root handle at home there, cut by our filter. */
#ifndef STA__FILTER_H
#define STA__FILTER_H

#include "internal.h"

/* Who is told, once, when the library has let go of the memory and the values are home. */
struct sta__owner {
    void (*done)(void *argument); /* NULL: nobody */
    void *argument;
};
/* Registers the memory and cuts it by the grid; the tiles (grid->tiles of them) go to `tiles`, each with one reference. The
 * root lives as long as one of them. False: no memory, nothing is left behind and done was not called. */
bool sta__root_make(void *memory, sta_dtype dtype, const int64_t *stride, const struct sta__grid *grid,
                    struct sta__owner owner, struct sta__tile **tiles);
/* Waits until the values are home; the tiles stay usable. Application threads, without the lock. */
void sta__root_home(struct sta__root *root);
/* Ends roots that nobody uses any more, as far as that needs an application thread. */
void sta__roots_reap(void);
void sta__roots_finish(void);

#endif
