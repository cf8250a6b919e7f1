/* Where in the program the library was called from. The stack is walked up to the first address outside of the library:
 * fronts share helpers, and some call each other, so that the depth is not known. */
#include "doctor.h"

#include <link.h>
#include <unwind.h>

/* The static library is part of the program. There its functions are in a section of their own (CMakeLists.txt), whose
 * bounds the linker names; in the shared library there is no such section, and it is all of that file. */
extern const char section_start[] __asm__("__start_starray_text") __attribute__((weak));
extern const char section_stop[] __asm__("__stop_starray_text") __attribute__((weak));

static uintptr_t ours, ours_bytes;

static int find_file(struct dl_phdr_info *info, size_t bytes, void *address)
{
    (void)bytes;
    for (int k = 0; k < info->dlpi_phnum; k++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[k];
        uintptr_t start = info->dlpi_addr + part->p_vaddr, inside = *(uintptr_t *)address;
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X) || inside - start >= part->p_memsz)
            continue;
        ours = start;
        ours_bytes = part->p_memsz;
        return 1;
    }
    return 0;
}

void sta__caller_start(void)
{
    ours = (uintptr_t)section_start;
    ours_bytes = (uintptr_t)section_stop - ours;
    uintptr_t here = (uintptr_t)sta__caller_start;
    if (!ours)
        dl_iterate_phdr(find_file, &here);
}

struct found {
    uintptr_t address, stack; /* where the stack was before the call */
};

static _Unwind_Reason_Code step(struct _Unwind_Context *context, void *to)
{
    uintptr_t address = _Unwind_GetIP(context);
    if (address - ours < ours_bytes)
        return _URC_NO_REASON;
    *(struct found *)to = (struct found){address, _Unwind_GetCFA(context)};
    return _URC_END_OF_STACK;
}

struct sta__caller sta__caller_walk(uintptr_t frame)
{
    struct found found = {0, 0};
    _Unwind_Backtrace(step, &found);
    const uintptr_t at = found.stack - sizeof(uintptr_t);
    const bool there = found.address && at > frame && sta__stack_at(at) == found.address;
    return (struct sta__caller){found.address, there ? at - frame : 0}; /* some processors keep it elsewhere */
}
