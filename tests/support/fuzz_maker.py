"""Random programs: making them, showing them, and making them shorter. Contract: fuzz.py."""
import random
import time

import numpy as np

import fuzz_change
import fuzz_index
import fuzz_join
import fuzz_scan
from fuzz_library import NumPySide
from fuzz_model import INEXACT, NUMBER

EXACT = ("add subtract multiply divide maximum minimum fmax fmin negative positive absolute square rint floor ceil trunc "
         "sqrt copysign where").split()
WHOLE = "floor_divide remainder fmod bitwise_and bitwise_or bitwise_xor invert".split()  # of integers
DECIDE = ("greater greater_equal less less_equal equal not_equal logical_and logical_or logical_xor logical_not isnan "
          "isfinite signbit").split()
TWO = set("add subtract multiply divide maximum minimum fmax fmin copysign floor_divide remainder fmod bitwise_and "
          "bitwise_or bitwise_xor greater greater_equal less less_equal equal not_equal logical_and logical_or "
          "logical_xor".split())
REDUCE = "sum prod min max any all argmin argmax mean var count_nonzero ptp".split()


def rounds_near_zero(x):
    """Whether a rounded number may be 0, or have the other sign, in the other library: 0 / 0 where that one has 1."""
    return x.store.inexact > 0 and bool((np.abs(x.array) < 0.01 * max(1.0, x.store.scale)).any())


class Maker(fuzz_index.IndexMaker):
    def __init__(self, seed, library_has):
        self.rng = random.Random(seed)
        self.model, self.ops, self.count = NumPySide(), [], 0
        self.has_reduce, self.has_join = library_has("sum"), library_has("concat")
        self.has_scan = library_has("cumsum")

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
        if name in ("divide", "sqrt") and isinstance(operands[-1], str) and rounds_near_zero(self.model.vars[operands[-1]]):
            return False
        if name in ("signbit", "copysign") and any(x.array.dtype.kind == "f" and np.isnan(x.array).any() for x in arrays):
            return False  # the sign of a NaN that was computed is the processor's affair, in NumPy too
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
                op = {"op": "ufunc", "to": self.name(), "name": name, "in": operands}
                named = [x for x in operands if isinstance(x, str)]
                if self.rng.random() < 0.1:
                    op["moved"] = self.rng.choice(named)
                return op
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
        if name in ("mean", "var") and x.array.dtype.kind in "iu" and (np.abs(x.array.astype("f8")) > 1e6).any():
            name = "max"  # float64 rounds such numbers before it subtracts their mean
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
        op.pop("moved", None)
        return dict(op, op="into", to=target)

    def look(self, kind):
        return {"op": kind, "in": [self.any(0.9)]}

    def close(self):
        return {"op": "close"} if self.model.depth else {"op": "open"}

    def palette(self, name):
        """What a program is made of, as often as it is listed."""
        views = [self.view] * 5 + [self.frame] * 3 + [self.at] * 2 + [self.write_at] * 3 + [self.find, self.put]
        views += [self.assign] * 4 + [self.into] * 2 + [self.copy, self.make, self.make]
        if name == "views":
            return views * 4 + [self.ufunc] * 4 + [lambda: self.look("eval_")] * 2 + [lambda: self.look("read")]
        kinds = views + [self.ufunc] * 5 + [lambda: fuzz_change.make(self)] * 3
        kinds += [lambda: self.look("read")] * 2 + [lambda k=k: self.look(k) for k in ("eval_", "wait", "free", "keep")]
        kinds += [self.close] + [self.reduce] * (3 if self.has_reduce else 0)
        kinds += [lambda: fuzz_scan.make(self)] * (2 if self.has_scan else 0)
        kinds += [lambda: fuzz_join.make(self)] * (4 if self.has_join else 0)
        return kinds

    def steps(self, palette="all"):
        """The operations of a program; the model is after each where NumPy is."""
        kinds = self.palette(palette)
        for _ in range(self.rng.choice([20, 35, 50] if palette == "views" else [6, 12, 20, 35])):
            op = self.make() if self.any() is None or len(self.ops) < 2 else self.rng.choice(kinds)()
            if op.get("in") == [None]:
                continue
            self.ops.append(op)
            self.done = self.model.apply(op)
            yield op


def text(op):
    def show(x):
        return x if isinstance(x, str) else repr(x)
    given = ", ".join(show(x) for x in op.get("in", []))
    kind = op["op"]
    line = fuzz_index.text(op, given)
    if line:
        return line
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
    if kind == "change":
        return fuzz_change.text(op)
    if kind == "join":
        return fuzz_join.text(op)
    if kind == "reduce":
        return f"{op['to']} = {op['name']}({given}, axis={op['axes']}, keepdims={op['keep']})"
    if kind == "scan":
        return fuzz_scan.text(op)
    if kind == "copy":
        return f"{op['to']} = " + (f"astype({given}, '{op['dtype']}')" if op["dtype"] else f"copy({given})")
    if kind == "assign":
        return f"{op['to']}[...] = {given}"
    if kind == "into":
        return f"{op['name']}({given}, out={op['to']})"
    if "moved" in op:
        return f"{op['to']} = {op['name']}({given}); del {op['moved']}"
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
