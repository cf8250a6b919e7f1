/* The text of single numbers, and the common width of many: NumPy's rules (numpy.array2string), stage by stage.
 * Contract: format.h. */
#include "format.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Where each dtype changes to exponents. An array does when its largest number is at least `large`, when the smallest
 * is below `small`, or when their quotient, rounded in the dtype, is above 1000: the half step of float16 there is
 * 0.25. */
struct limits {
    sta_dtype dtype;
    double large, small, quotient, scalar_large;
};
static const struct limits limits[] = {
    {STA_float16, 1e3, 0.00010001659393310547, 1000.25, 1e3},
    {STA_bfloat16, 1e2, 0.0001, 1000, 1e2},
    {STA_float32, 1e6, 0.0001f, 1000, 1e6},
    {STA_float64, 1e8, 0.0001, 1000, 1e16},
};

static const struct limits *limits_of(sta_dtype dtype)
{
    for (int i = 0; i < 3; i++)
        if (limits[i].dtype == dtype)
            return &limits[i];
    return &limits[3];
}

/* ---- one real number ---- */

static int put(char *to, char c, int count)
{
    memset(to, c, count > 0 ? (size_t)count : 0);
    return count > 0 ? count : 0;
}

static int put_digits(char *to, const char *digits, int count)
{
    memcpy(to, digits, count > 0 ? (size_t)count : 0);
    return count > 0 ? count : 0;
}

static int put_sign(char *to, const struct sta__real *real, char sign)
{
    return real->negative ? put(to, '-', 1) : sign == '+' ? put(to, '+', 1) : 0;
}

static int put_infinite(char *to, const struct sta__real *real, char sign, const char *nan, const char *infinity)
{
    int length = real->nan && sign != '+' ? 0 : real->nan ? put(to, '+', 1) : put_sign(to, real, sign);
    const char *word = real->nan ? nan : infinity;
    return length + put_digits(to + length, word, (int)strlen(word));
}

/* The digits behind the point, from `first` zeros on: as many as the layout wants. */
static int put_fraction(char *to, const char *digits, int count, int zeros, const struct sta__layout *layout)
{
    int length = put(to, '0', zeros);
    length += put_digits(to + length, digits, count);
    int wanted = layout->unique ? layout->least : layout->precision;
    if (layout->trim)
        while (length > 0 && to[length - 1] == '0')
            length--;
    else
        length += put(to + length, '0', wanted - length);
    return length;
}

static int put_positional(char *to, const struct sta__real *real, const struct sta__layout *layout)
{
    struct sta__digits digits;
    struct sta__digit_rule rule = {layout->unique, true, layout->precision, layout->least};
    sta__digits_of(real, rule, &digits);
    int whole = digits.exponent < 0 ? 0 : digits.exponent + 1;
    int given = whole < digits.count ? whole : digits.count;
    int lead = layout->left - (whole ? whole : 1) - (real->negative || layout->sign == '+');
    int length = put(to, ' ', lead);
    length += put_sign(to + length, real, layout->sign);
    if (whole == 0)
        length += put(to + length, '0', 1);
    length += put_digits(to + length, digits.at, given);
    length += put(to + length, '0', whole - given);
    to[length++] = '.';
    int fraction = put_fraction(to + length, digits.at + given, digits.count - given, -1 - digits.exponent, layout);
    length += fraction;
    return length + put(to + length, ' ', layout->right - fraction);
}

static int put_scientific(char *to, const struct sta__real *real, const struct sta__layout *layout)
{
    struct sta__digits digits;
    struct sta__digit_rule rule = {layout->unique, false, layout->precision < 0 ? -1 : layout->precision + 1,
                                   layout->least < 0 ? -1 : layout->least + 1};
    sta__digits_of(real, rule, &digits);
    int length = put(to, ' ', layout->left - 1 - (real->negative || layout->sign == '+'));
    length += put_sign(to + length, real, layout->sign);
    to[length++] = digits.at[0];
    to[length++] = '.';
    length += put_fraction(to + length, digits.at + 1, digits.count - 1, 0, layout);
    int width = layout->exponent_digits > 2 ? layout->exponent_digits : 2;
    return length + snprintf(to + length, 16, "e%c%0*d", digits.exponent < 0 ? '-' : '+', width,
                             digits.exponent < 0 ? -digits.exponent : digits.exponent);
}

/* ---- the first pass over many ---- */

struct range {
    double least, largest; /* of the finite ones that are not 0 */
    bool any, finite, infinite, negative, negative_infinity;
};

static void look(struct range *range, const struct sta__real *real)
{
    range->finite |= real->finite;
    range->infinite |= !real->finite;
    range->negative |= real->finite && real->negative;
    range->negative_infinity |= !real->finite && !real->nan && real->negative;
    if (!real->finite || real->mantissa == 0)
        return;
    double size = sta__real_size(real);
    if (!range->any || size < range->least)
        range->least = size;
    if (!range->any || size > range->largest)
        range->largest = size;
    range->any = true;
}

static bool wants_exponents(const struct range *range, sta_dtype dtype, bool suppress)
{
    const struct limits *at = limits_of(dtype);
    if (!range->any)
        return false;
    double quotient =
        dtype == STA_float64 ? range->largest / range->least : (double)((float)range->largest / (float)range->least);
    return range->largest >= at->large || (!suppress && (range->least < at->small || quotient > at->quotient));
}

/* Longest parts of the texts of a first pass: before the point, behind it, the exponent with its sign. */
static void measure(const char *text, int length, int *left, int *right, int *exponent)
{
    int point = 0, e;
    while (text[point] != '.')
        point++;
    for (e = point + 1; e < length && text[e] != 'e';)
        e++;
    *left = point > *left ? point : *left;
    *right = e - point - 1 > *right ? e - point - 1 : *right;
    *exponent = length - e - 2 > *exponent ? length - e - 2 : *exponent;
}

static int put_real(char *to, const struct sta__real *real, const struct sta__real_format *format)
{
    const struct sta__layout *layout = &format->layout;
    if (real->finite)
        return format->scientific ? put_scientific(to, real, layout) : put_positional(to, real, layout);
    char text[STA__WORD + 2];
    int length = put_infinite(text, real, layout->sign, layout->nan, layout->infinity);
    int lead = put(to, ' ', layout->left + layout->right + 1 - length);
    return lead + put_digits(to + lead, text, length);
}

/* Real numbers `stride` bytes apart. */
struct column {
    sta_dtype dtype;
    const char *data;
    int64_t count;
    size_t stride;
};

static struct sta__real column_at(const struct column *column, int64_t i)
{
    return sta__real_of(column->dtype, column->data + (size_t)i * column->stride);
}

static void measure_column(struct sta__real_format *format, const struct column *column)
{
    struct sta__layout *layout = &format->layout;
    int left = 0, right = 0, exponent = 0;
    for (int64_t i = 0; i < column->count; i++) {
        char text[STA__NUMBER];
        struct sta__real real = column_at(column, i);
        if (real.finite)
            measure(text, put_real(text, &real, format), &left, &right, &exponent);
    }
    layout->left = left;
    layout->right = right;
    layout->exponent_digits = exponent;
}

static void fill_real(struct sta__real_format *format, const struct column *column, char sign,
                      const sta_print_options *options)
{
    struct sta__layout *layout = &format->layout;
    struct range range = {.any = false};
    for (int64_t i = 0; i < column->count; i++) {
        struct sta__real real = column_at(column, i);
        look(&range, &real);
    }
    bool fixed = options->float_mode == STA_FLOAT_FIXED;
    *layout =
        (struct sta__layout){.sign = sign, .unique = !fixed, .trim = !fixed, .least = -1, .left = -1, .right = -1};
    layout->nan = options->nanstr;
    layout->infinity = options->infstr;
    layout->precision = options->float_mode == STA_FLOAT_UNIQUE ? -1 : options->precision;
    format->scientific = wants_exponents(&range, column->dtype, options->suppress);
    measure_column(format, column);
    if (range.finite) {
        bool even = format->scientific || fixed || options->float_mode == STA_FLOAT_MAXPREC_EQUAL;
        layout->least = even ? layout->right : 0;
        layout->precision = even ? layout->right : layout->precision;
        layout->trim = !even;
    }
    if (format->scientific)
        layout->right += layout->exponent_digits + 2;
    if (sign == ' ' && !range.negative)
        layout->left++;
    int infinite = (int)strlen(layout->infinity) + (sign != '-' || range.negative_infinity);
    if (infinite < (int)strlen(layout->nan))
        infinite = (int)strlen(layout->nan);
    if (range.infinite && layout->left + layout->right + 1 < infinite)
        layout->left = infinite - layout->right - 1;
}

static int integer_text(sta_dtype dtype, const void *element, char sign, char to[24])
{
    int64_t value = 0;
    uint64_t natural = 0;
    switch (dtype) {
    case STA_int8:
        value = *(const int8_t *)element;
        break;
    case STA_int16:
        value = *(const int16_t *)element;
        break;
    case STA_int32:
        value = *(const int32_t *)element;
        break;
    case STA_int64:
        value = *(const int64_t *)element;
        break;
    case STA_uint8:
        natural = *(const uint8_t *)element;
        break;
    case STA_uint16:
        natural = *(const uint16_t *)element;
        break;
    case STA_uint32:
        natural = *(const uint32_t *)element;
        break;
    default:
        natural = *(const uint64_t *)element;
        break;
    }
    const char *plus = sign == '+' ? "+" : sign == ' ' ? " " : "";
    if (value < 0)
        return snprintf(to, 24, "%" PRId64, value);
    return snprintf(to, 24, "%s%" PRIu64, plus, natural + (uint64_t)value);
}

static const struct {
    sta_dtype dtype;
    uint8_t bytes, kind;
} facts[] = {
#define STA_DTYPE(name, number, storage, brief, kind, typestr)                                                         \
    [number] = {STA_##name, sizeof(storage), STA__KIND_##kind},
#include <starray/dtypes.def>
#undef STA_DTYPE
};

/* NumPy widens the columns of sign ' ' only where no number is negative. */
static void fill_integers(struct sta__number_format *format, const char *data, int64_t count)
{
    char text[24];
    size_t bytes = facts[format->dtype].bytes;
    bool negative = false;
    for (int64_t i = 0; i < count; i++) {
        integer_text(format->dtype, data + (size_t)i * bytes, '-', text);
        negative |= text[0] == '-';
    }
    if (format->sign == ' ' && negative)
        format->sign = '-';
    for (int64_t i = 0; i < count; i++) {
        int length = integer_text(format->dtype, data + (size_t)i * bytes, format->sign, text);
        format->width = length > format->width ? length : format->width;
    }
}

void sta__number_format(struct sta__number_format *format, sta_dtype dtype, const void *data, int64_t count, int ndim,
                        const sta_print_options *options)
{
    bool scalar = ndim == 0 && !options->repr;
    *format = (struct sta__number_format){.dtype = dtype, .scalar = scalar, .flat = ndim == 0};
    format->sign = scalar ? '-' : options->sign;
    enum sta__kind kind = facts[dtype].kind;
    size_t bytes = facts[dtype].bytes;
    if (scalar || kind == STA__KIND_BOOL)
        return;
    if (kind == STA__KIND_SIGNED || kind == STA__KIND_UNSIGNED) {
        fill_integers(format, data, count);
        return;
    }
    bool complex = kind == STA__KIND_COMPLEX;
    sta_dtype real = dtype == STA_complex64 ? STA_float32 : dtype == STA_complex128 ? STA_float64 : dtype;
    fill_real(&format->real[0], &(struct column){real, data, count, bytes}, options->sign, options);
    if (complex)
        fill_real(&format->real[1], &(struct column){real, (const char *)data + bytes / 2, count, bytes}, '+', options);
}

/* ---- the second pass ---- */

/* As str of a NumPy scalar: all digits, "1.0" but "1e+16"; the parts of complex numbers without ".0". */
static int scalar_real(char *to, sta_dtype dtype, const void *element, char sign, bool whole)
{
    struct sta__real real = sta__real_of(dtype, element);
    if (!real.finite)
        return put_infinite(to, &real, sign, "nan", "inf");
    double size = sta__real_size(&real);
    struct sta__layout layout = {
        .sign = sign, .unique = true, .trim = true, .precision = -1, .least = -1, .left = -1, .right = -1};
    if (size == 0 || (size >= 1e-4 && size < limits_of(dtype)->scalar_large)) {
        int length = put_positional(to, &real, &layout);
        if (to[length - 1] == '.' && whole)
            return length - 1;
        return to[length - 1] == '.' ? length + put(to + length, '0', 1) : length;
    }
    int length = put_scientific(to, &real, &layout);
    char *point = strchr(to, '.');
    if (point[1] != 'e')
        return length;
    memmove(point, point + 1, (size_t)(to + length - point));
    return length - 1;
}

static int scalar_complex(char *to, sta_dtype dtype, const char *element)
{
    sta_dtype part = dtype == STA_complex64 ? STA_float32 : STA_float64;
    struct sta__real real = sta__real_of(part, element);
    const char *imaginary = element + facts[dtype].bytes / 2;
    bool alone = real.finite && real.mantissa == 0 && !real.negative;
    int length = 0;
    if (!alone) {
        length += put(to, '(', 1);
        length += scalar_real(to + length, part, element, '-', true);
    }
    length += scalar_real(to + length, part, imaginary, alone ? '-' : '+', true);
    return length + put_digits(to + length, "j)", alone ? 1 : 2);
}

/* The j stands before the spaces that fill the column. */
static int complex_text(const struct sta__number_format *format, const struct sta__real *real,
                        const struct sta__real *imaginary, char *to)
{
    int length = put_real(to, real, &format->real[0]);
    int end = length + put_real(to + length, imaginary, &format->real[1]), last = end;
    while (to[last - 1] == ' ')
        last--;
    memmove(to + last + 1, to + last, (size_t)(end - last));
    to[last] = 'j';
    return end + 1;
}

static int text_of(const struct sta__number_format *format, const char *element, char *to)
{
    sta_dtype dtype = format->dtype;
    enum sta__kind kind = facts[dtype].kind;
    if (kind == STA__KIND_BOOL)
        return snprintf(to, STA__NUMBER, "%s", !*element ? "False" : format->flat ? "True" : " True");
    if (kind == STA__KIND_SIGNED || kind == STA__KIND_UNSIGNED) {
        char text[24];
        int length = integer_text(dtype, element, format->sign, text);
        int lead = put(to, ' ', format->width - length);
        return lead + put_digits(to + lead, text, length);
    }
    if (kind == STA__KIND_FLOATING && format->scalar)
        return scalar_real(to, dtype, element, '-', false);
    if (format->scalar)
        return scalar_complex(to, dtype, element);
    sta_dtype part = dtype == STA_complex64 ? STA_float32 : dtype == STA_complex128 ? STA_float64 : dtype;
    struct sta__real real = sta__real_of(part, element);
    if (kind == STA__KIND_FLOATING)
        return put_real(to, &real, &format->real[0]);
    struct sta__real imaginary = sta__real_of(part, element + facts[dtype].bytes / 2);
    return complex_text(format, &real, &imaginary, to);
}

int sta__number_text(const struct sta__number_format *format, const void *element, char to[STA__NUMBER])
{
    int length = text_of(format, element, to);
    to[length] = '\0';
    return length;
}
