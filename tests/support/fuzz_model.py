"""Random programs: NumPy's side. An operation is a dict: op, to, in, and what else the kind needs. Contract: fuzz.py."""
import random

import numpy as np

import fuzz_join
import fuzz_scan

NUMBER = {"?": 1, "i1": 2, "i2": 3, "i4": 4, "i8": 5, "u1": 6, "u2": 7, "u4": 8, "u8": 9, "f2": 10, "f4": 12, "f8": 13,
          "c8": 14, "c16": 15}
NAME = {v: k for k, v in NUMBER.items()}
TOLERANCE = {"f2": 1e-2, "f4": 1e-5, "f8": 1e-12, "c8": 1e-5, "c16": 1e-12}

INEXACT = "exp sin cos tanh arctan".split()


def brief(dtype):
    return "?" if dtype == bool else dtype.str[1:]


def cast(array, dtype):
    """astype by the library's rule: floats truncate and saturate, NaN is 0; complex numbers drop their imaginary part."""
    dtype = np.dtype(dtype)
    array = np.asarray(array)
    if array.dtype.kind == "c" and dtype.kind not in "cb":
        array = array.real
    if array.dtype.kind == "f" and dtype.kind in "iu":
        info = np.iinfo(dtype)
        wide = np.trunc(np.nan_to_num(array.astype("f8"), nan=0.0, posinf=np.inf, neginf=-np.inf))
        result = np.empty(array.shape, dtype)
        for i in np.ndindex(array.shape):
            result[i] = min(max(int(wide[i]), info.min), info.max) if np.isfinite(wide[i]) else \
                info.max if wide[i] > 0 else info.min
        return result
    return array.astype(dtype)


# ---- NumPy's side ----

class Store:
    """What views share."""

    def __init__(self, read_only=False):
        self.error = False
        self.inexact = 0.0  # how far a value may be off, relatively
        self.read_only = read_only
        self.scale = 0.0
        self.truths = False  # holds bools that are seen as bytes too: no other bytes may be written there


class Var:
    def __init__(self, array, store, depth):
        self.array, self.store, self.depth, self.error = array, store, depth, False
        self.fixed = False  # of a repeated array in another shape: no part of it can be written

    def writes_no_truths(self):
        return self.store.truths and self.array.dtype.kind != "b"

    def bad(self):
        return self.error or self.store.error

    def repeats(self):
        a = self.array
        return a.size > 0 and any(n > 1 and s == 0 for n, s in zip(a.shape, a.strides))

    def refuses(self):
        return self.repeats() or self.fixed or self.store.read_only


def numbers(seed, shape, dtype):
    rng = np.random.default_rng(seed)
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind == "u":
        return rng.integers(0, 9, shape).astype(dtype)
    values = rng.integers(-8, 9, shape)
    if dtype.kind == "i":
        return values.astype(dtype)
    values = values * np.where(rng.random(shape) < 0.3, 0.25, 1.0)
    values = np.where(rng.random(shape) < 0.03, np.nan, values)
    return (values + 1j * rng.integers(-4, 5, shape) if dtype.kind == "c" else values).astype(dtype)


def user_memory(op):
    """The memory, and the array in it: any order of axes, gaps, negative strides."""
    rng = random.Random(op["seed"])
    shape = op["shape"]
    order = list(range(len(shape)))
    rng.shuffle(order)
    steps = [rng.choice([1, 1, 2, -1, -2]) for _ in shape]
    base = np.zeros([max(1, shape[a]) * abs(steps[a]) for a in order], op["dtype"])
    view = base[(...,) + tuple(slice(None, None, steps[a]) for a in order)]
    view = view.transpose([order.index(a) for a in range(len(shape))])
    view = view[(...,) + tuple(slice(0, n) for n in shape)]
    view[...] = numbers(op["seed"], shape, op["dtype"])
    return view


def constant(op):
    kind, dtype = op["make"], op["dtype"]
    if kind == "zeros":
        return np.zeros(op["shape"], dtype)
    if kind == "full":
        return cast(np.full(op["shape"], op["value"]), dtype)
    if kind == "arange":
        return np.arange(op["start"], op["start"] + op["step"] * op["n"], op["step"]).astype(dtype)
    if kind == "linspace":
        return np.linspace(op["start"], op["stop"], op["n"], dtype=dtype)
    if kind == "eye":
        return np.eye(op["n"], op["m"], op["k"], dtype=dtype)
    return np.asarray(numbers(op["seed"], op["shape"], dtype))


def ufunc(name, values):
    if name == "where":
        return np.where(*values)
    return np.asarray(getattr(np, name)(*values))


def reduction(op, array):
    kwargs = {"axis": op["axes"] if op["axes"] is None else tuple(op["axes"]), "keepdims": op["keep"]}
    name = op["name"]
    if name in ("argmin", "argmax"):
        kwargs["axis"] = None if op["axes"] is None else op["axes"][0]
    return np.asarray(getattr(np, name)(array, **kwargs))


class Model:
    def __init__(self):
        self.vars, self.depth = {}, 0

    def new(self, name, array, store):
        self.vars[name] = Var(array, store, self.depth)
        return self.vars[name]

    def fail(self, name):
        self.new(name, np.zeros(()), Store()).error = True

    def operands(self, op):
        """The values of the operands; None if one was never made (its line was taken away)."""
        names = [x for x in op["in"] if isinstance(x, str)]
        if any(n not in self.vars for n in names):
            return None
        return [self.vars[x] if isinstance(x, str) else x for x in op["in"]]

    def apply(self, op):
        """Returns False where the operation cannot be run (an operand is missing)."""
        with np.errstate(all="ignore"):
            return getattr(self, op["op"])(op) is not False

    def make(self, op):
        array = user_memory(op) if op["make"] == "user" else constant(op)
        self.new(op["to"], array, Store(op.get("read_only", False))).store.scale = 64.0

    def view(self, op):
        x = self.vars.get(op["in"][0])
        if x is None:
            return False
        if x.bad():
            return self.fail(op["to"])
        a, how = x.array, op["how"]
        try:
            if how == "slice":
                a = eval("a[" + op["text"] + "]", {"a": a, "newaxis": None})
                a = a if isinstance(a, np.ndarray) else x.array[eval("(" + op["text"] + ", ...)", {"newaxis": None})]
            elif how == "transpose":
                a = a.transpose(op["axes"])
            elif how == "flip":
                a = a[tuple(slice(None, None, -1 if op["axes"] is None or i in op["axes"] else 1) for i in range(a.ndim)) + (...,)]
            elif how == "diagonal":
                d = a.diagonal(op["offset"], *op["axes"])
                first = [slice(None)] * a.ndim
                first[op["axes"][op["offset"] > 0]] = slice(abs(op["offset"]), None)
                a = np.lib.stride_tricks.as_strided(a[tuple(first)], d.shape, d.strides)
            else:
                b = np.broadcast_to(a, op["shape"])
                a = np.lib.stride_tricks.as_strided(a, b.shape, b.strides)
        except (IndexError, ValueError):
            return self.fail(op["to"])
        self.new(op["to"], a, x.store).fixed = x.fixed

    def value(self, op):
        """The result of a function: (array, inexact, scale), or None for an error; False if it cannot be run."""
        operands = self.operands(op)
        if operands is None:
            return False
        arrays = [x for x in operands if isinstance(x, Var)]
        if any(x.bad() for x in arrays):
            return None
        values = [x.array if isinstance(x, Var) else x for x in operands]
        try:
            if op["op"] == "reduce":
                result = reduction(op, values[0])
            elif op["op"] == "scan":
                result = fuzz_scan.value(op, values[0])
            elif op["op"] == "join":
                result = fuzz_join.value(op, values)
            else:
                result = ufunc(op["name"], values)
        except (ValueError, TypeError, OverflowError, IndexError):
            return None
        kind, name = result.dtype.kind, op["name"]
        rounds = name in INEXACT or op["op"] == "reduce" and name in ("sum", "prod", "mean", "var")
        rounds |= op["op"] == "scan" and fuzz_scan.rounds(op)
        rounds |= kind == "c" and name in ("divide", "multiply", "square", "sqrt")
        rounds |= name == "absolute" and arrays[0].array.dtype.kind == "c"
        inexact = max([x.store.inexact for x in arrays])
        if kind in "fc" and (rounds or inexact):
            inexact = max(inexact, TOLERANCE[brief(result.dtype)])
        if kind not in "fc":
            inexact = 0.0
        finite = result[np.isfinite(result)] if kind in "fc" else []
        scale = max([float(np.max(np.abs(finite))) if np.size(finite) else 0.0] + [x.store.scale for x in arrays])
        return result, inexact, scale

    def result(self, op, value):
        if value is None:
            return self.fail(op["to"])
        if value is False:
            return False
        x = self.new(op["to"], np.array(value[0], order="C"), Store())
        x.store.inexact, x.store.scale = value[1:]

    def ufunc(self, op):
        done = self.result(op, self.value(op))
        if done is not False and "moved" in op:
            self.vars.pop(op["moved"], None)
        return done

    reduce = scan = join = ufunc

    def copy(self, op):
        x = self.vars.get(op["in"][0])
        if x is None:
            return False
        if x.bad():
            return self.fail(op["to"])
        new = self.new(op["to"], np.array(cast(x.array, op["dtype"] or x.array.dtype), order="C"), Store())
        new.store.inexact, new.store.scale = x.store.inexact, x.store.scale

    def write(self, target, value):
        if target.writes_no_truths():
            return False
        if target.bad():
            return
        if target.refuses():
            target.error = True  # nothing was to change, whatever the value is
        elif value is None:
            target.store.error = True
        else:
            try:
                target.array[...] = cast(np.array(value[0]), target.array.dtype)
            except ValueError:
                target.store.error = True
            target.store.inexact = max(target.store.inexact, value[1])
            target.store.scale = max(target.store.scale, value[2])

    def assign(self, op):
        source = op["in"][0]
        if op["to"] not in self.vars or (isinstance(source, str) and source not in self.vars):
            return False
        if not isinstance(source, str):
            value = (np.asarray(source), 0.0, 0.0)
        else:
            x = self.vars[source]
            value = None if x.bad() else (x.array, x.store.inexact, x.store.scale)
        return self.write(self.vars[op["to"]], value)

    def into(self, op):
        value = self.value(op)
        if op["to"] not in self.vars or value is False:
            return False
        return self.write(self.vars[op["to"]], value)

    def look(self, op):
        return op["in"][0] in self.vars

    read = eval_ = wait = look

    def free(self, op):
        return self.vars.pop(op["in"][0], None) is not None

    def open(self, op):
        self.depth += 1

    def close(self, op):
        if self.depth == 0:
            return False
        self.vars = {n: v for n, v in self.vars.items() if v.depth < self.depth}
        self.depth -= 1

    def keep(self, op):
        x = self.vars.get(op["in"][0])
        if x is None or x.depth == 0:
            return False
        x.depth -= 1
