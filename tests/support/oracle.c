/* Values by NumPy: running oracle.py and reading what it writes. Contract: sta_test.h; the format: oracle.py. */
#include "sta_test.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct sta_oracle {
    struct sta_oracle *next;
    char *key;
    bool good;
    size_t count, room;
    struct sta_record *record;
};
static struct sta_oracle *oracles;

/* Releases everything at the end, so that leak checkers are content. */
static void forget(void)
{
    while (oracles) {
        struct sta_oracle *oracle = oracles;
        oracles = oracle->next;
        for (size_t i = 0; i < oracle->count; i++) {
            free((void *)(uintptr_t)oracle->record[i].name);
            free((void *)(uintptr_t)oracle->record[i].data);
        }
        free(oracle->record);
        free(oracle->key);
        free(oracle);
    }
}

static void *need(void *memory)
{
    if (memory)
        return memory;
    fprintf(stderr, "no memory for a test\n");
    exit(2);
}

/* "name dtype bytes ndim length ...", then so many bytes. */
static bool read_record(FILE *from, struct sta_oracle *oracle)
{
    char line[1000], name[400];
    int dtype, used;
    size_t bytes;
    struct sta_record record = {.count = 1};
    if (!fgets(line, sizeof line, from) ||
        sscanf(line, "%399s %d %zu %d%n", name, &dtype, &bytes, &record.shape.count, &used) != 4)
        return false;
    const char *at = line + used;
    for (int i = 0; i < record.shape.count && i < STA_MAXDIM; i++) {
        char *end;
        record.count *= record.shape.at[i] = strtoll(at, &end, 10);
        at = end;
    }
    char *data = need(aligned_alloc(64, (bytes + 64) / 64 * 64));
    data[bytes] = '\0';
    record.data = data;
    record.dtype = (sta_dtype)dtype;
    record.name = need(strdup(name));
    if (oracle->count == oracle->room) {
        oracle->room = oracle->room ? 2 * oracle->room : 64;
        oracle->record = need(realloc(oracle->record, oracle->room * sizeof record));
    }
    oracle->record[oracle->count++] = record;
    return fread(data, 1, bytes, from) == bytes;
}

static FILE *run(const char *group, const char *argument)
{
    const char *python = getenv("STARRAY_PYTHON"), *source = getenv("STARRAY_SOURCE");
    char command[2000];
    snprintf(command, sizeof command, "'%s' '%s/tests/support/oracle.py' '%s' '%s'",
             python && *python ? python : "python3", source ? source : ".", group, argument ? argument : "");
    fflush(NULL);
    return popen(command, "r");
}

const struct sta_oracle *sta_test_oracle(const char *group, const char *argument)
{
    char key[1000];
    snprintf(key, sizeof key, "%s %s", group, argument ? argument : "");
    for (const struct sta_oracle *o = oracles; o; o = o->next)
        if (strcmp(o->key, key) == 0)
            return o->good ? o : NULL;
    struct sta_oracle *oracle = need(calloc(1, sizeof *oracle));
    FILE *from = run(group, argument);
    while (from && read_record(from, oracle))
        ;
    int status = from ? pclose(from) : -1;
    oracle->key = need(strdup(key));
    oracle->next = oracles;
    if (!oracles)
        atexit(forget);
    oracles = oracle;
    oracle->good = status == 0;
    if (oracle->good)
        return oracle;
    if (status == 77 << 8)
        fprintf(stderr, "(no Python with NumPy: not compared) ");
    else
        CU_FAIL("oracle.py failed");
    return NULL;
}

size_t sta_oracle_count(const struct sta_oracle *oracle)
{
    return oracle->count;
}

const struct sta_record *sta_oracle_at(const struct sta_oracle *oracle, size_t i)
{
    return &oracle->record[i];
}

static const struct sta_record *find(const struct sta_oracle *oracle, const char *name)
{
    for (size_t i = 0; i < oracle->count; i++)
        if (strcmp(oracle->record[i].name, name) == 0)
            return &oracle->record[i];
    return NULL;
}

const struct sta_record *sta_oracle_find(const struct sta_oracle *oracle, const char *format, ...)
{
    char name[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    const struct sta_record *record = find(oracle, name);
    if (!record)
        sta_test_fail(__FILE__, __LINE__, "oracle.py made no %s", name);
    return record;
}

bool sta_oracle_has(const struct sta_oracle *oracle, const char *format, ...)
{
    char name[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(name, sizeof name, format, arguments);
    va_end(arguments);
    return find(oracle, name) != NULL;
}

sta_array sta_test_record_array(const struct sta_record *record)
{
    return sta_test_array(record->dtype, record->shape, record->data);
}
