"""Element-wise functions by NumPy, for tests/ufuncs.c. Records come in groups: k/call "name kinds", where kinds has a letter
an operand: a an array, w a weak scalar; k/x, k/y, k/z, which broadcast to (R, C); and what they give: k/out, or the name of
our error in k/error. Results are those of NumPy where they are exact, else computed in more digits and rounded once."""
import math

import numpy as np

R, C = 30, 40
REAL = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8".split()
DTYPES = REAL + ["c8", "c16"]
MIXED = [("i1", "u1"), ("i4", "u8"), ("u8", "i8"), ("?", "i2"), ("?", "?"), ("i4", "f4"), ("f2", "f4"), ("u1", "f2"), ("f4", "c8"),
         ("i8", "c8"), ("c16", "f8"), ("i2", "u4"), ("f8", "f4")]
WEAK = [("u1", 7), ("i2", -3), ("?", 2), ("f4", 3), ("f2", 2.5), ("i4", 0.5), ("f4", 1e300), ("c8", -1.5), ("f4", 2j), ("i1", 1j),
        ("u8", 5), ("i8", True), ("f8", False), ("u1", 256), ("u1", -1), ("i1", 128), ("i1", -129), ("u8", -1)]
WIDE = {"f2": "f8", "f4": "f8", "f8": "g", "c8": "c16", "c16": "G"}
EXACT = set("""add subtract multiply negative positive absolute fabs sign conjugate maximum minimum fmax fmin copysign
    nextafter floor ceil trunc rint signbit floor_divide remainder fmod divmod sqrt square reciprocal divide gcd lcm frexp
    modf heaviside clip where nan_to_num real imag ldexp""".split())
UNARY = """negative positive absolute fabs square reciprocal sign conjugate nan_to_num rint floor ceil trunc sqrt cbrt exp
    exp2 expm1 log log2 log10 log1p sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh deg2rad rad2deg
    sinc angle i0 erf erfc gamma lgamma expit invert logical_not isfinite isinf isnan isposinf isneginf isreal iscomplex
    signbit real imag modf frexp""".split()
BINARY = """add subtract multiply divide floor_divide remainder fmod power float_power copysign nextafter heaviside gcd lcm
    maximum minimum fmax fmin logaddexp logaddexp2 hypot arctan2 bitwise_and bitwise_or bitwise_xor left_shift right_shift
    logical_and logical_or logical_xor greater greater_equal less less_equal equal not_equal ldexp divmod""".split()
PI = np.longdouble("3.14159265358979323846264338327950288")


# ---- functions that NumPy lacks, or has in float64 only ----

def of_floats(function):
    """A function of Python's floats for float arrays."""
    def call(x):
        if x.dtype.kind == "c":
            raise TypeError
        return np.array([function(v) for v in x.astype("f8").ravel().tolist()]).reshape(x.shape).astype(natural(x.dtype))
    return call


def natural(dtype):
    """The float that an integer becomes."""
    return np.sin(np.zeros(1, dtype)).dtype


def gamma(x):
    if x == 0:
        return math.copysign(math.inf, x)
    if x < 0 and (math.isinf(x) or x == math.floor(x)):
        return math.nan
    try:
        return math.gamma(x)
    except OverflowError:
        return math.inf


def lgamma(x):
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf
    try:
        return math.lgamma(x)
    except OverflowError:
        return math.inf


def expit(x):
    if x.dtype.kind == "c":
        raise TypeError
    wide = x.astype(natural(x.dtype)).astype("g")
    return (1 / (1 + np.exp(-wide))).astype(natural(x.dtype))


def sinc(x):
    to = np.sinc(x).dtype
    if to.kind == "c":
        z = x.astype("G") * PI
        native = np.sinc(x)
        return np.where(np.isfinite(native), np.where(x == 0, 1, np.sin(z) / np.where(x == 0, 1, z)), native).astype(to)
    wide = x.astype(to).astype("g")
    near = np.rint(wide)
    sine = np.sin(PI * (wide - near)) * np.where(np.fmod(near, 2) == 0, 1, -1)
    return np.where(wide == 0, 1, np.where(near == wide, wide - near, sine / (PI * wide))).astype(to)


def i0(x):
    """NumPy has NaN at infinity."""
    if x.dtype.kind == "c":
        raise TypeError
    return np.where(np.isinf(x), np.inf, np.i0(x.astype("f8"))).astype(x.dtype if x.dtype.kind == "f" else "f8")


def reciprocal(x):
    """1 / x: at 0 NumPy has the least integer, and complex NaN."""
    if x.dtype.kind == "c":
        return np.divide(x.dtype.type(1), x)
    return np.where(x == 0, 0, np.reciprocal(x)) if x.dtype.kind in "iu" else np.reciprocal(x)


def clip(x, low, high):
    """NumPy lets some complex NaN pass."""
    if any(np.result_type(v).kind == "c" for v in (x, low, high)):
        return np.minimum(np.maximum(x, low), high)
    return np.clip(x, low, high)


def angle(x):
    if x.dtype.kind == "c":
        wide = x.astype(WIDE[x.dtype.str[1:]])
        return np.arctan2(wide.imag, wide.real).astype(x.real.dtype)
    return np.angle(x)


OURS = {"erf": of_floats(math.erf), "erfc": of_floats(math.erfc), "gamma": of_floats(gamma), "lgamma": of_floats(lgamma),
        "expit": expit, "sinc": sinc, "i0": i0, "angle": angle, "reciprocal": reciprocal, "clip": clip}


# ---- operands ----

def special(dtype, rng):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        edges = [info.min, info.min + 1, -100, -8, -7, -3, -2, -1, 0, 1, 2, 3, 5, 7, 8, 31, 32, 33, 64, 100, info.max - 1, info.max]
        return np.array(sorted({x for x in edges if info.min <= x <= info.max}), dtype)
    if dtype.kind == "c":
        part = special(f"f{dtype.itemsize // 2}", rng)[:12]
        pairs = np.array(np.meshgrid(part, part)).reshape(2, -1).T
        values = np.empty(len(pairs), dtype)
        values.real, values.imag = pairs.T
        return values
    info = np.finfo(dtype)
    few = [0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, -0.5, 1.5, -2.5, 3, -7, 100, 1e-4, np.pi]
    return np.array(few + [float(x) for x in (info.max, info.min, info.tiny, info.smallest_subnormal)], dtype)


def plain(dtype, count, rng):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, count).astype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        wide = rng.integers(info.min, info.max, count, dtype, endpoint=True)
        return np.where(rng.random(count) < 0.5, wide, (wide % 20).astype(dtype))
    if dtype.kind == "c":
        values = np.empty(count, dtype)
        values.real, values.imag = plain(f"f{dtype.itemsize // 2}", (2, count), rng)
        return values
    return (rng.standard_normal(count) * 10.0 ** rng.integers(-2, 3, count)).astype(dtype)


def operand(dtype, count, rng):
    known = special(dtype, rng)
    most = count * 3 // 4
    if len(known) > most:
        known = np.concatenate([known[:8], rng.choice(known[8:], most - 8, replace=False)])
    return rng.permutation(np.concatenate([known, plain(dtype, count - len(known), rng)]))


# ---- results ----

def exact_enough(name, dtypes):
    return name in EXACT or all(d.kind in "biu" for d in dtypes)


def widened(function, inputs, native):
    """More digits, then rounded; infinities and NaN of complex numbers are taken as they come."""
    computed = native.dtype.str[1:]
    if native.dtype.kind == "f" and any(x.dtype.kind == "c" for x in inputs):
        computed = {"f4": "c8", "f8": "c16"}[computed]
    common = np.dtype(computed)
    wide = function(*[x.astype(common).astype(WIDE[computed]) for x in inputs]).astype(native.dtype)
    return np.where(np.isfinite(native), wide, native) if native.dtype.kind == "c" else wide


def result(name, inputs):
    if name in OURS:
        return OURS[name](*inputs)
    if name == "nan_to_num":
        return np.nan_to_num(inputs[0])
    if name in ("real", "imag"):
        return np.ascontiguousarray(getattr(inputs[0], name))
    function = getattr(np, name)
    native = function(*inputs)
    if isinstance(native, tuple) or exact_enough(name, [native.dtype]):
        return native
    wide = widened(function, [np.asarray(x) for x in inputs], native)
    if wide.dtype.kind == "c" and name in ("power", "float_power"):  # NumPy has NaN for 1 / infinity
        x, y = np.broadcast_arrays(*inputs)
        return np.where(np.isinf(x) & (y == -1), np.divide(wide.dtype.type(1), x.astype(wide.dtype)), wide)
    return wide


ERRORS = {OverflowError: "VALUE", TypeError: "DTYPE"}


def outcome(name, inputs):
    """Named arrays."""
    try:
        out = result(name, inputs)
    except (OverflowError, TypeError) as error:
        return {"error": "VALUE" if isinstance(error, OverflowError) else "DTYPE"}
    return {"out": out[0], "out2": out[1]} if isinstance(out, tuple) else {"out": out}


def tame(name, y, rng, complex_=False):
    """Second operands for which NumPy has no error of its own. The angle of a complex number to the power 1e308 is anything."""
    if name == "power" and y.dtype.kind in "iu":
        return (y % 9).astype(y.dtype)
    if name in ("power", "float_power") and y.dtype.kind in "fc":  # angles of a size whose error is small
        y = np.where(np.isfinite(y) & (abs(y) > 8) & (abs(y) < 1e6), y / 100, y).astype(y.dtype)
        return np.where(np.isfinite(y) & (abs(y) >= 1e6) & complex_, 750, y).astype(y.dtype)
    if name == "ldexp" and y.dtype.kind in "i" and y.dtype.itemsize > 1:
        return (y % 300 - 150).astype(y.dtype)
    return y


# ---- all of them ----

def make(rng):
    cases = {}

    def case(name, *inputs):
        k = len(cases)
        kinds = "".join("a" if isinstance(x, np.ndarray) else "w" for x in inputs)
        given = dict(zip("xyz", inputs))
        shapes = np.broadcast_shapes(*[np.shape(x) for x in inputs])
        out = {key: v if isinstance(v, str) else np.broadcast_to(v, shapes) for key, v in outcome(name, inputs).items()}
        cases[k] = {"call": f"{name} {kinds}", **{key: np.asarray(v) for key, v in given.items()}, **out}

    for name in UNARY:
        for dtype in DTYPES:
            case(name, operand(dtype, R * C, rng).reshape(R, C))
    for name in BINARY:
        if name == "ldexp":
            pairs = [(d, i) for d in DTYPES for i in ("i4", "i8")] + [("f4", "f4"), ("f8", "u4"), ("f4", "?")]
        else:
            pairs = [(d, d) for d in DTYPES] + MIXED
        for x, y in pairs:
            case(name, operand(x, R, rng).reshape(R, 1), tame(name, operand(y, C, rng), rng, "c" in x + y).reshape(1, C))
        for k, (dtype, value) in enumerate(WEAK):
            x = operand(dtype, R * C, rng).reshape(R, C)
            if name in ("power", "float_power") and (not isinstance(value, complex) and value < 0 or dtype == "i1"):
                continue
            if name == "ldexp" and isinstance(value, int) and not 0 <= value < 100:
                continue
            if k % 2 and name not in ("power", "ldexp"):
                case(name, value, x)
            else:
                case(name, x, value)
    for dtype in DTYPES:
        x, y, z = operand(dtype, R, rng), operand(dtype, C, rng), operand(dtype, R, rng)
        case("clip", x.reshape(R, 1), y.reshape(1, C), z.reshape(R, 1))
        case("where", operand(rng.choice(DTYPES), C, rng).reshape(1, C), x.reshape(R, 1), y.reshape(1, C))
    for x, y, z in [("i1", "i2", "f4"), ("?", "i1", "u1"), ("f4", "i4", "i4"), ("c8", "f8", "?")]:
        three = operand(x, R, rng).reshape(R, 1), operand(y, C, rng).reshape(1, C), operand(z, R, rng).reshape(R, 1)
        case("clip", *three)
        case("where", three[0], three[1], three[2])
    for dtype, low, high in [("i1", -5, 5), ("u1", 3, 200), ("f4", -1.5, 2), ("f2", 0, 1e3), ("i4", -0.5, 0.5), ("u1", -5, 300),
                             ("i1", -129, 128), ("u1", 300, 400), ("c8", 0, 1j), ("?", 0, 1), ("f8", math.nan, 1)]:
        x = operand(dtype, R * C, rng).reshape(R, C)
        case("clip", x, low, high)
        case("where", x, low, high)
    case("where", operand("?", C, rng), operand("f4", R * C, rng).reshape(R, C), 0)
    return {f"{k}/{letter}": value for k, c in cases.items() for letter, value in c.items()}


# ---- for tests/elementwise.c ----

def rounded(rng):
    """np.round: dtype/decimals/x and y."""
    cases = {}
    for dtype in ["i1", "u8", "i4", "f2", "f4", "f8", "c8", "c16"]:
        for decimals in [-2, -1, 0, 1, 3, 9]:
            x = rng.standard_normal(20) * 10.0 ** rng.integers(-2, 4, 20)
            x = np.concatenate([x, [0.5, 1.5, 2.5, -0.5, 25, 35, -0.0, 125]])
            if dtype[0] in "iu":
                x = (np.abs(x) if dtype[0] == "u" else x).clip(-100, 100)
            else:
                x = np.concatenate([x, [np.inf, -np.inf, np.nan]])
            x = (x + 1j * x[::-1] if dtype[0] == "c" else x).astype(dtype)
            cases[f"{dtype}/{decimals}/x"] = x
            cases[f"{dtype}/{decimals}/y"] = np.round(x, decimals)
    return cases


def casts():
    """np.can_cast, [from, to, casting]."""
    return np.array([[[np.can_cast(a, b, c) for c in ("no", "safe", "same_kind", "unsafe")] for b in DTYPES] for a in DTYPES])
