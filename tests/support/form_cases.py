"""Forms of ufuncs by NumPy, for tests/forms.c: cases.h. The first number is the place of the ufunc in NAMES."""
import numpy as np

import cases
from cases import VIEWS, seen

NAMES = ("add subtract multiply divide floor_divide remainder fmod power float_power copysign nextafter heaviside gcd lcm "
         "maximum minimum fmax fmin logaddexp logaddexp2 hypot arctan2 bitwise_and bitwise_or bitwise_xor left_shift "
         "right_shift logical_and logical_or logical_xor greater greater_equal less less_equal equal not_equal").split()
DTYPES = "? i1 i4 i8 u1 u8 f4 f8 c16".split()
ORDERED = ("subtract divide floor_divide remainder fmod power float_power copysign nextafter heaviside arctan2 left_shift "
           "right_shift greater greater_equal less less_equal equal not_equal").split()
EXTREMES = "maximum minimum fmax fmin".split()
NEAR = {"e": (0, 2e-2, 2e-2), "f": (0, 2e-5, 1e-6), "d": (0, 1e-12, 1e-13), "D": (0, 1e-12, 1e-13)}


def answer(function, *arguments, **more):
    try:
        return cases.answer(function, *arguments, **more)
    except KeyError:  # a TypeError of NumPy's own: no loop for these dtypes
        return "DTYPE"


def near(result):
    if isinstance(result, str):
        return result
    return result, NEAR.get(np.asarray(result[0]).dtype.char, (0, 0, 0))


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def dtypes(self, name):
        """nextafter of float16 is not that of float32."""
        return [d for d in DTYPES if name != "nextafter" or d not in ("?", "i1", "u1")]

    def values(self, name, dtype, shape):
        dtype = np.dtype(dtype)
        if dtype.kind == "b":
            return self.rng.integers(0, 2, shape).astype(bool)
        if dtype.kind in "iu":
            few = name in ("power", "left_shift", "right_shift", "lcm", "multiply")
            return self.rng.integers(1, 4 if few else 100, shape).astype(dtype)
        if name in ("power", "float_power", "multiply", "divide"):
            x = 0.7 + 0.6 * self.rng.random(shape)
        else:
            x = np.round(self.rng.normal(size=shape) * 8) / 4
            x = np.where(self.rng.random(shape) < 0.05, np.nan, x) if name in EXTREMES and dtype.kind != "c" else x
        return (x + 0.25j * np.round(self.rng.normal(size=shape)) if dtype.kind == "c" else x).astype(dtype)

    def accumulates(self):
        for number, name in enumerate(NAMES):
            function = getattr(np, name).accumulate
            for dtype in self.dtypes(name):
                view = list(VIEWS)[self.rng.integers(len(VIEWS))]
                for shape, axis in [((4, 6), int(self.rng.integers(-2, 2))), ((21,), 0)]:
                    x = (self.values(name, dtype, shape), view)
                    yield "accumulate", [x], [number, axis], near(answer(function, seen(x), axis))
        yield "accumulate", [np.ones(3)], [0, 1], "AXIS"
        yield "accumulate", [np.ones(())], [0, 0], "SHAPE"
        yield "accumulate", [np.ones((2, 0))], [1, 1], [np.ones((2, 0))]

    def last(self, name, x, axis, keep):
        """NumPy's own reduce of power and arctan2 over a contiguous axis is not in order where it uses AVX-512."""
        y = np.take(getattr(np, name).accumulate(x, axis), [-1], axis)
        return y if keep else y.squeeze(axis)

    def reduces(self):
        for number, name in enumerate(NAMES):
            function = getattr(np, name).reduce
            for dtype in self.dtypes(name):
                view = list(VIEWS)[self.rng.integers(len(VIEWS))]
                for axes in [(0,), (1,), (-1,), None, (0, 2), (2, 1)]:
                    if (axes is None or len(axes) > 1) and name in [*ORDERED, "lcm"]:  # NumPy takes one axis of lcm
                        continue
                    keep = int(self.rng.integers(2))
                    x = (self.values(name, dtype, (3, 4, 5)), view)
                    if name in ORDERED:
                        result = answer(self.last, name, seen(x), axes[0], bool(keep))
                    else:
                        result = answer(function, seen(x), axes, keepdims=bool(keep))
                    yield "reduce", [x], [number, keep, *([99] if axes is None else axes)], near(result)
        for name in ("gcd", "hypot", "add", "bitwise_xor", "logical_xor", "logaddexp", "multiply", "maximum"):
            x = np.array([[-3], [4]], "f8" if name in ("hypot", "logaddexp") else "i4")  # one element is combined with the identity
            for axes in [(), (1,), (0,)]:
                yield "reduce", [x], [NAMES.index(name), 0, *axes], near(answer(getattr(np, name).reduce, x, axes))
            yield "reduce_where", [x, x > 0], [NAMES.index(name), 0, 1], \
                near(answer(getattr(np, name).reduce, x, 1, where=x > 0))
        for name in ("subtract", "power"):
            yield "reduce", [np.ones((2, 3))], [NAMES.index(name), 0, 99], "AXIS"
        for name in ("gcd", "bitwise_and", "bitwise_or", "bitwise_xor", "logical_xor", "logical_and", "add", "multiply"):
            for axes in [(0,), (1,), None]:
                x = np.zeros((0, 3), "i4")
                yield "reduce", [x], [NAMES.index(name), 0, *([99] if axes is None else axes)], \
                    near(answer(getattr(np, name).reduce, x, axes))
        for name in ("hypot", "logaddexp", "logaddexp2"):
            yield "reduce", [np.zeros((0, 3))], [NAMES.index(name), 0, 0], \
                near(answer(getattr(np, name).reduce, np.zeros((0, 3)), 0))
        yield "reduce", [np.zeros((0, 3))], [NAMES.index("subtract"), 0, 0], "EMPTY"

    def reduces_some(self):
        """With a mask and an initial value."""
        for number, name in enumerate(NAMES):
            if name in ORDERED or name == "lcm":
                continue
            for dtype in DTYPES:
                x = self.values(name, dtype, (4, 5))
                mask, first = self.rng.random((4, 5)) < 0.6, self.values(name, dtype, ())
                first = np.where(np.isnan(first), 0, first).astype(x.dtype)
                for axes in [(0,), (1,), (0, 1)]:
                    yield "reduce_some", [x, mask, first], [number, 0, *axes], \
                        near(answer(getattr(np, name).reduce, x, axes, initial=first, where=mask))
        x = np.ones((4, 5))
        yield "reduce_where", [x, x > 0], [NAMES.index("maximum"), 0, 0], "VALUE"
        yield "reduce_where", [x, np.ones((2, 4, 5), bool)], [NAMES.index("add"), 0, 0], "SHAPE"
        yield "reduce_where", [x, np.ones((4, 1), bool)], [NAMES.index("add"), 0, 0], [np.full(5, 4.0)]

    def outers(self):
        for number, name in enumerate(NAMES):
            for dtype in DTYPES:
                x, y = (self.values(name, dtype, (2, 4)), "half"), (self.values(name, dtype, (5,)), "flip")
                yield "outer", [x, y], [number], near(answer(getattr(np, name).outer, seen(x), seen(y)))
        yield "outer", [np.float64(2), np.arange(3.0)], [2], [np.arange(3.0) * 2]

    def intos(self):
        for number, name in enumerate(NAMES[:8]):
            for dtype in "i4 f4 f8".split():
                x, y, out = (self.values(name, dtype, s) for s in [(4, 5), (5,), (4, 5)])
                mask = self.rng.random((4, 5)) < 0.5
                result = answer(getattr(np, name), x, y)[0]
                expected = np.where(mask, result.astype(out.dtype), out)
                yield "into", [out, mask, x, y], [number], near([expected])


def make(rng):
    maker = Maker(rng)
    for part in (maker.accumulates, maker.reduces, maker.reduces_some, maker.outers, maker.intos):
        yield from part()
