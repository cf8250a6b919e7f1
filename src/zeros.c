/* Contract: zeros.h. To drop the pages of a buffer takes a tenth of the time that writing zeros does; whoever writes there
 * later pays for new ones, about twice what the zeros would have cost. So this is for arrays that the program asks for and the
 * caches cannot hold, and not for what is read or written at once on the way to something else. */
#include "zeros.h"

#include "look.h"
#include "pages.h"
#include "partition/tile.h"

#include <string.h>

/* Bytes of an array: what a program has of the caches of a machine that many share, at most; and those that the calling thread
 * writes itself, where tiles are less than a huge page. */
enum { LEAST = 32 << 20, MOST_SMALL = 4 << 20 };

/* Whether the program gives one element, which is there and cast at most, again and again. */
static bool repeats_element(const struct sta__plan *plan)
{
    const struct sta__program *p = plan->program;
    bool cast = p->instructions == 1 && p->instruction[0].op < 0;
    return p->outputs == 1 && p->reductions == 0 && p->inputs == 1 && (p->instructions == 0 || cast) &&
           plan->in[0].value->state == STA__NOW && plan->in[0].value->size == 1;
}

/* -0.0 is none. */
static bool is_zero(const struct sta__plan *plan)
{
    static const char zeros[16];
    const struct sta__program *p = plan->program;
    char element[16] = {1};
    const void *from[1] = {plan->in[0].value->data};
    if (p->instructions)
        p->instruction[0].loop(1, element, from);
    else
        memcpy(element, from[0], sta_itemsize(plan->in[0].value->dtype));
    return memcmp(element, zeros, sta_itemsize(plan->out[0]->dtype)) == 0;
}

/* Who looks at tasks shall see them, and who wants everything computed by tasks has its will. */
static bool may_hold(const struct sta__call *call, const struct sta__plan *plan)
{
    const struct sta__settings *settings = &sta__runtime.settings;
    const int64_t least = settings->cache_bytes < LEAST ? settings->cache_bytes : LEAST;
    return !call->consumes && sta__value_bytes(plan->out[0]) > least && settings->ranks <= 1 &&
           settings->inline_bytes > 0 && sta__nodes_pooled() && !sta__looks(STA__LOOK_ALL);
}

static bool are_large(const struct sta__value *value)
{
    int64_t small = 0;
    for (int64_t t = 0; t < value->grid->tiles && small <= MOST_SMALL; t++)
        if (value->tiles[t]->bytes < (int64_t)STA__HUGE_PAGE)
            small += value->tiles[t]->bytes;
    return small <= MOST_SMALL;
}

struct sta__value *sta__zeros(const struct sta__call *call, const struct sta__plan *plan, struct sta__grid *grid)
{
    if (!may_hold(call, plan) || !repeats_element(plan) || !is_zero(plan))
        return NULL;
    struct sta__value *value = sta__value_tiled(plan->out[0]->dtype, grid);
    bool fine = value && are_large(value);
    for (int64_t t = 0; fine && t < grid->tiles; t++)
        fine = sta__tile_hold_zeros(value->tiles[t]);
    if (fine)
        return value;
    sta__value_drop(value);
    return NULL;
}
