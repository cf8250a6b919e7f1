/* One call of matmul. */
#ifndef STA__PRODUCT_H
#define STA__PRODUCT_H

#include "blocks.h"

struct sta__side {
    struct sta__operand operand; /* as it is stored, where it is transposed */
    struct sta__shape shape;     /* as it is multiplied */
    bool vector, transposed;
    struct sta__value *value;
};
struct sta__matmul {
    struct sta__call call;
    struct sta__side a, b;
    bool stacked, now;
    sta_dtype operands, dtype; /* of the multiplication; those of 16 bits are multiplied as float32 */
    int64_t m, n, k, stack;
    struct sta__shape shape; /* of the result */
    struct sta__blocks blocks;
    struct sta__grid *a_grid, *b_grid, *c_grid;
    struct sta__batch *batch;
};

/* m, n, k and the shape of the result; false: the shapes do not fit. */
bool sta__product_align(struct sta__matmul *p);
/* A whole matrix seen transposed is multiplied as it lies. */
void sta__product_untranspose(struct sta__side *side);

#endif
