/* Zip files, as far as .npz files need them: members stored or deflated, sizes of 64 bits, one disk, no passwords. No arrays
 * here. What a file says is checked against its size before it is believed.
 * Source: PKWARE Inc., .ZIP File Format Specification (APPNOTE.TXT), version 6.3. */
#ifndef STA__ZIP_H
#define STA__ZIP_H

#include "internal.h"

struct sta__zip_member {
    int method;    /* 0: stored, 8: deflated */
    int64_t begin; /* of its data in the file; when written: of its header */
    int64_t packed, bytes;
    uint32_t crc;
    size_t name_bytes;
    const char *name; /* not ended by 0; as long as the directory */
};

/* ---- reading ---- */

struct sta__zip {
    int file;
    int64_t file_bytes;
    unsigned char *directory; /* for sta__release */
    int64_t directory_bytes;
};
/* Reads the directory of an open file. */
sta_error_code sta__zip_open(int file, struct sta__zip *zip, char *why);
/* The member at *at of the directory, which goes on to the next one (0 at first); false at the end. */
bool sta__zip_next(const struct sta__zip *zip, int64_t *at, struct sta__zip_member *to);
/* Turns `begin` from where its header is to where its data is. */
sta_error_code sta__zip_locate(const struct sta__zip *zip, struct sta__zip_member *member, char *why);
/* All data of a deflated member, into member->bytes of memory. */
sta_error_code sta__zip_inflate(const struct sta__zip *zip, const struct sta__zip_member *member, void *to, char *why);

/* ---- writing: bytes of headers ---- */

enum { STA__ZIP_LOCAL = 30 + 20, STA__ZIP_CENTRAL = 46 + 28, STA__ZIP_END = 22 + 20 + 56 };
/* Each returns the bytes that it has put; names follow a local header's first 30 and a central one's first 46 bytes. */
size_t sta__zip_local(unsigned char to[STA__ZIP_LOCAL], const struct sta__zip_member *member);
size_t sta__zip_central(unsigned char to[STA__ZIP_CENTRAL], const struct sta__zip_member *member);
size_t sta__zip_end(unsigned char to[STA__ZIP_END], int64_t members, int64_t begin, int64_t end);

/* The sum of zip files, of what was summed and of more bytes. */
uint32_t sta__crc(uint32_t crc, const void *data, size_t bytes);

#endif
