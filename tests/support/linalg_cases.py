"""Products by NumPy, for tests/linalg.c: a, b and what they give: c, from double precision; each with a number. In
cases of t the operands are the transposed of a, b or both (1, 2, 3)."""
import numpy as np


def make(rng):
    cases = {}

    def values(dtype, shape):
        if dtype == "?":
            return rng.random(shape) < 0.3
        if dtype[0] in "iu":
            info = np.iinfo(dtype)
            return rng.integers(info.min, info.max, shape, dtype, endpoint=True)
        x = rng.normal(size=shape)
        return (x + 1j * rng.normal(size=shape) if dtype[0] == "c" else x).astype(dtype)

    def case(a, b, t=0):
        left, right = (a.T if t & 1 else a), (b.T if t & 2 else b)
        c = np.matmul(left, right)
        if c.dtype.kind in "fc":
            wide = "c16" if c.dtype.kind == "c" else "f8"
            c = np.matmul(left.astype(wide), right.astype(wide)).astype(c.dtype)
        cases[len(cases)] = {"a": a, "b": b, "t": np.array([t], "i8"), "c": c}

    for dtype in "f4 f8 c8 c16 f2 ? i1 i2 i4 i8 u1 u2 u4 u8".split():
        shapes = [(1, 1, 1), (3, 4, 5), (5, 0, 3), (0, 4, 2)]
        if dtype in ("f4", "c16", "i1", "?"):
            shapes += [(17, 9, 1), (1, 20, 7), (9, 7, 8), (2, 50, 3)]
        for m, k, n in shapes:
            a, b = values(dtype, (m, k)), values(dtype, (k, n))
            case(a, b)
            for t in (1, 2, 3):
                case(a.T.copy() if t & 1 else a, b.T.copy() if t & 2 else b, t)
            case(a[0] if m else a, b)
            case(a, b[:, 0].copy())
        case(values(dtype, 50), values(dtype, 50))
        case(values(dtype, (3, 2, 4, 5)), values(dtype, (2, 5, 3)))
        case(values(dtype, (3, 1, 4, 5)), values(dtype, (2, 5, 3)))
        case(values(dtype, (2, 3, 4, 5)), values(dtype, (5, 6)))
        case(values(dtype, (2, 3, 5)), values(dtype, 5))
        case(values(dtype, 5), values(dtype, (2, 3, 5, 2)))
        case(values(dtype, (3, 2, 0)), values(dtype, (3, 0, 3)))
        case(values(dtype, (2, 3)), values(dtype, (4, 3, 2)))
    case(values("i1", (4, 5)), values("u1", (5, 2)))
    case(values("f4", (4, 5)), values("i4", (5, 2)))
    case(values("f4", (4, 5)), values("c8", (5, 2)))
    case(values("i8", (4, 5)), values("u8", (5, 2)))
    return {f"{letter}{k}": value for k, case in cases.items() for letter, value in case.items()}
