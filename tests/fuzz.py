"""Random programs, by the library and by NumPy: the same values, shapes, dtypes and errors? ctest: timeout=180

    fuzz.py [--seconds 15] [--seed N] [--program N]

Programs of creation, views, element-wise functions, reductions, assignments through overlapping views, user memory, scopes
and reads at random moments are run with tiles of 3 elements, with one tile, and with small arrays computed at once, in a
process for each setting. A program that fails is made as short as it can be and printed with its seed.
"""
import argparse
import ctypes
import os
import random
import subprocess
import sys
import time
import warnings

try:
    import numpy as np
except ImportError:
    sys.exit(77)

SETTINGS = [
    {"STA_TILE_ELEMS": "3", "STA_INLINE_BYTES": "0", "STA_CPU": "seq"},
    {"STA_CPU": "seq"},
    {"STA_INLINE_BYTES": "0", "STA_CPU": "seq"},
    {"STA_TILE_ELEMS": "3", "STA_INLINE_BYTES": "0", "STA_CPU": "omp"},
    {"STA_INLINE_BYTES": "0", "STA_CPU": "omp"},
    {"STA_TILE_ELEMS": "5", "STA_INLINE_BYTES": "40", "STA_CPU": "seq"},
]
NUMBER = {"?": 1, "i1": 2, "i2": 3, "i4": 4, "i8": 5, "u1": 6, "u2": 7, "u4": 8, "u8": 9, "f2": 10, "f4": 12, "f8": 13,
          "c8": 14, "c16": 15}
NAME = {v: k for k, v in NUMBER.items()}
TOLERANCE = {"f2": 1e-2, "f4": 1e-5, "f8": 1e-12, "c8": 1e-5, "c16": 1e-12}

EXACT = ("add subtract multiply divide maximum minimum fmax fmin negative positive absolute square rint floor ceil trunc "
         "sqrt copysign where").split()
WHOLE = "floor_divide remainder fmod bitwise_and bitwise_or bitwise_xor invert".split()  # of integers
INEXACT = "exp sin cos tanh arctan".split()
DECIDE = ("greater greater_equal less less_equal equal not_equal logical_and logical_or logical_xor logical_not isnan "
          "isfinite signbit").split()
TWO = set("add subtract multiply divide maximum minimum fmax fmin copysign floor_divide remainder fmod bitwise_and "
          "bitwise_or bitwise_xor greater greater_equal less less_equal equal not_equal logical_and logical_or "
          "logical_xor".split())
REDUCE = "sum prod min max any all argmin argmax mean var count_nonzero ptp".split()


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


class Var:
    def __init__(self, array, store, depth):
        self.array, self.store, self.depth, self.error = array, store, depth, False

    def bad(self):
        return self.error or self.store.error

    def repeats(self):
        a = self.array
        return a.size > 0 and any(n > 1 and s == 0 for n, s in zip(a.shape, a.strides))


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
        self.new(op["to"], a, x.store)

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
            else:
                result = ufunc(op["name"], values)
        except (ValueError, TypeError, OverflowError, IndexError):
            return None
        kind, name = result.dtype.kind, op["name"]
        rounds = name in INEXACT or op["op"] == "reduce" and name in ("sum", "prod", "mean", "var")
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
        x = self.new(op["to"], np.array(value[0]), Store())
        x.store.inexact, x.store.scale = value[1:]

    def ufunc(self, op):
        return self.result(op, self.value(op))

    reduce = ufunc

    def copy(self, op):
        x = self.vars.get(op["in"][0])
        if x is None:
            return False
        if x.bad():
            return self.fail(op["to"])
        new = self.new(op["to"], np.array(cast(x.array, op["dtype"] or x.array.dtype)), Store())
        new.store.inexact, new.store.scale = x.store.inexact, x.store.scale

    def write(self, target, value):
        if target.bad():
            return
        if value is None:
            target.store.error = True
        elif target.repeats() or target.store.read_only:
            target.error = True
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
        self.write(self.vars[op["to"]], value)

    def into(self, op):
        value = self.value(op)
        if op["to"] not in self.vars or value is False:
            return False
        self.write(self.vars[op["to"]], value)

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


# ---- the library's side ----

class Array(ctypes.Structure):
    _fields_ = [("id", ctypes.c_uint64)]


class Scope(Array):
    pass


class Dims(ctypes.Structure):
    _fields_ = [("count", ctypes.c_int), ("at", ctypes.c_int64 * 16)]


class Error(ctypes.Structure):
    _fields_ = [("code", ctypes.c_int), ("op", ctypes.c_char_p), ("text", ctypes.c_char_p)]


def dims(values):
    return Dims(-1) if values is None else Dims(len(values), (ctypes.c_int64 * 16)(*values))


class Failure(Exception):
    pass


DONE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


class Library:
    def __init__(self):
        self.dll = ctypes.CDLL(os.environ["STARRAY_LIBRARY"])
        self.done = {}
        self.callback = DONE(lambda number: self.done.__setitem__(number, self.done.get(number, 0) + 1))
        self.memory = []
        error = self.call("init", ctypes.POINTER(Error), ctypes.c_void_p(None))
        if error:
            print(error.contents.text)
            sys.exit(77)

    def has(self, name):
        return hasattr(self.dll, "sta_" + name)

    def call(self, name, result, *arguments):
        function = getattr(self.dll, "sta_" + name)
        function.restype = result
        return function(*arguments)

    def error(self, name, *arguments):
        error = self.call(name, ctypes.POINTER(Error), *arguments)
        return (error.contents.code, error.contents.op.decode(), error.contents.text.decode()) if error else None


class Run:
    """One program."""

    def __init__(self, library):
        self.lib, self.vars, self.scopes, self.users = library, {}, [], {}

    def get(self, x):
        if isinstance(x, str):
            return self.vars[x]
        if isinstance(x, bool):
            return self.lib.call("bool", Array, ctypes.c_int(x))
        if isinstance(x, int):
            return self.lib.call("int", Array, ctypes.c_int64(x))
        if isinstance(x, complex):
            return self.lib.call("complex", Array, ctypes.c_double(x.real), ctypes.c_double(x.imag))
        return self.lib.call("float", Array, ctypes.c_double(x))

    def array(self, name, *arguments):
        return self.lib.call(name, Array, *arguments)

    def buffer(self, array, flags, user=False):
        strides = (ctypes.c_int64 * 16)(*array.strides)
        number = len(self.lib.memory) + 1
        if user:
            self.lib.memory.append(array)
        return self.array("from_buffer", ctypes.c_void_p(array.ctypes.data), NUMBER[brief(array.dtype)], dims(array.shape),
                          strides, ctypes.c_uint(flags), self.lib.callback if user else ctypes.c_void_p(None),
                          ctypes.c_void_p(number))

    def make(self, op):
        dtype = NUMBER[op["dtype"]]
        f, i = ctypes.c_double, ctypes.c_int64
        if op["make"] == "user":
            view = user_memory(op)
            self.users[op["to"]] = view
            return self.buffer(view, 2 * op.get("read_only", False), True)
        if op["make"] == "zeros":
            return self.array("zeros", dims(op["shape"]), dtype)
        if op["make"] == "full":
            return self.array("full", dims(op["shape"]), self.get(op["value"]), dtype)
        if op["make"] == "arange":
            return self.array("arange_int", i(op["start"]), i(op["start"] + op["step"] * op["n"]), i(op["step"]), dtype)
        if op["make"] == "linspace":
            return self.array("linspace", f(op["start"]), f(op["stop"]), i(op["n"]), dtype)
        if op["make"] == "eye":
            return self.array("eye", i(op["n"]), i(op["m"]), i(op["k"]), dtype)
        return self.buffer(constant(op), 1 + 2 * op.get("read_only", False))

    def view(self, op):
        x, how, i = self.get(op["in"][0]), op["how"], ctypes.c_int64
        if how == "slice":
            return self.array("slice", x, op["text"].encode())
        if how == "diagonal":
            return self.array("diagonal", x, i(op["offset"]), i(op["axes"][0]), i(op["axes"][1]))
        if how == "broadcast_to":
            return self.array("broadcast_to", x, dims(op["shape"]))
        return self.array(how, x, dims(op["axes"]))

    def ufunc(self, op):
        return self.array(op["name"], *[self.get(x) for x in op["in"]])

    def reduce(self, op):
        return self.array(op["name"], self.get(op["in"][0]), dims(op["axes"]), ctypes.c_uint(op["keep"]))

    def copy(self, op):
        if op["dtype"] is None:
            return self.array("copy", self.get(op["in"][0]))
        return self.array("astype", self.get(op["in"][0]), NUMBER[op["dtype"]])

    def assign(self, op):
        self.array("assign", self.vars[op["to"]], self.get(op["in"][0]))

    def into(self, op):
        self.array(op["name"] + "_into", self.vars[op["to"]], *[self.get(x) for x in op["in"]])

    def read(self, op, model):
        compare(self, op["in"][0], model.vars[op["in"][0]])

    def eval_(self, op):
        self.array("eval", self.get(op["in"][0]))

    def wait(self, op, model):
        x = model.vars[op["in"][0]]
        error = self.lib.error("wait", self.get(op["in"][0]))
        if bool(error) != x.bad():
            raise Failure(f"wait({op['in'][0]}): {error}, expected {'an' if x.bad() else 'no'} error")
        if op["in"][0] in self.users and not error:
            same(f"memory of {op['in'][0]} after wait", self.users[op["in"][0]], x)

    def free(self, op):
        self.lib.call("free", None, self.vars.pop(op["in"][0]))

    def keep(self, op):
        self.array("keep", self.get(op["in"][0]))

    def open(self, op):
        self.scopes.append(self.lib.call("open", Scope))

    def close(self, op):
        self.lib.call("close", None, self.scopes.pop())

    def apply(self, op, model):
        if op["op"] in ("read", "wait"):
            getattr(self, op["op"])(op, model)
            return
        result = getattr(self, op["op"])(op)
        if "to" in op and op["op"] not in ("assign", "into"):
            self.vars[op["to"]] = result


def same(what, have, x):
    want = x.array
    if have.dtype != want.dtype or have.shape != want.shape:
        raise Failure(f"{what}: {have.dtype} {have.shape}, expected {want.dtype} {want.shape}")
    if x.store.inexact and want.dtype.kind in "fc":
        tolerance = max(x.store.inexact, TOLERANCE[brief(want.dtype)])
        with np.errstate(all="ignore"):
            fine = np.allclose(have, want, rtol=16 * tolerance, atol=16 * tolerance * max(1.0, x.store.scale), equal_nan=True)
    else:
        fine = np.array_equal(have, want, equal_nan=want.dtype.kind in "fc")
    if not fine:
        raise Failure(f"{what}: {have.tolist()}, expected {want.tolist()}")


def compare(run, name, x):
    lib, handle = run.lib, run.vars[name]
    if x.bad():
        if not lib.error("wait", handle):
            raise Failure(f"{name} has no error, but NumPy raises one")
        return
    shape = lib.call("shape", Dims, handle)
    dtype = lib.call("dtype_of", ctypes.c_int, handle)
    if dtype not in NAME:
        raise Failure(f"{name}: {lib.error('wait', handle)}, expected {x.array.tolist()}")
    have = np.empty(tuple(shape.at[:shape.count]), NAME[dtype])
    error = lib.error("read", handle, ctypes.c_void_p(have.ctypes.data), ctypes.c_size_t(have.nbytes))
    if error:
        raise Failure(f"{name}: {error}, expected {x.array.tolist()}")
    same(name, have, x)


def execute(library, ops):
    """None, or what went wrong."""
    model, run = Model(), Run(library)
    root = library.call("open", Scope)
    first = len(library.memory)
    failure = None
    try:
        for number, op in enumerate(ops):
            if model.apply(op):
                try:
                    run.apply(op, model)
                except Failure as f:
                    raise Failure(f"line {number + 1}: {f}")
        for name, x in model.vars.items():
            compare(run, name, x)
    except Failure as f:
        failure = str(f)
    library.call("close", None, root)
    deadline = time.monotonic() + 10
    numbers_ = range(first + 1, len(library.memory) + 1)
    while any(library.done.get(n, 0) == 0 for n in numbers_) and time.monotonic() < deadline:
        time.sleep(0.0005)
    counts = [library.done.get(n, 0) for n in numbers_]
    if not failure and any(c != 1 for c in counts):
        failure = f"the owners of user memory were told {counts} times, expected once each"
    return failure


# ---- making programs ----

class Maker:
    def __init__(self, seed, library_has):
        self.rng = random.Random(seed)
        self.model, self.ops, self.count = Model(), [], 0
        self.has_reduce = library_has("sum")

    def name(self):
        self.count += 1
        return f"v{self.count}"

    def shape(self):
        rng = self.rng
        ndim = rng.choice([0, 1, 1, 1, 2, 2, 2, 3, 4])
        return [rng.choice([0, 1, 1, 2, 3, 4, 5, 7] if ndim > 1 else [0, 1, 2, 3, 5, 8, 11, 17]) for _ in range(ndim)]

    def dtype(self):
        return self.rng.choice(list(NUMBER) + ["f8", "f8", "f4", "i4", "i8"])

    def any(self, good=0.97):
        names = [n for n, x in self.model.vars.items() if self.rng.random() > good or not x.bad()]
        names = names or list(self.model.vars)
        return self.rng.choice(names[-12:]) if names else None

    def scalar(self):
        rng = self.rng
        return rng.choice([rng.randint(-5, 9), rng.randint(0, 3), rng.randint(-8, 8) * 0.5, rng.random() < 0.5, 300,
                           complex(rng.randint(-2, 2), rng.randint(-2, 2))])

    def make(self):
        rng = self.rng
        op = {"op": "make", "to": self.name(), "dtype": self.dtype(), "seed": rng.randrange(1 << 30), "shape": self.shape(),
              "make": rng.choice(["array"] * 4 + ["user"] * 2 + ["zeros", "full", "arange", "linspace", "eye"])}
        if op["make"] in ("array", "user") and rng.random() < 0.05:
            op["read_only"] = True
        if op["make"] == "full":
            op["value"] = rng.choice([3, 2.5, True, 1 - 2j] if op["dtype"][0] == "c" else [3, 2.5, True])
        op.update(start=rng.randint(-5, 5), step=rng.choice([1, 2, -1, 3, -4]), n=rng.randint(0, 12), m=rng.randint(0, 6),
                  k=rng.randint(-3, 3), stop=rng.randint(-9, 9))
        if op["make"] in ("arange", "linspace", "eye") and op["dtype"] in ("?", "u1", "u2", "u4", "u8"):
            op["dtype"] = "f4"
        if op["make"] == "eye":
            op["n"] = op["n"] % 6
        return op

    def view(self):
        rng, source = self.rng, self.any()
        ndim = self.model.vars[source].array.ndim
        shape = self.model.vars[source].array.shape
        op = {"op": "view", "to": self.name(), "in": [source], "how": rng.choice(["slice"] * 5 + [
            "transpose", "transpose", "flip", "diagonal", "broadcast_to"])}
        if op["how"] == "slice":
            items = []
            for n in shape[:rng.randint(0, ndim)]:
                kind = rng.random()
                if kind < 0.2 and n:
                    items.append(str(rng.randint(-n, n - 1) if rng.random() < 0.97 else n))
                    continue
                part = [str(rng.randint(-n - 1, n + 1)) if rng.random() < 0.5 else "" for _ in range(2)]
                step = rng.choice(["", "", ":1", ":2", ":-1", ":-2", ":3"])
                items.append(":".join(part) + step)
            if rng.random() < 0.2:
                items.insert(rng.randint(0, len(items)), "newaxis")
            if rng.random() < 0.2 or not items:
                items.insert(rng.randint(0, len(items)), "...")
            op["text"] = ", ".join(items)
        elif op["how"] == "transpose":
            op["axes"] = rng.sample(range(ndim), ndim)
        elif op["how"] == "flip":
            op["axes"] = None if rng.random() < 0.4 else rng.sample(range(ndim), rng.randint(0, ndim))
        elif op["how"] == "diagonal":
            op["offset"] = rng.randint(-2, 2)
            op["axes"] = rng.sample(range(ndim), 2) if ndim >= 2 else [0, 1]
        else:
            op["shape"] = [rng.choice([2, 3]) if n == 1 and rng.random() < 0.6 else n for n in shape]
            op["shape"] = [rng.choice([1, 2, 3])] * (rng.random() < 0.5 and ndim < 4) + op["shape"]
        return op

    def fits(self, name):
        """A variable that broadcasts with the named one, most likely a fresh view of it."""
        array = self.model.vars[name].array
        choices = []
        for other, x in self.model.vars.items():
            try:
                if not x.bad() and np.broadcast(array, x.array).size <= 600:
                    choices.append(other)
            except ValueError:
                pass
        return self.rng.choice(choices[-10:]) if choices and self.rng.random() < 0.97 else self.any()

    def function(self):
        """Name and operands of an element-wise function."""
        rng, first = self.rng, self.any()
        kind = self.model.vars[first].array.dtype.kind
        inexact = self.model.vars[first].store.inexact
        pools = [EXACT] * 5 + [INEXACT] + ([DECIDE] * 2 if not inexact else [])
        if kind in "iub":
            pools += [WHOLE]
        name = rng.choice(rng.choice(pools))
        operands = [first]
        if name == "where":
            operands = [self.fits(first), first, self.fits(first)]
        elif name in TWO:
            other = self.scalar() if rng.random() < 0.25 else self.fits(first)
            operands = [first, other] if rng.random() < 0.6 else [other, first]
        return name, operands

    def allowed(self, name, operands):
        """Whether the answer does not hang on the last bit, and NumPy's is the library's by intent."""
        arrays = [self.model.vars[x] for x in operands if isinstance(x, str)]
        kinds = "".join(x.array.dtype.kind for x in arrays)
        whole = all(x.array.dtype.kind in "iub" for x in arrays) and not any(isinstance(x, (float, complex)) for x in operands)
        if name in WHOLE and not whole:
            return False
        if any(x.store.inexact for x in arrays) and name in DECIDE + ["rint", "floor", "ceil", "trunc", "where", "copysign"]:
            return False
        if any(x.store.inexact for x in arrays) and "c" in kinds and name in ("maximum", "minimum", "fmax", "fmin"):
            return False
        if any(isinstance(x, (int, float)) and abs(x) == 300 for x in operands) and name in DECIDE:
            return False
        if any(x.store.scale > 1e4 for x in arrays):
            return name not in INEXACT + ["multiply", "square", "divide"]
        if name in ("tanh", "arctan") and "c" in kinds:
            return False
        if "c" in kinds and name in ("sqrt", "divide", "rint", "square", "multiply") + tuple(INEXACT):
            return not any(np.isnan(x.array).any() or np.isinf(x.array).any() for x in arrays if x.array.dtype.kind in "fc")
        return True

    def ufunc(self):
        for _ in range(20):
            name, operands = self.function()
            if self.allowed(name, operands):
                return {"op": "ufunc", "to": self.name(), "name": name, "in": operands}
        return self.copy()

    def copy(self):
        source = self.any()
        x = self.model.vars[source]
        dtype = self.dtype() if self.rng.random() < 0.5 else None
        if x.store.inexact and dtype and np.dtype(dtype).kind in "biu":
            dtype = None
        return {"op": "copy", "to": self.name(), "in": [source], "dtype": dtype}

    def reduce(self):
        rng, source = self.rng, self.any()
        x = self.model.vars[source]
        ndim, name = x.array.ndim, rng.choice(REDUCE)
        if x.array.dtype.kind == "c" and name in ("ptp", "min", "max", "argmin", "argmax", "prod", "var"):
            name = "sum"
        if x.store.inexact and name in ("argmin", "argmax", "any", "all", "count_nonzero"):
            name = "sum"
        if name == "count_nonzero" and ndim == 0:
            name = "any"
        if x.array.dtype == "f2" and name in ("sum", "prod", "mean", "var") or x.store.scale > 1e3:
            name = "max"
        axes = None if rng.random() < 0.3 else rng.sample(range(ndim), rng.randint(0, ndim))
        if name in ("argmin", "argmax") and axes is not None:
            axes = axes[:1] or None
        if name in ("ptp", "count_nonzero") and axes == []:
            axes = None
        if name in ("min", "max", "ptp", "argmin", "argmax") and x.array.shape.count(0) > 1:
            name = "any"  # NumPy refuses where no result is asked for at all
        if name == "ptp" and x.array.dtype == bool:
            name = "min"
        return {"op": "reduce", "to": self.name(), "name": name, "in": [source], "axes": axes, "keep": rng.random() < 0.3}

    def writes(self, target, inexact):
        """Whether comparing what is written makes sense: an integer made of a rounded number does not."""
        return not (inexact and self.model.vars[target].array.dtype.kind in "biu")

    def assign(self):
        rng, target = self.rng, self.any()
        source = self.scalar() if rng.random() < 0.2 else self.fits(target)
        if isinstance(source, str) and not self.writes(target, self.model.vars[source].store.inexact):
            source = 1
        if source == 300 or isinstance(source, (int, float)) and source < 0:
            source = 2
        return {"op": "assign", "to": target, "in": [source]}

    def into(self):
        op = self.ufunc()
        target = self.fits(op["in"][-1]) if isinstance(op["in"][-1], str) else self.any()
        value = self.model.value(op) if op["op"] == "ufunc" else None
        if op["op"] != "ufunc" or value and value[1] and not self.writes(target, True):
            return op
        return dict(op, op="into", to=target)

    def look(self, kind):
        return {"op": kind, "in": [self.any(0.9)]}

    def close(self):
        return {"op": "close"} if self.model.depth else {"op": "open"}

    def program(self):
        kinds = [self.view] * 5 + [self.ufunc] * 5 + [self.assign] * 4 + [self.into] * 2 + [self.copy, self.make, self.make]
        kinds += [lambda: self.look("read")] * 2 + [lambda: self.look(k) for k in ("eval_", "wait", "free", "keep")]
        kinds += [self.close] + [self.reduce] * (3 if self.has_reduce else 0)
        for _ in range(self.rng.choice([6, 12, 20, 35])):
            op = self.make() if self.any() is None or len(self.ops) < 2 else self.rng.choice(kinds)()
            if op.get("in") == [None]:
                continue
            self.ops.append(op)
            self.model.apply(op)
        return self.ops


def text(op):
    def show(x):
        return x if isinstance(x, str) else repr(x)
    given = ", ".join(show(x) for x in op.get("in", []))
    kind = op["op"]
    if kind == "make":
        keep = {"array": "shape seed", "user": "shape seed", "zeros": "shape", "full": "shape value", "arange": "start step n",
                "linspace": "start stop n", "eye": "n m k"}[op["make"]].split()
        rest = "".join(f", {k}={op[k]}" for k in keep + ["read_only"] if k in op)
        return f"{op['to']} = {op['make']}(dtype='{op['dtype']}'{rest})"
    if kind == "view":
        if op["how"] == "slice":
            return f"{op['to']} = {given}[{op['text']}]"
        rest = ", ".join(f"{k}={op[k]}" for k in ("axes", "offset", "shape") if k in op)
        return f"{op['to']} = {op['how']}({given}, {rest})"
    if kind == "reduce":
        return f"{op['to']} = {op['name']}({given}, axis={op['axes']}, keepdims={op['keep']})"
    if kind == "copy":
        return f"{op['to']} = " + (f"astype({given}, '{op['dtype']}')" if op["dtype"] else f"copy({given})")
    if kind == "assign":
        return f"{op['to']}[...] = {given}"
    if kind == "into":
        return f"{op['name']}({given}, out={op['to']})"
    return f"{op['to']} = {op['name']}({given})" if kind == "ufunc" else f"{kind.strip('_')}({given})"


def shrink(fails, ops, deadline):
    size = max(1, len(ops) // 2)
    while size and time.monotonic() < deadline:
        at = 0
        while at < len(ops) and time.monotonic() < deadline:
            fewer = ops[:at] + ops[at + size:]
            if fewer and fails(fewer):
                ops = fewer
            else:
                at += size
        size //= 2
    return ops


# ---- processes ----

def worker(arguments):
    warnings.simplefilter("ignore")
    library = Library()
    deadline = time.monotonic() + arguments.seconds
    seed = arguments.seed
    done = 0
    while time.monotonic() < deadline and (arguments.count is None or done < arguments.count):
        ops = Maker(seed, library.has).program()
        if arguments.only:
            ops = [ops[int(i)] for i in arguments.only.split(",")]
        print(f"seed {seed}", flush=True)
        failure = execute(library, ops)
        if failure:
            short = shrink(lambda o: execute(library, o), ops, time.monotonic() + 20)
            print("FAILED " + "\n    ".join([execute(library, short) or failure] + [text(op) for op in short]), flush=True)
            os._exit(1)
        seed, done = seed + 1, done + 1
    library.call("finish", None)
    print(f"{done} programs")


def start(setting, *more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STA_")} | setting
    return subprocess.Popen([sys.executable, __file__, "--worker", *map(str, more)], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, env=environment)


def finish(process, seconds):
    """(status, output); a process that hangs is ended."""
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        process.kill()
        return "hangs", process.communicate()[0]


def shrink_crash(setting, seed):
    """The process died: each attempt needs one of its own."""
    ops = Maker(seed, lambda name: True).program()
    numbered = list(range(len(ops)))

    def fails(numbers_):
        only = ",".join(map(str, numbers_))
        status, _ = finish(start(setting, "--seed", seed, "--count", 1, "--seconds", 30, "--only", only), 20)
        return status not in (0, 1)
    return [text(ops[i]) for i in shrink(fails, numbered, time.monotonic() + 60)]


def report(setting, status, output):
    seeds = [line for line in output.splitlines() if line.startswith("seed ")]
    seed = int(seeds[-1].split()[1]) if seeds else None
    print(f"{setting}: failed ({status}); again with: fuzz.py --program {seed}")
    if status == 1 or seed is None:
        print("\n".join(line for line in output.splitlines() if not line.startswith("seed ")))
        return
    print("\n".join(output.splitlines()[-6:]))
    print("    " + "\n    ".join(shrink_crash(setting, seed)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=int, help="only the program of this seed")
    parser.add_argument("--setting", type=int, help="only this one of the settings")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--only", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return worker(arguments)
    settings = SETTINGS if arguments.setting is None else [SETTINGS[arguments.setting]]
    bad = 0
    seconds = arguments.seconds / len(settings)
    for number, setting in enumerate(settings):
        more = ["--seed", arguments.seed + 100000 * number, "--seconds", seconds]
        if arguments.program is not None:
            more = ["--seed", arguments.program, "--count", 1, "--seconds", 60]
        status, output = finish(start(setting, *more), seconds + 90)
        if status == 77:
            print(output)
            return 77
        print(setting, output.splitlines()[-1] if output else "")
        if status != 0:
            report(setting, status, output)
            bad += 1
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
