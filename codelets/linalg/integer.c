/* Products of integers and of bool: wrapping in the dtype of the result. */
#include "linalg.h"
#include "loops.h"

#include <string.h>

enum { BLOCK_ROWS = 128, BLOCK_DEPTH = 256 };

/* Element (i, j) is at data + (i * row + j * column) * bytes. */
struct operand {
    const char *data;
    int64_t row, column;
    size_t bytes;
    bool truth; /* bool: any byte but 0 is 1 */
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static struct operand operand_a(const struct sta__product *p)
{
    const int64_t row = p->a_transposed ? 1 : p->a_pitch, column = p->a_transposed ? p->a_pitch : 1;
    return (struct operand){p->a, row, column, sta_itemsize(p->dtype), p->dtype == STA_bool};
}

static struct operand operand_b(const struct sta__product *p)
{
    const int64_t row = p->b_transposed ? 1 : p->b_pitch, column = p->b_transposed ? p->b_pitch : 1;
    return (struct operand){p->b, row, column, sta_itemsize(p->dtype), p->dtype == STA_bool};
}

static inline uint64_t word_at(const struct operand *from, int64_t i, int64_t j)
{
    const int64_t at = i * from->row + j * from->column;
    switch (from->bytes) {
    case 1:
        return from->truth ? ((const uint8_t *)from->data)[at] != 0 : ((const uint8_t *)from->data)[at];
    case 2:
        return ((const uint16_t *)(const void *)from->data)[at];
    case 4:
        return ((const uint32_t *)(const void *)from->data)[at];
    default:
        return ((const uint64_t *)(const void *)from->data)[at];
    }
}

/* Bool is a sum of "and": it is true if the sum is not 0 (words of 32 bits do not wrap within a block). */
static inline void put_word(const struct sta__product *p, int64_t i, int64_t j, uint64_t sum, bool add)
{
    const int64_t at = i * p->c_pitch + j;
    uint8_t *c = (uint8_t *)p->c;
    if (p->dtype == STA_bool)
        c[at] = (uint8_t)(sum != 0 || (add && c[at]));
    else if (sta_itemsize(p->dtype) == 1)
        c[at] = (uint8_t)(sum + (add ? c[at] : 0));
    else if (sta_itemsize(p->dtype) == 2)
        ((uint16_t *)(void *)c)[at] = (uint16_t)(sum + (add ? ((uint16_t *)(void *)c)[at] : 0));
    else if (sta_itemsize(p->dtype) == 4)
        ((uint32_t *)(void *)c)[at] = (uint32_t)(sum + (add ? ((uint32_t *)(void *)c)[at] : 0));
    else
        ((uint64_t *)(void *)c)[at] = sum + (add ? ((uint64_t *)(void *)c)[at] : 0);
}

#define WORD uint16_t
#define LOOP u16
#define NAME(x) x##_u16
#include "integer.inc.h"
#undef WORD
#undef LOOP
#undef NAME

#define WORD uint32_t
#define LOOP u32
#define NAME(x) x##_u32
#include "integer.inc.h"
#undef WORD
#undef LOOP
#undef NAME

#define WORD uint64_t
#define LOOP u64
#define NAME(x) x##_u64
#include "integer.inc.h"

bool sta__product_integer(const struct sta__product *p)
{
    const struct sta__product_loops *loops = STA__BEST_ISA(sta__product_loops);
    const size_t bytes = sta_itemsize(p->dtype);
    if (bytes == 8)
        return product_u64(p, loops);
    if (bytes == 4 || p->dtype == STA_bool)
        return product_u32(p, loops);
    return product_u16(p, loops);
}
