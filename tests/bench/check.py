"""Our results against NumPy in float64."""

import numpy as np


def differs(name, result, reference, tolerance):
    """tolerance: the largest error allowed, a number or an array."""
    if result.shape != np.shape(reference):
        return f"{name} has the shape {result.shape}, not {np.shape(reference)}"
    with np.errstate(invalid="ignore"):
        error = np.abs(result.astype(np.float64) - reference)
    bad = ~(error <= tolerance)
    if not bad.any():
        return None
    where = np.unravel_index(np.argmax(np.where(np.isnan(error), np.inf, error)), error.shape)
    return (f"{name} is wrong at {int(bad.sum())} of {bad.size} places, most at {tuple(map(int, where))}: "
            f"{float(result[where])!r}, not {float(np.asarray(reference)[where])!r}")


def wide(x):
    return x.astype(np.float64, copy=False)


def w1(case, i, results, updates):
    a, b, c = wide(i.a), wide(i.b), wide(i.c)
    if case == "slice":
        # All sums of multiples of 2^-20 are exact.
        reference = a.copy()
        reference[1:] += updates * c
    else:
        reference = {"add": lambda: a + b, "sum": a.sum, "combine": lambda: 2 * a + 3 * b}[case]()
    return differs(case, results[0], reference, 0)


def w2(case, i, results, updates):
    a, b = wide(i.a), wide(i.b)
    eps = np.finfo(i.dtype).eps
    if case == "sum":
        terms = np.sin(a) + np.cos(a)
        # Each function is within an ulp or so; the sum adds as many errors as its tree is deep.
        return differs(case, results[0], terms.sum(), 40 * eps * np.abs(terms).sum())
    reference = {
        "clip": lambda: np.clip((a - 0.5) / 2.25, -3, 3),
        "combine": lambda: 2 * a + 3 * b,
        "squares": lambda: np.sin(a) ** 2 + np.cos(a) ** 2,
    }[case]()
    return differs(case, results[0], reference, 8 * eps * (1 + np.abs(reference)))


def magnitudes(i):
    x, w = wide(i.x), wide(i.w)
    z = np.clip((x - x.mean(axis=0)) / x.std(axis=0), -3, 3)
    return np.abs(np.fft.fft(z @ w))


def w5(case, i, results, updates):
    reference = magnitudes(i)
    eps = np.finfo(i.dtype).eps
    # Rounding of x against its mean, of the product and of the transform: some eps of the largest value.
    margin = 40 * eps * reference.max()
    if case == "nohist":
        return differs("the modulus", results[0], reference, margin)
    counts, edges = results[0], wide(results[1])
    if counts.dtype != np.int64 or counts.sum() != reference.size:
        return f"counts are {counts.dtype} and {counts.sum()} in all, not int64 and {reference.size}"
    wrong = differs("edges", edges, np.linspace(reference.min(), reference.max(), 65), margin)
    if wrong:
        return wrong
    # Below an edge lies what is surely below it, and perhaps what is within the margin.
    inner = edges[1:-1]
    bounds = np.sort(np.concatenate([inner - margin, inner + margin]))
    below = np.cumsum(np.histogram(reference, np.concatenate([[-np.inf], bounds, [np.inf]]))[0])[:-1]
    least, most = below[np.searchsorted(bounds, inner - margin)], below[np.searchsorted(bounds, inner + margin)]
    ours = np.cumsum(counts)[:-1]
    bad = np.flatnonzero((ours < least) | (ours > most))
    if bad.size:
        k = int(bad[0])
        return f"{ours[k]} values lie below edge {k + 1}, not {least[k]} to {most[k]}"
    return None


def w10(case, i, results, updates):
    name, label = case.split("-")
    axis = None if label == "none" else int(label)
    # Along its last axis NumPy adds pairwise, along others one by one, which is too inexact to compare with.
    x = wide(i.x) if axis is None else np.ascontiguousarray(np.moveaxis(wide(i.x), axis, -1))
    reference = getattr(x, name)(axis=None if axis is None else -1)
    if name == "argmax":
        return differs(case, results[0], reference, 0)
    # All elements are positive, so that the errors are a fraction of the result.
    return differs(case, results[0], reference, 60 * np.finfo(i.dtype).eps * np.abs(reference))


SCANS = {
    "cumsum": lambda x, axis: np.cumsum(x, axis),
    "cumprod": lambda x, axis: np.cumprod(x, axis),
    "cummax": lambda x, axis: np.maximum.accumulate(x, axis),
    "nancumsum": lambda x, axis: np.nancumsum(x, axis),
    "diff": lambda x, axis: np.diff(x, 1, axis),
    "gradient": lambda x, axis: np.gradient(x, 0.5, axis=axis),
    "trapezoid": lambda x, axis: np.trapezoid(x, dx=0.5, axis=axis),
    "hypot": lambda x, axis: np.hypot.accumulate(x, axis),
}


def scans(case, i, results, updates):
    name, axis = case.split("-")
    reference = SCANS[name](wide(i.x), int(axis))
    # NumPy's sums are serial: their errors grow with the length, as a random walk does at best.
    length = i.x.shape[int(axis)]
    return differs(case, results[0], reference, 8 * np.finfo(i.dtype).eps * length**0.5 * np.abs(reference) + 1e-300)


def wrong(workload, case, inputs, results, updates):
    """None, or what is wrong with the results."""
    return globals()[workload](case, inputs, results, updates)
