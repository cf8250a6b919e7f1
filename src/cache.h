/* Files that the library makes once and finds again: programs compiled for this machine. One folder, which must be this
 * user's alone; a file that is damaged, or is about something else, does not count and is made anew. From any thread,
 * without the lock.
 */
#ifndef STA__CACHE_H
#define STA__CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What a file is about: equal bytes, equal file. */
struct sta__cache_key {
    const void *bytes;
    size_t count;
    char name[24]; /* of the file: a hash of the bytes; set by sta__cache_key */
};
struct sta__cache_key sta__cache_key(const void *bytes, size_t count);

/* STA_CACHE, else $XDG_CACHE_HOME/starray/programs, else ~/.cache/starray/programs; made where it is missing. */
struct sta__cache {
    int folder; /* open; -1: there is none */
    char path[400];
};
/* False: there is no such folder, or it is not this user's alone; `path` says which. */
bool sta__cache_open(struct sta__cache *cache);
void sta__cache_close(struct sta__cache *cache);

/* Whether the file is there and whole. It counts as used now. */
bool sta__cache_has(const struct sta__cache *cache, const struct sta__cache_key *key);
/* What the file holds, to be released; NULL: it is not there, or not whole. It counts as used now. */
void *sta__cache_read(const struct sta__cache *cache, const struct sta__cache_key *key, size_t *bytes);
/* The path of the file: for a library or a program that wants one. False: too long. */
bool sta__cache_path(const struct sta__cache *cache, const struct sta__cache_key *key, char *path, size_t bytes);
/* The name of a new file in the folder, for whoever writes it. */
void sta__cache_temporary(const struct sta__cache *cache, const char *ending, char *path, size_t bytes);
/* Makes a temporary file the key's: puts the key and a checksum at its end and gives it its name, in one step for all
 * who look. What is oldest goes where the folder is too large. False: it could not. */
bool sta__cache_keep(const struct sta__cache *cache, const struct sta__cache_key *key, const char *temporary);

#endif
