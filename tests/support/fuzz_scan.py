"""Random programs: scans and differences. One table, and what the maker, NumPy's side and the library's side do with it.
Contract: fuzz.py."""
import ctypes

import numpy as np

SCANS = {
    "cumsum": lambda x, axis, n: np.cumsum(x, axis),
    "cumprod": lambda x, axis, n: np.cumprod(x, axis),
    "nancumsum": lambda x, axis, n: np.nancumsum(x, axis),
    "cummax": lambda x, axis, n: np.maximum.accumulate(x, axis),
    "cummin": lambda x, axis, n: np.minimum.accumulate(x, axis),
    "nancummax": lambda x, axis, n: np.fmax.accumulate(x, axis),
    "nancummin": lambda x, axis, n: np.fmin.accumulate(x, axis),
    "diff": lambda x, axis, n: np.diff(np.swapaxes(x, axis, axis), n, axis),  # NumPy forgets the axis where n is 0
}
SUMS = "cumsum nancumsum".split()


def make(maker):
    """A scan of a variable whose values NumPy's order of additions does not spoil."""
    rng, source = maker.rng, maker.any()
    x = maker.model.vars[source]
    kind, ndim, name = x.array.dtype.kind, x.array.ndim, rng.choice(list(SCANS))
    if ndim == 0:
        return maker.copy()  # NumPy makes a vector of a scalar
    if name == "cumprod" and kind in "fc":
        name = "cumsum"
    if kind == "c" and name not in SUMS:
        name = "diff"
    if name in SUMS and (x.array.dtype == "f2" or x.store.scale > 1e3):
        name = "diff" if kind == "c" else "cummax"
    axis = rng.randint(-ndim, ndim - 1) if rng.random() < 0.97 else ndim
    return {"op": "scan", "to": maker.name(), "name": name, "in": [source], "axis": axis, "n": rng.choice([0, 1, 1, 2])}


def value(op, array):
    return np.asarray(SCANS[op["name"]](array, op["axis"], op["n"]))


def rounds(op):
    return op["name"] in SUMS + ["cumprod"]


def call(run, op):
    more = [ctypes.c_int64(op["axis"])]
    if op["name"] == "diff":
        more.insert(0, ctypes.c_int64(op["n"]))
    return run.array(op["name"], run.get(op["in"][0]), *more)


def text(op):
    n = f", {op['n']}" if op["name"] == "diff" else ""
    return f"{op['to']} = {op['name']}({op['in'][0]}{n}, axis={op['axis']})"
