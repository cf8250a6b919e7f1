/* NULL for a list of results, or of what they are made of: an error that can be seen, never a crash. ctest: tiny sanitize */
#include "sta_test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const int64_t at[] = {1, 2};

static sta_array block(void)
{
    return sta_ones(STA_DIMS(2, 2, 2), STA_int64);
}

/* ---- no place for results ---- */

#define TO(name, call)                                                                                                 \
    static void name(sta_array *to, const sta_array *x)                                                                \
    {                                                                                                                  \
        (void)x;                                                                                                       \
        call;                                                                                                          \
    }
TO(split, sta_split(to, x[0], 2, 0))
TO(array_split, sta_array_split(to, x[0], 2, 1))
TO(split_at, sta_split_at(to, x[0], at, 2, 0))
TO(vsplit, sta_vsplit(to, x[0], 2))
TO(hsplit, sta_hsplit(to, x[0], 2))
TO(dsplit, sta_dsplit(to, x[0], 2))
TO(unstack, sta_unstack(to, x[0], 1))
TO(meshgrid, sta_meshgrid(to, x, 2, 0))
TO(broadcast_arrays, sta_broadcast_arrays(to, x, 2))
TO(nonzero, sta_nonzero(to, x[0]))
TO(ix_, sta_ix_(to, x, 2))
TO(unravel_index, sta_unravel_index(to, x[0], STA_DIMS(3, 3)))

static const struct function {
    const char *name;
    void (*run)(sta_array *to, const sta_array *x);
} functions[] = {{"split", split},
                 {"array_split", array_split},
                 {"split_at", split_at},
                 {"vsplit", vsplit},
                 {"hsplit", hsplit},
                 {"dsplit", dsplit},
                 {"unstack", unstack},
                 {"meshgrid", meshgrid},
                 {"broadcast_arrays", broadcast_arrays},
                 {"nonzero", nonzero},
                 {"ix_", ix_},
                 {"unravel_index", unravel_index}};

/* What is said on the standard error meanwhile. */
static const char *said(const struct function *function, const sta_array *x)
{
    static char text[4096];
    FILE *file = tmpfile();
    int old = dup(STDERR_FILENO);
    CU_ASSERT_FATAL(file && old >= 0);
    dup2(fileno(file), STDERR_FILENO);
    function->run(NULL, x);
    dup2(old, STDERR_FILENO);
    close(old);
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = 0;
    fclose(file);
    return text;
}

static void no_place(void)
{
    const sta_array good[] = {block(), block()}, number[] = {sta_int(1), sta_int(2)},
                    bad[] = {sta_slice(good[0], "9"), (sta_array){0}};
    const sta_array *const lists[] = {good, number, bad};
    for (size_t l = 0; l < sizeof lists / sizeof *lists; l++)
        for (size_t f = 0; f < sizeof functions / sizeof *functions; f++) {
            char wanted[100];
            snprintf(wanted, sizeof wanted, "starray: %s: there is no place for the arrays: NULL is given\n",
                     functions[f].name);
            sta_test_text(__FILE__, __LINE__, functions[f].name, said(&functions[f], lists[l]), wanted);
        }
    STA_ASSERT_OK(sta_wait(good[0]));
}

/* Where there are no results none are wanted. */
static void no_results(void)
{
    const sta_array x = block();
    sta_split(NULL, x, 0, 0);
    sta_split_at(NULL, x, NULL, -1, 0);
    sta_meshgrid(NULL, NULL, 0, 0);
    sta_broadcast_arrays(NULL, NULL, 0);
    sta_ix_(NULL, NULL, 0);
    sta_unstack(NULL, sta_zeros(STA_DIMS(0, 3), STA_int8), 0);
    STA_ASSERT_OK(sta_wait(x));
}

/* ---- nothing to make them of ---- */

static void all_tell(sta_array *to, int count, const char *op)
{
    for (int i = 0; i < count; i++) {
        const sta_error *error = sta_wait(to[i]);
        STA_ASSERT_FAILS(error, STA_ERROR_VALUE);
        if (error)
            STA_ASSERT_TEXT(error->op, op);
    }
}

static void no_operands(void)
{
    sta_array to[3];
    sta_meshgrid(to, NULL, 3, 0);
    all_tell(to, 3, "meshgrid");
    sta_broadcast_arrays(to, NULL, 3);
    all_tell(to, 3, "broadcast_arrays");
    sta_ix_(to, NULL, 3);
    all_tell(to, 3, "ix_");
    sta_split_at(to, block(), NULL, 2, 0);
    all_tell(to, 3, "split_at");
    sta_split_at(to, block(), NULL, 0, 0);
    STA_ASSERT_SHAPE(to[0], STA_DIMS(2, 2, 2));
}

STA_TESTS("nowhere", STA_CASE(no_place), STA_CASE(no_results), STA_CASE(no_operands))
