/* The shapes of a product. */
#include "product.h"

static void does_not_fit(struct sta__matmul *p, const char *why, int64_t left, int64_t right)
{
    char a[STA__SHAPE_TEXT], b[STA__SHAPE_TEXT];
    sta__shape_text(&p->a.shape, a, sizeof a);
    sta__shape_text(&p->b.shape, b, sizeof b);
    if (why)
        sta__fail(&p->call, STA_ERROR_SHAPE, "shapes %s and %s do not align: %s", a, b, why);
    else
        sta__fail(&p->call, STA_ERROR_SHAPE, "shapes %s and %s do not align: %lld != %lld", a, b, (long long)left,
                  (long long)right);
}

static int64_t product_of(const struct sta__shape *shape, int count)
{
    int64_t product = 1;
    for (int i = 0; i < count; i++)
        product *= shape->at[i];
    return product;
}

/* The axes before the matrix, broadcast; true where they fit. */
static bool stacks(const struct sta__matmul *p, struct sta__shape *to)
{
    struct sta__shape a = p->a.shape, b = p->b.shape;
    a.ndim = p->a.vector ? 0 : a.ndim - 2;
    b.ndim -= 2;
    *to = a;
    return sta__broadcast(to, &b);
}

bool sta__product_align(struct sta__matmul *p)
{
    const struct sta__shape *a = &p->a.shape, *b = &p->b.shape;
    int64_t size;
    if (a->ndim == 0 || b->ndim == 0) {
        does_not_fit(p, "a scalar is no matrix (use multiply)", 0, 0);
        return false;
    }
    p->a.vector = a->ndim == 1;
    p->b.vector = b->ndim == 1;
    p->k = a->at[a->ndim - 1];
    const int64_t inner = p->b.vector ? b->at[0] : b->at[b->ndim - 2];
    p->n = p->b.vector ? 1 : b->at[b->ndim - 1];
    p->stacked = b->ndim > 2;
    p->shape = *a;
    p->shape.ndim--;
    p->m = product_of(a, a->ndim - 1);
    p->stack = 1;
    if (p->k != inner) {
        does_not_fit(p, NULL, p->k, inner);
    } else if (p->stacked) {
        p->m = p->a.vector ? 1 : a->at[a->ndim - 2];
        if (!stacks(p, &p->shape))
            does_not_fit(p, "their stacks do not broadcast", 0, 0);
        else
            p->stack = product_of(&p->shape, p->shape.ndim);
        if (!p->a.vector)
            p->shape.at[p->shape.ndim++] = p->m;
    }
    if (!p->call.error && !p->b.vector)
        p->shape.at[p->shape.ndim++] = p->n;
    if (!p->call.error && !sta__shape_size(&p->shape, &size))
        sta__fail(&p->call, STA_ERROR_TOO_LARGE, "the result has more elements than 64 bits count");
    return !p->call.error;
}

void sta__product_untranspose(struct sta__side *side)
{
    const struct sta__view *view = &side->operand.view;
    const struct sta__value *value = side->operand.value;
    if (view->shape.ndim != 2 || view->store_ndim != 2 || value->shape.ndim != 2)
        return;
    for (int s = 0; s < 2; s++)
        if (view->map[s].axis != 1 - s || view->map[s].step != 1 || view->map[s].offset != 0 ||
            view->shape.at[1 - s] != value->shape.at[s])
            return;
    side->transposed = true;
    side->operand.view = sta__identity_view(&value->shape);
}
