"""Making arrays by NumPy, for tests/create.c."""
import numpy as np

from cases import VIEWS, answer, seen
from join_cases import DTYPES, Maker, random_, values

CODE = {name: i for i, name in enumerate([None] + "? i1 i2 i4 i8 u1 u2 u4 u8 f2 bf f4 f8 c8 c16".split())}
NEAR = (0, 1e-13, 1e-13)


def spaces():
    for _ in range(60):
        start, stop = random_.randint(-20, 20) / 4, random_.randint(-20, 20) / 4
        n, end = random_.choice([0, 1, 2, 7, 50]), random_.random() < 0.5
        dtype = random_.choice([None, None, "f4", "i4"])
        y = np.array([start, stop])
        x, step = np.linspace(start, stop, n, endpoint=end, retstep=True, dtype=dtype)
        yield "linspace", [y], [n, CODE[dtype], not end], [x, np.float64(step)]
        wide = np.logspace(start, stop, n, endpoint=end, base=2.5)
        yield "logspace", [y], [n, 0, not end], ([wide], NEAR)
        if start and stop and (start > 0) == (stop > 0):
            yield "geomspace", [y], [n, 0, not end], ([np.geomspace(start, stop, n, endpoint=end)], NEAR)
    yield "linspace", [np.array([0, 5e-324])], [10, 0, False], list(np.linspace(0, 5e-324, 10, retstep=True))
    yield "geomspace", [np.array([0.0, 1])], [3, 0, False], "VALUE"
    yield "logspace", [np.array([0.0, 1])], [-3, 0, False], "VALUE"


def matrices(maker):
    for _ in range(60):
        n, m, k = random_.randint(0, 6), random_.randint(0, 6), random_.randint(-7, 7)
        dtype = random_.choice(DTYPES)
        yield "tri", [], [n, m, k, CODE[dtype]], [np.tri(n, m, k, dtype)]
        yield "identity", [], [n, CODE[dtype]], [np.identity(n, dtype)]
        shape = maker.shape(0, 4)
        x = maker.operand(shape)
        for name in ("tril", "triu"):
            out = answer(getattr(np, name), seen(x), k) if shape else "SHAPE"
            yield name, [x], [k], out
        x = maker.operand(shape[:3])
        out = answer(np.diag, seen(x), k)
        yield "diag", [x], [k], "SHAPE" if out == "VALUE" else out
        x = maker.operand(shape[:2])
        yield "diagflat", [x], [k], answer(np.diagflat, seen(x), k)
        x = maker.operand(shape[:1], random_.choice("i2 u1 f4 f8 c16 i8 ?".split()))
        columns = random_.choice([-1, 0, 1, 4, 30])
        if shape[:1]:
            with np.errstate(all="ignore"):
                out = answer(np.vander, seen(x), None if columns < 0 else columns, increasing=bool(n % 2))
            yield "vander", [x], [columns, n % 2], out


def grids(maker):
    for _ in range(40):
        x = [maker.operand(maker.shape(0, 1)) for _ in range(random_.randint(1, 4))]
        sparse, ij = random_.random() < 0.5, random_.random() < 0.5
        out = answer(np.meshgrid, *[seen(a) for a in x], sparse=sparse, indexing="ij" if ij else "xy")
        yield "meshgrid", x, [sparse + 2 * ij], out
        shape, dtype = maker.shape(0, 4), random_.choice("i8 f4 i4".split())
        yield "indices", [], [CODE[dtype]] + shape, [np.indices(shape, dtype)]
        yield "fromfunction", [], shape, [np.fromfunction(lambda *i: sum(a * 10.0**k for k, a in enumerate(i)), shape)
                                          if shape else np.zeros(())]
    x = [np.arange(6.0).reshape(2, 3).T, np.arange(2)]
    yield "meshgrid", x, [0], answer(np.meshgrid, *x)


def logic(maker):
    for _ in range(60):
        dtype = random_.choice("? i4 f4 c16".split())
        shape = maker.shape(0, 3)
        a = values(maker.rng, dtype, shape)
        b = a.copy() if random_.random() < 0.5 else a[..., :1] if shape else values(maker.rng, dtype, [2])
        yield "array_equiv", [a, b], [], [np.bool_(np.array_equiv(a, b))]
    for dtype in DTYPES:
        yield "kinds", [values(maker.rng, dtype, [2])], [], [np.array([np.iscomplexobj(np.zeros(1, dtype)),
                                                                      np.isrealobj(np.zeros(1, dtype))], "i8")]


def make(rng):
    maker = Maker(rng)
    for part in (spaces(), matrices(maker), grids(maker), logic(maker)):
        yield from part
