"""Scans, differences and their like by NumPy, for tests/scan.c. Records: the call as f (what, then a view of x as the text
of an index, T or B), x (before the view), p (integers) and what it gives: y, or the name of our error in e."""
import numpy as np

VIEWS = {"...": lambda x: x, "T": lambda x: x.T, "::-1, :, ::-1": lambda x: x[::-1, :, ::-1],
         "B": lambda x: np.broadcast_to(x[:, :1], x.shape), "1:, ::2, ::3": lambda x: x[1:, ::2, ::3]}
SCANS = {"cumsum": np.cumsum, "cumprod": np.cumprod, "nancumsum": np.nancumsum, "nancumprod": np.nancumprod,
         "cummax": np.maximum.accumulate, "cummin": np.minimum.accumulate,
         "nancummax": np.fmax.accumulate, "nancummin": np.fmin.accumulate}


FLAT = -2**63  # STA_FLAT


def is_half(dtype):
    return dtype.itemsize == 2 and dtype.kind not in "biu"


def elements(rng, name, dtype, shape):
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu":
        return rng.integers(0 if dtype.kind == "u" else -100, 100, shape).astype(dtype)
    x = np.round(rng.standard_normal(shape) * 4) / 4
    if dtype.kind == "c":
        x = x + 1j * rng.integers(-3, 3, shape)
    if "prod" in name:  # no overflow in any order
        x = np.where(x == 0, 1, x / np.maximum(abs(x), 0.1) * 1.25)
    x = x.astype(dtype)
    if "nan" in name or ("max" in name and rng.random() < 0.3):
        x[rng.random(shape) < 0.2] = np.nan
    return x


def scanned(name, x, axis, dtype, lead):
    half = is_half(x.dtype) or (dtype is not None and is_half(np.dtype(dtype)))
    if half:  # in float32, rounded once
        to = dtype or x.dtype
        return scanned(name, x.astype(to).astype("f4"), axis, None, lead).astype(to)
    if axis == FLAT:
        x, axis = x.ravel(), 0
    if lead:
        function = np.cumulative_sum if "sum" in name else np.cumulative_prod
        return function(x, axis=axis, dtype=dtype, include_initial=True)
    return SCANS[name](x, axis=axis, dtype=dtype)


def make(rng, numbers):
    """numbers: of dtypes."""
    cases = []

    def case(name, x, view="...", axis=0, dtype=None, lead=0):
        seen = VIEWS[view](x)
        p = np.array([axis, numbers[np.dtype(dtype)] if dtype else 0, lead], "i8")
        cases.append({"f": f"{name} {view}", "x": x, "p": p, "y": np.asarray(scanned(name, seen, axis, dtype, lead))})

    for dtype in numbers:
        for name in SCANS:
            for view in VIEWS:
                axis = int(rng.integers(-3, 3))
                case(name, elements(rng, name, dtype, (4, 5, 6)), view, axis)
            case(name, elements(rng, name, dtype, (70,)))
            case(name, elements(rng, name, dtype, (3, 4, 5)), "T", FLAT)
            if "nan" not in name and "cum" in name and "m" == name[3] and dtype.kind != "c":
                continue
            if name in ("cumsum", "cumprod"):
                case(name, elements(rng, name, dtype, (3, 17)), axis=1, lead=1)
                case(name, elements(rng, name, dtype, (9, 4)), axis=0, lead=1)
                case(name, elements(rng, name, dtype, (3, 4)), axis=FLAT, lead=1)
    for name in SCANS:
        for shape, axis in [((0,), 0), ((3, 0), 0), ((3, 0), 1), ((1,), 0), ((2, 300, 3), 1), ((2, 3, 700), 2),
                            ((300, 2, 9), 0), ((33, 300), 0), ((1, 1, 5), 1)]:
            case(name, elements(rng, name, np.dtype("f8"), shape), axis=axis)
            case(name, elements(rng, name, np.dtype("i4"), shape), axis=axis)
    for shape in [(0,), (2, 0), (0, 2)]:
        case("cumsum", np.zeros(shape), axis=0, lead=1)
        case("cumprod", np.zeros(shape), axis=0, lead=1)
    for name in ("cumsum", "cumprod", "nancumsum"):
        for have in ("f8", "i2", "u1", "?", "f4"):
            for want in ("f8", "f4", "f2", "i4", "u8", "c8", "?"):
                if np.dtype(want).kind not in "fc" and have[0] == "f":
                    continue  # casts that our rule and NumPy's do alike
                case(name, elements(rng, "cumsum" if want == "f2" else name, np.dtype(have), (20,)), dtype=want)
    return {f"{k}/{key}": value for k, c in enumerate(cases) for key, value in c.items()}
