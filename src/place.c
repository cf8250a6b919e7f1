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

/* A walk takes microseconds. A function that is called again has its caller's address at the same distance on the stack,
 * if it came by the same way; and there only an address is believed that a walk has found for that function before. */
enum { ROUTES = 64, KNOWN = 128 };
static _Thread_local struct {
    struct {
        const char *op;
        ptrdiff_t distance;
    } route[ROUTES];
    struct {
        const char *op;
        uintptr_t address;
    } known[KNOWN];
} last;

static unsigned slot_of(const char *op, uintptr_t address, unsigned slots)
{
    return (unsigned)(((uintptr_t)op ^ address << 3) * 0x9e3779b97f4a7c15U >> 40) % slots;
}

static void remember(const char *op, uintptr_t frame, const struct found *found)
{
    const uintptr_t at = found->stack - sizeof(uintptr_t);
    const unsigned route = slot_of(op, 0, ROUTES), known = slot_of(op, found->address, KNOWN);
    if (!found->address || at <= frame || *(const uintptr_t *)at != found->address)
        return; /* this processor keeps it elsewhere */
    last.route[route].op = op;
    last.route[route].distance = (ptrdiff_t)(at - frame);
    last.known[known].op = op;
    last.known[known].address = found->address;
}

/* Looks at the stack beyond its own frame. */
#define BEYOND __attribute__((noinline, no_sanitize_address))

BEYOND uintptr_t sta__caller(const char *op)
{
    const uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
    const unsigned route = slot_of(op, 0, ROUTES);
    struct found found = {0, 0};
    if (last.route[route].op == op) {
        const uintptr_t address = *(const uintptr_t *)(frame + (uintptr_t)last.route[route].distance);
        const unsigned known = slot_of(op, address, KNOWN);
        if (last.known[known].op == op && last.known[known].address == address)
            return address;
    }
    _Unwind_Backtrace(step, &found);
    remember(op, frame, &found);
    return found.address;
}
