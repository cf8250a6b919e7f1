/* See loops_mask.h. This file is compiled once for each level of x86-64, with STA__ISA set to its name. */
#include "loops_mask.h"

#include <string.h>

#define PASTE(a, b) a##b
#define FOR_ISA(a, b) PASTE(a, b)

/* Eight by eight: what is false altogether is left alone, so that where little is true little is read and written. Without a
 * branch for each element: half of those would be guessed wrong. */
#define FILL(bits, type)                                                                                               \
    static void fill_##bits(const uint8_t *restrict mask, int64_t n, char *restrict to, const char *value)             \
    {                                                                                                                  \
        type one, *restrict element = (type *)(void *)to;                                                              \
        memcpy(&one, value, sizeof one);                                                                               \
        for (; n >= 8; n -= 8, mask += 8, element += 8) {                                                              \
            uint64_t eight;                                                                                            \
            memcpy(&eight, mask, 8);                                                                                   \
            if (eight)                                                                                                 \
                for (int k = 0; k < 8; k++)                                                                            \
                    element[k] = mask[k] ? one : element[k];                                                           \
        }                                                                                                              \
        for (int64_t i = 0; i < n; i++)                                                                                \
            element[i] = mask[i] ? one : element[i];                                                                   \
    }
struct sixteen {
    uint64_t half[2];
};
FILL(8, uint8_t)
FILL(16, uint16_t)
FILL(32, uint32_t)
FILL(64, uint64_t)
FILL(128, struct sixteen)

extern const struct sta__mask_loops FOR_ISA(sta__mask_loops_, STA__ISA);
const struct sta__mask_loops FOR_ISA(sta__mask_loops_, STA__ISA) = {
    .fill = {[1] = fill_8, [2] = fill_16, [4] = fill_32, [8] = fill_64, [16] = fill_128}};
