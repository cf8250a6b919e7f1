/* Names of addresses by libdw: it reads the debug information of a program or of a file beside it, and where there is
 * none its symbols. */
#include "doctor.h"

#include <elfutils/libdwfl.h>
#include <glib.h>
#include <string.h>
#include <unistd.h>

struct sta__names {
    Dwfl *dwfl;
};

bool sta__names_have_lines(void)
{
    return true;
}

struct sta__names *sta__names_open(void)
{
    static const Dwfl_Callbacks callbacks = {.find_elf = dwfl_linux_proc_find_elf,
                                             .find_debuginfo = dwfl_standard_find_debuginfo};
    struct sta__names *names = sta__allocate(sizeof *names);
    if (!names)
        return NULL;
    names->dwfl = dwfl_begin(&callbacks);
    if (names->dwfl && dwfl_linux_proc_report(names->dwfl, getpid()) == 0 &&
        dwfl_report_end(names->dwfl, NULL, NULL) == 0)
        return names;
    sta__names_close(names);
    return NULL;
}

void sta__names_close(struct sta__names *names)
{
    if (names && names->dwfl)
        dwfl_end(names->dwfl);
    sta__release(names);
}

/* A symbol beside the address names another function: that is a stripped program. */
static void find_function(Dwfl_Module *module, uintptr_t address, struct sta__source *to)
{
    GElf_Sym symbol;
    GElf_Off offset = 0;
    const char *name = dwfl_module_addrinfo(module, address, &offset, &symbol, NULL, NULL, NULL);
    if (!name || offset >= symbol.st_size)
        return;
    snprintf(to->function, sizeof to->function, "%s", name);
    to->offset = offset;
}

/* Compilers may name files as seen from where they ran. */
static void put_path(const char *folder, const char *file, struct sta__source *to)
{
    char *path = g_canonicalize_filename(file, folder && *folder == '/' ? folder : NULL);
    snprintf(to->file, sizeof to->file, "%s", path);
    g_free(path);
}

void sta__names_find(struct sta__names *names, uintptr_t address, struct sta__source *to)
{
    *to = (struct sta__source){.offset = address};
    uintptr_t call = address - 1; /* the address is that of the return, perhaps in the next line */
    Dwfl_Module *module = names ? dwfl_addrmodule(names->dwfl, call) : NULL;
    if (!module)
        return;
    Dwarf_Addr start = 0;
    const char *path = dwfl_module_info(module, NULL, &start, NULL, NULL, NULL, NULL, NULL);
    const char *slash = path ? strrchr(path, '/') : NULL;
    snprintf(to->module, sizeof to->module, "%s", slash ? slash + 1 : path ? path : "");
    to->offset = address - start;
    Dwfl_Line *line = dwfl_module_getsrc(module, call);
    const char *file = line ? dwfl_lineinfo(line, NULL, &to->line, NULL, NULL, NULL) : NULL;
    if (file)
        put_path(dwfl_line_comp_dir(line), file, to);
    find_function(module, call, to);
}
