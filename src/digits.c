/* Decimal digits of floating-point numbers, by long division of large integers (Steele and White 1990): the remainder
 * is compared with half the distance to the neighbouring numbers, and the digits end where one of them is enough. */
#include "digits.h"

#include <math.h>
#include <string.h>

/* ---- natural numbers of up to 1408 bits: float64 needs 1130, and a digit more ---- */

enum { LIMBS = 44 };
struct natural {
    int count; /* limbs in use; the last is not 0 */
    uint32_t limb[LIMBS];
};

static void set(struct natural *to, uint64_t value)
{
    to->limb[0] = (uint32_t)value;
    to->limb[1] = (uint32_t)(value >> 32);
    to->count = to->limb[1] ? 2 : to->limb[0] ? 1 : 0;
}

static void multiply(struct natural *x, uint32_t by)
{
    uint64_t carry = 0;
    for (int i = 0; i < x->count; i++) {
        carry += (uint64_t)x->limb[i] * by;
        x->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        x->limb[x->count++] = (uint32_t)carry;
}

static void multiply_by_power_of_10(struct natural *x, int power)
{
    for (; power >= 9; power -= 9)
        multiply(x, 1000000000);
    for (; power > 0; power--)
        multiply(x, 10);
}

static void shift(struct natural *x, int bits)
{
    if (x->count == 0)
        return;
    int limbs = bits / 32;
    memmove(x->limb + limbs, x->limb, (size_t)x->count * sizeof *x->limb);
    memset(x->limb, 0, (size_t)limbs * sizeof *x->limb);
    x->count += limbs;
    multiply(x, UINT32_C(1) << (bits % 32));
}

static int compare(const struct natural *a, const struct natural *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static void add(struct natural *a, const struct natural *b)
{
    uint64_t carry = 0;
    int count = a->count > b->count ? a->count : b->count;
    for (int i = 0; i < count; i++) {
        carry += (uint64_t)(i < a->count ? a->limb[i] : 0) + (i < b->count ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    a->count = count;
    if (carry)
        a->limb[a->count++] = (uint32_t)carry;
}

/* a -= b, for a >= b. */
static void subtract(struct natural *a, const struct natural *b)
{
    int64_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        borrow += (int64_t)a->limb[i] - (i < b->count ? b->limb[i] : 0);
        a->limb[i] = (uint32_t)borrow;
        borrow = borrow < 0 ? -1 : 0;
    }
    while (a->count > 0 && a->limb[a->count - 1] == 0)
        a->count--;
}

/* ---- numbers taken apart ---- */

struct sta__real sta__real_of(sta_dtype dtype, const void *bits)
{
    static const struct {
        sta_dtype dtype;
        int mantissa, exponent;
    } layouts[] = {{STA_float16, 10, 5}, {STA_bfloat16, 7, 8}, {STA_float32, 23, 8}, {STA_float64, 52, 11}};
    int i = 0;
    while (layouts[i].dtype != dtype && i < 3)
        i++;
    int wide = layouts[i].mantissa, narrow = layouts[i].exponent;
    uint16_t half;
    uint32_t single;
    uint64_t word;
    if (wide + narrow == 15)
        memcpy(&half, bits, sizeof half), word = half;
    else if (wide + narrow == 31)
        memcpy(&single, bits, sizeof single), word = single;
    else
        memcpy(&word, bits, sizeof word);
    int largest = (1 << narrow) - 1, exponent = (int)(word >> wide) & largest;
    uint64_t mantissa = word & ((UINT64_C(1) << wide) - 1);
    struct sta__real real = {.negative = word >> (wide + narrow) & 1, .finite = exponent != largest};
    real.nan = !real.finite && mantissa != 0;
    real.nearer_below = mantissa == 0 && exponent > 1;
    real.mantissa = exponent == 0 ? mantissa : mantissa | UINT64_C(1) << wide;
    real.exponent = (exponent == 0 ? 1 : exponent) - (largest >> 1) - wide;
    return real;
}

double sta__real_size(const struct sta__real *real)
{
    return ldexp((double)real->mantissa, real->exponent);
}

/* ---- digits ---- */

/* The number is value / scale * 10^exponent, 0.1 <= value / scale < 1 (or less where the rule begins later); its
 * neighbours are nearer than `below` and `above` (over scale, too) where a decimal still names it. */
struct division {
    struct natural value, scale, below, above;
    int exponent;
    bool even; /* ties round to it: the margins themselves belong to it */
};

/* Where only the half way to a neighbour decides, everything is taken twice, or four times, to stay whole. */
static void set_up(struct division *d, const struct sta__real *real)
{
    int unit = real->nearer_below ? 2 : 1;
    int up = real->exponent > 0 ? real->exponent : 0, down = real->exponent < 0 ? -real->exponent : 0;
    set(&d->value, real->mantissa);
    set(&d->scale, 1);
    set(&d->below, 1);
    set(&d->above, 1);
    shift(&d->value, up + unit);
    shift(&d->scale, down + unit);
    shift(&d->below, up);
    shift(&d->above, up + unit - 1);
    d->even = real->mantissa % 2 == 0;
}

static void multiply_value(struct division *d, int power)
{
    multiply_by_power_of_10(&d->value, power);
    multiply_by_power_of_10(&d->below, power);
    multiply_by_power_of_10(&d->above, power);
}

static void scale_down(struct division *d, const struct sta__real *real, struct sta__digit_rule rule)
{
    int top = 63;
    while (!(real->mantissa >> top & 1))
        top--;
    d->exponent = (int)floor((top + real->exponent) * 0.301029995663981195) + 1; /* right, or 1 too small */
    if (rule.fraction && rule.most >= 0 && d->exponent <= -rule.most)
        d->exponent = 1 - rule.most;
    if (d->exponent > 0)
        multiply_by_power_of_10(&d->scale, d->exponent);
    else
        multiply_value(d, -d->exponent);
    if (compare(&d->value, &d->scale) >= 0) {
        multiply(&d->scale, 10);
        d->exponent++;
    }
}

static char next_digit(struct division *d)
{
    char digit = 0;
    multiply(&d->value, 10);
    for (; compare(&d->value, &d->scale) >= 0; digit++)
        subtract(&d->value, &d->scale);
    /* Margins above the scale say "enough" from now on, and need not grow. */
    if (compare(&d->below, &d->scale) <= 0)
        multiply(&d->below, 10);
    if (compare(&d->above, &d->scale) <= 0)
        multiply(&d->above, 10);
    return digit;
}

/* Whether the digits so far name the number (low), or do with the last one raised (high). */
static void told_apart(const struct division *d, bool *low, bool *high)
{
    struct natural sum = d->value;
    add(&sum, &d->above);
    int below = compare(&d->value, &d->below), above = compare(&sum, &d->scale);
    *low = d->even ? below <= 0 : below < 0;
    *high = d->even ? above >= 0 : above > 0;
}

static bool rounds_up(struct division *d, char digit)
{
    shift(&d->value, 1);
    int half = compare(&d->value, &d->scale);
    return half > 0 || (half == 0 && digit % 2 == 1);
}

static void raise_last(struct sta__digits *to)
{
    while (to->count > 0 && to->at[to->count - 1] == '9')
        to->count--;
    if (to->count > 0) {
        to->at[to->count - 1]++;
        return;
    }
    to->at[to->count++] = '1';
    to->exponent++;
}

void sta__digits_of(const struct sta__real *real, struct sta__digit_rule rule, struct sta__digits *to)
{
    struct division d;
    *to = (struct sta__digits){.count = 0};
    if (real->mantissa == 0) {
        to->at[to->count++] = '0';
        return;
    }
    set_up(&d, real);
    scale_down(&d, real, rule);
    int base = rule.fraction ? 0 : d.exponent;
    int last = d.exponent - STA__DIGITS, enough = d.exponent;
    if (rule.most >= 0 && base - rule.most > last)
        last = base - rule.most;
    if (rule.least >= 0 && base - rule.least < enough)
        enough = base - rule.least;
    to->exponent = d.exponent - 1;
    for (int at = to->exponent;; at--) {
        bool low = false, high = false;
        char digit = next_digit(&d);
        to->at[to->count++] = (char)('0' + digit);
        if (rule.unique)
            told_apart(&d, &low, &high);
        if (at > last && !((low || high) && at <= enough) && (rule.unique || d.value.count > 0))
            continue;
        if (low == high ? rounds_up(&d, digit) : high)
            raise_last(to);
        break;
    }
    to->at[to->count] = '\0';
}
