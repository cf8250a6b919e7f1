"""Histograms by NumPy, for tests/histogram.c: x, p = (bins, has_range, lo, hi, density, exact), perhaps b (edges) and
w (weights), and what it gives: h (counts) and e (edges); each with a number."""
import numpy as np


def make(rng):
    cases = {}

    def case(x, bins=10, range=None, weights=None, density=False, exact=True):
        k = len(cases)
        counts, edges = np.histogram(x, bins, range, density, weights)
        explicit = np.ndim(bins) == 1
        lo, hi = range or (0, 0)
        p = np.array([0 if explicit else bins, range is not None, lo, hi, density, exact], float)
        cases[k] = {"x": np.asarray(x), "p": p, "h": counts, "e": edges}
        if explicit:
            cases[k]["b"] = bins
        if weights is not None:
            cases[k]["w"] = weights

    case(np.array([337.0, 404, 739, 806, 1007, 1811, 2012]), 8296, (2, 2280))
    case(np.array([0.999, 1, 1.001, 1.099, 1.1, 1.101]), 10, (0.9, 1.1))
    case(np.array([0.0, 0, 0, 1, 2, 3, 3, 4, 5]), 30, (-0.5, 5))
    case(np.array([np.nan, np.inf, 1]), 2, (0, 2))
    case(np.zeros(0))
    case(np.zeros((3, 0), "f4"), 3)
    case(np.float64(3))
    case(np.full(7, 2, "i4"))
    case(np.full(5, 1e-3, "f4"), 3)
    case(np.arange(12).reshape(3, 4), 5)
    case(np.array([True, False, True]), 4)
    for dtype in "f4 f8 i1 u1 i2 u2 i4 u4 i8 u8".split():
        x = (rng.normal(size=(9, 11)) * 20 + (60 if dtype[0] == "u" else 0)).clip(-100, 120)
        x = np.abs(x).astype(dtype) if dtype[0] == "u" else x.astype(dtype)
        for bins in (1, 10, 64, 65, 1030):
            case(x, bins)
        case(x, 7, (-5.5, 30.25))
        case(x, 8, density=True, exact=False)
        case(x, np.array([-9.0, -1, 0, 0, 2.5, 60]))
        case(x, np.sort(rng.normal(size=40) * 30))
        case(x, np.arange(-3, 70, 2))
        case(x, np.array([5.0]))
        case(x, np.zeros(0, "f4"))
        w = rng.normal(size=x.shape)
        case(x, 9, weights=w, exact=False)
        case(x, 9, weights=w.astype("f4"), exact=False)
        case(x, 9, weights=(w * 9).astype("i2"))
        case(x, 9, weights=w > 0)
        case(x, 9, weights=w + 1j * w * w, exact=False)
        case(x, 5, (0, 9), w * w, True, exact=False)
    case(np.arange(256, dtype="u1").repeat(5), 100)
    case(np.round(rng.normal(size=300), 1), 44, (-2.2, 2.2))
    case((rng.random(300) * 64).astype("i8").astype("f4") / 64, 64, (0, 1))
    case(np.array([2**63 - 1, 2**53, 2**53 + 1]), np.array([0, 2**53, 2**53 + 1, 2**63 - 1]))
    case(np.array([2**64 - 1, 2**53 + 1], "u8"), np.array([0, 2**53 + 1, 2**63, 2**64 - 1], "u8"))
    return {f"{letter}{k}": value for k, case in cases.items() for letter, value in case.items()}
