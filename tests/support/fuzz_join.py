"""Random programs: arrays put together from others. One row for each function: how NumPy computes it and how the library is
called, from the same numbers. Contract: fuzz.py."""
import ctypes

import numpy as np

LIMIT = 2000  # elements: programs stay small
MODES = {"constant": 0, "edge": 1, "reflect": 7, "symmetric": 8, "wrap": 9}


class Options(ctypes.Structure):
    _fields_ = [("size", ctypes.c_size_t), ("mode", ctypes.c_int), ("odd", ctypes.c_int), ("values", ctypes.c_void_p),
                ("stat_length", ctypes.c_void_p)]


def axis_of(rng, ndim):
    return rng.randint(-ndim, ndim - 1) if ndim and rng.random() < 0.97 else ndim


def pad_arguments(widths, mode):
    pairs = (ctypes.c_int64 * max(2 * len(widths), 2))(*[w for pair in widths for w in pair])
    return pairs, Options(ctypes.sizeof(Options), MODES[mode], 0, None, None)


# ---- NumPy's side: (arrays, numbers) ----

NUMPY = {
    "concat": lambda x, n: np.concatenate(x, n["axis"]),
    "stack": lambda x, n: np.stack(x, n["axis"]),
    "append": lambda x, n: np.append(*x, axis=n["axis"]),
    "tile": lambda x, n: np.tile(x[0], n["times"]),
    "repeat": lambda x, n: np.repeat(x[0], n["times"], n["axis"]),
    "repeat_each": lambda x, n: np.repeat(x[0], np.array(n["list"], int), n["axis"]),
    "roll": lambda x, n: np.roll(x[0], n["by"], n["axes"]),
    "delete": lambda x, n: np.delete(x[0], np.array(n["list"], int), n["axis"]),
    "insert": lambda x, n: np.insert(x[0], np.array(n["list"], int), n["value"], n["axis"]),
    "pad": lambda x, n: np.pad(x[0], np.array(n["widths"], int).reshape(-1, 2), n["mode"]) if x[0].ndim else x[0],
    "tril": lambda x, n: np.tril(x[0], n["k"]),
    "triu": lambda x, n: np.triu(x[0], n["k"]),
}


def value(op, arrays):
    result = np.asarray(NUMPY[op["name"]](arrays, op["numbers"]))
    if op["name"] in ("tril", "triu") and arrays[0].ndim == 0:
        raise ValueError("no axis")
    return result


# ---- the library's ----

def call(run, op):
    name, n, x = op["name"], op["numbers"], [run.get(a) for a in op["in"]]
    i, array = ctypes.c_int64, run.array
    from fuzz_library import Array, dims
    if name in ("concat", "stack"):
        return array(name, (Array * len(x))(*x), ctypes.c_int(len(x)), i(n["axis"]))
    if name == "append":
        return array(name, *x, i(n["axis"]))
    if name == "tile":
        return array(name, x[0], dims(n["times"]))
    if name == "repeat":
        return array(name, x[0], i(n["times"]), i(n["axis"]))
    if name == "roll":
        return array(name, x[0], dims(n["by"]), dims(n["axes"]))
    if name in ("repeat_each", "delete", "insert"):
        numbers = run.buffer(np.array(n["list"], "i8"), 1)
        more = [run.get(n["value"])] if name == "insert" else []
        return array(name, x[0], numbers, *more, i(n["axis"]))
    if name == "pad":
        widths, options = pad_arguments(n["widths"], n["mode"])
        return array(name, x[0], widths, ctypes.byref(options))
    return array(name, x[0], i(n["k"]))


# ---- making them ----

def partners(maker, source, axis):
    """Arrays that join the source along the axis."""
    def shape(a):
        return a.shape[:axis] + a.shape[axis + 1:]
    x = maker.model.vars[source].array
    return [n for n, y in maker.model.vars.items() if y.array.ndim == x.ndim and shape(y.array) == shape(x)][-8:]


def joined(maker, source):
    rng, x = maker.rng, maker.model.vars[source].array
    name = rng.choice(["concat", "concat", "append", "stack"])
    axis = axis_of(rng, x.ndim + (name == "stack"))
    if name == "stack":
        others = [n for n, y in maker.model.vars.items() if y.array.shape == x.shape][-8:]
    else:
        others = partners(maker, source, axis % x.ndim) if x.ndim else [source]
    count = 1 if name == "append" else rng.randint(0, 3)
    names = [source] + [rng.choice(others or [source]) for _ in range(count)]
    if rng.random() < 0.03:
        names[-1] = maker.any()
    rng.shuffle(names)
    return name, names, {"axis": axis}


def rearranged(maker, source):
    rng, x = maker.rng, maker.model.vars[source].array
    name = rng.choice("tile repeat repeat_each roll roll delete insert pad pad tril triu".split())
    axis = axis_of(rng, x.ndim)
    length = x.shape[axis] if x.ndim and -x.ndim <= axis < x.ndim else 1
    if name == "tile":
        n = {"times": [rng.choice([0, 1, 1, 2, 3]) for _ in range(rng.randint(0, x.ndim + (x.ndim < 4)))]}
    elif name == "repeat":
        n = {"times": rng.choice([0, 1, 2, 3, 5]), "axis": axis}
    elif name == "repeat_each":
        n = {"list": [rng.choice([0, 1, 1, 2]) for _ in range(length)], "axis": axis}
    elif name == "roll":
        axes = [axis_of(rng, x.ndim) for _ in range(rng.randint(1, 2))]
        n = {"by": [rng.randint(-9, 9) for _ in axes], "axes": axes}
    elif name in ("delete", "insert"):
        most = length - (name == "delete")
        count = rng.randint(0, 4) if most >= 0 else 0
        n = {"list": [rng.randint(-length, max(most, -length)) for _ in range(count)], "value": rng.choice([1, 0, 3]), "axis": axis}
    elif name == "pad":
        n = {"widths": [[rng.choice([0, 0, 1, 2, 4]) for _ in range(2)] for _ in x.shape], "mode": rng.choice(list(MODES))}
    else:
        n = {"k": rng.randint(-4, 4)}
    return name, [source], n


def make(maker):
    """None: the result would be too large."""
    source = maker.any()
    name, names, numbers = (joined if maker.rng.random() < 0.45 else rearranged)(maker, source)
    op = {"op": "join", "to": maker.name(), "name": name, "in": names, "numbers": numbers}
    made = maker.model.value(op)
    small = not made or made[0].size <= LIMIT and made[0].ndim <= 5
    return op if small else {"op": "copy", "to": op["to"], "in": [source], "dtype": None}


def text(op):
    rest = "".join(f", {k}={v}" for k, v in op["numbers"].items())
    return f"{op['to']} = {op['name']}({', '.join(op['in'])}{rest})"
