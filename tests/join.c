/* Joining, splitting, repeating, padding: against NumPy; what is copied and what is not; errors. ctest: tiny omp sanitize */
#include "cases.h"

#include <starray/join.h>

#include <string.h>

/* ---- the calls of join_cases.py ---- */

static void give(struct sta_case *c, sta_array result)
{
    c->out[c->outs++] = result;
}

static void concat(struct sta_case *c)
{
    give(c, sta_concat(c->x, c->count, c->n[0]));
}

static void stack(struct sta_case *c)
{
    give(c, sta_stack(c->x, c->count, c->n[0]));
}

static void vstack(struct sta_case *c)
{
    give(c, sta_vstack(c->x, c->count));
}

static void hstack(struct sta_case *c)
{
    give(c, sta_hstack(c->x, c->count));
}

static void dstack(struct sta_case *c)
{
    give(c, sta_dstack(c->x, c->count));
}

static void column_stack(struct sta_case *c)
{
    give(c, sta_column_stack(c->x, c->count));
}

static void append(struct sta_case *c)
{
    give(c, sta_append(c->x[0], c->x[1], c->n[0]));
}

static void many(struct sta_case *c)
{
    sta_array all[100];
    for (int i = 0; i < c->n[0]; i++)
        all[i] = c->x[i % c->count];
    give(c, sta_concat(all, (int)c->n[0], 0));
}

static void block1(struct sta_case *c)
{
    give(c, sta_block(c->x, sta_case_dims(c, 0, 1)));
}

static void block2(struct sta_case *c)
{
    give(c, sta_block(c->x, sta_case_dims(c, 0, 2)));
}

static void array_split(struct sta_case *c)
{
    sta_array_split(c->out, c->x[0], c->outs = (int)c->n[0], c->n[1]);
}

static void split(struct sta_case *c)
{
    sta_split(c->out, c->x[0], c->outs = (int)c->n[0], c->n[1]);
}

static void split_at(struct sta_case *c)
{
    c->outs = (int)c->numbers;
    sta_split_at(c->out, c->x[0], c->n + 1, c->outs - 1, c->n[0]);
}

static void vsplit(struct sta_case *c)
{
    sta_vsplit(c->out, c->x[0], c->outs = (int)c->n[0]);
}

static void hsplit(struct sta_case *c)
{
    sta_hsplit(c->out, c->x[0], c->outs = (int)c->n[0]);
}

static void dsplit(struct sta_case *c)
{
    sta_dsplit(c->out, c->x[0], c->outs = (int)c->n[0]);
}

static void unstack(struct sta_case *c)
{
    sta_dims shape = sta_shape(c->x[0]);
    c->outs = (int)shape.at[c->n[0] < 0 ? c->n[0] + shape.count : c->n[0]];
    sta_unstack(c->out, c->x[0], c->n[0]);
}

static void tile(struct sta_case *c)
{
    give(c, sta_tile(c->x[0], sta_case_dims(c, 0, (int)c->numbers)));
}

static void repeat(struct sta_case *c)
{
    give(c, sta_repeat(c->x[0], c->n[0], c->n[1]));
}

static void repeat_each(struct sta_case *c)
{
    give(c, sta_repeat_each(c->x[0], c->x[1], c->n[0]));
}

static void roll(struct sta_case *c)
{
    int half = (int)c->numbers / 2;
    give(c, sta_roll(c->x[0], sta_case_dims(c, 0, half), sta_case_dims(c, half, half)));
}

static void delete_some(struct sta_case *c)
{
    give(c, sta_delete(c->x[0], c->x[1], c->n[0]));
}

static void insert(struct sta_case *c)
{
    give(c, sta_insert(c->x[0], c->x[1], c->x[2], c->n[0]));
}

static void pad(struct sta_case *c)
{
    sta_array values[STA_MAXDIM][2];
    int ndim = sta_ndim(c->x[0]);
    int64_t widths[STA_MAXDIM][2], stat_length[STA_MAXDIM][2];
    memcpy(widths, c->n + 4, sizeof *widths * (size_t)ndim);
    sta_pad_options options = {.size = sizeof options, .mode = (sta_pad_mode)c->n[0], .odd = (int)c->n[1]};
    for (int i = 0; i < 2 * ndim && c->n[2]; i++)
        values[i / 2][i % 2] = sta_slice(c->x[1], "%d, %d", i / 2, i % 2);
    if (c->n[2])
        options.values = (const sta_array(*)[2])values;
    if (c->n[3]) {
        memcpy(stat_length, c->n + 4 + 2 * ndim, sizeof *stat_length * (size_t)ndim);
        options.stat_length = (const int64_t(*)[2])stat_length;
    }
    give(c, sta_pad(c->x[0], (const int64_t(*)[2])widths, &options));
}

static const struct sta_case_call calls[] = {
    STA_CALL(concat),   STA_CALL(stack),  STA_CALL(vstack),      STA_CALL(hstack), STA_CALL(dstack),
    STA_CALL(append),   STA_CALL(many),   STA_CALL(block1),      STA_CALL(block2), STA_CALL(column_stack),
    STA_CALL(split),    STA_CALL(vsplit), STA_CALL(array_split), STA_CALL(hsplit), STA_CALL(dsplit),
    STA_CALL(split_at), STA_CALL(tile),   STA_CALL(repeat_each), STA_CALL(repeat), STA_CALL(unstack),
    STA_CALL(roll),     STA_CALL(insert), {"delete", delete_some}, STA_CALL(pad),
};

static void as_numpy(void)
{
    sta_test_cases("join_cases", calls, sizeof calls / sizeof *calls);
}

STA_TESTS("join", STA_CASE(as_numpy))
