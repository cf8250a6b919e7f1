"""The peers: one process for each, which measures when told to, as the programs of --serve do.

    peers.py PEER WORKLOAD SIZE DTYPE
        run CASE            {"seconds": of one call}
        check CASE PREFIX   whether our results agree with float64 NumPy: {"wrong": null or what is wrong}

A peer computes as its users write it. Its cases are the methods of a class named Peer_WORKLOAD.
"""

import importlib.util
import json
import os
import sys
import time
import timeit
import traceback

import numpy

import check
import data
import formulas

np = numpy  # or CuPy


class Inputs:
    """What prepare() of the workload's program makes."""

    def __init__(self, workload, size, dtype):
        self.shape = tuple(int(n) for n in size.split("x"))
        self.dtype = numpy.dtype(dtype)
        getattr(self, workload)()

    def make(self, value, seed, shape=None):
        return data.array(self.shape if shape is None else shape, self.dtype, value, seed)

    def places(self, seed, n):
        """n of n, in no order."""
        return np.concatenate([data.bits(seed, first, min(data.BLOCK, n - first)) % np.uint64(n)
                               for first in range(0, n, data.BLOCK)]).astype(np.int64)

    def w1(self):
        self.a = self.make(data.coarse, 1)
        self.b = self.make(data.coarse, 2)
        self.c = self.make(data.coarse, 3, (self.shape[0] - 1,))
        self.d = self.a.copy()

    def w2(self):
        self.a = self.make(lambda *where: data.uniform(*where) * 16 - 8, 1)
        self.b = self.make(lambda *where: data.uniform(*where) * 16 - 8, 2)

    def w3(self):
        self.s = self.make(lambda *where: 50 + 100 * data.uniform(*where), 1)
        self.k = self.make(lambda *where: 60 + 80 * data.uniform(*where), 2)
        self.t = self.make(lambda *where: 0.1 + 2 * data.uniform(*where), 3)

    def w4(self):
        self.s = self.make(lambda *where: 30 + 10 * data.uniform(*where), 1)
        self.t = self.make(lambda *where: 30 * data.uniform(*where), 2)
        self.p = self.make(lambda *where: 1000 * data.uniform(*where), 3)

    def w5(self):
        columns = self.shape[-1]

        def sample(seed, first, count):
            return data.normal(seed, first, count) * (1.0 + np.arange(first, first + count) % columns) + 3

        self.x = self.make(sample, 1)
        self.w = self.make(lambda *where: data.normal(*where) * 2.0**-4, 2, (columns, columns))

    def w8(self):
        m, k, n = (self.shape + self.shape[:1] * 2)[:3] if len(self.shape) < 3 else self.shape
        self.a = self.make(data.normal, 1, (m, k))
        self.b = self.make(data.normal, 2, (k, n))

    def w6(self):
        self.u = self.make(data.uniform, 1)

    def w10(self):
        self.x = self.make(data.whole if self.dtype.kind == "i" else data.uniform, 1)

    scans = w10

    def w12(self):
        def skewed(seed, first, count):
            return np.where(data.bits(seed + 1, first, count) % np.uint64(16) != 0, 0.5, data.uniform(seed, first, count))

        self.a = self.make(data.uniform, 1)
        self.skewed = self.make(skewed, 2)
        self.edges = np.linspace(0, 1, 101) ** 2

    def w13(self):
        self.a = self.make(data.normal, 1)
        self.z = self.a.astype(np.complex64 if self.dtype == np.float32 else np.complex128)

    def w16(self):
        n = self.shape[0]
        self.x = self.make(data.coarse, 1)
        self.ids = self.places(2, n)
        self.mask = self.x < 0.5
        self.y = np.zeros_like(self.x)

    def w17(self):
        self.x = self.make(data.uniform, 1)
        self.y = self.make(data.uniform, 2)
        self.ids = self.places(3, self.shape[0])


# A case is a function of the inputs, or a text that is run so often that it takes long enough to be timed.


def magnitudes(x, w):
    z = np.clip((x - x.mean(axis=0, keepdims=True)) / x.std(axis=0, keepdims=True), -3, 3)
    return np.abs(np.fft.fft(z @ w))


class NumPy_w1:
    add = "a + b"
    sum = "a.sum()"
    slice = "d[1:] += c"
    combine = "2 * a + 3 * b"


class NumPy_w2:
    def clip(i):
        return np.clip((i.a - 0.5) / 2.25, -3, 3)

    def sum(i):
        return (np.sin(i.a) + np.cos(i.a)).sum()

    def combine(i):
        return 2 * i.a + 3 * i.b

    def squares(i):
        return np.sin(i.a) ** 2 + np.cos(i.a) ** 2


class NumPy_w3:  # it has no erf
    pass


class NumPy_w4:
    def density(i):
        return formulas.density(i.s, i.t, i.p, np.sqrt)


class NumPy_w5:
    def whole(i):
        return np.histogram(magnitudes(i.x, i.w), 64)

    def nohist(i):
        return magnitudes(i.x, i.w)


class CuPy_w5:
    whole = NumPy_w5.whole
    nohist = NumPy_w5.nohist


class JAX_w5:
    """Compiled once."""

    def whole(i):
        return jitted("whole", lambda x, w: jax.numpy.histogram(jax_magnitudes(x, w), 64))(i.x, i.w)

    def nohist(i):
        return jitted("nohist", jax_magnitudes)(i.x, i.w)


def jax_magnitudes(x, w):
    z = jax.numpy.clip((x - x.mean(axis=0, keepdims=True)) / x.std(axis=0, keepdims=True), -3, 3)
    return abs(jax.numpy.fft.fft(jax.numpy.matmul(z, w, precision="highest")))


compiled = {}


def jitted(name, function):
    if name not in compiled:
        compiled[name] = jax.jit(function)
    return compiled[name]


class NumPy_w8:
    def plain(i):
        return i.a @ i.b

    def transposed(i):
        return i.a @ i.b.T


class CuPy_w8:
    plain = NumPy_w8.plain
    transposed = NumPy_w8.transposed


class NumPy_w12:
    def few(i):
        return np.histogram(i.a, 64)

    def given(i):
        return np.histogram(i.a, 64, (0, 1))

    def thousand(i):
        return np.histogram(i.a, 1000, (0, 1))

    def many(i):
        return np.histogram(i.a, 1000000)

    def one_bin(i):
        return np.histogram(i.skewed, 64, (0, 1))

    def edges(i):
        return np.histogram(i.a, i.edges)

    def weights(i):
        return np.histogram(i.a, 64, (0, 1), weights=i.skewed)


class CuPy_w12:
    pass


class NumPy_w13:
    def complex(i):
        return np.fft.fft(i.z)

    def back(i):
        return np.fft.ifft(i.z)

    def real(i):
        return np.fft.fft(i.a)

    def half(i):
        return np.fft.rfft(i.a)

    def columns(i):
        return np.fft.fft(i.z, axis=0)


class CuPy_w13:
    pass


for numpys, cupys in ((NumPy_w12, CuPy_w12), (NumPy_w13, CuPy_w13)):
    for name, case in list(vars(numpys).items()):
        if not name.startswith("__"):
            setattr(cupys, name, case)


class NumPy_w6:
    def step(i):
        u = i.u
        u[1:-1, 1:-1] = (u[:-2, 1:-1] + u[2:, 1:-1] + (u[1:-1, :-2] + u[1:-1, 2:])) * 0.25


class NumPy_w10:
    pass


class NumPy_w16:
    def take(i):
        return i.x[i.ids]

    def mask(i):
        return i.x[i.mask]

    def put(i):
        i.y[i.ids] = i.x

    def fill(i):
        i.y[i.mask] = 0.25

    def add(i):
        np.add.at(np.zeros_like(i.x), i.ids, i.x)

    def nonzero(i):
        return np.flatnonzero(i.mask)


def reduction(name, axis):
    return lambda i: getattr(i.x, name)(axis=axis)


for name in ("sum", "mean", "var", "argmax"):
    for label, axis in (("none", None), ("0", 0), ("1", 1)):
        setattr(NumPy_w10, f"{name}-{label}", staticmethod(reduction(name, axis)))


class NumPy_scans:
    pass


def scan(function, axis):
    return lambda i: function(i.x, axis)


for name, function in check.SCANS.items():
    for axis in (0, 1):
        setattr(NumPy_scans, f"{name}-{axis}", staticmethod(scan(function, axis)))


class NumPy_w17:
    pass


for name, call in check.JOINED.items():
    setattr(NumPy_w17, name, staticmethod(call))


class CuPy_w16:
    pass


class CuPy_w17:
    pass


class CuPy_scans:
    pass


# What CuPy has of them.
for numpys, cupys in ((NumPy_w16, CuPy_w16), (NumPy_w17, CuPy_w17), (NumPy_scans, CuPy_scans)):
    for name, case in list(vars(numpys).items()):
        if not name.startswith(("__", "cummax", "hypot", "trapezoid")):
            setattr(cupys, name, case)


class numexpr_w2:
    def clip(i):
        return numexpr.evaluate("minimum(maximum((a - 0.5) / 2.25, -3), 3)", {"a": i.a})

    def sum(i):
        # Faster than its own sum(), which takes one thread.
        return numexpr.evaluate("sin(a) + cos(a)", {"a": i.a}).sum()

    def combine(i):
        return numexpr.evaluate("2 * a + 3 * b", {"a": i.a, "b": i.b})

    def squares(i):
        return numexpr.evaluate("sin(a) ** 2 + cos(a) ** 2", {"a": i.a})


class numexpr_w4:
    def density(i):
        return numexpr.evaluate(DENSITY, {"s": i.s, "t": i.t, "p": i.p})


class JAX_w3:
    def prices(i):
        return by_jax(i, lambda s, k, t: formulas.prices(s, k, t, jax.numpy.sqrt, jax.numpy.log, jax.numpy.exp,
                                                         jax.scipy.special.erf), "skt")


class JAX_w4:
    def density(i):
        return by_jax(i, lambda s, t, p: formulas.density(s, t, p, jax.numpy.sqrt), "stp")


def by_jax(inputs, function, names):
    """Compiled at the first call, as is what the arrays are copied to."""
    if not hasattr(inputs, "by_jax"):
        inputs.by_jax = jax.jit(function), [jax.numpy.asarray(getattr(inputs, name)) for name in names]
    compiled, arrays = inputs.by_jax
    return jax.block_until_ready(compiled(*arrays))


class Term:
    """Writes down what a formula does, for numexpr."""

    def __init__(self, text):
        self.text = text

    def __str__(self):
        return self.text

    def __add__(self, other):
        return Term(f"({self} + {other})")

    def __radd__(self, other):
        return Term(f"({other} + {self})")

    def __sub__(self, other):
        return Term(f"({self} - {other})")

    def __rsub__(self, other):
        return Term(f"({other} - {self})")

    def __mul__(self, other):
        return Term(f"({self} * {other})")

    def __rmul__(self, other):
        return Term(f"({other} * {self})")

    def __truediv__(self, other):
        return Term(f"({self} / {other})")


DENSITY = str(formulas.density(Term("s"), Term("t"), Term("p"), lambda x: Term(f"sqrt({x})")))


def version(peer):
    return f"{peer} {__import__(peer.lower()).__version__}"


def is_here(peer):
    return importlib.util.find_spec(peer.lower()) is not None


def use_cupy():
    """CuPy's users write as NumPy's do."""
    global np, cupy
    import cupy
    import cupyx.scipy.special

    np = check.np = data.np = cupy
    check.erf = cupyx.scipy.special.erf


def use_jax(inputs):
    global jax
    os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")  # others need the GPU too
    import jax
    import jax.numpy
    import jax.scipy.special

    jax.config.update("jax_enable_x64", inputs.dtype.itemsize == 8)
    for name, value in vars(inputs).items():
        if hasattr(value, "get"):
            value = value.get()
        if isinstance(value, numpy.ndarray):
            setattr(inputs, name, jax.numpy.asarray(value))
    if "cupy" in globals():
        cupy.get_default_memory_pool().free_all_blocks()


def wait_for(peer, result):
    """Until the GPU has it."""
    if peer == "CuPy":
        cupy.cuda.Device().synchronize()
    if peer == "JAX":
        jax.block_until_ready(result)


def cases_of(peer, workload):
    cases = globals().get(f"{peer}_{workload}")
    return {} if cases is None else {name: value for name, value in vars(cases).items() if not name.startswith("__")}


class Peer:
    def __init__(self, peer, workload, size, dtype):
        self.cases = cases_of(peer, workload)
        self.workload = workload
        self.peer = peer
        if peer == "CuPy" or peer == "JAX" and is_here("CuPy"):  # which makes the data faster
            use_cupy()
        self.inputs = Inputs(workload, size, dtype)
        if peer == "JAX":
            use_jax(self.inputs)
        self.calls = {}

    def run_text(self, text):
        timer = timeit.Timer(text, globals=vars(self.inputs))
        if text not in self.calls:
            least = min(timer.timeit(10) / 10 for _ in range(5))
            self.calls[text] = max(1, int(0.02 / least))
        return timer.timeit(self.calls[text]) / self.calls[text]

    def run(self, name):
        case = self.cases[name]
        if isinstance(case, str):
            return {"seconds": self.run_text(case)}
        function = case.__func__ if isinstance(case, staticmethod) else case
        start = time.perf_counter()
        result = function(self.inputs)
        wait_for(self.peer, result)
        took = time.perf_counter() - start
        del result
        return {"seconds": took}

    def check(self, name, prefix, count, updates):
        results = [np.asarray(np.load(f"{prefix}.{k}.npy")) for k in range(int(count))]
        return {"wrong": check.wrong(self.workload, name, self.inputs, results, int(updates))}


def main():
    global numexpr
    peer, workload, size, dtype = sys.argv[1:]
    if peer == "numexpr":
        import numexpr
    server = Peer(peer, workload, size, dtype)
    print(json.dumps({"ready": True, "version": version(peer)}), flush=True)
    for line in sys.stdin:
        verb, *words = line.split()
        try:
            answer = {"run": server.run, "check": server.check}[verb](*words)
        except Exception as error:
            traceback.print_exc()
            answer = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
