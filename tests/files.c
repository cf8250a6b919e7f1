/* Files of several arrays, of bare elements and of text, both ways with NumPy. ctest: tiny sanitize */
#include "sta_test.h"

#include "internal.h"

#include <starray/io.h>

#include <CUnit/CUnit.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char path[] = "files-test";

static void write_file(const void *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(data, 1, bytes, file), bytes);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

static void write_text(const char *text)
{
    write_file(text, strlen(text));
}

#define IS(x, name) STA_ASSERT_RECORD(x, sta_oracle_find(oracle, name), STA_EXACT)

/* ---- .npz ---- */

#define ARRAYS                                                                                                         \
    "a = np.arange(24.0).reshape(4, 6); b = np.asfortranarray(np.arange(6, dtype=\"i2\").reshape(2, 3));"              \
    "c = np.array(7, \"c8\"); d = np.zeros((0, 3), \"?\"); e = np.arange(5, dtype=\">i4\");"

/* What NumPy writes, packed or not. */
static void read_npz(void)
{
    const struct sta_oracle *oracle =
        sta_test_oracle("eval", "import io;" ARRAYS "f = io.BytesIO(); np.savez(f, a=a, b=b, c=c, d=d, e=e);"
                                "plain = np.frombuffer(f.getvalue(), \"u1\"); g = io.BytesIO(); np.savez_compressed(g, "
                                "a=a, b=b, c=c, d=d, e=e);"
                                "packed = np.frombuffer(g.getvalue(), \"u1\"); h = io.BytesIO(); np.savez(h, b); one = "
                                "np.frombuffer(h.getvalue(), \"u1\")");
    static const char *const files[] = {"plain", "packed"};
    for (int i = 0; oracle && i < 2; i++) {
        const struct sta_record *file = sta_oracle_find(oracle, files[i]);
        char *names = NULL;
        write_file(file->data, (size_t)file->count);
        for (const char *name = "abcde"; *name; name++)
            IS(sta_load_npz(path, ((char[]){*name, '\0'})), ((char[]){*name, '\0'}));
        IS(sta_load_npz(path, "a.npy"), "a");
        STA_ASSERT_OK(sta_npz_names(path, &names));
        STA_ASSERT_TEXT(names, "a\nb\nc\nd\ne\n");
        free(names);
        STA_ASSERT_ERROR(sta_load_npz(path, "z"), STA_ERROR_VALUE);
        for (int64_t cut = 1; cut < file->count; cut += 97) { /* never more than an error */
            write_file(file->data, (size_t)(file->count - cut));
            STA_ASSERT_ERROR(sta_load_npz(path, "a"), STA_ERROR_FORMAT);
        }
        char *changed = malloc((size_t)file->count);
        CU_ASSERT_PTR_NOT_NULL_FATAL(changed);
        for (int64_t at = 0; at < file->count; at += 13) {
            memcpy(changed, file->data, (size_t)file->count);
            changed[at] = (char)(changed[at] ^ 0x55);
            write_file(changed, (size_t)file->count);
            sta_wait(sta_load_npz(path, "a"));
        }
        free(changed);
    }
    if (oracle) {
        const struct sta_record *file = sta_oracle_find(oracle, "one");
        write_file(file->data, (size_t)file->count);
        IS(sta_load_npz(path, "arr_0"), "b");
    }
    unlink(path);
}

static void write_npz(void)
{
    const sta_array base = sta_reshape(sta_arange(0, 24, 1, STA_float64), STA_DIMS(4, 6));
    const sta_array x[] = {base, sta_astype(sta_transpose(base, STA_ALL), STA_int16), sta_copy(sta_bool(1)),
                           sta_zeros(STA_DIMS(0, 3), STA_complex64)};
    static const char *const names[] = {"a", "two words", "\xc3\xa4", "d"};
    STA_ASSERT_OK(sta_savez(path, names, x, 4));
    for (int i = 0; i < 4; i++) {
        int same = 0;
        CU_ASSERT(!sta_item_bool(sta_array_equal(sta_load_npz(path, names[i]), x[i], 0), &same) && same);
    }
    const struct sta_oracle *oracle = sta_test_oracle(
        "eval",
        "import zipfile; z = zipfile.ZipFile(\"files-test\"); bad = str(z.testzip()); f = np.load(\"files-test\");"
        "names = \",\".join(f.files); a = f[\"a\"]; b = f[\"two words\"]; c = f[\"\xc3\xa4\"]; d = f[\"d\"]");
    if (oracle) {
        STA_ASSERT_TEXT((const char *)sta_oracle_find(oracle, "names")->data, "a,two words,\xc3\xa4,d");
        STA_ASSERT_TEXT((const char *)sta_oracle_find(oracle, "bad")->data, "None");
        IS(x[0], "a");
        IS(x[1], "b");
        IS(x[2], "c");
        IS(x[3], "d");
    }
    STA_ASSERT_OK(sta_savez(path, NULL, x, 2));
    STA_ASSERT_SHAPE(sta_load_npz(path, "arr_1"), STA_DIMS(6, 4));
    STA_ASSERT_OK(sta_savez(path, NULL, NULL, 0));
    char *none = NULL;
    STA_ASSERT_OK(sta_npz_names(path, &none));
    STA_ASSERT_TEXT(none, "");
    free(none);
    unlink(path);
}

static void npz_errors(void)
{
    const sta_array x[] = {sta_int(1), sta_int(2)}, bad = sta_load("no-such-file");
    STA_ASSERT_FAILS(sta_savez(NULL, NULL, x, 2), STA_ERROR_VALUE);
    STA_ASSERT_FAILS(sta_savez(path, NULL, x, -1), STA_ERROR_VALUE);
    STA_ASSERT_FAILS(sta_savez(path, (const char *const[]){"a", "a"}, x, 2), STA_ERROR_VALUE);
    STA_ASSERT_FAILS(sta_savez(path, (const char *const[]){"a", NULL}, x, 2), STA_ERROR_VALUE);
    STA_ASSERT_FAILS(sta_savez(path, NULL, &bad, 1), STA_ERROR_IO);
    STA_ASSERT_FAILS(sta_savez("no-such-folder/x", NULL, x, 2), STA_ERROR_IO);
    if (access("/dev/full", W_OK) == 0)
        STA_ASSERT_FAILS(sta_savez("/dev/full", NULL, x, 2), STA_ERROR_IO);
    CU_ASSERT(access(path, F_OK) != 0);
    STA_ASSERT_ERROR(sta_load_npz(path, "a"), STA_ERROR_IO);
    STA_ASSERT_ERROR(sta_load_npz(NULL, "a"), STA_ERROR_VALUE);
    write_text("PK, but nothing else");
    STA_ASSERT_ERROR(sta_load_npz(path, "a"), STA_ERROR_FORMAT);
    STA_ASSERT_ERROR(sta_load_npz(path, NULL), STA_ERROR_VALUE);
    unlink(path);
}

/* ---- elements without a header ---- */

static void bare_elements(void)
{
    const sta_array x = sta_reshape(sta_arange_int(0, 30, 1, STA_int32), STA_DIMS(5, 6));
    STA_ASSERT_OK(sta_tofile(path, sta_slice(x, ":, ::-2")));
    STA_ASSERT_EQUAL(sta_fromfile(path, STA_int32, 3, 8), STA_int32, STA_DIMS(3), ((int32_t[]){1, 11, 9}));
    STA_ASSERT_SHAPE(sta_fromfile(path, STA_int32, -1, 0), STA_DIMS(15));
    STA_ASSERT_SHAPE(sta_fromfile(path, STA_DTYPE_NONE, -1, 60), STA_DIMS(0));
    STA_ASSERT_SHAPE(sta_fromfile(path, STA_complex128, -1, 3), STA_DIMS(3));
    STA_ASSERT_ERROR(sta_fromfile(path, STA_int32, 16, 0), STA_ERROR_FORMAT);
    STA_ASSERT_ERROR(sta_fromfile(path, STA_int32, -1, 61), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_fromfile(path, STA_int32, -1, -1), STA_ERROR_VALUE);
    STA_ASSERT_ERROR(sta_fromfile(path, (sta_dtype)99, -1, 0), STA_ERROR_DTYPE);
    STA_ASSERT_ERROR(sta_fromfile(".", STA_int8, -1, 0), STA_ERROR_IO);
    unlink(path);
    STA_ASSERT_ERROR(sta_fromfile(path, STA_int8, -1, 0), STA_ERROR_IO);
    STA_ASSERT_FAILS(sta_tofile("no-such-folder/x", x), STA_ERROR_IO);
}

/* ---- text ---- */

#define READS(text, shape, expected, ...)                                                                              \
    do {                                                                                                               \
        const sta_loadtxt_options options = {.size = sizeof options, __VA_ARGS__};                                     \
        write_text(text);                                                                                              \
        STA_ASSERT_EQUAL(sta_loadtxt(path, &options), options.dtype, shape, expected);                                 \
    } while (0)
#define REFUSES(text, code, ...)                                                                                       \
    do {                                                                                                               \
        const sta_loadtxt_options options = {.size = sizeof options, __VA_ARGS__};                                     \
        write_text(text);                                                                                              \
        STA_ASSERT_ERROR(sta_loadtxt(path, &options), code);                                                           \
    } while (0)

static void read_text(void)
{
    READS("1 2.5\n# no\n\n -3e1\tnan  # rest\n", STA_DIMS(2, 2), ((double[]){1, 2.5, -30, (double)NAN}),
          .dtype = STA_float64);
    READS("1,2,3\n4,5,6", STA_DIMS(2, 3), ((int8_t[]){1, 2, 3, 4, 5, 6}), .delimiter = ',', .dtype = STA_int8);
    READS("a b\n1;2;3\n4;5;6\n7;8;9", STA_DIMS(2, 2), ((float[]){3, 1, 6, 4}), .delimiter = ';', .skip = 1,
          .max_rows = 2, .columns = STA_DIMS(-1, 0), .dtype = STA_float32);
    READS("18446744073709551615\n", STA_SCALAR, ((uint64_t[]){UINT64_MAX}), .dtype = STA_uint64);
    READS("-9223372036854775808\n", STA_DIMS(1), ((int64_t[]){INT64_MIN}), .ndmin = 1, .dtype = STA_int64);
    READS("5\n6\n", STA_DIMS(2), ((int16_t[]){5, 6}), .dtype = STA_int16);
    READS("5\n6\n", STA_DIMS(2, 1), ((int16_t[]){5, 6}), .ndmin = 2, .dtype = STA_int16);
    READS("(1+2j) 3 -4j (5e0-6.5j)\n", STA_DIMS(4), ((sta_complex64[]){{1, 2}, {3, 0}, {0, -4}, {5, -6.5F}}),
          .dtype = STA_complex64);
    READS("0 2\n", STA_DIMS(2), ((uint8_t[]){0, 1}), .dtype = STA_bool);
    READS("% 1\n2\n", STA_SCALAR, ((double[]){2}), .comments = '%', .dtype = STA_float64);
    READS("1 2\r3 4\r\n5 6\r", STA_DIMS(3, 2), ((int8_t[]){1, 2, 3, 4, 5, 6}), .dtype = STA_int8);
    READS("a\r1,2\r\r3,4\rb", STA_DIMS(2, 2), ((int8_t[]){1, 2, 3, 4}), .dtype = STA_int8, .delimiter = ',', .skip = 1,
          .max_rows = 2);
    write_text("# nothing\n");
    STA_ASSERT_SHAPE(sta_loadtxt(path, NULL), STA_DIMS(0));
    REFUSES("1 2\n3\n", STA_ERROR_FORMAT, .dtype = STA_float64);
    REFUSES("1 x\n", STA_ERROR_FORMAT, .dtype = STA_float64);
    REFUSES("1,\n", STA_ERROR_FORMAT, .delimiter = ',', .dtype = STA_float64);
    REFUSES("1.5\n", STA_ERROR_FORMAT, .dtype = STA_int32);
    REFUSES("300\n", STA_ERROR_FORMAT, .dtype = STA_uint8);
    REFUSES("-1\n", STA_ERROR_FORMAT, .dtype = STA_uint64);
    REFUSES("9223372036854775808\n", STA_ERROR_FORMAT, .dtype = STA_int64);
    REFUSES("1+2\n", STA_ERROR_FORMAT, .dtype = STA_complex128);
    REFUSES("1 2\r3\r", STA_ERROR_FORMAT, .dtype = STA_float64);
    REFUSES("1\n", STA_ERROR_VALUE, .dtype = STA_float64, .skip = -1);
    REFUSES("1\n", STA_ERROR_VALUE, .dtype = STA_float64, .max_rows = -1);
    REFUSES("1 2\n", STA_ERROR_INDEX, .columns = STA_DIMS(2), .dtype = STA_float64);
    STA_ASSERT_TEXT(
        sta_wait(sta_loadtxt(path, &(sta_loadtxt_options){.size = sizeof(sta_loadtxt_options), .ndmin = 3}))->text,
        "ndmin is 0 to 2, and at most 16 columns are chosen");
    write_file("1 2\0\n", 5);
    STA_ASSERT_ERROR(sta_loadtxt(path, NULL), STA_ERROR_FORMAT);
    unlink(path);
    STA_ASSERT_ERROR(sta_loadtxt(path, NULL), STA_ERROR_IO);
    STA_ASSERT_ERROR(sta_loadtxt(NULL, NULL), STA_ERROR_VALUE);
}

static void *read_pipe(void *argument)
{
    (void)argument;
    const sta_scope scope = sta_open();
    STA_ASSERT_EQUAL(sta_loadtxt(path, NULL), STA_float64, STA_DIMS(2), ((double[]){1, 2}));
    sta_close(scope);
    return NULL;
}

/* Who reads a pipe that has nothing yet does not keep the others. */
static void slow_pipe(void)
{
    pthread_t reader;
    unlink(path);
    CU_ASSERT_EQUAL_FATAL(mkfifo(path, 0600), 0);
    CU_ASSERT_EQUAL_FATAL(pthread_create(&reader, NULL, read_pipe, NULL), 0);
    FILE *pipe = fopen(path, "we"); /* waits for the reader */
    CU_ASSERT_PTR_NOT_NULL_FATAL(pipe);
    STA_ASSERT_EQUAL(sta_sum(sta_ones(STA_DIMS(5), STA_int64), STA_ALL, 0), STA_int64, STA_SCALAR, ((int64_t[]){5}));
    fputs("1\n2\n", pipe);
    fclose(pipe);
    pthread_join(reader, NULL);
    unlink(path);
}

static void write_texts(void)
{
    const sta_savetxt_options options = {.size = sizeof options,
                                         .format = "%+9.3g",
                                         .delimiter = ", ",
                                         .newline = ";\n",
                                         .header = "above",
                                         .footer = "below",
                                         .comments = "// "};
    const struct sta_oracle *oracle = sta_test_oracle(
        "eval", "import io;\n"
                "def text(x, **more):\n f = io.StringIO(); np.savetxt(f, x, **more); return f.getvalue()\n"
                "x = np.array([[0.1, -1e300, np.nan], [np.inf, 5, -0.0]]); y = np.arange(7.0) / 3; z = np.array([1 + "
                "2j, -3.5 - 1j]);"
                "i = np.array([[1, -2], [3, 4]]); wide = np.arange(70000.0).reshape(1, -1);"
                "tx = text(x); ty = text(y); tz = text(z); ti = text(i, fmt=\"%5d\"); tw = text(wide, fmt=\"%g\");"
                "to = text(x, fmt=\"%+9.3g\", delimiter=\", \", newline=\";\\n\", header=\"above\", footer=\"below\", "
                "comments=\"// \")");
    static const struct {
        const char *array, *text, *format;
    } cases[] = {{"x", "tx", NULL},  {"y", "ty", NULL},    {"z", "tz", NULL},
                 {"i", "ti", "%5d"}, {"wide", "tw", "%g"}, {"x", "to", ""}};
    for (size_t k = 0; oracle && k < sizeof cases / sizeof *cases; k++) {
        if (sta__runtime.settings.tile_elements && strcmp(cases[k].array, "wide") == 0)
            continue; /* tens of thousands of tasks */
        const struct sta_record *want = sta_oracle_find(oracle, cases[k].text);
        sta_savetxt_options own = {.size = sizeof own, .format = cases[k].format};
        own = own.format && !*own.format ? options : own;
        STA_ASSERT_OK(sta_savetxt(path, sta_test_record_array(sta_oracle_find(oracle, cases[k].array)), &own));
        const sta_array bytes = sta_fromfile(path, STA_uint8, -1, 0);
        CU_ASSERT_EQUAL_FATAL(sta_size(bytes), want->count);
        STA_ASSERT_EQUAL(bytes, STA_uint8, STA_DIMS(want->count), want->data);
    }
    const sta_array line = sta_arange(0, 3, 1, STA_float64);
    static const char *const bad[] = {"", "%", "%s", "%n", "%d%d", "x%g", "%gx", "%*g", "%ld", "%.999g"};
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
        STA_ASSERT_FAILS(sta_savetxt(path, line, &(sta_savetxt_options){.size = sizeof options, .format = bad[k]}),
                         STA_ERROR_VALUE);
    STA_ASSERT_FAILS(sta_savetxt(path, sta_float(1), NULL), STA_ERROR_SHAPE);
    STA_ASSERT_FAILS(sta_savetxt(NULL, line, NULL), STA_ERROR_VALUE);
    STA_ASSERT_FAILS(sta_savetxt("no-such-folder/x", line, NULL), STA_ERROR_IO);
    if (access("/dev/full", W_OK) == 0)
        STA_ASSERT_FAILS(sta_savetxt("/dev/full", line, NULL), STA_ERROR_IO);
    unlink(path);
}

STA_TESTS("files", STA_CASE(read_npz), STA_CASE(write_npz), STA_CASE(npz_errors), STA_CASE(bare_elements),
          STA_CASE(read_text), STA_CASE(slow_pipe), STA_CASE(write_texts))
