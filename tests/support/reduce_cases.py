"""Reductions by NumPy, for tests/reduce.c. Records: a text k/call "name keepdims dtype correction all initial view"
(dtype: a number, 0 for none; all: every axis; initial: "-" for none), arrays k/in (before the view), k/axes, k/where and
k/weights (of no elements where they are not given), and what it gives: k/out, or the name of our error in k/error. The
name "empty" is for all functions of arrays without elements."""
import random

import numpy as np

rng = np.random.default_rng(21)
random_ = random.Random(21)

# As the text of an index, but for T (transposed) and B (the first index of axis 1 broadcast).
VIEWS = {"...": lambda x: x, "T": lambda x: x.T, "::-1, :, ::-1": lambda x: x[::-1, :, ::-1],
         "B": lambda x: np.broadcast_to(x[:, :1], x.shape), "1:, ::2, ::3": lambda x: x[1:, ::2, ::3]}
AXES = [None, (0,), (1,), (-1,), (0, 1), (0, 2), (2, 1), (), (0, 1, 2)]
EXACT_KINDS = "biu"


def elements(name, dtype, shape, nan, values):
    if dtype.kind not in EXACT_KINDS:
        x = np.round(rng.standard_normal(shape) * 4) / 4 + (1j * rng.integers(-3, 3, shape) if dtype.kind == "c" else 0)
        if "prod" in name:  # no overflow in any order
            x = np.where(x == 0, 1, x / np.maximum(abs(x), 0.1))
        x = x.astype(dtype)
        if nan:
            x[rng.random(shape) < nan] = np.nan
        return x
    x = values(dtype, int(np.prod(shape))).reshape(shape)
    return (x % 100).astype(dtype) if any(part in name for part in ("mean", "var", "std")) and dtype.kind != "b" else x


def positions(x, name, axis, keepdims):
    """argmin and its like over any axes: NumPy knows one, or all."""
    axis = tuple(range(x.ndim)) if axis is None else tuple(sorted(a % x.ndim for a in axis))
    kept = [a for a in range(x.ndim) if a not in axis]
    flat = np.transpose(x, kept + list(axis)).reshape([x.shape[a] for a in kept] + [int(np.prod([x.shape[a] for a in axis]))])
    out = getattr(np, name)(flat, axis=-1)
    return np.expand_dims(out, axis) if keepdims else out


def reduced(x, name, axis, keepdims, dtype, correction, initial, where, weights):
    if name.endswith(("argmin", "argmax")):
        half = x.dtype.itemsize == 2 and x.dtype.kind not in EXACT_KINDS
        return positions(x.astype("f4") if half else x, name, axis, keepdims)
    given = {"dtype": np.dtype(dtype)} if dtype else {}
    if "var" in name or "std" in name:
        given["ddof"] = correction
    given |= {} if initial is None else {"initial": initial}
    given |= {} if where is None else {"where": where}
    half = x.dtype.itemsize == 2 and x.dtype.kind not in EXACT_KINDS
    if name == "count_nonzero" and axis == ():
        return (x != 0).astype("i8")
    if half and name in ("any", "all", "count_nonzero"):
        x = x.astype("f4")
    elif half:
        weights = None if weights is None else weights.astype("f8")
        wide = reduced(x.astype("f8"), name, axis, keepdims, dtype, correction, initial, where, weights)
        return wide if dtype else np.asarray(wide).astype(x.dtype)
    if name == "ptp":
        return np.subtract(np.max(x, axis=axis, keepdims=keepdims), np.min(x, axis=axis, keepdims=keepdims))
    if name == "average" and weights is not None:
        given["weights"] = weights
    return getattr(np, name)(x, axis=axis, keepdims=keepdims, **given)


NONE = np.empty(0, "?")
ERRORS = {ValueError: "EMPTY", TypeError: "DTYPE", ZeroDivisionError: "VALUE"}


def case(k, x, name, axis, numbers, keepdims=False, dtype=None, correction=0, initial=None, where=None, weights=None,
         view="..."):
    number = numbers[np.dtype(dtype)] if dtype else 0
    text = "-" if initial is None else ("i" if isinstance(initial, int) else "f") + str(initial)
    yield f"{k}/call", f"{name} {int(keepdims)} {number} {correction} {int(axis is None)} {text} {view}"
    yield f"{k}/in", x
    yield f"{k}/axes", np.array(axis or (), "i8")
    yield f"{k}/where", NONE if where is None else where
    yield f"{k}/weights", NONE if weights is None else weights
    try:
        yield f"{k}/out", reduced(VIEWS[view](x), name, axis, keepdims, dtype, correction, initial, where, weights)
    except tuple(ERRORS) as error:
        yield f"{k}/error", "VALUE" if "All-NaN" in str(error) else ERRORS[type(error)]


def given_dtype(name, dtype, nan):
    if random_.random() > 0.2 or name not in ("sum", "prod", "nansum", "nanprod"):
        return None
    if dtype.kind in EXACT_KINDS:
        return random_.choice(["i8"] if "prod" in name else ["f8", "c16", "i8", "u4"])
    return None if nan or dtype.kind == "c" else "c16"


def given_initial(name, dtype):
    extremes = name in ("min", "max", "nanmin", "nanmax")
    if not extremes and name not in ("sum", "prod", "nansum", "nanprod") or random_.random() > 0.3:
        return None
    return 1 if dtype.kind == "b" else random_.choice([0, 3, 50])


def given_where(name, shape, initial):
    """NumPy's prod begins with 1 * x, which is not so for complex numbers; extremes need an initial."""
    if name in ("count_nonzero", "ptp", "average") or "arg" in name or "median" in name or random_.random() > 0.3:
        return None
    if name in ("min", "max", "nanmin", "nanmax") and initial is None:
        return None
    shape = random_.choice([shape, shape[1:], (1,) + shape[1:], (shape[-1],), shape[:1] + (1, 1)])
    return rng.random(shape) < random_.choice([0.2, 0.7])


def given_weights(name, dtype, shape, axis):
    if name != "average" or random_.random() > 0.8:
        return None
    of_axes = None if axis is None or axis == () else tuple(shape[a] for a in axis)
    weights = rng.integers(1, 9, shape if of_axes is None or random_.random() < 0.5 else of_axes)
    half = dtype.itemsize == 2 and dtype.kind not in EXACT_KINDS
    return weights.astype(dtype if half else random_.choice(["f4", "f8", "i4", "u1"]))


def empties(names, numbers):
    k = 0
    for name in names:
        for shape in [(0,), (3, 0), (0, 3), (0, 0), (2, 0, 3)]:
            axes = [None, *((a,) for a in range(len(shape))), ()] + ([(0, 1)] if len(shape) > 1 else [])
            for axis in axes:
                for dtype in ("f8", "i4", "?", "c8"):
                    if axis == () and (name == "median" or "arg" in name):
                        continue  # NumPy cannot
                    if "median" in name and dtype == "c8":
                        continue  # not ours
                    yield from case(k, np.zeros(shape, dtype), name, axis, numbers, keepdims=k % 2 == 1)
                    k += 1


ALL = ("sum prod count_nonzero min max ptp argmin argmax any all mean median var std nansum nanprod nanmin nanmax nanargmin "
       "nanargmax nanmean nanmedian nanvar nanstd").split()


def make(names, numbers, values):
    if names == ["empty"]:
        yield from empties(ALL, numbers)
        return
    k = 0
    for name in names:
        for dtype in numbers:
            if "median" in name and dtype.kind == "c":
                continue  # not ours
            for view in VIEWS:
                for axis in random_.sample(AXES, 3):
                    nan = random_.choice([0, 0, 0.2, 0.7]) if dtype.kind not in EXACT_KINDS else 0
                    nan = 0 if dtype.kind == "c" and name == "prod" else nan  # NumPy's products begin with 1 * x
                    x = elements(name, dtype, random_.choice([(4, 5, 6), (3, 2, 9), (5, 1, 4), (2, 3, 40)]), nan, values)
                    correction = random_.choice([0, 0, 1, 0.5, 2]) if "var" in name or "std" in name else 0
                    initial, shape = given_initial(name, dtype), VIEWS[view](x).shape
                    yield from case(k, x, name, axis, numbers, random_.random() < 0.5, given_dtype(name, dtype, nan),
                                    correction, initial, given_where(name, shape, initial),
                                    given_weights(name, dtype, shape, axis), view)
                    k += 1
