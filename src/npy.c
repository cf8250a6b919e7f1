/* The .npy format. Contract: npy.h. */
#include "npy.h"

#include "slice.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char magic[] = "\x93NUMPY";
enum { MAGIC = 6, PREFIX = 12 }; /* the longest prefix: magic, two bytes of version, four of length */

static const struct {
    sta_dtype dtype;
    const char *typestr, *name;
    uint8_t bytes;
} formats[] = {
#define STA_DTYPE(name, number, storage, brief, kind, typestr) {STA_##name, typestr, #name, sizeof(storage)},
#include <starray/dtypes.def>
#undef STA_DTYPE
};
enum { FORMATS = sizeof formats / sizeof formats[0] };

static bool machine_is_big(void)
{
    const uint16_t one = 1;
    return *(const unsigned char *)&one == 0;
}

static size_t itemsize(sta_dtype dtype)
{
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].dtype == dtype)
            return formats[i].bytes;
    return 0;
}

/* ---- the text of a header: a dict of Python ---- */

struct text {
    const char *at, *end;
    char *why;
};

static sta_error_code refuse(struct text *in, const char *what)
{
    snprintf(in->why, STA__WHY, "not a .npy header: %s", what);
    return STA_ERROR_FORMAT;
}

static bool take(struct text *in, const char *word)
{
    while (in->at < in->end && (*in->at == ' ' || *in->at == '\n' || *in->at == '\t' || *in->at == '\r'))
        in->at++;
    size_t length = strlen(word);
    if ((size_t)(in->end - in->at) < length || memcmp(in->at, word, length) != 0)
        return false;
    in->at += length;
    return true;
}

/* A quoted string of up to 15 characters, which is more than any key or dtype has. */
static bool take_string(struct text *in, char to[16])
{
    if (!take(in, "'") && !take(in, "\""))
        return false;
    char quote = in->at[-1];
    size_t length = 0;
    for (; in->at < in->end && *in->at != quote; in->at++) {
        if (length == 15)
            return false;
        to[length++] = *in->at;
    }
    to[length] = '\0';
    return in->at++ < in->end;
}

static sta_error_code take_length(struct text *in, int64_t *to)
{
    if (take(in, "-"))
        return refuse(in, "the shape has a negative length");
    const char *first = in->at;
    int64_t value = 0;
    for (; in->at < in->end && *in->at >= '0' && *in->at <= '9'; in->at++) {
        int64_t digit = *in->at - '0';
        if (value > (INT64_MAX - digit) / 10) {
            snprintf(in->why, STA__WHY, "a length of the shape overflows 63 bits");
            return STA_ERROR_TOO_LARGE;
        }
        value = value * 10 + digit;
    }
    if (in->at == first)
        return refuse(in, "the shape is not a tuple of numbers");
    take(in, "L"); /* as Python 2 wrote it */
    *to = value;
    return STA_ERROR_NONE;
}

static sta_error_code take_shape(struct text *in, struct sta__shape *to)
{
    to->ndim = 0;
    if (!take(in, "("))
        return refuse(in, "the shape is not a tuple of numbers");
    bool comma = true;
    while (!take(in, ")")) {
        if (!comma)
            return refuse(in, "the shape is not a tuple of numbers");
        if (to->ndim == STA_MAXDIM) {
            snprintf(in->why, STA__WHY, "the file has more than %d axes", STA_MAXDIM);
            return STA_ERROR_SHAPE;
        }
        sta_error_code error = take_length(in, &to->at[to->ndim]);
        if (error)
            return error;
        to->ndim++;
        comma = take(in, ",");
    }
    if (to->ndim == 1 && !comma)
        return refuse(in, "the shape is a number, not a tuple");
    return STA_ERROR_NONE;
}

/* "<f8": the order of bytes, then kind and size as in the table. "|V2" is what is left of a bfloat16 that went through
 * a NumPy that does not know it. */
static sta_error_code take_descr(struct text *in, struct sta__npy *to)
{
    char descr[16];
    if (take(in, "[")) {
        snprintf(in->why, STA__WHY, "the file has a structured dtype, which is not supported");
        return STA_ERROR_DTYPE;
    }
    if (!take_string(in, descr))
        return refuse(in, "descr is not the name of a dtype");
    for (size_t i = 0; i < FORMATS; i++) {
        if (descr[0] == '\0' || !strchr("<>=|", descr[0]) || strcmp(descr + 1, formats[i].typestr + 1) != 0)
            continue;
        to->dtype = formats[i].dtype;
        bool big = descr[0] == '>' || (descr[0] != '<' && machine_is_big());
        to->swapped = formats[i].bytes > 1 && big != machine_is_big();
        return STA_ERROR_NONE;
    }
    for (char *c = descr; *c; c++)
        if (*c < ' ' || *c > '~')
            *c = '?';
    snprintf(in->why, STA__WHY, "the file has dtype '%s', which is not supported", descr);
    return STA_ERROR_DTYPE;
}

static sta_error_code take_order(struct text *in, struct sta__npy *to)
{
    to->fortran = take(in, "True");
    return to->fortran || take(in, "False") ? STA_ERROR_NONE : refuse(in, "fortran_order is not True or False");
}

static sta_error_code take_dict(struct text *in, struct sta__npy *to)
{
    bool seen[3] = {false};
    if (!take(in, "{"))
        return refuse(in, "it does not begin with {");
    bool comma = true;
    while (!take(in, "}")) {
        char key[16];
        if (!comma || !take_string(in, key) || !take(in, ":"))
            return refuse(in, "it is not a dict of Python");
        int which = !strcmp(key, "descr") ? 0 : !strcmp(key, "fortran_order") ? 1 : !strcmp(key, "shape") ? 2 : 3;
        if (which == 3 || seen[which])
            return refuse(in, "a key is unknown or given twice");
        seen[which] = true;
        sta_error_code error = which == 0   ? take_descr(in, to)
                               : which == 1 ? take_order(in, to)
                                            : take_shape(in, &to->shape);
        if (error)
            return error;
        comma = take(in, ",");
    }
    if (!seen[0] || !seen[1] || !seen[2])
        return refuse(in, "descr, fortran_order or shape is missing");
    take(in, "");
    return in->at == in->end ? STA_ERROR_NONE : refuse(in, "something follows the dict");
}

/* ---- the whole of a header ---- */

/* Where the elements begin, by the length that the prefix states. */
static sta_error_code read_prefix(const char *head, size_t bytes, int64_t file_bytes, size_t *first, size_t *begin,
                                  char *why)
{
    const unsigned char *at = (const unsigned char *)head;
    struct text in = {.why = why};
    if (bytes >= 4 && memcmp(head, "PK\3\4", 4) == 0)
        return refuse(&in, "this is a zip archive (.npz)");
    if (bytes < MAGIC + 4 || memcmp(head, magic, MAGIC) != 0)
        return refuse(&in, "the file does not begin with \\x93NUMPY");
    if (at[6] < 1 || at[6] > 3 || at[7] != 0) {
        snprintf(why, STA__WHY, "version %d.%d of .npy is not known", at[6], at[7]);
        return STA_ERROR_FORMAT;
    }
    *first = at[6] == 1 ? MAGIC + 4 : PREFIX;
    if (bytes < *first)
        return refuse(&in, "the file ends in it");
    uint64_t length = (uint64_t)at[8] | (uint64_t)at[9] << 8;
    if (at[6] > 1)
        length |= (uint64_t)at[10] << 16 | (uint64_t)at[11] << 24;
    if (length > STA__NPY_LONGEST - PREFIX) {
        snprintf(why, STA__WHY, "not a .npy header: it claims %" PRIu64 " bytes; %d are read at most", length,
                 STA__NPY_LONGEST - PREFIX);
        return STA_ERROR_FORMAT;
    }
    *begin = *first + (size_t)length;
    return (int64_t)*begin <= file_bytes ? STA_ERROR_NONE : refuse(&in, "the file ends in it");
}

static sta_error_code check_size(struct sta__npy *file, int64_t file_bytes, char *why)
{
    char shape[120];
    sta__shape_text(&file->shape, shape, sizeof shape);
    if (!sta__shape_size(&file->shape, &file->size)) {
        snprintf(why, STA__WHY, "the size of shape %s overflows 63 bits", shape);
        return STA_ERROR_TOO_LARGE;
    }
    int64_t wanted = file->size * (int64_t)itemsize(file->dtype);
    if (wanted <= file_bytes - file->begin)
        return STA_ERROR_NONE;
    snprintf(why, STA__WHY, "the file is too short: shape %.60s wants %" PRId64 " bytes of elements, it has %" PRId64,
             shape, wanted, file_bytes - file->begin);
    return STA_ERROR_FORMAT;
}

sta_error_code sta__npy_parse(const char *head, size_t bytes, int64_t file_bytes, struct sta__npy *to, char *why)
{
    size_t first = 0, begin = 0;
    *to = (struct sta__npy){.dtype = STA_DTYPE_NONE};
    sta_error_code error = read_prefix(head, bytes, file_bytes, &first, &begin, why);
    if (error)
        return error;
    if (begin > bytes)
        return refuse(&(struct text){.why = why}, "the file ends in it");
    struct text in = {head + first, head + begin, why};
    error = take_dict(&in, to);
    to->begin = (int64_t)begin;
    return error ? error : check_size(to, file_bytes, why);
}

sta_error_code sta__npy_open(int file, struct sta__npy *to, char *why)
{
    struct stat facts;
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode)) {
        snprintf(why, STA__WHY, "it is not a regular file");
        return STA_ERROR_IO;
    }
    char prefix[PREFIX];
    size_t first, begin, have = facts.st_size < PREFIX ? (size_t)facts.st_size : PREFIX;
    sta_error_code error = sta__read_at(file, prefix, have, 0, why);
    if (!error)
        error = read_prefix(prefix, have, facts.st_size, &first, &begin, why);
    if (error)
        return error;
    char *head = sta__allocate(begin);
    if (!head) {
        snprintf(why, STA__WHY, "not enough memory for the header");
        return STA_ERROR_MEMORY;
    }
    error = sta__read_at(file, head, begin, 0, why);
    if (!error)
        error = sta__npy_parse(head, begin, facts.st_size, to, why);
    sta__release(head);
    return error;
}

/* NumPy leaves room for the first length to grow to 21 digits, and ends at a multiple of 64 bytes. */
size_t sta__npy_header(char to[STA__NPY_OURS], sta_dtype dtype, const struct sta__shape *shape)
{
    char lengths[400], first[24] = "";
    const char *typestr = "";
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].dtype == dtype)
            typestr = formats[i].typestr;
    sta__shape_text(shape, lengths, sizeof lengths);
    if (shape->ndim > 0)
        snprintf(first, sizeof first, "%" PRId64, shape->at[0]);
    int growth = shape->ndim > 0 ? 21 - (int)strlen(first) : 0;
    char order = machine_is_big() && typestr[0] == '<' ? '>' : typestr[0];
    int text = snprintf(to + 10, STA__NPY_OURS - 10, "{'descr': '%c%s', 'fortran_order': False, 'shape': %s, }%*s",
                        order, typestr + 1, lengths, growth, "");
    size_t total = (10 + (size_t)text + 1 + 63) / 64 * 64;
    memset(to + 10 + text, ' ', total - 10 - (size_t)text);
    to[total - 1] = '\n';
    memcpy(to, magic, MAGIC);
    to[6] = 1;
    to[7] = 0;
    to[8] = (char)((total - 10) & 255);
    to[9] = (char)((total - 10) >> 8);
    return total;
}

/* ---- bytes ---- */

sta_error_code sta__read_at(int file, void *to, size_t bytes, int64_t from, char *why)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t got = pread(file, (char *)to + done, bytes - done, (off_t)(from + (int64_t)done));
        if (got > 0) {
            done += (size_t)got;
        } else if (got == 0) {
            snprintf(why, STA__WHY, "the file ends at byte %" PRId64, from + (int64_t)done);
            return STA_ERROR_IO;
        } else if (errno != EINTR) {
            snprintf(why, STA__WHY, "reading failed: %s", strerror(errno));
            return STA_ERROR_IO;
        }
    }
    return STA_ERROR_NONE;
}

sta_error_code sta__write_all(int file, const void *data, size_t bytes, char *why)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t put = write(file, (const char *)data + done, bytes - done);
        if (put >= 0) {
            done += (size_t)put;
        } else if (errno != EINTR) {
            snprintf(why, STA__WHY, "writing failed: %s", strerror(errno));
            return STA_ERROR_IO;
        }
    }
    return STA_ERROR_NONE;
}

/* memcpy: the elements are of other types than the words that are turned round. */
#define SWAP(bits)                                                                                                     \
    static void swap_##bits(unsigned char *data, int64_t words)                                                        \
    {                                                                                                                  \
        for (int64_t i = 0; i < words; i++) {                                                                          \
            uint##bits##_t word;                                                                                       \
            memcpy(&word, data + i * (bits / 8), sizeof word);                                                         \
            word = __builtin_bswap##bits(word);                                                                        \
            memcpy(data + i * (bits / 8), &word, sizeof word);                                                         \
        }                                                                                                              \
    }
SWAP(16)
SWAP(32)
SWAP(64)

void sta__npy_convert(void *data, int64_t count, sta_dtype dtype, bool swapped)
{
    unsigned char *bytes = data;
    for (int64_t i = 0; dtype == STA_bool && i < count; i++)
        bytes[i] = bytes[i] != 0;
    if (!swapped)
        return;
    bool complex = dtype == STA_complex64 || dtype == STA_complex128;
    size_t width = itemsize(dtype) / (complex ? 2 : 1);
    int64_t words = complex ? 2 * count : count;
    if (width == 2)
        swap_16(bytes, words);
    else if (width == 4)
        swap_32(bytes, words);
    else if (width == 8)
        swap_64(bytes, words);
}
