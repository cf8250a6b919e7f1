/* See loops.h. This file is compiled once for each level of x86-64, with STA__ISA set to its name. */
#include "loops.h"
#include "plain.h"

#include <string.h>

#define JOIN(name, type, text)                                                                                         \
    static void name(const struct sta__spots *spots, int64_t n, const char *with, int64_t step)                        \
    {                                                                                                                  \
        const struct sta__spots s = *spots;                                                                            \
        for (int64_t i = 0; i < n; i++, with += step) {                                                                \
            char *const at = s.origin + (s.ids[i] + (s.ids[i] < 0 ? s.length : 0)) * (int64_t)sizeof(type);            \
            type x, y;                                                                                                 \
            memcpy(&x, at, sizeof x);                                                                                  \
            memcpy(&y, with, sizeof y);                                                                                \
            x = (type)(text);                                                                                          \
            memcpy(at, &x, sizeof x);                                                                                  \
        }                                                                                                              \
    }
STA__PLAIN_OPERATORS(JOIN)

#define PUT(name, type)                                                                                                \
    static void name(const struct sta__spots *spots, int64_t n, const char *with, int64_t step)                        \
    {                                                                                                                  \
        const struct sta__spots s = *spots;                                                                            \
        for (int64_t i = 0; i < n; i++, with += step)                                                                  \
            memcpy(s.origin + (s.ids[i] + (s.ids[i] < 0 ? s.length : 0)) * (int64_t)sizeof(type), with, sizeof(type)); \
    }
struct sixteen {
    uint64_t half[2];
};
PUT(put_8, uint8_t)
PUT(put_16, uint16_t)
PUT(put_32, uint32_t)
PUT(put_64, uint64_t)
PUT(put_128, struct sixteen)

extern const struct sta__put_loops STA__FOR_ISA(sta__put_loops_);
const struct sta__put_loops STA__FOR_ISA(sta__put_loops_) = {
    .put = {[1] = put_8, [2] = put_16, [4] = put_32, [8] = put_64, [16] = put_128},
    .join = {[STA__JOIN_ADD] = STA__PLAIN_ROW(add),
             [STA__JOIN_SUBTRACT] = STA__PLAIN_ROW(subtract),
             [STA__JOIN_MULTIPLY] = STA__PLAIN_ROW(multiply)}};
