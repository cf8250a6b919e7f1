"""Our results against NumPy in float64."""

import math

import numpy

import data
import formulas

np = numpy  # or CuPy
erf = numpy.vectorize(math.erf, otypes=[numpy.float64])


def differs(name, result, reference, tolerance):
    """tolerance: the largest error allowed, a number or an array."""
    if result.shape != np.shape(reference):
        return f"{name} has the shape {result.shape}, not {np.shape(reference)}"
    with numpy.errstate(invalid="ignore"):
        error = np.abs(result.astype(np.float64) - reference)
        error = np.where(result == reference, 0, error)  # infinities
    bad = ~(error <= tolerance)
    if not bad.any():
        return None
    where = numpy.unravel_index(int(np.argmax(np.where(np.isnan(error), np.inf, error))), error.shape)
    return (f"{name} is wrong at {int(bad.sum())} of {bad.size} places, most at {tuple(map(int, where))}: "
            f"{float(result[where])!r}, not {float(np.asarray(reference)[where])!r}")


def wide(x):
    return x.astype(np.float64, copy=False)


def fetched(x):
    return x.get() if hasattr(x, "get") else x


def put_in_order(ids, x, to):
    to = fetched(to)
    to[fetched(ids)] = fetched(x)
    return to


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


def w3(case, i, results, updates):
    some = slice(None, None, 1 + i.s.size // 1000000)  # erf is Python's
    call, put = formulas.prices(wide(i.s[some]), wide(i.k[some]), wide(i.t[some]), np.sqrt, np.log, np.exp, erf)
    margin = 20 * np.finfo(i.dtype).eps * 150  # differences of numbers up to 150
    return differs("the call", results[0][some], call, margin) or differs("the put", results[1][some], put, margin)


def w4(case, i, results, updates):
    reference = formulas.density(wide(i.s), wide(i.t), wide(i.p), np.sqrt)
    return differs(case, results[0], reference, 20 * np.finfo(i.dtype).eps * reference)


def magnitudes(i):
    x, w = wide(i.x), wide(i.w)
    z = np.clip((x - x.mean(axis=0)) / x.std(axis=0), -3, 3)
    return np.abs(np.fft.fft(z @ w))


def w5(case, i, results, updates):
    reference = magnitudes(i)
    eps = np.finfo(i.dtype).eps
    # Rounding of x against its mean, of the product and of the transform: some eps of the largest value.
    margin = float(40 * eps * reference.max())
    if case == "nohist":
        return differs("the modulus", results[0], reference, margin)
    counts, edges = results[0], wide(results[1])
    if counts.dtype != np.int64 or counts.sum() != reference.size:
        return f"counts are {counts.dtype} and {counts.sum()} in all, not int64 and {reference.size}"
    wrong = differs("edges", edges, np.linspace(float(reference.min()), float(reference.max()), 65), margin)
    if wrong:
        return wrong
    # Below an edge lies what is surely below it, and perhaps what is within the margin.
    inner = edges[1:-1]
    bounds = np.sort(np.concatenate([inner - margin, inner + margin]))
    ends = np.concatenate([np.asarray([-np.inf]), bounds, np.asarray([np.inf])])
    below = np.cumsum(np.histogram(reference, ends)[0])[:-1]
    least, most = below[np.searchsorted(bounds, inner - margin)], below[np.searchsorted(bounds, inner + margin)]
    ours = np.cumsum(counts)[:-1]
    bad = np.flatnonzero((ours < least) | (ours > most))
    if bad.size:
        k = int(bad[0])
        return f"{ours[k]} values lie below edge {k + 1}, not {least[k]} to {most[k]}"
    return None


def w6(case, i, results, updates):
    u = data.array(i.shape, np.float64, data.uniform, 1)
    for _ in range(updates):
        u[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1] + (u[1:-1, :-2] + u[1:-1, 2:])) * 0.25
    return differs(case, results[0], u, 40 * np.finfo(i.dtype).eps)


def w16(case, i, results, updates):
    x = wide(i.x)
    if case in ("put", "fill"):  # at other places y has what other rows have put there
        at = i.mask if case == "fill" else np.bincount(i.ids, minlength=x.size) > 0
        reference = np.full(x.shape, 0.25)
        if case == "put":  # the last of equal indices wins, on which CuPy does not agree with itself
            reference = np.asarray(put_in_order(i.ids, x, reference))
        return differs(case, results[0][at], reference[at], 0)
    reference = {"take": lambda: x[i.ids], "mask": lambda: x[i.mask], "nonzero": lambda: np.flatnonzero(i.mask),
                 "add": lambda: np.bincount(i.ids, x, x.size)}[case]()
    return differs(case, results[0], reference, 0)


def w10(case, i, results, updates):
    name, label = case.split("-")
    axis = None if label == "none" else int(label)
    # Along its last axis NumPy adds pairwise, along others one by one, which is too inexact to compare with.
    x = wide(i.x) if axis is None else np.ascontiguousarray(np.moveaxis(wide(i.x), axis, -1))
    reference = getattr(x, name)(axis=None if axis is None else -1)
    if name == "argmax":
        return differs(case, results[0], reference, 0)
    # No element is negative, so that the errors are a fraction of the result. Sums of float16 may be infinite.
    with np.errstate(over="ignore"):
        tolerance = 60 * np.finfo(results[0].dtype if i.dtype.kind == "f" else np.float64).eps * np.abs(reference)
        reference = reference.astype(results[0].dtype).astype(np.float64)
    return differs(case, results[0], reference, tolerance)


def on_host(function):
    """CuPy has no accumulate: what only checks may take its time."""
    return lambda x, axis: np.asarray(function(fetched(x), axis))


SCANS = {
    "cumsum": lambda x, axis: np.cumsum(x, axis),
    "cumprod": lambda x, axis: np.cumprod(x, axis),
    "cummax": on_host(lambda x, axis: numpy.maximum.accumulate(x, axis)),
    "nancumsum": lambda x, axis: np.nancumsum(x, axis),
    "diff": lambda x, axis: np.diff(x, 1, axis),
    "gradient": lambda x, axis: np.gradient(x, 0.5, axis=axis),
    "trapezoid": lambda x, axis: np.trapezoid(x, dx=0.5, axis=axis),
    "hypot": on_host(lambda x, axis: numpy.hypot.accumulate(x, axis)),
}


def scans(case, i, results, updates):
    name, axis = case.split("-")
    reference = SCANS[name](wide(i.x), int(axis))
    # NumPy's sums are serial: their errors grow with the length, as a random walk does at best.
    length = i.x.shape[int(axis)]
    return differs(case, results[0], reference, 8 * np.finfo(i.dtype).eps * length**0.5 * np.abs(reference) + 1e-300)


def w8(case, i, results, updates):
    a, b = wide(i.a), wide(i.b)
    b = b.T if case == "transposed" else b
    # Each of k products is rounded, and each sum, in whatever order.
    margin = np.finfo(i.dtype).eps * (4 + a.shape[-1] ** 0.5) * 4 * float(np.sqrt((a * a).sum(axis=1).max() * (b * b).sum(axis=0).max()))
    return differs(case, results[0], a @ b, margin)


def w12(case, i, results, updates):
    x, weights = wide(i.a), None
    bins, range_ = {"few": (64, None), "many": (1000000, None), "thousand": (1000, (0, 1)), "edges": (i.edges, None)}.get(
        case, (64, (0, 1)))
    if case == "one_bin":
        x = wide(i.skewed)
    if case == "weights":
        weights = wide(i.skewed)
    edges = wide(results[1])
    if case != "edges":
        lo, hi = range_ or (float(x.min()), float(x.max()))
        wrong = differs("edges", edges, np.linspace(lo, hi, bins + 1), 4 * np.finfo(i.dtype).eps)
        if wrong:
            return wrong
    # The bins of our edges, exactly.
    k = np.searchsorted(edges, x, side="right") - 1
    k = np.where(x == edges[-1], edges.size - 2, k)
    k = k[(k >= 0) & (k < edges.size - 1)]
    counts = np.bincount(k.ravel(), None if weights is None else weights.ravel(), minlength=edges.size - 1)
    return differs("counts", results[0], counts, 0 if weights is None else 1e-6 * float(counts.max()))


def w13(case, i, results, updates):
    z = i.a.astype(np.complex128)
    reference = {"complex": lambda: np.fft.fft(z), "back": lambda: np.fft.ifft(z), "real": lambda: np.fft.fft(z),
                 "half": lambda: np.fft.rfft(wide(i.a)), "columns": lambda: np.fft.fft(z, axis=0)}[case]()
    margin = 40 * np.finfo(i.dtype).eps * float(np.abs(reference).max())
    return differs(case, np.abs(results[0] - reference), np.zeros(reference.shape), margin)


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
    "rows": lambda i: i.x[i.ids],
    "transposed": lambda i: np.ascontiguousarray(i.x.T),
}


def w17(case, i, results, updates):
    return differs(case, results[0], JOINED[case](i), 0)  # elements are only moved


def wrong(workload, case, inputs, results, updates):
    """None, or what is wrong with the results."""
    return globals()[workload](case, inputs, results, updates)
