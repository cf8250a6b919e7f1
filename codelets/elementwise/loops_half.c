/* The few loops that need float16 and bfloat16 themselves; for all other rows they are computed in float32. */
#define STA__PADDED 0
#include "loop_macros.h"

void STA__SYMBOL(sta__loops_f16)(sta__loop *loops);
void STA__SYMBOL(sta__loops_f16)(sta__loop *loops)
{
    (void)loops;
}

void STA__SYMBOL(sta__loops_bf16)(sta__loop *loops);
void STA__SYMBOL(sta__loops_bf16)(sta__loop *loops)
{
    (void)loops;
}
