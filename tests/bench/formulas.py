"""Formulas that several libraries compute: of arrays and of the functions that the library has."""


def prices(s, k, t, sqrt, log, exp, erf):
    """W3: calls and puts by Black and Scholes' formula."""
    rate, volatility = 0.03, 0.25
    sigma = volatility * sqrt(t)
    d1 = (log(s / k) + (rate + volatility * volatility / 2) * t) / sigma
    d2 = d1 - sigma
    due = k * exp(-rate * t)
    call = s * (0.5 * (1 + erf(d1 * 0.7071067811865476))) - due * (0.5 * (1 + erf(d2 * 0.7071067811865476)))
    return call, call - s + due


def density(s, t, p, sqrt):
    """W4: the equation of state of sea water of 1980 (UNESCO Technical Papers in Marine Science 38)."""
    root = s * sqrt(s)
    surface = (
        (((((6.536332e-9 * t - 1.120083e-6) * t + 1.001685e-4) * t - 9.095290e-3) * t + 6.793952e-2) * t + 999.842594)
        + s * ((((5.3875e-9 * t - 8.2467e-7) * t + 7.6438e-5) * t - 4.0899e-3) * t + 0.824493)
        + root * ((-1.6546e-6 * t + 1.0227e-4) * t - 5.72466e-3)
        + 4.8314e-4 * (s * s)
    )
    modulus = (
        ((((-5.155288e-5 * t + 1.360477e-2) * t - 2.327105) * t + 148.4206) * t + 19652.21)
        + s * (((-6.1670e-5 * t + 1.09987e-2) * t - 0.603459) * t + 54.6746)
        + root * ((-5.3009e-4 * t + 1.6483e-2) * t + 7.944e-2)
    )
    first = (
        (((-5.77905e-7 * t + 1.16092e-4) * t + 1.43713e-3) * t + 3.239908)
        + s * ((-1.6078e-6 * t - 1.0981e-5) * t + 2.2838e-3)
        + root * 1.91075e-4
    )
    second = ((5.2787e-8 * t - 6.12293e-6) * t + 8.50935e-5) + s * ((9.1697e-10 * t + 2.0816e-8) * t - 9.9348e-7)
    return surface / (1 - p / (modulus + p * (first + p * second)))
