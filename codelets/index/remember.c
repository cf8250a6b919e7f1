/* What a survey found is remembered with the index array: the indices of a loop are looked at once. A value does not change;
 * memory of the program may, so nothing is remembered of that. Contract: index.h. */
#include "codelets/index/index.h"

#include <string.h>

/* What the rows depend on beside the indices: the axis that they select from, its tiles, and how the indices are cut. */
struct key {
    int64_t length, offset, step, edge, count, words, rows;
    int64_t chunk[STA_MAXDIM];
};
struct reach {
    struct sta__note note;
    struct key key;
    int64_t row[];
};

/* Of one array, which lies as it is indexed by. False: nothing is remembered of this one. */
static bool make_key(const struct sta__selection *s, const struct sta__value *x, const struct sta__survey *survey,
                     struct key *key)
{
    enum { MOST = 4096 }; /* words of all rows */
    const struct sta__value *ids = s->array[0].value;
    int axis = -1, axes = 0;
    memset(key, 0, sizeof *key);
    for (int k = 0; k < s->view.store_ndim; k++)
        if (s->by[k] >= 0) {
            axis = k;
            axes++;
        }
    if (s->arrays != 1 || axes != 1 || ids->state != STA__TILED || ids->user || !x->grid || x->grid->cuts[axis] ||
        sta__runtime.settings.ranks > 1 || survey->chunks->tiles * survey->words > MOST ||
        !sta__view_is_identity(&s->array[0].view, &ids->shape))
        return false;
    key->length = s->length[0];
    key->offset = s->view.map[axis].offset;
    key->step = s->view.map[axis].step;
    key->edge = x->grid->edge[axis];
    key->count = x->grid->count[axis];
    key->words = survey->words;
    key->rows = survey->chunks->tiles;
    memcpy(key->chunk, survey->chunks->edge, sizeof(int64_t) * (size_t)survey->chunks->shape.ndim);
    return true;
}

bool sta__survey_recall(const struct sta__selection *s, const struct sta__value *x, struct sta__survey *survey)
{
    struct key key;
    if (!make_key(s, x, survey, &key))
        return false;
    const struct reach *reach = (const struct reach *)s->array[0].value->notes;
    while (reach && memcmp(&reach->key, &key, sizeof key) != 0)
        reach = (const struct reach *)reach->note.next;
    size_t bytes = sizeof(int64_t) * (size_t)(key.rows * key.words);
    survey->row = reach ? sta__allocate_raw(bytes) : NULL;
    if (survey->row)
        memcpy(survey->row, reach->row, bytes);
    return survey->row != NULL;
}

void sta__survey_remember(const struct sta__selection *s, const struct sta__value *x, const struct sta__survey *survey)
{
    enum { MOST = 4 }; /* of one array */
    struct key key;
    if (!make_key(s, x, survey, &key))
        return;
    struct sta__note **last = &s->array[0].value->notes;
    for (int n = 0; *last && n < MOST - 1; n++)
        last = &(*last)->next;
    sta__release(*last);
    *last = NULL;
    size_t bytes = sizeof(int64_t) * (size_t)(key.rows * key.words);
    struct reach *reach = sta__allocate_raw(sizeof *reach + bytes);
    if (!reach)
        return; /* they are only looked at again */
    reach->key = key;
    memcpy(reach->row, survey->row, bytes);
    reach->note.next = s->array[0].value->notes;
    s->array[0].value->notes = &reach->note;
}
