/* Zip files. Contract: zip.h. */
#include "zip.h"

#include "npy.h"
#include "slice.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <zlib.h>

enum {
    SIGN_LOCAL = 0x04034b50,
    SIGN_CENTRAL = 0x02014b50,
    SIGN_END = 0x06054b50,
    SIGN_END64 = 0x06064b50,
    SIGN_LOCATOR = 0x07064b50,
    LOCAL = 30,
    CENTRAL = 46,
    END = 22,
    LOCATOR = 20,
    END64 = 56,
    LONGEST_COMMENT = 65535,
    MOST_DIRECTORY = 256 << 20
};

/* ---- numbers, lower bytes first ---- */

static uint64_t number(const unsigned char *at, int bytes)
{
    uint64_t value = 0;
    for (int i = bytes - 1; i >= 0; i--)
        value = value << 8 | at[i];
    return value;
}

/* Writes numbers one behind the other. */
struct pen {
    unsigned char *to;
    size_t count;
};

static void put(struct pen *pen, int bytes, uint64_t value)
{
    for (int i = 0; i < bytes; i++)
        pen->to[pen->count++] = (unsigned char)(value >> 8 * i);
}

uint32_t sta__crc(uint32_t crc, const void *data, size_t bytes)
{
    enum { MOST = 1 << 30 };
    const unsigned char *at = data;
    for (; bytes > MOST; bytes -= MOST, at += MOST)
        crc = (uint32_t)crc32(crc, at, MOST);
    return (uint32_t)crc32(crc, at, (unsigned)bytes);
}

/* ---- the directory ---- */

static sta_error_code broken(char *why, const char *what)
{
    snprintf(why, STA__WHY, "not a .npz file: %s", what);
    return STA_ERROR_FORMAT;
}

/* Where the end record stands in the tail of the file; -1: nowhere. */
static int64_t find_end(const unsigned char *tail, int64_t bytes)
{
    for (int64_t at = bytes - END; at >= 0; at--)
        if (number(tail + at, 4) == SIGN_END && at + END + (int64_t)number(tail + at + 20, 2) == bytes)
            return at;
    return -1;
}

/* Where the directory lies, by the record of 64 bits where the other one is too small. */
static sta_error_code find_directory(const struct sta__zip *zip, const unsigned char *tail, int64_t at,
                                     int64_t tail_begin, uint64_t *begin, uint64_t *bytes, char *why)
{
    unsigned char end64[END64];
    *bytes = number(tail + at + 12, 4);
    *begin = number(tail + at + 16, 4);
    if (*bytes != UINT32_MAX && *begin != UINT32_MAX && number(tail + at + 10, 2) != UINT16_MAX)
        return STA_ERROR_NONE;
    if (at < LOCATOR || number(tail + at - LOCATOR, 4) != SIGN_LOCATOR)
        return STA_ERROR_NONE; /* they may be just these numbers */
    const uint64_t where = number(tail + at - LOCATOR + 8, 8);
    if (where > (uint64_t)(tail_begin + at - LOCATOR))
        return broken(why, "its end record is out of the file");
    sta_error_code error = sta__read_at(zip->file, end64, END64, (int64_t)where, why);
    if (error)
        return error;
    if (number(end64, 4) != SIGN_END64)
        return broken(why, "its end record is missing");
    *bytes = number(end64 + 40, 8);
    *begin = number(end64 + 48, 8);
    return STA_ERROR_NONE;
}

static sta_error_code read_directory(struct sta__zip *zip, unsigned char *tail, int64_t tail_bytes, char *why)
{
    uint64_t begin, bytes;
    const int64_t tail_begin = zip->file_bytes - tail_bytes;
    sta_error_code error = sta__read_at(zip->file, tail, (size_t)tail_bytes, tail_begin, why);
    const int64_t at = error ? -1 : find_end(tail, tail_bytes);
    if (error || at < 0)
        return error ? error : broken(why, "it has no end record");
    error = find_directory(zip, tail, at, tail_begin, &begin, &bytes, why);
    if (error)
        return error;
    if (bytes > MOST_DIRECTORY || bytes > (uint64_t)zip->file_bytes || begin > (uint64_t)zip->file_bytes - bytes)
        return broken(why, "its directory is out of the file");
    zip->directory = sta__allocate_raw(bytes ? (size_t)bytes : 1);
    if (!zip->directory) {
        snprintf(why, STA__WHY, "no memory");
        return STA_ERROR_MEMORY;
    }
    zip->directory_bytes = (int64_t)bytes;
    return sta__read_at(zip->file, zip->directory, (size_t)bytes, (int64_t)begin, why);
}

sta_error_code sta__zip_open(int file, struct sta__zip *zip, char *why)
{
    struct stat facts;
    *zip = (struct sta__zip){.file = file};
    if (fstat(file, &facts) != 0 || !S_ISREG(facts.st_mode))
        return broken(why, "not a regular file");
    zip->file_bytes = facts.st_size;
    const int64_t most = LONGEST_COMMENT + END + LOCATOR;
    const int64_t tail_bytes = zip->file_bytes < most ? zip->file_bytes : most;
    unsigned char *tail = sta__allocate_raw(tail_bytes ? (size_t)tail_bytes : 1);
    if (!tail) {
        snprintf(why, STA__WHY, "no memory");
        return STA_ERROR_MEMORY;
    }
    const sta_error_code error = read_directory(zip, tail, tail_bytes, why);
    sta__release(tail);
    if (error) {
        sta__release(zip->directory);
        zip->directory = NULL;
    }
    return error;
}

/* What did not fit 32 bits stands in an extra field, in this order. False: it does not. */
static bool widen(const unsigned char *extra, int64_t bytes, uint64_t *const value[3])
{
    bool wanted = false;
    for (int i = 0; i < 3; i++)
        wanted |= *value[i] == UINT32_MAX;
    while (wanted && bytes >= 4) {
        const int64_t length = (int64_t)number(extra + 2, 2);
        if (length > bytes - 4)
            return false;
        if (number(extra, 2) == 1) {
            const unsigned char *at = extra + 4;
            for (int i = 0; i < 3; i++)
                if (*value[i] == UINT32_MAX && at + 8 <= extra + 4 + length) {
                    *value[i] = number(at, 8);
                    at += 8;
                }
            return true;
        }
        extra += 4 + length;
        bytes -= 4 + length;
    }
    return !wanted;
}

bool sta__zip_next(const struct sta__zip *zip, int64_t *at, struct sta__zip_member *to)
{
    const unsigned char *entry = zip->directory + *at;
    const int64_t left = zip->directory_bytes - *at;
    if (left < CENTRAL || number(entry, 4) != SIGN_CENTRAL)
        return false;
    const int64_t name = (int64_t)number(entry + 28, 2), extra = (int64_t)number(entry + 30, 2);
    const int64_t comment = (int64_t)number(entry + 32, 2);
    if (left < CENTRAL + name + extra + comment)
        return false;
    uint64_t bytes = number(entry + 24, 4), packed = number(entry + 20, 4), begin = number(entry + 42, 4);
    uint64_t *const values[3] = {&bytes, &packed, &begin};
    if (!widen(entry + CENTRAL + name, extra, values) || bytes > INT64_MAX || packed > INT64_MAX || begin > INT64_MAX)
        return false;
    *to = (struct sta__zip_member){.method = (int)number(entry + 10, 2),
                                   .begin = (int64_t)begin,
                                   .packed = (int64_t)packed,
                                   .bytes = (int64_t)bytes,
                                   .crc = (uint32_t)number(entry + 16, 4),
                                   .name_bytes = (size_t)name,
                                   .name = (const char *)entry + CENTRAL};
    *at += CENTRAL + name + extra + comment;
    return true;
}

sta_error_code sta__zip_locate(const struct sta__zip *zip, struct sta__zip_member *member, char *why)
{
    unsigned char head[LOCAL];
    if (member->begin > zip->file_bytes - LOCAL)
        return broken(why, "a member is out of the file");
    const sta_error_code error = sta__read_at(zip->file, head, LOCAL, member->begin, why);
    if (error)
        return error;
    if (number(head, 4) != SIGN_LOCAL)
        return broken(why, "a member has no header");
    member->begin += LOCAL + (int64_t)(number(head + 26, 2) + number(head + 28, 2));
    if (member->begin > zip->file_bytes || member->packed > zip->file_bytes - member->begin)
        return broken(why, "a member is cut off");
    if (member->method == 0 && member->packed != member->bytes)
        return broken(why, "the sizes of a member differ");
    return STA_ERROR_NONE;
}

/* ---- deflated data ---- */

/* Feeds the stream from the file, and takes what comes out. */
static sta_error_code inflate_all(const struct sta__zip *zip, const struct sta__zip_member *member, z_stream *stream,
                                  unsigned char *to, char *why)
{
    enum { MOST = 1 << 30 };
    static _Thread_local unsigned char in[1 << 16];
    int64_t read = 0, left = member->bytes;
    int answer = Z_OK;
    while (answer == Z_OK) {
        if (stream->avail_in == 0 && read < member->packed) {
            const int64_t rest = member->packed - read, now = rest < (int64_t)sizeof in ? rest : (int64_t)sizeof in;
            const sta_error_code error = sta__read_at(zip->file, in, (size_t)now, member->begin + read, why);
            if (error)
                return error;
            stream->next_in = in;
            stream->avail_in = (unsigned)now;
            read += now;
        }
        const unsigned room = (unsigned)(left < MOST ? left : MOST);
        stream->next_out = to + (member->bytes - left);
        stream->avail_out = room;
        answer = inflate(stream, Z_NO_FLUSH);
        left -= room - stream->avail_out;
    }
    if (answer != Z_STREAM_END || left > 0)
        return broken(why, "a member cannot be unpacked");
    return sta__crc(0, to, (size_t)member->bytes) == member->crc ? STA_ERROR_NONE : broken(why, "a sum is wrong");
}

sta_error_code sta__zip_inflate(const struct sta__zip *zip, const struct sta__zip_member *member, void *to, char *why)
{
    z_stream stream = {.next_in = NULL};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        snprintf(why, STA__WHY, "no memory");
        return STA_ERROR_MEMORY;
    }
    const sta_error_code error = inflate_all(zip, member, &stream, to, why);
    inflateEnd(&stream);
    return error;
}

/* ---- writing ---- */

enum { VERSION = 45, UTF8 = 1 << 11, MIDNIGHT = 0, FIRST_DAY = 1 << 5 | 1 }; /* 1980-01-01 */

static uint64_t narrow(int64_t value)
{
    return value >= UINT32_MAX ? UINT32_MAX : (uint64_t)value;
}

/* What local and central headers have in common. */
static void put_facts(struct pen *pen, const struct sta__zip_member *member, bool wide, size_t extra)
{
    put(pen, 2, VERSION);
    put(pen, 2, UTF8);
    put(pen, 2, (uint64_t)member->method);
    put(pen, 2, MIDNIGHT);
    put(pen, 2, FIRST_DAY);
    put(pen, 4, member->crc);
    put(pen, 4, wide ? UINT32_MAX : narrow(member->packed));
    put(pen, 4, wide ? UINT32_MAX : narrow(member->bytes));
    put(pen, 2, member->name_bytes);
    put(pen, 2, extra);
}

size_t sta__zip_local(unsigned char to[STA__ZIP_LOCAL], const struct sta__zip_member *member)
{
    struct pen pen = {to, 0};
    put(&pen, 4, SIGN_LOCAL);
    put_facts(&pen, member, true, 20);
    put(&pen, 2, 1);
    put(&pen, 2, 16);
    put(&pen, 8, (uint64_t)member->bytes);
    put(&pen, 8, (uint64_t)member->packed);
    return pen.count;
}

size_t sta__zip_central(unsigned char to[STA__ZIP_CENTRAL], const struct sta__zip_member *member)
{
    const int64_t values[3] = {member->bytes, member->packed, member->begin};
    struct pen pen = {to, 0};
    size_t extra = 0;
    for (int i = 0; i < 3; i++)
        extra += values[i] >= UINT32_MAX ? 8 : 0;
    put(&pen, 4, SIGN_CENTRAL);
    put(&pen, 2, VERSION);
    put_facts(&pen, member, false, extra ? extra + 4 : 0);
    put(&pen, 2, 0); /* no comment */
    put(&pen, 2, 0); /* the first disk */
    put(&pen, 2, 0);
    put(&pen, 4, 0);
    put(&pen, 4, narrow(member->begin));
    if (extra) {
        put(&pen, 2, 1);
        put(&pen, 2, extra);
        for (int i = 0; i < 3; i++)
            if (values[i] >= UINT32_MAX)
                put(&pen, 8, (uint64_t)values[i]);
    }
    return pen.count;
}

size_t sta__zip_end(unsigned char to[STA__ZIP_END], int64_t members, int64_t begin, int64_t end)
{
    struct pen pen = {to, 0};
    const bool wide = members >= UINT16_MAX || end >= UINT32_MAX;
    if (wide) {
        put(&pen, 4, SIGN_END64);
        put(&pen, 8, END64 - 12);
        put(&pen, 2, VERSION);
        put(&pen, 2, VERSION);
        put(&pen, 8, 0);
        put(&pen, 8, (uint64_t)members);
        put(&pen, 8, (uint64_t)members);
        put(&pen, 8, (uint64_t)(end - begin));
        put(&pen, 8, (uint64_t)begin);
        put(&pen, 4, SIGN_LOCATOR);
        put(&pen, 4, 0);
        put(&pen, 8, (uint64_t)end);
        put(&pen, 4, 1);
    }
    put(&pen, 4, SIGN_END);
    put(&pen, 4, 0);
    for (int i = 0; i < 2; i++)
        put(&pen, 2, wide ? UINT16_MAX : (uint64_t)members);
    put(&pen, 4, wide ? UINT32_MAX : (uint64_t)(end - begin));
    put(&pen, 4, wide ? UINT32_MAX : (uint64_t)begin);
    put(&pen, 2, 0);
    return pen.count;
}
