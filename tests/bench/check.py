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


JOINED = {
    "concat-0": lambda i: np.concatenate([i.x, i.y], 0),
    "concat-1": lambda i: np.concatenate([i.x, i.y], 1),
    "stack": lambda i: np.stack([i.x, i.y], -1),
    "pad": lambda i: np.pad(i.x, 16),
    "reflect": lambda i: np.pad(i.x, 16, mode="reflect"),
    "tile": lambda i: np.tile(i.x, (2, 2)),
    "tile-small": lambda i: np.tile(i.x[:4, :5], (i.x.shape[0] // 4, i.x.shape[1] // 5)),
    "repeat": lambda i: np.repeat(i.x, 2, 1),
    "roll-0": lambda i: np.roll(i.x, 7, 0),
    "roll-1": lambda i: np.roll(i.x, 7, 1),
    "tril": lambda i: np.tril(i.x),
}


def w16(case, i, results, updates):
    return differs(case, results[0], JOINED[case](i), 0)  # elements are only moved


def wrong(workload, case, inputs, results, updates):
    """None, or what is wrong with the results."""
    return globals()[workload](case, inputs, results, updates)
