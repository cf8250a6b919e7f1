/* The folder of files made once. Contract: cache.h. */
#include "cache.h"

#include "mem.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const int64_t most_bytes = (int64_t)128 << 20;
enum { STALE = 3600, MOST_FILE = 64 << 20 }; /* seconds after which a temporary file is nobody's; bytes */

/* The end of a file, after its content and the bytes of its key. */
struct trailer {
    char magic[8];
    uint64_t content, key;
    uint64_t checksum; /* of content, key and the two lengths */
};
static const char magic[8] = "starray1";

static uint64_t hash_more(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t hash_of(const void *bytes, size_t count)
{
    return hash_more(UINT64_C(0xcbf29ce484222325), bytes, count);
}

struct sta__cache_key sta__cache_key(const void *bytes, size_t count)
{
    struct sta__cache_key key = {.bytes = bytes, .count = count};
    snprintf(key.name, sizeof key.name, "%016llx.so", (unsigned long long)hash_of(bytes, count));
    return key;
}

/* ---- the folder ---- */

static bool choose_path(char *path, size_t bytes)
{
    const char *own = getenv("STA_CACHE"), *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = -1;
    if (own && *own)
        length = snprintf(path, bytes, "%s", own);
    else if (caches && *caches == '/')
        length = snprintf(path, bytes, "%s/starray/programs", caches);
    else if (home && *home == '/')
        length = snprintf(path, bytes, "%s/.cache/starray/programs", home);
    else
        snprintf(path, bytes, "no HOME");
    return length > 0 && (size_t)length < bytes;
}

static void make_folders(const char *path)
{
    char part[400];
    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(part, 0700);
        *slash = '/';
    }
    mkdir(part, 0700);
}

bool sta__cache_open(struct sta__cache *cache)
{
    struct stat facts;
    cache->folder = -1;
    if (!choose_path(cache->path, sizeof cache->path))
        return false;
    make_folders(cache->path);
    cache->folder = open(cache->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (cache->folder >= 0 && fstat(cache->folder, &facts) == 0 && facts.st_uid == geteuid() &&
        (facts.st_mode & 077) == 0)
        return true;
    sta__cache_close(cache);
    return false;
}

void sta__cache_close(struct sta__cache *cache)
{
    if (cache->folder >= 0)
        close(cache->folder);
    cache->folder = -1;
}

bool sta__cache_path(const struct sta__cache *cache, const struct sta__cache_key *key, char *path, size_t bytes)
{
    int length = snprintf(path, bytes, "%s/%s", cache->path, key->name);
    return length > 0 && (size_t)length < bytes;
}

void sta__cache_temporary(const struct sta__cache *cache, const char *ending, char *path, size_t bytes)
{
    static atomic_int number;
    snprintf(path, bytes, "%s/%ld-%d.new%s", cache->path, (long)getpid(), atomic_fetch_add(&number, 1), ending);
}

/* ---- files ---- */

/* The whole of a file of ours in memory; NULL: it is not there, or not ours. */
static char *read_whole(int folder, const char *name, size_t *bytes)
{
    struct stat facts;
    int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
    bool ours = file >= 0 && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_uid == geteuid() &&
                (facts.st_mode & 022) == 0 && facts.st_size > 0 && facts.st_size < MOST_FILE;
    char *data = ours ? sta__allocate_raw((size_t)facts.st_size) : NULL;
    size_t done = 0;
    while (data && done < (size_t)facts.st_size) {
        ssize_t got = read(file, data + done, (size_t)facts.st_size - done);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            break;
        done += got > 0 ? (size_t)got : 0;
    }
    if (file >= 0)
        close(file);
    *bytes = done;
    if (data && done == (size_t)facts.st_size)
        return data;
    sta__release(data);
    return NULL;
}

static uint64_t checksum(const struct trailer *trailer, const void *content, const void *key)
{
    uint64_t hash = hash_of(content, trailer->content);
    hash = hash_more(hash, key, trailer->key);
    return hash_more(hash, &trailer->content, 2 * sizeof(uint64_t));
}

static bool is_whole(const char *data, size_t bytes, const struct sta__cache_key *key)
{
    struct trailer trailer;
    if (bytes < sizeof trailer + key->count)
        return false;
    memcpy(&trailer, data + bytes - sizeof trailer, sizeof trailer);
    if (memcmp(trailer.magic, magic, sizeof magic) != 0 || trailer.key != key->count ||
        trailer.content != bytes - sizeof trailer - key->count)
        return false;
    return memcmp(data + trailer.content, key->bytes, key->count) == 0 &&
           checksum(&trailer, data, data + trailer.content) == trailer.checksum;
}

void *sta__cache_read(const struct sta__cache *cache, const struct sta__cache_key *key, size_t *bytes)
{
    char *data = read_whole(cache->folder, key->name, bytes);
    if (!data || !is_whole(data, *bytes, key)) {
        sta__release(data);
        return NULL;
    }
    *bytes -= sizeof(struct trailer) + key->count;
    utimensat(cache->folder, key->name, NULL, AT_SYMLINK_NOFOLLOW); /* now */
    return data;
}

bool sta__cache_has(const struct sta__cache *cache, const struct sta__cache_key *key)
{
    size_t bytes;
    void *data = sta__cache_read(cache, key, &bytes);
    sta__release(data);
    return data != NULL;
}

static bool write_all(int file, const void *bytes, size_t count)
{
    const char *at = bytes;
    while (count > 0) {
        ssize_t done = write(file, at, count);
        if (done < 0 && errno != EINTR)
            return false;
        at += done > 0 ? done : 0;
        count -= done > 0 ? (size_t)done : 0;
    }
    return true;
}

/* ---- keeping the folder small ---- */

/* What is oldest goes first; a loop over the folder for each file that goes, which is seldom. */
static bool remove_oldest(DIR *folder, int64_t *total)
{
    char oldest[256] = "";
    struct stat facts;
    int64_t bytes = 0;
    time_t when = 0;
    *total = 0;
    rewinddir(folder);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (entry->d_name[0] == '.' || fstatat(dirfd(folder), entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(facts.st_mode))
            continue;
        if (strstr(entry->d_name, ".new") && time(NULL) - facts.st_mtime > STALE)
            unlinkat(dirfd(folder), entry->d_name, 0);
        *total += facts.st_size;
        if (!*oldest || facts.st_mtime < when) {
            snprintf(oldest, sizeof oldest, "%s", entry->d_name);
            when = facts.st_mtime;
            bytes = facts.st_size;
        }
    }
    if (*total <= most_bytes || !*oldest || unlinkat(dirfd(folder), oldest, 0) != 0)
        return false;
    *total -= bytes;
    return *total > most_bytes;
}

static void prune(const struct sta__cache *cache)
{
    int again = openat(cache->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = again >= 0 ? fdopendir(again) : NULL;
    int64_t total;
    if (!folder && again >= 0)
        close(again);
    while (folder && remove_oldest(folder, &total))
        ;
    if (folder)
        closedir(folder);
}

bool sta__cache_keep(const struct sta__cache *cache, const struct sta__cache_key *key, const char *temporary)
{
    struct trailer trailer = {.key = key->count};
    const char *name = strrchr(temporary, '/') ? strrchr(temporary, '/') + 1 : temporary;
    size_t bytes;
    memcpy(trailer.magic, magic, sizeof magic);
    if (fchmodat(cache->folder, name, 0600, 0) != 0)
        return false;
    char *content = read_whole(cache->folder, name, &bytes);
    int file = content ? openat(cache->folder, name, O_WRONLY | O_APPEND | O_NOFOLLOW | O_CLOEXEC) : -1;
    bool fine = file >= 0;
    if (fine) {
        trailer.content = bytes;
        trailer.checksum = checksum(&trailer, content, key->bytes);
        fine = write_all(file, key->bytes, key->count) && write_all(file, &trailer, sizeof trailer);
        fine = close(file) == 0 && fine;
    }
    sta__release(content);
    fine = fine && renameat(cache->folder, name, cache->folder, key->name) == 0;
    if (fine)
        prune(cache);
    return fine;
}
