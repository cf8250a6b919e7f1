/* The instruction set of the loops: what the processor has, and what STA_ISA asks for. */
#include "isa.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Rising, so that the last one that the processor has is the best; the first is what the library asks of any. */
#if defined __x86_64__
static const char *const names[] = {"v2", "v3", "v4"};

static int best(void)
{
    __builtin_cpu_init();
    const bool v3 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi") &&
                    __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
    const bool v4 = v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                    __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                    __builtin_cpu_supports("avx512vl");
    return v4 ? 2 : v3 ? 1 : 0;
}
#else
static const char *const names[] = {"base"};

static int best(void)
{
    return 0;
}
#endif

static atomic_int chosen = -1;

/* STA_ISA can only lower it: code that the processor does not have would fault. */
void sta__isa_choose(void)
{
    const char *asked = getenv("STA_ISA");
    int isa = best();
    for (int k = 0; asked && k < isa; k++)
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
