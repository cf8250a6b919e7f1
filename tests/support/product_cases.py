"""Products and norms by NumPy, for tests/linalg.c: cases.h."""
import numpy as np

from cases import VIEWS, answer, seen

DTYPES = "i1 i4 i8 u8 f4 f8 c8 c16".split()
NEAR = {"f": (0, 1e-5, 1e-4), "d": (0, 1e-13, 1e-11), "F": (0, 1e-5, 1e-4), "D": (0, 1e-13, 1e-11)}
ORDERS = [None, "fro", "1", "-1", "inf", "-inf"]
NUMBERS = {"1": 1, "-1": -1, "inf": np.inf, "-inf": -np.inf}
VECTOR_ORDERS = [2, 1, 0, np.inf, -np.inf, 3, 0.5, -2]


def near(result):
    if isinstance(result, str):
        return result
    return result, NEAR.get(np.asarray(result[0]).dtype.char, (0, 0, 0))


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def values(self, dtype, shape):
        dtype = np.dtype(dtype)
        if dtype.kind in "iu":
            return self.rng.integers(0, 9, shape).astype(dtype)
        x = self.rng.normal(size=shape)
        return (x + 1j * self.rng.normal(size=shape) if dtype.kind == "c" else x).astype(dtype)

    def pairs(self):
        for dtype in DTYPES:
            for a, b in [((4,), (4,)), ((3, 4), (4,)), ((4,), (4, 3)), ((3, 4), (4, 5)), ((2, 3, 4), (4, 5)),
                         ((3, 4), (2, 4, 5)), ((4,), (2, 4, 5)), ((2, 3, 4), (3, 4, 2)), ((), (3, 2)), ((2, 3), ())]:
                x, y = self.values(dtype, a), self.values(dtype, b)
                yield "dot", [x, y], [], near(answer(np.dot, x, y))
            for a, b in [((4,), (4,)), ((3, 4), (4,)), ((4,), (3, 4)), ((3, 4), (5, 4)), ((2, 3, 4), (5, 4)),
                         ((2, 4), (3, 5, 4)), ((), (3,))]:
                x, y = self.values(dtype, a), self.values(dtype, b)
                yield "inner", [x, y], [], near(answer(np.inner, x, y))
            for view in VIEWS:
                x, y = (self.values(dtype, (5, 5)), view), (self.values(dtype, (5, 5)), view)
                yield "vdot", [x, y], [], near(answer(np.vdot, seen(x), seen(y)))
                yield "vecdot", [x, y], [-1], near(answer(np.vecdot, seen(x), seen(y)))
                yield "vecdot", [x, y], [0], near(answer(np.vecdot, seen(x), seen(y), axis=0))
                yield "trace", [x], [1, 0, 1], near(answer(np.trace, seen(x), 1))
            x, y = self.values(dtype, (3, 1, 4)), self.values(dtype, (2, 4))
            yield "vecdot", [x, y], [-1], near(answer(np.vecdot, x, y))
            yield "trace", [self.values(dtype, (3, 4, 3))], [0, 0, 2], None
            for a, b in [((3,), (4,)), ((2, 3), (2, 2)), ((), (3,))]:
                x, y = self.values(dtype, a), self.values(dtype, b)
                yield "outer", [x, y], [], near(answer(np.outer, x, y))
                yield "kron", [x, y], [], near(answer(np.kron, x, y))
            for a, b in [((2, 3), (3, 2, 1)), ((), (2, 0)), ((1, 2, 2), (2, 3))]:
                x, y = (self.values(dtype, a), "T"), self.values(dtype, b)
                yield "kron", [x, y], [], near(answer(np.kron, seen(x), y))
            yield "vdot", [self.values(dtype, (2, 3)), self.values(dtype, (3, 2))], [], None
        x, y = np.ones((2, 3)), np.ones((2, 4))
        for call in ("dot", "inner", "vdot", "vecdot"):
            yield call, [x, y], [-1], "SHAPE"
        yield "vecdot", [x, x], [2], "AXIS"
        yield "vecdot", [x, x[0]], [0], "AXIS"

    def tensors(self):
        for dtype in "i4 f8 c8".split():
            for a, b, p, q in [((3, 4), (4, 5), [1], [0]), ((2, 3, 4), (4, 3, 5), [1, 2], [1, 0]), ((2, 3), (4,), [], []),
                               ((2, 3, 4), (3, 4, 2), [-2, -1], [0, 1]), ((3, 2), (2, 3), [0, 1], [1, 0]), ((), (), [], []),
                               ((2, 0, 3), (0, 4), [1], [0]), ((2, 3, 2, 2), (2, 2, 3), [3, 1], [0, 2])]:
                x, y = self.values(dtype, a), self.values(dtype, b)
                yield "tensordot", [x, y], [len(p)] + p + q, near(answer(np.tensordot, x, y, (p, q)))
            x, y = (self.values(dtype, (4, 3, 2)), "T"), (self.values(dtype, (5, 6)), "half")
            yield "tensordot", [x, y], [1, 1, 1], near(answer(np.tensordot, seen(x), seen(y), ([1], [1])))
        x, y = np.ones((2, 3)), np.ones((2, 4))
        for numbers, error in [([1, 1, 1], "SHAPE"), ([1, 2, 0], "AXIS"), ([2, 0, 0, 0, 1], "AXIS"),
                               ([3, 0, 1, 2, 0, 1, 2], "AXIS")]:
            yield "tensordot", [x, y], numbers, error

    def chains(self):
        for dtype in "i8 f8 c8".split():
            for n in (0, 1, 2, 3, 5, 8):
                x = self.values(dtype, (2, 3, 3))
                yield "matrix_power", [x], [n], near(answer(np.linalg.matrix_power, x, n))
            for shapes in [[(3, 4), (4, 2)], [(10, 2), (2, 9), (9, 1), (1, 7)], [(3,), (3, 4), (4, 2)],
                           [(5, 3), (3, 4), (4,)], [(3,), (3, 4), (4,)], [(4,), (4,)]]:
                x = [self.values(dtype, s) for s in shapes]
                yield "multi_dot", x, [], near(answer(np.linalg.multi_dot, x))
        yield "matrix_power", [np.ones((2, 3))], [2], "SHAPE"
        yield "matrix_power", [np.ones((2, 2))], [-1], "VALUE"
        yield "multi_dot", [np.ones((2, 3)), np.ones((2, 3))], [], "SHAPE"
        yield "multi_dot", [np.ones((2, 3)), np.ones(3), np.ones((3, 2))], [], "SHAPE"

    def norms(self):
        for dtype in "i4 f4 f8 c8 c16".split():
            for view in VIEWS:
                x = (self.values(dtype, (5, 5)), view)
                for keep in (0, 1):
                    for k, order in enumerate(ORDERS):
                        number = NUMBERS.get(order, order)
                        result = near(answer(np.linalg.norm, seen(x), number, (0, 1), bool(keep)))
                        yield "norm", [x], [k, keep, 0, 1], result
                        yield "matrix_norm", [x], [k, keep], result
                    for k, order in enumerate(VECTOR_ORDERS):
                        for axis in (0, 1):
                            wide = seen(x) if dtype != "i4" else seen(x).astype("f8")
                            yield "vector_norm", [x], [k, keep, axis], \
                                near(answer(np.linalg.vector_norm, wide, axis=axis, ord=order, keepdims=bool(keep)))
                yield "vector_norm", [x], [0, 0, 0, 1], near(answer(np.linalg.vector_norm, seen(x)))
                yield "norm", [x], [0, 0], near(answer(np.linalg.norm, seen(x)))
                yield "norm", [x], [0, 0, 1], near(answer(np.linalg.norm, seen(x), axis=1))
        x = self.values("f8", (2, 3, 4))
        for k in range(len(ORDERS)):
            yield "norm", [x], [k, 0, 2, 0], near(answer(np.linalg.norm, x, NUMBERS.get(ORDERS[k], ORDERS[k]), (2, 0)))
        yield "norm", [x], [2, 0, 0], near(answer(np.linalg.norm, x, 1, 0))
        yield "norm", [x], [1, 0, 0], "VALUE"
        yield "norm", [x], [0, 0, 0, 1, 2], "SHAPE"
        yield "matrix_norm", [x[0, 0]], [0, 0], "AXIS"


def make(rng):
    maker = Maker(rng)
    for part in (maker.pairs, maker.tensors, maker.chains, maker.norms):
        for call, operands, numbers, results in part():
            if results is None and call == "vdot":
                results = near(answer(np.vdot, *operands))
            if results is None:
                results = near(answer(np.trace, operands[0], *numbers))
            yield call, operands, numbers, results
