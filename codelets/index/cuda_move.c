/* Reading and writing what indices select, on a GPU: the words of the task become the arguments of kernels. Contract: move.h,
 * cuda_index.h. */
#include "codelets/index/cuda_index.h"
#include "codelets/index/move.h"

#include "cuda_worker.h"
#include "elementwise/program_cuda.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { SLICE = 1 << 28 }; /* indices whose targets are put in order at a time */

/* A task at work. */
struct work {
    struct sta__mover m;
    struct sta__cuda_move move; /* what all parts have in common */
    struct sta__vector table;   /* of int64_t: cuts, and the places of all parts */
    struct sta__vector parts;
    int64_t *on_device;
};
/* A part of the rest axes. */
struct part {
    struct sta__cuda_move move;
    int64_t place_at; /* in the table */
};

/* ---- geometry ---- */

static bool put_words(struct work *w, const int64_t *words, int64_t count)
{
    for (int64_t i = 0; i < count; i++) {
        int64_t *word = sta__vector_add(&w->table);
        if (!word)
            return false;
        *word = words[i];
    }
    return true;
}

/* The outer axes; where cuts lie in the table goes by `cuts` until the table is on the device. */
static bool describe_outers(struct work *w, int64_t *cuts_at)
{
    const struct sta__move *move = w->m.move;
    const struct sta__places *p = &w->m.places;
    w->move.outers = p->outers;
    for (int k = 0; k < p->outers; k++) {
        int s = p->outer[k];
        const struct sta__axis_map *map = &move->map[s];
        w->move.outer[k] = (struct sta__cuda_outer){.by = move->by[s],
                                                    .axis = map->axis,
                                                    .offset = map->offset,
                                                    .step = map->step,
                                                    .length = move->grid->shape.at[s],
                                                    .edge = move->grid->edge[s],
                                                    .count = move->grid->count[s],
                                                    .weight = p->weight[k]};
        cuts_at[k] = -1;
        if (move->grid->cuts[s]) {
            cuts_at[k] = (int64_t)w->table.count;
            w->move.outer[k].edge = 0;
            if (!put_words(w, move->grid->cuts[s], move->grid->count[s] + 1))
                return false;
        }
    }
    return true;
}

/* The lead axes, merged where the partner allows and no axis of x goes along. */
static void describe_leads(struct work *w)
{
    const struct sta__mover *m = &w->m;
    struct sta__cuda_move *c = &w->move;
    bool along = false;
    for (int k = 0; k < c->outers; k++)
        along |= c->outer[k].by < 0;
    c->leads = 0;
    c->count = 1;
    for (int a = 0; a < m->run.ndim; a++) {
        int64_t extent = m->run.extent[a], stride = m->lead.stride[a];
        int last = c->leads - 1;
        c->count *= extent;
        if (!along && extent == 1)
            continue;
        if (!along && last >= 0 && c->lead_partner[last] == stride * extent) {
            c->lead_extent[last] *= extent;
            c->lead_partner[last] = stride;
            continue;
        }
        c->lead_extent[c->leads] = extent;
        c->lead_first[c->leads] = m->run.first[a];
        c->lead_partner[c->leads++] = stride;
    }
}

/* The partner is a line that the program computed. */
static void lead_in_line(struct sta__cuda_move *c, int64_t item)
{
    for (int a = c->leads - 1; a >= 0; a--) {
        c->lead_partner[a] = item;
        item *= c->lead_extent[a];
    }
}

static bool even_places(const struct sta__mover *m, int rests, int64_t (*const strides)[STA_MAXDIM])
{
    const struct sta__places *p = &m->places;
    int64_t one = -1;
    for (int64_t k = 0; k < p->count; k++) {
        if (!p->origin[k])
            continue;
        one = one < 0 ? k : one;
        for (int o = 0; o < p->outers; o++)
            if (p->stride[k][p->outer[o]] != p->stride[one][p->outer[o]])
                return false;
        for (int a = 0; a < rests; a++)
            if (strides[k][a] != strides[one][a])
                return false;
    }
    return true;
}

/* Whether rest axes a - 1 and a lie one in the other on both sides, in all places. */
static bool merges(const struct sta__mover *m, int a, int64_t (*const strides)[STA_MAXDIM])
{
    bool fine = m->part_stride[a - 1] == m->part_stride[a] * m->part_shape[a];
    for (int64_t k = 0; k < m->places.count && fine; k++)
        fine = !m->places.origin[k] || strides[k][a - 1] == strides[k][a] * m->part_shape[a];
    return fine;
}

/* The rest axes of the part; those of length 1 are left out. strides: of each place, changed likewise. */
static void describe_rests(const struct sta__mover *m, struct sta__cuda_move *c, int64_t (*strides)[STA_MAXDIM])
{
    int64_t own[STA_MAXDIM];
    int n = 0;
    bool kept[STA_MAXDIM] = {false};
    for (int a = 0; a < m->move->rest; a++)
        kept[a] = m->part_shape[a] != 1;
    for (int a = 0, last = -1; a < m->move->rest; a++) {
        if (!kept[a])
            continue;
        bool joins = last == a - 1 && last >= 0 && merges(m, a, strides);
        n += !joins;
        c->rest_extent[n - 1] = m->part_shape[a] * (joins ? c->rest_extent[n - 1] : 1);
        c->rest_partner[n - 1] = m->part_stride[a];
        own[n - 1] = a;
        last = a;
    }
    c->rests = n;
    for (int64_t k = 0; k < m->places.count; k++)
        for (int i = 0; i < n; i++)
            strides[k][i] = strides[k][own[i]];
}

/* The widest unit in which one index's elements can be moved: what is contiguous on both sides, and aligned. */
static void choose_unit(const struct sta__mover *m, struct sta__cuda_move *c, int64_t (*strides)[STA_MAXDIM])
{
    const struct sta__places *p = &m->places;
    int64_t item = (int64_t)m->move->item, unit = item, bits = (int64_t)(uintptr_t)c->partner;
    int last = c->rests - 1;
    bool line = last >= 0 && c->rest_partner[last] == item;
    for (int a = 0; a < c->leads; a++)
        bits |= c->lead_partner[a];
    for (int a = 0; a < last; a++)
        bits |= c->rest_partner[a];
    for (int64_t k = 0; k < p->count && line; k++) {
        if (!p->origin[k])
            continue;
        line = strides[k][last] == item;
        bits |= (int64_t)(uintptr_t)p->origin[k];
        for (int o = 0; o < p->outers; o++)
            bits |= p->stride[k][p->outer[o]];
        for (int a = 0; a < last; a++)
            bits |= strides[k][a];
    }
    while (line && unit < 16 && (bits | (c->rest_extent[last] * item)) % (2 * unit) == 0)
        unit *= 2;
    c->unit = (int)unit;
    c->units = 1;
    if (last >= 0) {
        c->rest_extent[last] = c->rest_extent[last] * item / unit;
        if (line) {
            c->rest_partner[last] = unit;
            for (int64_t k = 0; k < p->count; k++)
                strides[k][last] = unit;
        }
    }
    for (int a = 0; a < c->rests; a++)
        c->units *= c->rest_extent[a];
}

static bool put_places(struct work *w, struct part *part, int64_t (*strides)[STA_MAXDIM])
{
    const struct sta__places *p = &w->m.places;
    struct sta__cuda_move *c = &part->move;
    c->place_first = p->first;
    c->places = p->count;
    /* The targets of operators are looked up by one launch and used by the next: they point to strides in the table. */
    c->even = w->m.move->way != STA__MOVE_AT && even_places(&w->m, c->rests, strides);
    part->place_at = (int64_t)w->table.count;
    for (int64_t k = 0; k < p->count; k++) {
        int64_t row[1 + 2 * STA_MAXDIM] = {(int64_t)(uintptr_t)p->origin[k]};
        int n = 1;
        for (int o = 0; o < p->outers; o++)
            row[n++] = p->stride[k][p->outer[o]];
        for (int a = 0; a < c->rests; a++)
            row[n++] = strides[k][a];
        if (p->origin[k])
            memcpy(c->stride, &row[1], sizeof *row * (size_t)(n - 1));
        if (!put_words(w, row, n))
            return false;
    }
    return true;
}

/* Tiles first .. end - 1 of the list. False: no memory. */
static bool add_part(struct work *w, int64_t first, int64_t end)
{
    struct sta__mover *m = &w->m;
    if (!sta__mover_part(m, m->tiles[2 * first + 1]))
        return true;
    struct part *part = sta__mover_places(m, first, end) ? sta__vector_add(&w->parts) : NULL;
    int64_t(*strides)[STA_MAXDIM] = part ? sta__allocate(sizeof *strides * (size_t)m->places.count) : NULL;
    if (!strides)
        return false;
    part->move = w->move;
    if (m->partner_memory >= 0)
        part->move.partner = m->part;
    for (int64_t k = 0; k < m->places.count; k++)
        if (m->places.origin[k])
            sta__mover_strides(m, m->places.stride[k], strides[k]);
    describe_rests(m, &part->move, strides);
    if (m->move->way == STA__MOVE_AT) {
        part->move.unit = (int)m->move->item;
        part->move.units = m->elements;
    } else {
        choose_unit(m, &part->move, strides);
    }
    bool fine = put_places(w, part, strides);
    sta__release(strides);
    return fine;
}

/* The table goes to the device, and the arguments learn where it lies. */
static sta_error_code send_table(struct work *w, const int64_t *cuts_at)
{
    struct sta__job *job = w->m.job;
    size_t bytes = w->table.count * w->table.item;
    if (bytes == 0)
        return STA_ERROR_NONE;
    w->on_device = sta__cuda_scratch(job, bytes);
    if (!w->on_device)
        return STA_ERROR_MEMORY;
    cudaError_t status = cudaMemcpyAsync(w->on_device, w->table.data, bytes, cudaMemcpyHostToDevice, job->cuda->stream);
    struct part *part = (struct part *)(void *)w->parts.data;
    for (size_t i = 0; i < w->parts.count; i++) {
        part[i].move.place = w->on_device + part[i].place_at;
        for (int k = 0; k < w->move.outers; k++)
            part[i].move.outer[k].cuts = cuts_at[k] < 0 ? NULL : w->on_device + cuts_at[k];
    }
    return sta__cuda_check(job, status, "the places of a selection");
}

/* ---- reading ---- */

static sta_error_code read_parts(struct work *w)
{
    struct sta__job *job = w->m.job;
    const struct part *part = (const struct part *)(void *)w->parts.data;
    uint32_t *fault = sta__cuda_fault(job);
    unsigned long long *bad = fault ? sta__cuda_scratch(job, sizeof *bad) : NULL;
    if (!bad)
        return STA_ERROR_MEMORY;
    int status = (int)cudaMemsetAsync(bad, 0xff, sizeof *bad, job->cuda->stream);
    for (size_t i = 0; i < w->parts.count && !status; i++) {
        struct sta__cuda_move move = part[i].move;
        move.reads = true;
        move.bad = bad;
        status = sta__cuda_move_launch(&move, job->cuda->stream);
        if (!status && i + 1 == w->parts.count)
            status = sta__cuda_move_report(&move, fault, job->cuda->stream);
    }
    return sta__cuda_check(job, (cudaError_t)status, "reading what indices select");
}

sta_error_code sta__move_fault(const void *arguments, const uint32_t *words, char *text, size_t bytes)
{
    const struct sta__move *move = ((const struct sta__program_arguments *)arguments)->shared;
    int j = (int)words[0] - 1;
    int64_t id = (int64_t)((uint64_t)words[1] | (uint64_t)words[2] << 32);
    snprintf(text, bytes, "index %" PRId64 " is out of range for axis %d of length %" PRId64, id, move->axis[j],
             move->length[j]);
    return STA_ERROR_INDEX;
}

/* ---- writing ---- */

/* Memory for the targets of a slice. */
static bool open_targets(struct sta__job *job, const struct sta__cuda_move *c, int64_t count, bool at,
                         struct sta__cuda_targets *t)
{
    t->space = 1;
    for (int k = 0; k < c->outers; k++)
        t->space *= c->outer[k].length;
    t->wide = t->space >= UINT32_MAX;
    size_t key = t->wide ? 8 : 4;
    bool fine = !sta__cuda_check(job, (cudaError_t)sta__cuda_targets_room(count, t), "sorting indices");
    for (int k = 0; k < 2 && fine; k++) {
        t->key[k] = sta__cuda_scratch(job, key * (size_t)count);
        t->order[k] = t->key[k] ? sta__cuda_scratch(job, sizeof **t->order * (size_t)count) : NULL;
        fine = t->order[k] != NULL;
    }
    t->temporary = fine ? sta__cuda_scratch(job, t->temporary_bytes) : NULL;
    fine = t->temporary != NULL;
    if (fine && at) {
        t->target = sta__cuda_scratch(job, sizeof *t->target * (size_t)count);
        t->strides = t->target ? sta__cuda_scratch(job, sizeof *t->strides * (size_t)count) : NULL;
        fine = t->strides != NULL;
    }
    return fine;
}

/* Which of the indices of a slice are the last for their element: by a table where that is not much larger than the slice. */
struct order {
    struct sta__cuda_targets targets;
    uint32_t *owner;
    uint8_t *wins;
    bool there, failed;
};

static void open_order(struct sta__job *job, const struct sta__cuda_move *c, int64_t count, bool at, struct order *o)
{
    int64_t space = 1;
    for (int k = 0; k < c->outers && space <= 4 * count; k++)
        space *= c->outer[k].length;
    o->there = true;
    if (at || space > 4 * count)
        o->failed = !open_targets(job, c, count, at, &o->targets);
    else
        o->owner = sta__cuda_scratch(job, sizeof *o->owner * (size_t)(space ? space : 1));
    o->targets.space = o->owner ? space : o->targets.space;
    if (!at && !o->failed)
        o->wins = sta__cuda_scratch(job, (size_t)count);
    o->failed |= at ? false : !o->wins || !(o->owner || o->targets.temporary);
}

static sta_error_code write_slice(struct work *w, struct sta__cuda_move *c, struct order *o)
{
    struct sta__job *job = w->m.job;
    cudaStream_t stream = job->cuda->stream;
    bool at = w->m.move->way == STA__MOVE_AT;
    int status = o->owner ? sta__cuda_last_owned(c, o->targets.space, o->owner, o->wins, stream)
                          : sta__cuda_targets_sort(c, &o->targets, stream);
    if (at && !status)
        return sta__cuda_at(job, w->m.move->at, job->memory[w->m.tiles[0]].dtype, c, &o->targets);
    if (!o->owner && !status)
        status = sta__cuda_last_sorted(&o->targets, c->count, o->wins, stream);
    c->wins = o->wins;
    if (!status)
        status = sta__cuda_move_launch(c, stream);
    return sta__cuda_check(job, (cudaError_t)status, "writing what indices select");
}

/* Slices follow each other, so that the order of the indices is kept. */
static sta_error_code write_parts(struct work *w)
{
    const struct part *part = (const struct part *)(void *)w->parts.data;
    const int64_t all = w->move.count, most = all < SLICE ? all : SLICE;
    struct order order = {.there = false};
    sta_error_code code = STA_ERROR_NONE;
    for (size_t i = 0; i < w->parts.count && !code; i++)
        for (int64_t first = 0; first < all && !code; first += most) {
            struct sta__cuda_move c = part[i].move;
            c.first = first;
            c.count = all - first < most ? all - first : most;
            if (!order.there)
                open_order(w->m.job, &c, most, w->m.move->way == STA__MOVE_AT, &order);
            code = order.failed ? STA_ERROR_MEMORY : write_slice(w, &c, &order);
        }
    return code;
}

/* ---- the body ---- */

static sta_error_code make_parts(struct work *w)
{
    struct sta__mover *m = &w->m;
    int64_t cuts_at[STA_MAXDIM];
    bool fine = describe_outers(w, cuts_at);
    describe_leads(w);
    if (m->partner_memory < 0)
        lead_in_line(&w->move, (int64_t)(m->move->at ? m->move->at->source_item : m->move->item));
    for (int64_t first = 0, end; first < m->tile_count && fine; first = end) {
        int64_t part = sta__mover_place(m, m->tiles[2 * first + 1], false);
        for (end = first + 1; end < m->tile_count && sta__mover_place(m, m->tiles[2 * end + 1], false) == part;)
            end++;
        fine = add_part(w, first, end);
        sta__mover_close(m);
    }
    if (fine)
        return send_table(w, cuts_at);
    snprintf(m->job->text, sizeof m->job->text, "not enough memory for the places of a selection");
    return STA_ERROR_MEMORY;
}

sta_error_code sta__move_cuda(struct sta__job *job)
{
    const struct sta__move *move = ((const struct sta__program_arguments *)job->arguments)->shared;
    struct work w = {.table = STA__VECTOR(int64_t), .parts = STA__VECTOR(struct part)};
    const void *result[STA__MAXOUTPUTS] = {NULL};
    sta_error_code code = sta__cuda_results(job, result);
    if (code)
        return code;
    memset(&w.m.places, 0, sizeof w.m.places);
    sta__mover_open(&w.m, job);
    w.move.arrays = move->arrays;
    for (int j = 0; j < move->arrays; j++) {
        w.move.ids[j] = result[move->slot[j]];
        w.move.length[j] = move->length[j];
    }
    if (move->source_slot >= 0)
        w.move.partner = (char *)(uintptr_t)result[move->source_slot];
    code = make_parts(&w);
    if (!code)
        code = move->way == STA__MOVE_READ ? read_parts(&w) : write_parts(&w);
    sta__vector_clear(&w.table);
    sta__vector_clear(&w.parts);
    return code;
}

bool sta__move_ready(struct sta__job *job)
{
    const struct sta__move *move = ((const struct sta__program_arguments *)job->arguments)->shared;
    struct sta__mover m;
    sta__cuda_imagine(job);
    if (move->way == STA__MOVE_AT) {
        sta__mover_open(&m, job);
        if (!sta__cuda_at_ready(job, move->at, job->memory[m.tiles[0]].dtype))
            return false;
    }
    return sta__cuda_results_ready(job);
}
