/* Names of addresses without libdw: the symbols that the dynamic linker knows. */
#include "doctor.h"

#include <dlfcn.h>
#include <string.h>

bool sta__names_have_lines(void)
{
    return false;
}

struct sta__names *sta__names_open(void)
{
    return NULL; /* nothing to keep */
}

void sta__names_close(struct sta__names *names)
{
    (void)names;
}

void sta__names_find(struct sta__names *names, uintptr_t address, struct sta__source *to)
{
    (void)names;
    *to = (struct sta__source){.offset = address};
    Dl_info info;
    if (!dladdr((void *)(address - 1), &info))
        return;
    const char *slash = strrchr(info.dli_fname, '/');
    snprintf(to->module, sizeof to->module, "%s", slash ? slash + 1 : info.dli_fname);
    to->offset = address - (uintptr_t)info.dli_fbase;
    if (!info.dli_sname)
        return;
    snprintf(to->function, sizeof to->function, "%s", info.dli_sname);
    to->offset = address - (uintptr_t)info.dli_saddr;
}
