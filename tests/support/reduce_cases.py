"""Reductions by NumPy, for tests/reduce.c. Records: a text k/call "name keepdims dtype correction all view" (dtype: a
number, 0 for none; all: every axis), arrays k/in (before the view) and k/axes, and what it gives: k/out, or the name of
our error in k/error."""
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


def reduced(x, name, axis, keepdims, dtype, correction):
    if name.endswith(("argmin", "argmax")):
        half = x.dtype.itemsize == 2 and x.dtype.kind not in EXACT_KINDS
        return positions(x.astype("f4") if half else x, name, axis, keepdims)
    given = {"dtype": np.dtype(dtype)} if dtype else {}
    if "var" in name or "std" in name:
        given["ddof"] = correction
    half = x.dtype.itemsize == 2 and x.dtype.kind not in EXACT_KINDS
    if name == "count_nonzero" and axis == ():
        return (x != 0).astype("i8")
    if half and name in ("any", "all", "count_nonzero"):
        x = x.astype("f4")
    elif half:
        wide = reduced(x.astype("f8"), name, axis, keepdims, dtype, correction)
        return wide if dtype else np.asarray(wide).astype(x.dtype)
    if name == "ptp":
        return np.subtract(np.max(x, axis=axis, keepdims=keepdims), np.min(x, axis=axis, keepdims=keepdims))
    return getattr(np, name)(x, axis=axis, keepdims=keepdims, **given)


def case(k, x, call, numbers):
    name, axis, keepdims, dtype, correction, view = call
    number = numbers[np.dtype(dtype)] if dtype else 0
    yield f"{k}/call", f"{name} {int(keepdims)} {number} {correction} {int(axis is None)} {view}"
    yield f"{k}/in", x
    yield f"{k}/axes", np.array(axis or (), "i8")
    try:
        yield f"{k}/out", reduced(VIEWS[view](x), name, axis, keepdims, dtype, correction)
    except ValueError as error:
        yield f"{k}/error", "VALUE" if "All-NaN" in str(error) else "EMPTY"
    except TypeError:
        yield f"{k}/error", "DTYPE"


def given_dtype(name, dtype, nan):
    if random_.random() > 0.2 or name not in ("sum", "prod", "nansum", "nanprod"):
        return None
    if dtype.kind in EXACT_KINDS:
        return random_.choice(["i8"] if "prod" in name else ["f8", "c16", "i8", "u4"])
    return None if nan or dtype.kind == "c" else "c16"


def make(names, numbers, values):
    k = 0
    for name in names:
        for dtype in numbers:
            for view in VIEWS:
                for axis in random_.sample(AXES, 3):
                    nan = random_.choice([0, 0, 0.2, 0.7]) if dtype.kind not in EXACT_KINDS else 0
                    nan = 0 if dtype.kind == "c" and name == "prod" else nan  # NumPy's products begin with 1 * x
                    x = elements(name, dtype, random_.choice([(4, 5, 6), (3, 2, 9), (5, 1, 4), (2, 3, 40)]), nan, values)
                    correction = random_.choice([0, 0, 1, 0.5, 2]) if "var" in name or "std" in name else 0
                    given = given_dtype(name, dtype, nan)
                    yield from case(k, x, (name, axis, random_.random() < 0.5, given, correction, view), numbers)
                    k += 1
