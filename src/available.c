/* How much main memory can still be had: what the system has, or what its control group leaves. */
#include "mem.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Without stdio: it allocates, and this runs when memory is short. */
static bool read_text(const char *path, char *to, size_t bytes)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length;

    if (file < 0)
        return false;
    length = read(file, to, bytes - 1);
    close(file);
    if (length < 0)
        return false;
    to[length] = 0;
    return true;
}

static int64_t line_bytes(const char *text, const char *name)
{
    const char *line = strstr(text, name);

    return line ? strtoll(line + strlen(name), NULL, 10) * 1024 : -1;
}

static int64_t file_number(const char *folder, const char *name)
{
    char path[512], text[64], *end;
    int64_t number;

    if (snprintf(path, sizeof path, "/sys/fs/cgroup%s/%s", folder, name) >= (int)sizeof path ||
        !read_text(path, text, sizeof text))
        return -1;
    number = strtoll(text, &end, 10);
    return end == text ? -1 : number; /* "max" */
}

/* What the process's control group (v2) leaves; -1: it sets no limit. Pages of files it holds can be had back, but how
 * many is not known cheaply, so they count as used only where the limit is near. */
static int64_t group_available(void)
{
    char text[400], *folder, *end;
    int64_t limit, used;

    if (!read_text("/proc/self/cgroup", text, sizeof text))
        return -1;
    folder = strstr(text, "0::");
    if (!folder)
        return -1;
    folder += 3;
    end = strchr(folder, '\n');
    if (end)
        *end = 0;
    if (strcmp(folder, "/") == 0)
        *folder = 0;
    limit = file_number(folder, "memory.max");
    used = file_number(folder, "memory.current");
    if (limit < 0 || used < 0)
        return -1;
    return limit > used ? limit - used : 0;
}

int64_t sta__memory_available(void)
{
    char text[4096];
    int64_t available, group;

    if (!read_text("/proc/meminfo", text, sizeof text))
        return INT64_MAX; /* no such system: let the allocation itself say it */
    available = line_bytes(text, "MemAvailable:");
    if (available < 0)
        return INT64_MAX;
    group = group_available();
    return group >= 0 && group < available ? group : available;
}

int64_t sta__memory_total(void)
{
    static atomic_llong known; /* it is asked for with each tile */
    long long total = atomic_load_explicit(&known, memory_order_relaxed);

    if (!total) {
        long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);

        total = pages > 0 && page > 0 ? (long long)pages * page : INT64_MAX;
        atomic_store_explicit(&known, total, memory_order_relaxed);
    }
    return total;
}
