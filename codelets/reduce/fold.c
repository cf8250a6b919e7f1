/* The loops of reductions that this machine runs. */
#include "fold.h"
#include "isa.h"

#define FOLDS(isa) sta__folds_##isa,
static const struct sta__fold (*const folds[])[STA__FOLD_DTYPES] = {STA__EACH_ISA(FOLDS)};

const struct sta__fold *sta__fold_of(enum sta__reducer reducer, sta_dtype dtype)
{
    return &folds[sta__isa()][reducer][dtype];
}

bool sta__reducer_any_order(enum sta__reducer reducer, sta_dtype dtype)
{
    return sta__fold_of(reducer, dtype)->run != NULL;
}
