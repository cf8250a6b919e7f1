/* .npy headers: NumPy's own, and hostile ones. */
#include "sta_test.h"

#include "npy.h"

#include <CUnit/CUnit.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Elements of a file in the order of its indices: of one in Fortran order the axes lie the other way round. */
static void check_data(const struct sta__npy *npy, const char *file, const struct sta_record *expected)
{
    size_t bytes = sta_itemsize(npy->dtype);
    char *ours = malloc((size_t)npy->size * bytes + 1);
    CU_ASSERT_PTR_NOT_NULL_FATAL(ours);
    for (int64_t i = 0; i < npy->size; i++) {
        int64_t rest = i, at = 0, stride = 1, index[STA_MAXDIM] = {0};
        for (int a = npy->shape.ndim - 1; a >= 0; a--) {
            index[a] = rest % npy->shape.at[a];
            rest /= npy->shape.at[a];
        }
        for (int a = 0; a < npy->shape.ndim; a++) {
            at += index[a] * stride;
            stride *= npy->shape.at[a];
        }
        at = npy->fortran ? at : i;
        memcpy(ours + (size_t)i * bytes, file + npy->begin + at * (int64_t)bytes, bytes);
    }
    sta__npy_convert(ours, npy->size, npy->dtype, npy->swapped);
    CU_ASSERT(memcmp(ours, expected->data, (size_t)npy->size * bytes) == 0);
    free(ours);
}

static void numpy_files(void)
{
    const struct sta_oracle *oracle = sta_test_oracle("npy", NULL);
    char why[200];
    for (size_t i = 0; oracle && i + 1 < sta_oracle_count(oracle); i += 2) {
        const struct sta_record *file = sta_oracle_at(oracle, i), *data = sta_oracle_at(oracle, i + 1);
        struct sta__npy npy;
        sta_error_code error = sta__npy_parse(file->data, (size_t)file->count, file->count, &npy, why);
        if (error) {
            sta_test_fail(__FILE__, __LINE__, "%s: %s", file->name, why);
            continue;
        }
        CU_ASSERT_EQUAL(npy.dtype, data->dtype);
        CU_ASSERT_EQUAL(npy.shape.ndim, data->shape.count);
        CU_ASSERT(memcmp(npy.shape.at, data->shape.at, sizeof(int64_t) * (size_t)npy.shape.ndim) == 0);
        CU_ASSERT_EQUAL_FATAL(npy.size, data->count);
        check_data(&npy, file->data, data);
        char head[STA__NPY_OURS];
        bool ours = ((const char *)file->data)[6] == 1 && !npy.fortran && !npy.swapped;
        if (ours && sta__npy_header(head, npy.dtype, &npy.shape) == (size_t)npy.begin)
            CU_ASSERT(memcmp(head, file->data, (size_t)npy.begin) == 0)
        else
            CU_ASSERT_FALSE(ours);
    }
}

/* Makes a file of a header and `more` bytes; claimed: the length that it states, -1 = the true one. */
static size_t make(char to[1000], int version, const char *header, int64_t claimed, size_t more)
{
    uint32_t length = claimed < 0 ? (uint32_t)strlen(header) : (uint32_t)claimed;
    size_t prefix = version == 1 ? 10 : 12;
    memset(to, 0, 1000);
    memcpy(to, "\x93NUMPY", 6);
    to[6] = (char)version;
    for (size_t i = 8; i < prefix; i++)
        to[i] = (char)(length >> (8 * (i - 8)));
    strcpy(to + prefix, header);
    return prefix + strlen(header) + more;
}

#define DICT(descr, shape) "{'descr': '" descr "', 'fortran_order': False, 'shape': " shape ", }\n"

static const struct {
    int version;
    const char *header;
    int64_t claimed;
    size_t more;
    sta_error_code code;
} hostile[] = {
    {2, "{}", 0xFFFFFFFF, 0, STA_ERROR_FORMAT},
    {1, "{}", 0xFFFF, 0, STA_ERROR_FORMAT},
    {1, DICT("<f8", "(4294967296,4294967296)"), -1, 8, STA_ERROR_TOO_LARGE},
    {1, DICT("<f8", "(99999999999999999999999,)"), -1, 8, STA_ERROR_TOO_LARGE},
    {1, DICT("<f8", "(0,9223372036854775807)"), -1, 0, STA_ERROR_TOO_LARGE},
    {1, DICT("<f8", "(-1,2)"), -1, 8, STA_ERROR_FORMAT},
    {1, DICT("<f8", "(4,)"), -1, 28, STA_ERROR_FORMAT},
    {1, DICT("|O", "(1,)"), -1, 8, STA_ERROR_DTYPE},
    {1, DICT("<U3", "(1,)"), -1, 12, STA_ERROR_DTYPE},
    {1, DICT("", "(1,)"), -1, 12, STA_ERROR_DTYPE},
    {1, DICT("<f8", "(3)"), -1, 24, STA_ERROR_FORMAT},
    {1, DICT("<f8", "(3 3)"), -1, 99, STA_ERROR_FORMAT},
    {1, DICT("<f8", "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)"), -1, 8, STA_ERROR_SHAPE},
    {4, DICT("<f8", "()"), -1, 8, STA_ERROR_FORMAT},
    {1, DICT("<f8", "()") "x", -1, 8, STA_ERROR_FORMAT},
    {1, "{'descr': '<f8', 'descr': '<f8'}", -1, 8, STA_ERROR_FORMAT},
    {1, "{'descr': '<f8', 'shape': ()}", -1, 8, STA_ERROR_FORMAT},
    {1, "{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': ()}", -1, 8, STA_ERROR_DTYPE},
    {1, "{'descr': '<f8", -1, 0, STA_ERROR_FORMAT},
    {1, "", -1, 0, STA_ERROR_FORMAT},
    {2, DICT("<f8", "()"), -1, 8, STA_ERROR_NONE},
    {3, "{'shape': (1,), 'fortran_order': False, 'descr': '<f8'}", -1, 8, STA_ERROR_NONE},
    {1, "{\"descr\":\"=f8\",\"fortran_order\":True,\"shape\":(2L,3L)}", -1, 48, STA_ERROR_NONE},
};

static sta_error_code open_bytes(const char *data, size_t bytes, struct sta__npy *npy, char *why)
{
    char name[] = "npy-test-XXXXXX";
    int file = mkstemp(name);
    CU_ASSERT_FATAL(file >= 0);
    CU_ASSERT_EQUAL(sta__write_all(file, data, bytes, why), STA_ERROR_NONE);
    sta_error_code error = sta__npy_open(file, npy, why);
    close(file);
    unlink(name);
    return error;
}

static void hostile_files(void)
{
    for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
        char data[1000], why[200] = "", again[200] = "";
        struct sta__npy npy;
        size_t bytes = make(data, hostile[i].version, hostile[i].header, hostile[i].claimed, hostile[i].more);
        CU_ASSERT_EQUAL(sta__npy_parse(data, bytes, (int64_t)bytes, &npy, why), hostile[i].code);
        CU_ASSERT_EQUAL(open_bytes(data, bytes, &npy, again), hostile[i].code);
        STA_ASSERT_TEXT(again, why);
        CU_ASSERT_EQUAL(why[0] == 0, hostile[i].code == STA_ERROR_NONE);
        for (size_t cut = 0; cut < bytes - hostile[i].more; cut++) /* a file that ends anywhere in the header */
            CU_ASSERT_NOT_EQUAL(sta__npy_parse(data, cut, (int64_t)cut, &npy, why), STA_ERROR_NONE);
    }
}

/* The header of a bad length must not be believed: almost nothing is allocated. */
static void little_memory(void)
{
    char data[1000], why[200];
    struct sta__npy npy;
    size_t bytes = make(data, 2, "{}", 0xFFFFFFFF, 0);
    sta__fail_allocation(1);
    CU_ASSERT_EQUAL(open_bytes(data, bytes, &npy, why), STA_ERROR_FORMAT);
    CU_ASSERT_EQUAL(sta__fail_allocation(0), 0);
    bytes = make(data, 1, DICT("<f8", "()"), -1, 8);
    sta__fail_allocation(1);
    CU_ASSERT_EQUAL(open_bytes(data, bytes, &npy, why), STA_ERROR_MEMORY);
    sta__fail_allocation(0);
}

static void others(void)
{
    char why[200];
    struct sta__npy npy;
    CU_ASSERT_EQUAL(sta__npy_parse("PK\3\4 and more", 13, 13, &npy, why), STA_ERROR_FORMAT);
    STA_ASSERT_TEXT(why, "not a .npy header: this is a zip archive (.npz)");
    CU_ASSERT_EQUAL(sta__npy_parse("1,2,3\n4,5,6\n", 12, 12, &npy, why), STA_ERROR_FORMAT);
    CU_ASSERT_EQUAL(sta__npy_parse("", 0, 0, &npy, why), STA_ERROR_FORMAT);
    unsigned char truths[] = {0, 1, 2, 255};
    sta__npy_convert(truths, 4, STA_bool, false);
    CU_ASSERT(memcmp(truths, (unsigned char[]){0, 1, 1, 1}, 4) == 0);
}

STA_PURE_TESTS("npy", STA_CASE(numpy_files), STA_CASE(hostile_files), STA_CASE(little_memory), STA_CASE(others))
