/* Reference values of element-wise functions in MPFR, for ulp.c. A row without an entry here is checked against its
 * own text in long double.
 */
#include <mpfr.h>

static int deg2rad(mpfr_t to, const mpfr_t x, mpfr_rnd_t round)
{
    mpfr_const_pi(to, round);
    mpfr_mul(to, to, x, round);
    return mpfr_div_si(to, to, 180, round);
}

static int rad2deg(mpfr_t to, const mpfr_t x, mpfr_rnd_t round)
{
    mpfr_const_pi(to, round);
    mpfr_div(to, x, to, round);
    return mpfr_mul_si(to, to, 180, round);
}

static int expit(mpfr_t to, const mpfr_t x, mpfr_rnd_t round)
{
    mpfr_neg(to, x, round);
    mpfr_exp(to, to, round);
    mpfr_add_si(to, to, 1, round);
    return mpfr_si_div(to, 1, to, round);
}

/* Of integers 0, as the row says; elsewhere with so many bits that pi x has no error that shows. */
static int sinc(mpfr_t to, const mpfr_t x, mpfr_rnd_t round)
{
    if (mpfr_zero_p(x))
        return mpfr_set_si(to, 1, round);
    if (mpfr_integer_p(x))
        return mpfr_set_si(to, 0, round);
    mpfr_t angle;
    mpfr_init2(angle, 1400);
    mpfr_const_pi(angle, round);
    mpfr_mul(angle, angle, x, round);
    mpfr_sin(to, angle, round);
    const int way = mpfr_div(to, to, angle, round);
    mpfr_clear(angle);
    return way;
}

static int bessel_i0(mpfr_t to, const mpfr_t x, mpfr_rnd_t round)
{
    if (!mpfr_number_p(x) || mpfr_cmpabs_ui(x, 800) > 0) {
        mpfr_abs(to, x, round);
        return mpfr_exp(to, to, round);
    }
    mpfr_t term, quarter;
    mpfr_inits2(200, term, quarter, (mpfr_ptr)0);
    mpfr_sqr(quarter, x, round);
    mpfr_div_si(quarter, quarter, 4, round);
    mpfr_set_si(to, 1, round);
    mpfr_set_si(term, 1, round);
    for (long k = 1; !mpfr_zero_p(term) && mpfr_get_exp(term) > mpfr_get_exp(to) - 100; k++) {
        mpfr_mul(term, term, quarter, round);
        mpfr_div_si(term, term, k * k, round);
        mpfr_add(to, to, term, round);
    }
    mpfr_clears(term, quarter, (mpfr_ptr)0);
    return 0;
}

static int log_gamma(mpfr_t to, const mpfr_t x, mpfr_rnd_t round)
{
    int sign;
    return mpfr_lgamma(to, &sign, x, round);
}

typedef int (*reference_function)(mpfr_t, const mpfr_t, mpfr_rnd_t);
typedef int (*add_function)(mpfr_t, const mpfr_t, mpfr_rnd_t);

static int add_by(mpfr_t to, const mpfr_t x, const mpfr_t y, add_function raise, add_function log_of, mpfr_rnd_t round)
{
    const mpfr_srcptr larger = mpfr_cmp(x, y) >= 0 ? x : y;
    if (mpfr_nan_p(x) || mpfr_nan_p(y))
        return mpfr_set_nan(to), 0;
    if (mpfr_inf_p(larger))
        return mpfr_set(to, larger, round);
    mpfr_sub(to, x, y, round);
    mpfr_abs(to, to, round);
    mpfr_neg(to, to, round);
    raise(to, to, round);
    log_of(to, to, round);
    return mpfr_add(to, to, larger, round);
}

static int logaddexp(mpfr_t to, const mpfr_t x, const mpfr_t y, mpfr_rnd_t round)
{
    return add_by(to, x, y, mpfr_exp, mpfr_log1p, round);
}

static int logaddexp2(mpfr_t to, const mpfr_t x, const mpfr_t y, mpfr_rnd_t round)
{
    return add_by(to, x, y, mpfr_exp2, mpfr_log2p1, round);
}

static const struct reference {
    int op;
    reference_function one;
    int (*two)(mpfr_t, const mpfr_t, const mpfr_t, mpfr_rnd_t);
} references[] = {
    {STA__OP_sin, mpfr_sin, NULL},       {STA__OP_cos, mpfr_cos, NULL},        {STA__OP_tan, mpfr_tan, NULL},
    {STA__OP_arcsin, mpfr_asin, NULL},   {STA__OP_arccos, mpfr_acos, NULL},    {STA__OP_arctan, mpfr_atan, NULL},
    {STA__OP_sinh, mpfr_sinh, NULL},     {STA__OP_cosh, mpfr_cosh, NULL},      {STA__OP_tanh, mpfr_tanh, NULL},
    {STA__OP_arcsinh, mpfr_asinh, NULL}, {STA__OP_arccosh, mpfr_acosh, NULL},  {STA__OP_arctanh, mpfr_atanh, NULL},
    {STA__OP_exp, mpfr_exp, NULL},       {STA__OP_exp2, mpfr_exp2, NULL},      {STA__OP_expm1, mpfr_expm1, NULL},
    {STA__OP_log, mpfr_log, NULL},       {STA__OP_log2, mpfr_log2, NULL},      {STA__OP_log10, mpfr_log10, NULL},
    {STA__OP_log1p, mpfr_log1p, NULL},   {STA__OP_sqrt, mpfr_sqrt, NULL},      {STA__OP_cbrt, mpfr_cbrt, NULL},
    {STA__OP_erf, mpfr_erf, NULL},       {STA__OP_erfc, mpfr_erfc, NULL},      {STA__OP_gamma, mpfr_gamma, NULL},
    {STA__OP_lgamma, log_gamma, NULL},   {STA__OP_i0, bessel_i0, NULL},        {STA__OP_sinc, sinc, NULL},
    {STA__OP_expit, expit, NULL},        {STA__OP_deg2rad, deg2rad, NULL},     {STA__OP_rad2deg, rad2deg, NULL},
    {STA__OP_power, NULL, mpfr_pow},     {STA__OP_hypot, NULL, mpfr_hypot},    {STA__OP_arctan2, NULL, mpfr_atan2},
    {STA__OP_fmod, NULL, mpfr_fmod},     {STA__OP_logaddexp, NULL, logaddexp}, {STA__OP_logaddexp2, NULL, logaddexp2},
};
