/* The text of arrays: against NumPy's, with many options. */
#include "sta_test.h"

#include "format.h"

#include <CUnit/CUnit.h>
#include <stdlib.h>
#include <string.h>

/* The elements of the corners, C order, of a whole array. */
static void *corners_of(const struct sta_record *data, const struct sta__shape *shape, const struct sta__shape *corners)
{
    size_t bytes = sta_itemsize(data->dtype);
    int64_t size = 1;
    for (int a = 0; a < shape->ndim; a++)
        size *= corners->at[a];
    char *to = malloc((size_t)size * bytes + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(to);
    for (int64_t i = 0; i < size; i++) {
        int64_t rest = i, at = 0, stride = 1;
        for (int a = shape->ndim - 1; a >= 0; a--) {
            int64_t index = rest % corners->at[a];
            rest /= corners->at[a];
            if (index >= (corners->at[a] + 1) / 2) /* counted from the end */
                index += shape->at[a] - corners->at[a];
            at += index * stride;
            stride *= shape->at[a];
        }
        memcpy(to + (size_t)i * bytes, (const char *)data->data + (size_t)at * bytes, bytes);
    }
    return to;
}

static char *text_of(const struct sta_record *data, const sta_print_options *given)
{
    sta_print_options options;
    struct sta__shape shape = {.ndim = data->shape.count}, corners;
    memcpy(shape.at, data->shape.at, sizeof shape.at);
    CU_ASSERT(sta__format_options(given, &options));
    sta__format_corners(&shape, &options, &corners);
    void *elements = corners_of(data, &shape, &corners);
    char *text = sta__format_text(data->dtype, &shape, elements, &options);
    free(elements);
    return text;
}

static void as_numpy(void)
{
    const struct sta_oracle *oracle = sta_test_oracle("print", NULL);
    for (size_t i = 0; oracle && i + 3 < sta_oracle_count(oracle); i += 4) {
        const struct sta_record *data = sta_oracle_at(oracle, i);
        static const char *const nan[] = {NULL, "NA", "not a number"}, *const infinity[] = {NULL, "oo", "endless"};
        const int64_t *given = sta_oracle_at(oracle, i + 1)->data;
        sta_print_options options = {.size = sizeof options,
                                     .precision = (int)given[0],
                                     .threshold = given[1],
                                     .edgeitems = (int)given[2],
                                     .linewidth = (int)given[3],
                                     .suppress = (int)given[4],
                                     .sign = (char)given[5],
                                     .float_mode = (sta_float_mode)given[6],
                                     .nanstr = nan[given[7]],
                                     .infstr = infinity[given[7]]};
        for (options.repr = 0; options.repr < 2; options.repr++) {
            const struct sta_record *expected = sta_oracle_at(oracle, i + 2 + (size_t)options.repr);
            char *text = text_of(data, &options);
            sta_test_text(__FILE__, __LINE__, expected->name, text, expected->data);
            sta__release(text);
        }
    }
}

static const struct {
    uint16_t bits;
    const char *text;
} bfloats[] = {
    {0x0000, "0.0"},      {0x8000, "-0.0"},     {0x3f80, "1.0"},   {0x4049, "3.14"}, {0x3eab, "0.334"},
    {0x4300, "1.28e+02"}, {0x7f7f, "3.39e+38"}, {0x0001, "9e-41"}, {0xff80, "-inf"}, {0x7fc0, "nan"},
};

static void bfloat16_numbers(void)
{
    for (size_t i = 0; i < sizeof bfloats / sizeof bfloats[0]; i++) {
        struct sta_record record = {"bfloat16", STA_bfloat16, STA_SCALAR, 1, &bfloats[i].bits};
        char *text = text_of(&record, NULL);
        STA_ASSERT_TEXT(text, bfloats[i].text);
        sta__release(text);
    }
}

static void options_in_range(void)
{
    sta_print_options to;
    CU_ASSERT(sta__format_options(NULL, &to));
    CU_ASSERT(to.precision == 8 && to.threshold == 1000 && to.edgeitems == 3 && to.linewidth == 75 && to.sign == '-');
    CU_ASSERT(sta__format_options(
        &(sta_print_options){.size = offsetof(sta_print_options, threshold), .precision = 3, .threshold = 7}, &to));
    CU_ASSERT(to.precision == 3 && to.threshold == 1000); /* an older program's struct ends before threshold */
    CU_ASSERT_FALSE(sta__format_options(&(sta_print_options){.size = sizeof to, .precision = 101}, &to));
    CU_ASSERT_FALSE(sta__format_options(&(sta_print_options){.size = sizeof to, .edgeitems = -1}, &to));
    char longest[STA__WORD + 2] = "";
    memset(longest, 'x', STA__WORD + 1);
    CU_ASSERT_FALSE(sta__format_options(&(sta_print_options){.size = sizeof to, .nanstr = longest}, &to));
    CU_ASSERT_FALSE(sta__format_options(&(sta_print_options){.size = sizeof to, .sign = 'x'}, &to));
    CU_ASSERT_FALSE(sta__format_options(&(sta_print_options){.size = sizeof to, .float_mode = (sta_float_mode)4}, &to));
}

/* Every allocation fails once; the last try needs no failing one. */
static void without_memory(void)
{
    double numbers[300] = {1.5};
    struct sta_record record = {"many", STA_float64, STA_DIMS(300), 300, numbers};
    char *text = NULL;
    for (int64_t k = 1; !text && k < 100; k++) {
        sta__fail_allocation(k);
        text = text_of(&record, NULL);
        sta__fail_allocation(0);
    }
    CU_ASSERT_PTR_NOT_NULL(text);
    sta__release(text);
}

STA_PURE_TESTS("format", STA_CASE(as_numpy), STA_CASE(bfloat16_numbers), STA_CASE(options_in_range),
               STA_CASE(without_memory))
