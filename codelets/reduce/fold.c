/* Which build of the loops this machine runs. */
#include "fold.h"
#include "isa.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct isa {
    const char *name;
    const struct sta__fold (*folds)[STA__FOLD_DTYPES];
};
/* Rising, so that the last one that the processor has is the best. */
#if defined __x86_64__
static const struct isa isas[] = {{"v2", sta__folds_v2}, {"v3", sta__folds_v3}, {"v4", sta__folds_v4}};

static int best_isa(void)
{
    return sta__isa_level() - 2;
}
#else
static const struct isa isas[] = {{"base", sta__folds_base}};

static int best_isa(void)
{
    return 0;
}
#endif

/* STA_ISA can only lower it: code that the processor does not have would fault. */
static int choose_isa(void)
{
    const int best = best_isa();
    const char *wanted = getenv("STA_ISA");
    for (int i = 0; wanted && i < best; i++)
        if (!strcmp(wanted, isas[i].name))
            return i;
    return best;
}

static atomic_int chosen = -1;

bool sta__fold_use(const char *name)
{
    for (int i = 0; i <= best_isa(); i++)
        if (!strcmp(name, isas[i].name)) {
            atomic_store(&chosen, i);
            return true;
        }
    return false;
}

static const struct isa *isa(void)
{
    int i = atomic_load_explicit(&chosen, memory_order_relaxed);
    if (i < 0) {
        i = choose_isa();
        atomic_store_explicit(&chosen, i, memory_order_relaxed);
    }
    return &isas[i];
}

const char *sta__fold_isa(void)
{
    return isa()->name;
}

const struct sta__fold *sta__fold_of(enum sta__reducer reducer, sta_dtype dtype)
{
    return &isa()->folds[reducer][dtype];
}

bool sta__reducer_any_order(enum sta__reducer reducer, sta_dtype dtype)
{
    return sta__fold_of(reducer, dtype)->run != NULL;
}
