/* The loops of reductions that this machine runs. */
#include "fold.h"
#include "isa.h"

#if defined __x86_64__
static const struct sta__fold (*const folds[])[STA__FOLD_DTYPES] = {sta__folds_v2, sta__folds_v3, sta__folds_v4};
#else
static const struct sta__fold (*const folds[])[STA__FOLD_DTYPES] = {sta__folds_base};
#endif

const struct sta__fold *sta__fold_of(enum sta__reducer reducer, sta_dtype dtype)
{
    return &folds[sta__isa()][reducer][dtype];
}

bool sta__reducer_any_order(enum sta__reducer reducer, sta_dtype dtype)
{
    return sta__fold_of(reducer, dtype)->run != NULL;
}
