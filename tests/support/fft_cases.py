"""Transforms by NumPy in double precision, for tests/fft.c: f (name), x, p = (n, axis, norm) and what it gives: y, in
the dtype that NumPy gives; each with a number."""
import numpy as np

NORMS = ["backward", "ortho", "forward"]


def make(rng):
    cases = {}

    def case(name, x, n=None, axis=-1, norm=0):
        k = len(cases)
        function = getattr(np.fft, name)
        wide = x.astype("c16" if x.dtype.kind == "c" else "f8")
        dtype = function(x, n, axis, NORMS[norm]).dtype
        y = function(wide, n, axis, NORMS[norm]).astype(dtype)
        cases[k] = {"f": name, "x": x, "p": np.array([n or 0, axis, norm], "i8"), "y": y}

    def values(dtype, shape):
        x = rng.normal(size=shape) * 10
        return (x + 1j * rng.normal(size=shape) if dtype[0] == "c" else x).astype(dtype)

    case("rfft", np.array([1.0, 1]), 4, norm=1)
    case("irfft", np.array([1, 0.5 - 0.5j, 0]), 4, norm=1)
    case("irfft", np.array([-9.0, 1, 3]))
    case("irfft", np.array([-9.0, 1, 3]), 3)
    case("irfft", np.array([5 + 3j, 1, 2]), 1)
    case("fft", np.array([4.0, 3, 2, 1]))
    case("fft", np.arange(6) > 2)
    lengths = [1, 2, 3, 4, 5, 8, 15, 16, 17, 19, 23, 37, 64, 97, 100, 127, 128, 194, 210]
    for dtype in ["f4", "f8", "c8", "c16", "i2"]:
        for name in ["fft", "ifft", "rfft", "irfft"]:
            if name == "rfft" and dtype[0] == "c":
                continue
            for length in lengths:
                n = 2 if name == "irfft" and length == 1 else None
                case(name, values(dtype, (2, length)), n)
            case(name, values(dtype, (9, 5)), axis=0)
            case(name, values(dtype, (3, 23, 4)), axis=1, norm=2)
            case(name, values(dtype, (3, 6, 21)), 8, axis=-2, norm=1)
            case(name, values(dtype, (2, 3, 30)), 19, axis=2)
            case(name, values(dtype, (3, 7)), 61, axis=1, norm=2)
            case(name, values(dtype, (0, 7)))
    return {f"{letter}{k}": value for k, case in cases.items() for letter, value in case.items()}
