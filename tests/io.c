/* Loading, saving, mapping and printing arrays. ctest: tiny omp */
#include "sta_test.h"

#include "io/io.h"

#include <CUnit/CUnit.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char path[] = "io-test.npy";

static void write_file(const char *name, const void *data, size_t bytes)
{
    FILE *file = fopen(name, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(fwrite(data, 1, bytes, file), bytes);
    CU_ASSERT_EQUAL(fclose(file), 0);
}

static char *read_file(const char *name, size_t *bytes)
{
    FILE *file = fopen(name, "rb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    char *data = calloc(1, 1 << 22);
    CU_ASSERT_PTR_NOT_NULL_FATAL(data);
    *bytes = fread(data, 1, (1 << 22) - 1, file);
    fclose(file);
    return data;
}

static void numpy_files(void)
{
    const struct sta_oracle *oracle = sta_test_oracle("npy", NULL);
    for (size_t i = 0; oracle && i + 1 < sta_oracle_count(oracle); i += 2) {
        const struct sta_record *file = sta_oracle_at(oracle, i), *data = sta_oracle_at(oracle, i + 1);
        write_file(path, file->data, (size_t)file->count);
        sta_array x = sta_load(path);
        STA_ASSERT_RECORD(x, data, STA_EXACT);
        STA_ASSERT_OK(sta_save(path, x));
        sta_array again = sta_load(path);
        STA_ASSERT_RECORD(again, data, STA_EXACT);
        sta_free(x);
        sta_free(again);
    }
    unlink(path);
}

/* A file of int32 0, 1, 2, ... */
static void write_numbers(struct sta__shape shape, bool fortran)
{
    int64_t size;
    char head[STA__NPY_OURS], why[200];
    CU_ASSERT_FATAL(sta__shape_size(&shape, &size));
    int32_t *numbers = malloc((size_t)size * sizeof *numbers);
    CU_ASSERT_PTR_NOT_NULL_FATAL(numbers);
    for (int64_t i = 0; i < size; i++)
        numbers[i] = (int32_t)i;
    size_t bytes = sta__npy_header(head, STA_int32, &shape);
    char *order = strstr(head + 10, "False");
    if (fortran)
        memcpy(order, "True ", 5);
    FILE *file = fopen(path, "wb");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    CU_ASSERT_EQUAL(sta__write_all(fileno(file), head, bytes, why), STA_ERROR_NONE);
    CU_ASSERT_EQUAL(sta__write_all(fileno(file), numbers, (size_t)size * sizeof *numbers, why), STA_ERROR_NONE);
    fclose(file);
    free(numbers);
}

enum { ROWS = 30, COLUMNS = 700, DEPTH = 4 };

static void check_numbers(sta_array x, bool fortran)
{
    static int32_t expected[ROWS * COLUMNS * DEPTH];
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            for (int k = 0; k < DEPTH; k++)
                expected[(i * COLUMNS + j) * DEPTH + k] =
                    fortran ? i + ROWS * (j + COLUMNS * k) : (i * COLUMNS + j) * DEPTH + k;
    STA_ASSERT_EQUAL(x, STA_int32, STA_DIMS(ROWS, COLUMNS, DEPTH), expected);
}

static void both_orders(void)
{
    struct sta__shape shape = {3, {ROWS, COLUMNS, DEPTH}};
    for (int fortran = 0; fortran < 2; fortran++) {
        write_numbers(shape, fortran);
        check_numbers(sta_load(path), fortran);
        sta_array mapped = sta_memmap(path, STA_READ_ONLY);
        check_numbers(mapped, fortran);
        sta_free(mapped);
    }
    unlink(path);
}

static void views_are_saved(void)
{
    struct sta__shape shape = {3, {ROWS, COLUMNS, DEPTH}};
    write_numbers(shape, false);
    sta_array x = sta_load(path), part = sta_slice(x, "::-7, 699:697:-1, 1");
    STA_ASSERT_OK(sta_save("io-part.npy", part));
    int32_t expected[5 * 2];
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 2; j++)
            expected[i * 2 + j] = ((29 - 7 * i) * COLUMNS + 699 - j) * DEPTH + 1;
    STA_ASSERT_EQUAL(sta_load("io-part.npy"), STA_int32, STA_DIMS(5, 2), expected);
    int64_t rows = getenv("STA_TILE_ELEMS") ? 10 : 1000; /* more than one piece; not half a million tiles */
    STA_ASSERT_OK(sta_save("io-part.npy", sta_broadcast_to(sta_slice(x, "0, 0, 0"), STA_DIMS(rows, 1500))));
    STA_ASSERT_SHAPE(sta_load("io-part.npy"), STA_DIMS(rows, 1500));
    unlink("io-part.npy");
    unlink(path);
}

static int files_here(void)
{
    int count = 0;
    DIR *here = opendir(".");
    while (here && readdir(here))
        count++;
    if (here)
        closedir(here);
    return count;
}

/* A failed save leaves neither a part of a file nor a changed one. */
static void all_or_nothing(void)
{
    size_t bytes;
    int before = files_here();
    sta_array bad = sta_load("no-such-file.npy");
    write_file(path, "as it was", 9);
    STA_ASSERT_FAILS(sta_save(path, bad), STA_ERROR_IO);
    char *data = read_file(path, &bytes);
    STA_ASSERT_TEXT(data, "as it was");
    free(data);
    unlink(path);
    double one = 1;
    sta_array x = sta_test_array(STA_float64, STA_SCALAR, &one);
    STA_ASSERT_FAILS(sta_save("no-such-folder/x.npy", x), STA_ERROR_IO);
    STA_ASSERT_FAILS(sta_save(".", x), STA_ERROR_IO);
    STA_ASSERT_FAILS(sta_save(NULL, x), STA_ERROR_VALUE);
    if (access("/dev/full", W_OK) == 0)
        STA_ASSERT_FAILS(sta_save("/dev/full", x), STA_ERROR_IO);
    CU_ASSERT_EQUAL(files_here(), before);
}

static void links_and_modes(void)
{
    struct stat facts;
    double one = 1;
    sta_array x = sta_test_array(STA_float64, STA_SCALAR, &one);
    write_file(path, "", 0);
    CU_ASSERT_EQUAL(chmod(path, 0640), 0);
    CU_ASSERT_EQUAL(symlink(path, "io-link.npy"), 0);
    STA_ASSERT_OK(sta_save("io-link.npy", x));
    CU_ASSERT(lstat("io-link.npy", &facts) == 0 && S_ISLNK(facts.st_mode));
    CU_ASSERT(stat(path, &facts) == 0 && (facts.st_mode & 0777) == 0640);
    STA_ASSERT_EQUAL(sta_load(path), STA_float64, STA_SCALAR, &one);
    unlink("io-link.npy");
    unlink(path);
}

static void load_errors(void)
{
    STA_ASSERT_ERROR(sta_load("no-such-file.npy"), STA_ERROR_IO);
    STA_ASSERT_ERROR(sta_load("."), STA_ERROR_IO);
    STA_ASSERT_ERROR(sta_load(NULL), STA_ERROR_VALUE);
    write_file(path, "1,2,3\n", 6);
    STA_ASSERT_ERROR(sta_load(path), STA_ERROR_FORMAT);
    STA_ASSERT_ERROR(sta_memmap(path, 0), STA_ERROR_FORMAT);
    STA_ASSERT_ERROR(sta_memmap(path, 99), STA_ERROR_VALUE);
    char odd[10 + 57 + 16] = "\x93NUMPY\1\0\71"; /* 57 bytes of header: two numbers that are not aligned */
    memset(odd + 10, ' ', 57);
    memcpy(odd + 10, "{'descr':'<f8','fortran_order':False,'shape':(2,)}", 50);
    odd[10 + 56] = '\n';
    write_file(path, odd, sizeof odd);
    STA_ASSERT_EQUAL(sta_load(path), STA_float64, STA_DIMS(2), ((double[]){0, 0}));
    STA_ASSERT_ERROR(sta_memmap(path, 0), STA_ERROR_FORMAT);
    unlink(path);
}

/* A file that is cut after its header was checked: whoever reads it says where it ends. */
static void cut_while_loading(void)
{
    struct sta__shape shape = {3, {ROWS, COLUMNS, DEPTH}};
    struct sta__file file = {.descriptor = -1};
    char why[200];
    static int32_t to[ROWS * COLUMNS * DEPTH];
    write_numbers(shape, false);
    file.descriptor = open(path, O_RDONLY);
    CU_ASSERT_EQUAL_FATAL(sta__npy_open(file.descriptor, &file.npy, why), STA_ERROR_NONE);
    struct sta__box box = {3, {2, 100, 0}, {4, 102, 4}};
    CU_ASSERT_EQUAL(sta__load_box(&file, &box, to, why), STA_ERROR_NONE);
    CU_ASSERT(to[0] == (2 * COLUMNS + 100) * DEPTH && to[8] == (3 * COLUMNS + 100) * DEPTH);
    CU_ASSERT_EQUAL(truncate(path, 1000), 0);
    CU_ASSERT_EQUAL(sta__load_box(&file, &box, to, why), STA_ERROR_IO);
    STA_ASSERT_TEXT(why, "the file ends at byte 24128");
    close(file.descriptor);
    STA_ASSERT_ERROR(sta_load(path), STA_ERROR_FORMAT);
    unlink(path);
}

static void printed(const char *expected, sta_array x, const sta_print_options *options)
{
    size_t bytes;
    FILE *file = fopen("io-text", "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    const sta_error *error = sta_print_to(file, x, options);
    CU_ASSERT_EQUAL(error != NULL, expected[0] == '<');
    fclose(file);
    char *text = read_file("io-text", &bytes);
    STA_ASSERT_TEXT(text, expected);
    free(text);
    unlink("io-text");
}

static void printing(void)
{
    sta_print_options repr = {.size = sizeof repr, .repr = 1}, wrong = {.size = sizeof wrong, .linewidth = -1};
    struct sta__shape shape = {3, {ROWS, COLUMNS, DEPTH}};
    write_numbers(shape, false);
    sta_array x = sta_load(path);
    unlink(path);
    printed("[[[   0    1    2    3]\n  [   4    5    6    7]\n  [   8    9   10   11]\n  ...\n"
            "  [2788 2789 2790 2791]\n  [2792 2793 2794 2795]\n  [2796 2797 2798 2799]]\n\n"
            " [[2800 2801 2802 2803]\n  [2804 2805 2806 2807]\n  [2808 2809 2810 2811]\n  ...\n"
            "  [5588 5589 5590 5591]\n  [5592 5593 5594 5595]\n  [5596 5597 5598 5599]]]\n",
            sta_slice(x, ":2"), NULL);
    printed("array([3, 7], dtype=int32)\n", sta_slice(x, "0, :2, 3"), &repr);
    printed("5\n", sta_slice(x, "0, 1, 1"), NULL);
    printed("array([], shape=(0, 700, 4), dtype=int32)\n", sta_slice(x, ":0"), &repr);
    printed("<slice: index 99 is out of range for axis 0 of length 30>\n", sta_slice(x, "99"), NULL);
    char *text = NULL;
    STA_ASSERT_OK(sta_format(sta_slice(x, "0, 0"), NULL, &text));
    STA_ASSERT_TEXT(text, "[0 1 2 3]");
    free(text);
    STA_ASSERT_FAILS(sta_format(x, &wrong, &text), STA_ERROR_VALUE);
    CU_ASSERT_PTR_NULL(text);
    if (access("/dev/full", W_OK) == 0) {
        FILE *full = fopen("/dev/full", "w");
        CU_ASSERT_PTR_NOT_NULL_FATAL(full);
        setvbuf(full, NULL, _IONBF, 0);
        STA_ASSERT_FAILS(sta_print_to(full, x, NULL), STA_ERROR_IO);
        fclose(full);
    }
}

/* Writes to a mapped array reach the file. */
static void mapped_writes(void)
{
    struct sta__shape shape = {1, {4}};
    int32_t nine = 9;
    write_numbers(shape, false);
    sta_array x = sta_memmap(path, 0);
    sta_assign(sta_slice(x, "1"), sta_test_array(STA_int32, STA_SCALAR, &nine));
    STA_ASSERT_ERROR(x, STA_ERROR_NONE);
    STA_ASSERT_EQUAL(sta_load(path), STA_int32, STA_DIMS(4), ((int32_t[]){0, 9, 2, 3}));
    sta_array locked = sta_memmap(path, STA_READ_ONLY);
    STA_ASSERT_ERROR(sta_assign(locked, sta_int(0)), STA_ERROR_READ_ONLY);
    sta_free(x);
    sta_free(locked);
    unlink(path);
}

STA_TESTS("io", STA_CASE(numpy_files), STA_CASE(both_orders), STA_CASE(views_are_saved), STA_CASE(all_or_nothing),
          STA_CASE(links_and_modes), STA_CASE(load_errors), STA_CASE(cut_while_loading), STA_CASE(printing),
          STA_CASE(mapped_writes))
