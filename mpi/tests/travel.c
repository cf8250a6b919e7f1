/* What travels: only tiles that another rank needs, once each; nobody gathers; who has nothing to do has no handle. */
#include "mpi/travel.h"
#include "partition/tile.h"
#include "sta_test.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS = 96, TILES = 48, BYTES = ROWS * ROWS * 8 }; /* tiles of two rows */

static int64_t sent(struct sta__traffic since)
{
    struct sta__traffic now = sta__traffic();
    return now.bytes_sent - since.bytes_sent;
}

static int64_t received(struct sta__traffic since)
{
    struct sta__traffic now = sta__traffic();
    return now.bytes_received - since.bytes_received;
}

static sta_array numbers(int64_t from)
{
    sta_array row = sta_arange_int(from, from + ROWS, 1, STA_float64);
    return sta_eval(sta_add(sta_expand_dims(row, STA_AXES(1)), row));
}

static void in_place(void)
{
    sta_array x = numbers(0), y = numbers(5);
    struct sta__traffic before = sta__traffic();
    sta_array z = sta_eval(sta_sqrt(sta_add(sta_multiply(x, y), sta_int(1))));
    sta_assign(sta_slice(z, "::2, 3:"), sta_float(2));
    STA_ASSERT_OK(sta_wait(z));
    CU_ASSERT_EQUAL(sent(before), 0);
    CU_ASSERT_EQUAL(received(before), 0);
}

static void sums(void)
{
    sta_array x = numbers(0);
    struct sta__traffic before = sta__traffic();
    STA_ASSERT_OK(sta_wait(sta_sum(x, STA_ALL, 0)));
    STA_ASSERT_OK(sta_wait(sta_sum(x, STA_AXES(0), 0)));
    CU_ASSERT(received(before) < BYTES / 4);
    before = sta__traffic();
    STA_ASSERT_OK(sta_wait(sta_sum(x, STA_AXES(1), 0)));
    CU_ASSERT(received(before) <= ROWS * 8);
}

static void transposes(void)
{
    sta_array x = numbers(0);
    int64_t parts = sta_ranks();
    struct sta__traffic before = sta__traffic();
    STA_ASSERT_OK(sta_wait(sta_add(x, sta_transpose(x, STA_ALL))));
    int64_t got = received(before), others = BYTES - BYTES / parts;
    CU_ASSERT(got > 0);
    /* every rank needs all of the others' tiles; a copy of the transposed one comes on top where there are many tiles */
    CU_ASSERT(got <= 2 * others);
}

static void once(void)
{
    sta_array x = numbers(0);
    sta_array y = sta_eval(sta_add(sta_slice(x, "1:"), sta_slice(x, ":-1")));
    STA_ASSERT_OK(sta_wait(y));
    struct sta__traffic before = sta__traffic();
    sta_array z = sta_eval(sta_subtract(sta_slice(x, "1:"), sta_slice(x, ":-1")));
    STA_ASSERT_OK(sta_wait(z));
    CU_ASSERT_EQUAL(sent(before), 0);
    CU_ASSERT_EQUAL(received(before), 0);
}

static void reads(void)
{
    static double data[ROWS * ROWS], row[ROWS];
    sta_array x = numbers(0);
    STA_ASSERT_OK(sta_wait(x));
    struct sta__traffic before = sta__traffic();
    STA_ASSERT_OK(sta_read(sta_slice(x, "40"), row, sizeof row));
    CU_ASSERT(received(before) <= BYTES / TILES);
    CU_ASSERT_EQUAL(row[3], 43);
    before = sta__traffic();
    STA_ASSERT_OK(sta_read(x, data, sizeof data));
    CU_ASSERT_EQUAL(received(before), BYTES - BYTES / sta_ranks());
    CU_ASSERT_EQUAL(data[ROWS * ROWS - 1], 2 * ROWS - 2);
}

static void handles(void)
{
    int64_t before = sta__tiles_alive();
    sta_array x = numbers(0), y = sta_eval(sta_add(x, x));
    CU_ASSERT(sta__tiles_alive() - before <= 2 * TILES / sta_ranks() + 8);
    STA_ASSERT_OK(sta_wait(y));
}

static void small_ones_stay(void)
{
    struct sta__traffic before = sta__traffic();
    int64_t item = 0;
    STA_ASSERT_OK(sta_item_int(sta_add(sta_int(3), sta_int(4)), &item));
    CU_ASSERT_EQUAL(item, 7);
    CU_ASSERT_EQUAL(sent(before), 0);
}

/* ---- stencils: strips of tiles travel, not tiles ---- */

enum { HIGH = 960, WIDE = 8, SWEEPS = 4, LINE = WIDE * 8 }; /* tiles of 24 rows: a few rows are less than a quarter */

static sta_array around(sta_array x)
{
    sta_array up = sta_slice(x, ":-2, 1:-1"), down = sta_slice(x, "2:, 1:-1"), left = sta_slice(x, "1:-1, :-2");
    sta_array sum = sta_add(sta_add(up, down), sta_add(left, sta_slice(x, "1:-1, 2:")));
    return sta_multiply(sum, sta_float(0.25));
}

static void sweep(double (*x)[WIDE])
{
    static double old[HIGH][WIDE];
    memcpy(old, x, sizeof old);
    for (int i = 1; i < HIGH - 1; i++)
        for (int j = 1; j < WIDE - 1; j++)
            x[i][j] = (old[i - 1][j] + old[i + 1][j] + (old[i][j - 1] + old[i][j + 1])) * 0.25;
}

static void stencil(void)
{
    static double expected[HIGH][WIDE], got[HIGH][WIDE];
    for (int i = 0; i < HIGH; i++)
        for (int j = 0; j < WIDE; j++)
            expected[i][j] = (i * 31 + j * 17) % 101;
    sta_array x = sta_from_buffer(expected, STA_float64, STA_DIMS(HIGH, WIDE), NULL, STA_COPY, NULL, NULL);
    STA_ASSERT_OK(sta_wait(x));
    sta_array inner = sta_slice(x, "1:-1, 1:-1");
    /* What was copied from memory that all have is everywhere: the first sweep makes tiles that are not. */
    sta_assign(inner, around(x));
    STA_ASSERT_OK(sta_wait(x));
    sweep(expected);
    struct sta__traffic before = sta__traffic();
    for (int k = 0; k < SWEEPS; k++) {
        sta_assign(inner, around(x));
        STA_ASSERT_OK(sta_wait(x));
        sweep(expected);
    }
    const int neighbours = (sta_rank() > 0) + (sta_rank() < sta_ranks() - 1);
    CU_ASSERT(received(before) > 0);
    CU_ASSERT(received(before) <= (int64_t)SWEEPS * neighbours * LINE);
    CU_ASSERT(sent(before) <= (int64_t)SWEEPS * neighbours * LINE);
    before = sta__traffic();
    sta_array next = sta_eval(around(x)); /* into an array of its own, which is cut otherwise */
    STA_ASSERT_OK(sta_wait(next));
    /* With two ranks both arrays are shared out at the same row: the rows beyond it come, those of four views. With more the
     * shares begin elsewhere, and what is wanted is more than the strips of a tile, a quarter of it at most: the tile comes. */
    const int64_t most = sta_ranks() == 2 ? 4 * LINE : 192 * 8 + 192 * 8 / 4;
    CU_ASSERT(received(before) <= neighbours * most);
    STA_ASSERT_OK(sta_read(x, got, sizeof got));
    CU_ASSERT(memcmp(got, expected, sizeof got) == 0);
    sweep(expected);
    static double inside[HIGH - 2][WIDE - 2];
    STA_ASSERT_OK(sta_read(next, inside, sizeof inside));
    int wrong = 0;
    for (int i = 1; i < HIGH - 1; i++)
        wrong += memcmp(inside[i - 1], &expected[i][1], sizeof inside[0]) != 0;
    CU_ASSERT_EQUAL(wrong, 0);
}

int main(int argc, char **argv)
{
    static const struct sta_test_case cases[] = {
        STA_CASE(in_place), STA_CASE(sums),    STA_CASE(transposes),      STA_CASE(once),
        STA_CASE(reads),    STA_CASE(handles), STA_CASE(small_ones_stay), STA_CASE(stencil)};
    setenv("STA_TILE_ELEMS", "192", 1);
    setenv("STA_INLINE_BYTES", "64", 1);
    return sta_test_main(argc, argv, "mpi travel", true, cases, sizeof cases / sizeof *cases);
}
