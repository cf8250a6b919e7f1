"""Differences, gradients, integrals and their like by NumPy, for tests/scan.c: cases.h. Numbers may be given in quarters."""
import numpy as np

from cases import VIEWS, answer, seen

DTYPES = "? i1 i4 i8 u1 u8 f4 f8 c8 c16".split()
NEAR = {"e": (0, 2e-3, 2e-3), "f": (0, 4e-6, 1e-5), "d": (0, 1e-13, 1e-12), "F": (0, 4e-6, 1e-5), "D": (0, 1e-13, 1e-12)}


def near(result):
    """With the tolerance of its dtype; exact for integers."""
    if isinstance(result, str):
        return result
    return result, NEAR.get(np.asarray(result[0]).dtype.char, (0, 0, 0))


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def values(self, dtype, shape):
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return self.rng.integers(0, 2, shape).astype(bool)
        if dtype.kind in "iu":
            return self.rng.integers(0, 100, shape).astype(dtype)
        x = self.rng.normal(size=shape) * 5
        return (x + 1j * self.rng.normal(size=shape) if dtype.kind == "c" else x).astype(dtype)

    def diffs(self):
        for dtype in DTYPES:
            for view in VIEWS:
                x = (self.values(dtype, (5, 6)), view)
                for n, axis in [(1, -1), (1, 0), (2, 1)]:
                    yield "diff", [x], [n, axis], near(answer(np.diff, seen(x), n, axis))
            x, before, behind = (self.values(dtype, s) for s in [(4, 5), (2, 5), (1, 5)])
            yield "diff_with", [x, before, behind], [1, 0], near(answer(np.diff, x, 1, 0, before, behind))
            yield "diff_with", [x, before[0, 0], behind[0, 0]], [2, 1], \
                near(answer(np.diff, x, 2, 1, before[0, 0], behind[0, 0]))
            if dtype != "?":
                x = self.values(dtype, (7,))
                yield "ediff1d", [x], [], near(answer(np.ediff1d, x))
                yield "ediff1d", [x[:6].reshape(2, 3).T, x[:4].reshape(2, 2), x[0]], [], \
                    near(answer(np.ediff1d, x[:6].reshape(2, 3).T, x[0], x[:4].reshape(2, 2)))
                yield "ediff1d", [x, x[:2], x[:3]], [], near(answer(np.ediff1d, x, x[:3], x[:2]))
        x = self.values("f8", (3, 4))
        for n, axis in [(0, 1), (3, 0), (7, 1), (4, 0), (-1, 0), (1, 2), (1, -3)]:
            yield "diff", [x], [n, axis], near(answer(np.diff, x, n, axis))
        yield "diff", [self.values("f8", (0, 3))], [1, 0], [np.zeros((0, 3))]
        yield "diff", [self.values("f8", ())], [1, 0], "SHAPE"

    def gradients(self):
        for dtype in "f4 f8 i4 u1 c16".split():
            for view in VIEWS:
                for axis in (0, 1):
                    for order in (1, 2):
                        x = (self.values(dtype, (4, 6)), view)
                        wide = seen(x).astype("f8") if dtype[0] in "iu" else seen(x)
                        h = np.float64(0.25) if dtype != "f4" else np.float32(0.25)
                        yield "gradient", [x, h], [axis, order], near(answer(np.gradient, wide, h, axis=axis, edge_order=order))
                        at = np.cumsum(self.rng.random(wide.shape[axis]) + 0.1).astype(h.dtype)
                        yield "gradient", [x, at], [axis, order], \
                            near(answer(np.gradient, wide, at, axis=axis, edge_order=order))
        for dtype in "f2 f4 c8 i4".split():  # the steps are wider, or narrower
            for h in (np.float64(0.25), np.arange(6.0) ** 2, np.float32(0.25), np.arange(6, dtype="f4")):
                x = self.values(dtype, (2, 6))
                expected = answer(np.gradient, x, h, axis=1, edge_order=2)
                yield "gradient", [x, h], [1, 2], near(expected)
        x = self.values("f8", (2, 3))
        for axis, order in [(0, 1), (0, 2), (1, 2), (1, 1)]:
            expected = "SHAPE" if x.shape[axis] < order + 1 else answer(np.gradient, x, 2.0, axis=axis, edge_order=order)
            yield "gradient", [x, np.float64(2)], [axis, order], near(expected)
        yield "gradient", [x, np.float64(2)], [1, 3], "VALUE"
        yield "gradient", [x, np.arange(4.0)], [1, 1], "SHAPE"
        yield "gradient", [x, np.float64(2)], [2, 1], "AXIS"

    def crosses(self):
        for dtype in "i4 f4 f8 c16".split():
            for a, b, axis in [((3,), (3,), 0), ((4, 3), (4, 3), -1), ((4, 3), (3,), -1), ((3, 5), (3, 5), 0),
                               ((2, 1, 3), (4, 3), -1), ((2, 3, 4), (2, 3, 4), 1)]:
                x, y = self.values(dtype, a), self.values(dtype, b)
                yield "cross", [x, y], [axis], near(answer(np.cross, x, y, axis=axis))
        yield "cross", [self.values("f8", (2, 4)), self.values("f8", (2, 4))], [1], "SHAPE"
        yield "cross", [self.values("f8", (2, 3)), self.values("f8", (4, 3))], [1], "SHAPE"

    def trapezoids(self):
        for dtype in "i4 f4 f8 c8 u1".split():
            for view in VIEWS:
                y = (self.values(dtype, (5, 6)), view)
                for axis in (0, -1):
                    n = seen(y).shape[axis]
                    at = np.sort(self.values("f8", (n,)))
                    yield "trapezoid", [y], [axis, 2], near(answer(np.trapezoid, seen(y), dx=0.5, axis=axis))
                    yield "trapezoid", [y, at], [axis, 0], near(answer(np.trapezoid, seen(y), at, axis=axis))
            y, x = self.values(dtype, (4, 5)), self.values("f8", (4, 5))
            yield "trapezoid", [y, x], [1, 0], near(answer(np.trapezoid, y, x, axis=1))
        yield "trapezoid", [self.values("f8", (1,))], [0, 4], [np.float64(0)]

    def unwraps(self):
        for dtype in "f4 f8".split():
            for view in VIEWS:
                for axis in (0, 1):
                    p = ((self.values(dtype, (4, 6)) * 3).astype(dtype), view)
                    yield "unwrap", [p], [axis, 0, 0], near(answer(np.unwrap, seen(p), axis=axis))
                    yield "unwrap", [p], [axis, 18, 8], near(answer(np.unwrap, seen(p), 4.5, axis=axis, period=2.0))
        for period in (4, 5, 10):
            p = self.values("i4", (30,))
            yield "unwrap", [p], [0, 0, 4 * period], near(answer(np.unwrap, p, period=period))
        p = self.values("i4", (30,))
        yield "unwrap", [p], [0, 0, 10], near(answer(np.unwrap, p, period=2.5))
        yield "unwrap", [self.values("f8", (1, 3))], [0, 0, 0], None
        yield "unwrap", [self.values("c8", (3,))], [0, 0, 0], "DTYPE"
        yield "unwrap", [self.values("f8", (3,))], [0, 0, -4], "VALUE"


def make(rng):
    maker = Maker(rng)
    for part in (maker.diffs, maker.gradients, maker.crosses, maker.trapezoids, maker.unwraps):
        for call, operands, numbers, results in part():
            if results is None:
                results = near(answer(np.unwrap, operands[0], axis=0))
            yield call, operands, numbers, results
