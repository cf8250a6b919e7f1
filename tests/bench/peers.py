"""The peers: one process for each, which measures when told to, as the programs of --serve do.

    peers.py PEER WORKLOAD SIZE DTYPE
        run CASE            {"seconds": of one call}
        check CASE PREFIX   whether our results agree with float64 NumPy: {"wrong": null or what is wrong}

A peer computes as its users write it. Its cases are the methods of a class named Peer_WORKLOAD.
"""

import json
import sys
import time
import timeit
import traceback

import numpy as np

import check
import data


class Inputs:
    """What prepare() of the workload's program makes."""

    def __init__(self, workload, size, dtype):
        self.shape = tuple(int(n) for n in size.split("x"))
        self.dtype = np.dtype(dtype)
        getattr(self, workload)()

    def make(self, value, seed, shape=None):
        return data.array(self.shape if shape is None else shape, self.dtype, value, seed)

    def w1(self):
        self.a = self.make(data.coarse, 1)
        self.b = self.make(data.coarse, 2)
        self.c = self.make(data.coarse, 3, (self.shape[0] - 1,))
        self.d = self.a.copy()

    def w2(self):
        self.a = self.make(lambda *where: data.uniform(*where) * 16 - 8, 1)
        self.b = self.make(lambda *where: data.uniform(*where) * 16 - 8, 2)

    def w5(self):
        columns = self.shape[-1]

        def sample(seed, first, count):
            return data.normal(seed, first, count) * (1.0 + np.arange(first, first + count) % columns) + 3

        self.x = self.make(sample, 1)
        self.w = self.make(lambda *where: data.normal(*where) * 2.0**-4, 2, (columns, columns))

    def w10(self):
        self.x = self.make(data.uniform, 1)

    scans = w10


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


class NumPy_w5:
    def whole(i):
        return np.histogram(magnitudes(i.x, i.w), 64)

    def nohist(i):
        return magnitudes(i.x, i.w)


class NumPy_w10:
    pass


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


def version(peer):
    return f"{peer} {__import__(peer.lower()).__version__}"


def cases_of(peer, workload):
    cases = globals().get(f"{peer}_{workload}")
    return {} if cases is None else {name: value for name, value in vars(cases).items() if not name.startswith("__")}


class Peer:
    def __init__(self, peer, workload, size, dtype):
        self.cases = cases_of(peer, workload)
        self.workload = workload
        self.inputs = Inputs(workload, size, dtype)
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
        took = time.perf_counter() - start
        del result
        return {"seconds": took}

    def check(self, name, prefix, count, updates):
        results = [np.load(f"{prefix}.{k}.npy") for k in range(int(count))]
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
