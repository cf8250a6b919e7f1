/* The instruction set of the loops: what the processor has, and what STA_ISA asks for. */
#include "isa.h"

#include "internal.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rising: the first is what the library asks of any processor. */
#define NAME(isa) #isa,
static const char *const names[] = {STA__EACH_ISA(NAME)};

static atomic_int chosen = -1;

enum { NAMES = sizeof names / sizeof *names };

/* "v2, v3 or v4" */
static void tell_unknown(const char *asked)
{
    char allowed[64] = "";
    size_t length = 0;
    for (int k = 0; k < NAMES && length < sizeof allowed; k++)
        length += (size_t)snprintf(allowed + length, sizeof allowed - length, "%s%s",
                                   k == 0           ? ""
                                   : k == NAMES - 1 ? " or "
                                                    : ", ",
                                   names[k]);
    sta__log(1, "STA_ISA in the environment is \"%.40s\", but it must be %s", asked, allowed);
}

/* STA_ISA can only lower it: code that the processor does not have would fault. */
void sta__isa_choose(void)
{
    const char *asked = getenv("STA_ISA");
    int isa = sta__isa_best(), named = -1;
    for (int k = 0; asked && k < NAMES; k++)
        if (strcmp(asked, names[k]) == 0)
            named = k;
    if (asked && *asked && named < 0)
        tell_unknown(asked);
    if (named >= 0 && named < isa)
        isa = named;
    atomic_store_explicit(&chosen, isa, memory_order_relaxed);
}

int sta__isa(void)
{
    if (atomic_load_explicit(&chosen, memory_order_relaxed) < 0)
        sta__isa_choose();
    return atomic_load_explicit(&chosen, memory_order_relaxed);
}

const char *sta__isa_name(void)
{
    return names[sta__isa()];
}
