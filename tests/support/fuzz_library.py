"""Random programs: the library's side, and comparing. Contract: fuzz.py."""
import ctypes
import os
import sys
import time

import numpy as np

import fuzz_change
import fuzz_join
import fuzz_scan
from fuzz_index import IndexModel, IndexRun
from fuzz_model import NAME, NUMBER, TOLERANCE, Model, brief, constant, user_memory


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


class NumPySide(IndexModel, Model):
    def change(self, op):
        return fuzz_change.apply(self, op)


class Run(IndexRun):
    """One program."""

    def __init__(self, library):
        self.lib, self.vars, self.scopes, self.users = library, {}, [], {}

    dims = staticmethod(dims)

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
        if "moved" not in op:
            return self.array(op["name"], *[self.get(x) for x in op["in"]])
        self.array("move", self.get(op["moved"]))
        result = self.array(op["name"], *[self.get(x) for x in op["in"]])
        del self.vars[op["moved"]]
        return result

    def reduce(self, op):
        return self.array(op["name"], self.get(op["in"][0]), dims(op["axes"]), ctypes.c_uint(op["keep"]))

    def scan(self, op):
        return fuzz_scan.call(self, op)

    def join(self, op):
        return fuzz_join.call(self, op)

    def change(self, op):
        fuzz_change.call(self, op)

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
        if "to" in op and op["op"] not in ("assign", "into", "assign_at", "add_at", "put", "change"):
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


def told_once(library, first):
    """None, or what is wrong: the owner of each user memory from number `first` on is told once that it is free."""
    deadline = time.monotonic() + 10
    numbers_ = range(first, len(library.memory) + 1)
    while any(library.done.get(n, 0) == 0 for n in numbers_) and time.monotonic() < deadline:
        time.sleep(0.0005)
    counts = [library.done.get(n, 0) for n in numbers_]
    if any(c != 1 for c in counts):
        return f"the owners of user memory were told {counts} times, expected once each"


CASES = "view frame at assign_at add_at find put assign into".split()


class Batch:
    """Programs whose arrays are compared when all of them were called."""

    def __init__(self, library):
        self.library, self.programs, self.cases, self.failures = library, {}, 0, {}
        self.root, self.first = library.call("open", Scope), len(library.memory) + 1

    def run(self, seed, maker):
        run = Run(self.library)
        try:
            for op in maker.steps("views"):
                if maker.done:
                    run.apply(op, maker.model)
                    self.cases += op["op"] in CASES
            self.programs[seed] = (run, maker.model)
        except Failure as f:
            self.failures[seed] = str(f)

    def finish(self):
        """{seed: what went wrong}. All is computed before the first array is waited for."""
        for run, model in self.programs.values():
            for name in model.vars:
                run.array("eval", run.vars[name])
        for seed, (run, model) in self.programs.items():
            try:
                for name, x in model.vars.items():
                    compare(run, name, x)
            except Failure as f:
                self.failures[seed] = str(f)
        self.library.call("close", None, self.root)
        told = told_once(self.library, self.first)
        if told and not self.failures:
            self.failures[next(iter(self.programs))] = told
        return self.failures


def execute(library, ops):
    """None, or what went wrong."""
    model = NumPySide()
    return check(library, model, ((op, model.apply(op)) for op in ops))


def make_and_execute(library, maker):
    """The same for a program of everything that is made meanwhile: NumPy's side is the maker's."""
    return check(library, maker.model, ((op, maker.done) for op in maker.steps()))


def check(library, model, steps):
    run = Run(library)
    root = library.call("open", Scope)
    first = len(library.memory) + 1
    failure = None
    try:
        for number, (op, done) in enumerate(steps):
            if done:
                try:
                    run.apply(op, model)
                except Failure as f:
                    raise Failure(f"line {number + 1}: {f}")
        for name, x in model.vars.items():
            compare(run, name, x)
    except Failure as f:
        failure = str(f)
    library.call("close", None, root)
    told = told_once(library, first)
    return failure or told
