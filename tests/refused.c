/* Writes that are refused, by a table: each function that writes x each target that cannot be written, or is in error already x
 * operands of any kind. Nothing changes, and only the handle of the target tells of it: the array it is a view of, and
 * all its other views, can be read as before. ctest: tiny omp here sanitize */
#include "sta_test.h"

#include <string.h>

enum { ROWS = 3, COLUMNS = 4, SIZE = ROWS * COLUMNS };
static uint8_t memory[SIZE], shown[SIZE]; /* of the program, and as it was */

/* ---- functions that write ---- */

static sta_array one_of(sta_array ids)
{
    return sta_slice(ids, "0:1");
}

/* Row 0 or an element of it, by an index array. */
static sta_array ids_of(int64_t first)
{
    return sta_test_array(STA_int64, STA_DIMS(2), ((int64_t[]){first, 0}));
}

#define AT(name)                                                                                                       \
    static void name##_at(sta_array to, sta_array from, sta_array ids)                                                 \
    {                                                                                                                  \
        sta_##name##_at(to, STA_INDEX(STA_SPAN_BY(one_of(ids))), from);                                                \
    }
#define INTO_1(name)                                                                                                   \
    static void name##_into(sta_array to, sta_array from, sta_array ids)                                               \
    {                                                                                                                  \
        (void)ids;                                                                                                     \
        sta_##name##_into(to, from);                                                                                   \
    }
#define INTO_2(name)                                                                                                   \
    AT(name)                                                                                                           \
    static void name##_into(sta_array to, sta_array from, sta_array ids)                                               \
    {                                                                                                                  \
        (void)ids;                                                                                                     \
        sta_##name##_into(to, sta_zeros(STA_DIMS(COLUMNS), STA_uint8), from);                                          \
    }
#define INTO_3(name)                                                                                                   \
    static void name##_into(sta_array to, sta_array from, sta_array ids)                                               \
    {                                                                                                                  \
        (void)ids;                                                                                                     \
        sta_##name##_into(to, sta_bool(1), from, from);                                                                \
    }
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc) INTO_##arity(name)
#define STA_PAIR(name, arity, first, second, first_op, second_op, doc)
#include <starray/ufuncs.def>

static sta_array spare(void)
{
    return sta_zeros(STA_DIMS(ROWS, COLUMNS), STA_uint8);
}

/* The pairs: as the first and as the second of the two results. */
#define PAIR(name, ...)                                                                                                \
    static void name##_first(sta_array to, sta_array from, sta_array ids)                                              \
    {                                                                                                                  \
        (void)ids;                                                                                                     \
        sta_##name##_into(to, spare(), __VA_ARGS__);                                                                   \
    }                                                                                                                  \
    static void name##_second(sta_array to, sta_array from, sta_array ids)                                             \
    {                                                                                                                  \
        (void)ids;                                                                                                     \
        sta_##name##_into(spare(), to, __VA_ARGS__);                                                                   \
    }
#define PAIR_1(name) PAIR(name, from)
#define PAIR_2(name) PAIR(name, from, from)
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc)
#define STA_PAIR(name, arity, first, second, first_op, second_op, doc) PAIR_##arity(name)
#include <starray/ufuncs.def>

static sta_array some(void)
{
    return sta_equal(sta_arange_int(0, ROWS, 1, STA_int64), sta_int(1));
}

static sta_array mask(void)
{
    return sta_greater(sta_reshape(sta_arange_int(0, SIZE, 1, STA_int64), STA_DIMS(ROWS, COLUMNS)), sta_int(2));
}

#define WRITE(name, call)                                                                                              \
    static void name(sta_array to, sta_array from, sta_array ids)                                                      \
    {                                                                                                                  \
        (void)ids;                                                                                                     \
        call;                                                                                                          \
    }
WRITE(assign, sta_assign(to, from))
WRITE(masked_into, sta_ufunc_into("add", to, mask(), (sta_array[]){from, sta_int(1)}, 2))
WRITE(assign_by_ids, sta_assign_at(to, STA_INDEX(STA_SPAN_BY(ids)), from))
WRITE(assign_by_column, sta_assign_at(to, STA_INDEX(STA_SPAN_ALL, STA_SPAN_BY(ids)), from))
WRITE(assign_by_mask, sta_assign_at(to, STA_INDEX(STA_SPAN_BY(mask())), from))
WRITE(assign_by_rows, sta_assign_at(to, STA_INDEX(STA_SPAN_BY(some())), from))
WRITE(assign_by_slice, sta_assign_at(to, STA_INDEX(STA_SPAN_AT(0)), from))
WRITE(put, sta_put(to, ids, from, STA_MODE_RAISE))
WRITE(put_many, sta_put(to, sta_arange_int(0, SIZE, 1, STA_int64), from, STA_MODE_WRAP))
WRITE(putmask, sta_putmask(to, mask(), from))
WRITE(place, sta_place(to, mask(), from))
WRITE(put_along_rows, sta_put_along_axis(to, sta_reshape(ids, STA_DIMS(2, 1)), from, 0))
WRITE(put_along_flat, sta_put_along_axis(to, ids, from, STA_FLAT))
WRITE(fill_diagonal, sta_fill_diagonal(to, from, 0))
WRITE(fill_diagonal_wrapped, sta_fill_diagonal(to, from, 1))

enum {
    OUTSIDE = 1,
    DIAGONAL = 2
}; /* takes indices, which may be out of range; writes a diagonal, which may not repeat */
static const struct writer {
    const char *name;
    void (*run)(sta_array to, sta_array from, sta_array ids);
    int what;
} writers[] = {
    {"assign", assign, 0},
    {"ufunc_into", masked_into, 0},
    {"assign_at, ids", assign_by_ids, OUTSIDE},
    {"assign_at, ids of columns", assign_by_column, OUTSIDE},
    {"assign_at, a mask", assign_by_mask, 0},
    {"assign_at, a mask of rows", assign_by_rows, 0},
    {"assign_at, a slice", assign_by_slice, 0},
    {"put", put, OUTSIDE},
    {"put, everywhere", put_many, 0},
    {"putmask", putmask, 0},
    {"place", place, 0},
    {"put_along_axis", put_along_rows, OUTSIDE},
    {"put_along_axis, flat", put_along_flat, OUTSIDE},
    {"fill_diagonal", fill_diagonal, DIAGONAL},
    {"fill_diagonal, wrapped", fill_diagonal_wrapped, DIAGONAL},
#define ROW_1(name) {#name "_into", name##_into, 0},
#define ROW_2(name) {#name "_into", name##_into, 0}, {#name "_at", name##_at, OUTSIDE},
#define ROW_3(name) {#name "_into", name##_into, 0},
#define STA_UFUNC(name, arity, kinds, rule, identity, cost, ulp, text, doc) ROW_##arity(name)
#define STA_PAIR(name, arity, first, second, first_op, second_op, doc)                                                 \
    {#name "_into, first", name##_first, 0}, {#name "_into, second", name##_second, 0},
#include <starray/ufuncs.def>
};
enum { WRITERS = sizeof writers / sizeof *writers };

/* ---- what they are given ---- */

static sta_array number(void)
{
    return sta_int(1);
}
static sta_array too_large(void) /* for the uint8 that it meets */
{
    return sta_int(300);
}
static sta_array row(void)
{
    return sta_ones(STA_DIMS(COLUMNS), STA_uint8);
}
static sta_array of_another_shape(void)
{
    return sta_zeros(STA_DIMS(5, 7), STA_float64);
}
static sta_array no_array(void)
{
    return (sta_array){0};
}
static sta_array in_error(void)
{
    return sta_add(row(), of_another_shape());
}
static sta_array out_of_range(void)
{
    return sta_slice(row(), "9");
}
static sta_array found_by_tasks(void)
{
    return sta_take(row(), ids_of(9), 0, STA_MODE_RAISE);
}
static sta_array (*const operands[])(void) = {number,   too_large, row,          of_another_shape,
                                              no_array, in_error,  out_of_range, found_by_tasks};
enum { OPERANDS = sizeof operands / sizeof *operands };

/* ---- where they write to: a view of the base that is refused ---- */

static sta_array element(sta_array base)
{
    return sta_broadcast_to(sta_slice(base, "1, 2"), STA_DIMS(ROWS, COLUMNS));
}
static sta_array repeated_rows(sta_array base)
{
    return sta_broadcast_to(sta_slice(base, "1"), STA_DIMS(ROWS, COLUMNS));
}
static sta_array repeated_and_turned(sta_array base)
{
    return sta_transpose(sta_broadcast_to(sta_slice(base, ":, 1"), STA_DIMS(COLUMNS, ROWS)), STA_ALL);
}
static sta_array repeated_and_reshaped(sta_array base)
{
    return sta_reshape(sta_broadcast_to(sta_slice(base, "1"), STA_DIMS(ROWS, COLUMNS)), STA_DIMS(ROWS, COLUMNS));
}
static sta_array same(sta_array base)
{
    return sta_slice(base, "...");
}
/* In error already: by a write that was refused with each code that there is. */
static sta_array refused_before(sta_array base)
{
    return sta_assign(element(base), sta_int(0));
}
static sta_array refused_by_index(sta_array base)
{
    return sta_assign_at(same(base), STA_INDEX(STA_SPAN_BY(ids_of(9))), sta_int(0));
}
static sta_array refused_by_shape(sta_array base)
{
    return sta_putmask(same(base), sta_zeros(STA_DIMS(5), STA_bool), sta_int(0));
}
static sta_array refused_without_values(sta_array base)
{
    return sta_place(same(base), mask(), sta_zeros(STA_DIMS(0), STA_uint8));
}
static sta_array refused_by_operand(sta_array base)
{
    return sta_add_into(element(base), row(), sta_int(300));
}
static sta_array refused_twice(sta_array base)
{
    return sta_assign(refused_by_shape(base), in_error());
}

static const struct target {
    const char *name;
    sta_array (*of)(sta_array base);
    bool read_only; /* it is the base that cannot be written */
    int but;        /* writers that it does not refuse */
} targets[] = {
    {"an element, repeated", element, false, 0},
    {"a row, repeated", repeated_rows, false, DIAGONAL},
    {"a column, repeated", repeated_and_turned, false, DIAGONAL},
    {"a row, repeated and reshaped", repeated_and_reshaped, false, DIAGONAL},
    {"memory that is read-only", same, true, 0},
    {"an element of memory that is read-only", element, true, 0},
    {"what was refused", refused_before, false, 0},
    {"what was refused by an index", refused_by_index, false, 0},
    {"what was refused by a mask", refused_by_shape, false, 0},
    {"what was refused without values", refused_without_values, false, 0},
    {"what was refused by an operand", refused_by_operand, false, 0},
    {"what was refused twice", refused_twice, false, 0},
};
enum { TARGETS = sizeof targets / sizeof *targets };

/* ---- the table ---- */

enum base { OWN, LAZY, PROGRAM, BASES };

static sta_array base_of(enum base kind, bool read_only)
{
    if (kind == LAZY && !read_only)
        return sta_astype(sta_reshape(sta_arange_int(0, SIZE, 1, STA_int64), STA_DIMS(ROWS, COLUMNS)), STA_uint8);
    return sta_from_buffer(memory, STA_uint8, STA_DIMS(ROWS, COLUMNS), NULL,
                           (kind == OWN ? STA_COPY : 0u) | (read_only ? STA_READ_ONLY : 0u), NULL, NULL);
}

/* The base, another view of it and a function of it are as before. */
static bool is_as_before(sta_array base, sta_array other, const char *writer, const char *target, size_t operand)
{
    if (!sta_check(base) && !sta_check(other))
        return true;
    sta_test_fail(__FILE__, __LINE__, "%s to %s, operand %zu: the base tells of it: %s", writer, target, operand,
                  sta_check(base) ? sta_check(base)->text : sta_check(other)->text);
    return false;
}

static void tells(sta_array to, const sta_error *before, const char *writer, const char *target, size_t operand)
{
    const sta_error *error = sta_wait(to);
    if (!error || (before && error != before))
        sta_test_fail(__FILE__, __LINE__, "%s to %s, operand %zu: %s", writer, target, operand,
                      error ? error->text : "no error");
}

static void refuses(enum base kind, const struct target *target, size_t operand)
{
    sta_array base = base_of(kind, target->read_only), other = sta_flip(base, STA_ALL);
    sta_array sum = sta_sum(base, STA_ALL, 0), ids = ids_of(1);
    for (size_t w = 0; w < WRITERS; w++) {
        const struct writer *writer = &writers[w];
        if (writer->what & target->but)
            continue;
        sta_scope scope = sta_open();
        sta_array to = target->of(base);
        const sta_error *before = sta_check(to);
        writer->run(to, operands[operand](), ids);
        if (is_as_before(base, other, writer->name, target->name, operand))
            tells(to, before, writer->name, target->name, operand);
        sta_close(scope);
    }
    STA_ASSERT_EQUAL(base, STA_uint8, STA_DIMS(ROWS, COLUMNS), shown);
    STA_ASSERT_EQUAL(sta_flip(other, STA_ALL), STA_uint8, STA_DIMS(ROWS, COLUMNS), shown);
    STA_ASSERT_EQUAL(sum, STA_uint64, STA_SCALAR, (&(uint64_t){SIZE * (SIZE - 1) / 2}));
    CU_ASSERT_EQUAL(memcmp(memory, shown, SIZE), 0);
}

static void start(void)
{
    for (int i = 0; i < SIZE; i++)
        memory[i] = shown[i] = (uint8_t)i;
}

static void all_of(enum base kind)
{
    start();
    for (size_t t = 0; t < TARGETS; t++)
        for (size_t o = 0; o < OPERANDS; o++) {
            sta_scope scope = sta_open();
            refuses(kind, &targets[t], o);
            sta_close(scope);
        }
}

static void small(void)
{
    all_of(OWN);
}
static void lazy(void)
{
    all_of(LAZY);
}
static void memory_of_the_program(void)
{
    all_of(PROGRAM);
}

static void out_of_range_to(const struct writer *writer, enum base kind)
{
    sta_array base = base_of(kind, false), other = sta_flip(base, STA_ALL), far = ids_of(100);
    sta_array views[] = {same(base), sta_flip(base, STA_ALL), sta_slice(base, "::2, 1:"), sta_transpose(base, STA_ALL)};
    for (size_t v = 0; v < sizeof views / sizeof *views; v++) {
        writer->run(views[v], sta_int(1), far);
        const sta_error *error = sta_wait(views[v]);
        if (error && error->code == STA_ERROR_DTYPE)
            return; /* the function has no result that fits: no index is looked at */
        if (!is_as_before(base, other, writer->name, "an index out of range", v))
            return;
        STA_ASSERT_FAILS(error, STA_ERROR_INDEX);
    }
    STA_ASSERT_EQUAL(base, STA_uint8, STA_DIMS(ROWS, COLUMNS), shown);
    STA_ASSERT_EQUAL(sta_flip(other, STA_ALL), STA_uint8, STA_DIMS(ROWS, COLUMNS), shown);
}

/* An index out of range is looked at before anything is written: the target alone is in error, whichever view it is. */
static void indices_out_of_range(void)
{
    start();
    for (enum base kind = OWN; kind < BASES; kind++)
        for (size_t w = 0; w < WRITERS; w++)
            if (writers[w].what & OUTSIDE)
                out_of_range_to(&writers[w], kind);
}

/* What could be written and was not, for an operand in error, is told by every view: nobody takes the old elements for what
 * was meant. */
static void what_is_missing_is_told(void)
{
    start();
    for (size_t w = 0; w < WRITERS; w++) {
        sta_array base = base_of(OWN, false), other = sta_flip(base, STA_ALL);
        const sta_error *error = sta_check(base);
        sta_array bad = in_error();
        CU_ASSERT_PTR_NULL(error);
        writers[w].run(same(base), bad, ids_of(1));
        if (sta_wait(base) != sta_check(bad) || sta_wait(other) != sta_check(bad))
            sta_test_fail(__FILE__, __LINE__, "%s: the base does not tell that an operand is in error",
                          writers[w].name);
    }
}

STA_TESTS("refused", STA_CASE(small), STA_CASE(lazy), STA_CASE(memory_of_the_program), STA_CASE(indices_out_of_range),
          STA_CASE(what_is_missing_is_told))
