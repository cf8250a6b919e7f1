/* The same as squares_sse2.h for other processors, element by element. */
#ifndef STA__SQUARES_H
#define STA__SQUARES_H

#include <stdint.h>
#include <string.h>

#define SQUARE(bits, type, side)                                                                                       \
    enum { SIDE_##bits = side };                                                                                       \
    static inline void square_##bits(char *to, int64_t to_step, const char *from, int64_t from_step)                   \
    {                                                                                                                  \
        for (int r = 0; r < side; r++)                                                                                 \
            for (int c = 0; c < side; c++)                                                                             \
                memcpy(to + r * to_step + c * (int64_t)sizeof(type), from + c * from_step + r * (int64_t)sizeof(type), \
                       sizeof(type));                                                                                  \
    }
SQUARE(8, uint8_t, 16)
SQUARE(16, uint16_t, 8)
SQUARE(32, uint32_t, 4)
SQUARE(64, uint64_t, 2)

#endif
