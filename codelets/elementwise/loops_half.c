/* The few loops that need float16 and bfloat16 themselves; for all other rows they are computed in float32. */
#define STA__PADDED 0
#include "loop_macros.h"

#include "half.h"

static void nextafter_f16(int64_t n, void *out, const void *const *in)
{
    const uint16_t *x = in[0], *y = in[1];
    uint16_t *to = out;
    for (int64_t i = 0; i < n; i++)
        to[i] = sta__half_next(x[i], sta__f16_to_f32(x[i]), y[i], sta__f16_to_f32(y[i]));
}

static void nextafter_bf16(int64_t n, void *out, const void *const *in)
{
    const uint16_t *x = in[0], *y = in[1];
    uint16_t *to = out;
    for (int64_t i = 0; i < n; i++)
        to[i] = sta__half_next(x[i], sta__bf16_to_f32(x[i]), y[i], sta__bf16_to_f32(y[i]));
}

/* By bits: float32 has other largest values. `infinity`: the bits of infinity, above which lie the NaNs. */
static void finite(int64_t n, uint16_t *to, const uint16_t *x, int infinity)
{
    for (int64_t i = 0; i < n; i++) {
        const int size = x[i] & 0x7fff, limited = (x[i] & 0x8000) | (infinity - 1);
        to[i] = (uint16_t)(size > infinity ? 0 : size == infinity ? limited : x[i]);
    }
}

static void nan_to_num_f16(int64_t n, void *out, const void *const *in)
{
    finite(n, out, in[0], 0x7c00);
}

static void nan_to_num_bf16(int64_t n, void *out, const void *const *in)
{
    finite(n, out, in[0], 0x7f80);
}

void STA__SYMBOL(sta__loops_f16)(sta__loop *loops);
void STA__SYMBOL(sta__loops_f16)(sta__loop *loops)
{
    loops[STA__OP_nextafter] = nextafter_f16;
    loops[STA__OP_nan_to_num] = nan_to_num_f16;
}

void STA__SYMBOL(sta__loops_bf16)(sta__loop *loops);
void STA__SYMBOL(sta__loops_bf16)(sta__loop *loops)
{
    loops[STA__OP_nextafter] = nextafter_bf16;
    loops[STA__OP_nan_to_num] = nan_to_num_bf16;
}
