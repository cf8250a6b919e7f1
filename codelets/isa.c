/* The instruction set of the loops: what the processor has, and what STA_ISA asks for. */
#include "isa.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Rising: the first is what the library asks of any processor. */
#define NAME(isa) #isa,
static const char *const names[] = {STA__EACH_ISA(NAME)};

static atomic_int chosen = -1;

/* STA_ISA can only lower it: code that the processor does not have would fault. */
void sta__isa_choose(void)
{
    const char *asked = getenv("STA_ISA");
    int isa = sta__isa_best();
    for (int k = 0; asked && k < isa && k < (int)(sizeof names / sizeof *names); k++)
        if (strcmp(asked, names[k]) == 0)
            isa = k;
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
