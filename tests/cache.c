/* The folder of files that the library made once: what is kept is found whole, what is damaged or about something else is not.
 * ctest: sanitize */
#include "sta_test.h"

#include "cache.h"
#include "mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char content[] = "what was made", about[] = "what it is about";

static struct sta__cache opened(const char *folder)
{
    struct sta__cache cache;
    setenv("STA_CACHE", folder, 1);
    CU_ASSERT_TRUE_FATAL(sta__cache_open(&cache));
    return cache;
}

static void keep(const struct sta__cache *cache, const struct sta__cache_key *key)
{
    char path[500];
    sta__cache_temporary(cache, ".test", path, sizeof path);
    FILE *file = fopen(path, "wx");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fwrite(content, 1, sizeof content, file);
    fclose(file);
    CU_ASSERT_TRUE(sta__cache_keep(cache, key, path));
}

static void reads(void)
{
    struct sta__cache cache = opened("cache_reads");
    struct sta__cache_key key = sta__cache_key(about, strlen(about)), other = sta__cache_key(about, strlen(about) - 1);
    size_t bytes = 0;
    keep(&cache, &key);
    char *data = sta__cache_read(&cache, &key, &bytes);
    CU_ASSERT_EQUAL(bytes, sizeof content);
    CU_ASSERT_TRUE(data && memcmp(data, content, sizeof content) == 0);
    sta__release(data);
    CU_ASSERT_PTR_NULL(sta__cache_read(&cache, &other, &bytes));
    sta__cache_close(&cache);
}

/* Each byte of the file in its turn. */
static void damaged(void)
{
    struct sta__cache cache = opened("cache_damaged");
    struct sta__cache_key key = sta__cache_key(about, strlen(about));
    char path[500];
    size_t bytes;
    keep(&cache, &key);
    CU_ASSERT_TRUE_FATAL(sta__cache_path(&cache, &key, path, sizeof path));
    FILE *file = fopen(path, "r+");
    CU_ASSERT_PTR_NOT_NULL_FATAL(file);
    fseek(file, 0, SEEK_END);
    long size = ftell(file);
    for (long at = 0; at < size; at++) {
        fseek(file, at, SEEK_SET);
        int was = fgetc(file);
        fseek(file, at, SEEK_SET);
        fputc(was ^ 4, file);
        fflush(file);
        CU_ASSERT_PTR_NULL(sta__cache_read(&cache, &key, &bytes));
        fseek(file, at, SEEK_SET);
        fputc(was, file);
        fflush(file);
    }
    CU_ASSERT_TRUE(sta__cache_has(&cache, &key));
    CU_ASSERT_EQUAL(ftruncate(fileno(file), size - 1), 0);
    CU_ASSERT_PTR_NULL(sta__cache_read(&cache, &key, &bytes));
    fclose(file);
    sta__cache_close(&cache);
}

STA_PURE_TESTS("cache", STA_CASE(reads), STA_CASE(damaged))
