/* x[ids] = number for a few indices: looked at, and written, where they lie. Contract: index.h; src/few.h. */
#include "codelets/index/index.h"

#include "few.h"
#include "graph.h"
#include "here.h"
#include "partition/tile.h"

#include <string.h>

/* Index arrays that can be read as they lie: int64, in one run. NULL: it is not. */
static const int64_t *ids_of(const struct sta__operand *ids)
{
    const struct sta__value *value = ids->value;
    struct sta__memory memory;
    if (value->dtype != STA_int64 || value->user || !sta__view_is_identity(&ids->view, &value->shape))
        return NULL;
    if (value->state == STA__NOW)
        return (const int64_t *)(const void *)value->data;
    if (value->state != STA__TILED || value->grid->tiles != 1 || atomic_load(&value->tiles[0]->failure) ||
        !sta__here_reads(value->tiles[0]) || !sta__tile_memory_here(value->tiles[0], &memory))
        return NULL;
    return (const int64_t *)(const void *)memory.data;
}

/* The address of each element. False: one of them is out of range, or its tile is not ours alone. */
static bool find(const struct sta__value *x, const struct sta__selection *s, const int64_t *ids, int64_t count,
                 char **tiles, char **at)
{
    const int64_t edge = x->grid->edge[0], length = s->length[0], item = (int64_t)sta_itemsize(x->dtype);
    const struct sta__axis_map map = s->view.map[0];
    for (int64_t i = 0; i < count; i++) {
        const int64_t id = ids[i] < 0 ? ids[i] + length : ids[i], place = map.offset + map.step * id, t = place / edge;
        struct sta__memory memory;
        if (id < 0 || id >= length)
            return false;
        if (!tiles[t] && !sta__few_tile(x, t, &memory))
            return false;
        if (!tiles[t])
            tiles[t] = memory.data;
        at[i] = tiles[t] + (place - t * edge) * item;
    }
    return true;
}

static void put(char *const *at, int64_t count, const char *number, size_t item)
{
    if (item == sizeof(int64_t))
        for (int64_t i = 0; i < count; i++)
            memcpy(at[i], number, sizeof(int64_t));
    else
        for (int64_t i = 0; i < count; i++)
            memcpy(at[i], number, item);
}

bool sta__index_write_few(struct sta__value *x, const struct sta__selection *s, const struct sta__operand *source)
{
    enum { TILES = 1024 };
    int64_t count = 0;
    char number[16];
    sta__shape_size(&s->lead, &count);
    /* An axis that only the view has: the place does not depend on the index. */
    const bool by_place = x->shape.ndim == 1 && s->by[0] == 0;
    if (s->arrays != 1 || s->rest.ndim || !by_place || count == 0 || count > STA__FEW ||
        source->value->state != STA__NOW || source->value->size != 1 || !sta__few_may(x, 2) || x->grid->cuts[0] ||
        x->grid->tiles > TILES)
        return false;
    const int64_t *ids = ids_of(&s->array[0]);
    const size_t tiles = (size_t)x->grid->tiles;
    char **room = ids ? sta__allocate(sizeof *room * (tiles + (size_t)count)) : NULL;
    const bool fine = room && find(x, s, ids, count, room, room + tiles);
    if (fine) {
        const void *from[] = {source->value->data};
        sta__cast_loop(source->value->dtype, x->dtype)(1, number, from);
        sta__value_forget_recuts(x);
        put(room + tiles, count, number, sta_itemsize(x->dtype));
    }
    sta__release(room);
    return fine;
}
