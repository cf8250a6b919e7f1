"""Interpolation and piecewise functions by NumPy, for tests/interp.c."""
import numpy as np

from cases import answer, seen
from join_cases import Maker, random_


def make(rng):
    maker = Maker(rng)
    for k in range(120):
        n = random_.choice([1, 2, 3, 5, 40])
        xp = np.sort(np.round(rng.normal(size=n) * 20) / 4)
        fp = np.round(rng.normal(size=n) * 8)
        if random_.random() < 0.3:
            fp = fp + 1j * np.round(rng.normal(size=n) * 8)
        if random_.random() < 0.2:
            fp[random_.randrange(n)] = random_.choice([np.inf, np.nan, -np.inf])
        if n > 1 and random_.random() < 0.1:
            xp[-1] = np.inf
        x, view = maker.operand(maker.shape(0, 3), random_.choice("f8 f4 i4".split()))
        x = x / 8 if x.dtype.kind == "f" else x
        if x.size and x.dtype.kind == "f" and random_.random() < 0.5:
            x.reshape(-1)[0] = np.nan
        more, operands, numbers = {}, [(x, view), xp, fp], [0, 0, 0]
        if random_.random() < 0.3:
            more["left"], numbers[0] = -77.0, 1
        if random_.random() < 0.3:
            more["right"], numbers[1] = 88.0, 1
        if random_.random() < 0.3 and np.isfinite(xp).all():
            xp = np.unique(xp % 8) * random_.choice([1, 3]) if random_.random() < 0.5 else xp
            xp = xp[np.unique(xp % 7.0, return_index=True)[1]]
            more["period"], numbers[2] = random_.choice([7, -7]), 7
            operands[1:] = [xp, fp[:len(xp)]]
        with np.errstate(all="ignore"):
            out = answer(np.interp, seen(operands[0]), *operands[1:], **more)
        yield "interp", operands, numbers, (out, (0, 1e-15, 1e-14)) if fp.dtype.kind == "c" else out
    x = np.arange(3.0)
    yield "interp", [x, x, x[:2]], [0, 0, 0], "SHAPE"
    yield "interp", [x, x[:0], x[:0]], [0, 0, 0], "VALUE"
    yield "interp", [x, x.reshape(3, 1), x], [0, 0, 0], "SHAPE"
    yield "interp", [x + 1j, x, x], [0, 0, 0], "DTYPE"
    for k in range(40):
        x = maker.operand(maker.shape(0, 3), random_.choice("f8 i4 c8 f2".split()))
        y, count = seen(x), random_.randint(1, 4)
        conditions = [rng.random(y.shape) < 0.5 for _ in range(count)]
        values = [rng.integers(0, 9, random_.choice([y.shape, ()])).astype("i4") for _ in range(count + random_.randint(0, 1))]
        out = values[count].astype(y.dtype) * np.ones_like(y) if len(values) > count else np.zeros_like(y)
        for condition, value in zip(conditions, values):
            out = np.where(condition, value.astype(y.dtype), out)
        yield "piecewise", [x] + conditions + values, [count], [out]
    yield "piecewise", [np.zeros(3), np.ones(2, "?"), np.zeros(3)], [1], "SHAPE"
    yield "piecewise", [np.zeros(3), np.ones(3, "?"), np.zeros(3), np.zeros(3), np.zeros(3)], [1], "VALUE"
    for dtype in "f8 f4 f2".split():
        x, y = np.round(rng.normal(size=11) * 40).astype(dtype) / 8, np.round(rng.normal(size=11) * 9).astype(dtype) + dtype_half(dtype)
        yield "modf_into", [x], [], list(np.modf(x))
        yield "frexp_into", [x], [], list(np.frexp(x))
        yield "divmod_into", [x, y], [], list(np.divmod(x, y))


def dtype_half(dtype):
    return np.dtype(dtype).type(0.5)
