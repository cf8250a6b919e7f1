"""Expected values by NumPy, for the C tests: python oracle.py GROUP [ARGUMENT] writes records to the standard output.

A record is a line "name dtype bytes ndim length ...", then the bytes in C order. dtype is the number in dtypes.def; 0 is a
text. Everything is made from fixed seeds. The groups:

    eval    "x = np.arange(6.0); y = np.cumsum(x)": every array and text among the variables, by its name
    print   arrays k/data, their k/options and their texts k/str, k/repr
    slices  arrays k/in, an index k/text, and what it gives: k/out, or the name of Python's exception in k/error
    reduce  "sum mean": names of reductions. The records: reduce_cases.py
    cases   the cases of a module: cases.py
    npy     whole .npy files k/file, and what they hold: k/data
"""
import io
import random
import sys
import warnings

try:
    import numpy as np
except ImportError:
    sys.exit(77)
try:
    import ml_dtypes
    bfloat16 = np.dtype(ml_dtypes.bfloat16)
except ImportError:
    bfloat16 = None

BRIEF = "none bool i8 i16 i32 i64 u8 u16 u32 u64 f16 bf16 f32 f64 c64 c128".split()
TYPES = [None, "?", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", bfloat16, "f4", "f8", "c8", "c16"]
NUMBER = {np.dtype(t): i for i, t in enumerate(TYPES) if t is not None}
DTYPES = [(BRIEF[i], dtype) for dtype, i in NUMBER.items()]
random_ = random.Random(20)
rng = np.random.default_rng(20)


def write(name, value):
    if isinstance(value, (str, bytes)):
        data = value.encode() if isinstance(value, str) else value
        head = f"{name} 0 {len(data)} 1 {len(data)}"
    else:
        value = np.asarray(value)
        value = value.astype(value.dtype.newbyteorder("<")) if value.dtype.byteorder == ">" else value
        data = value.tobytes("C")
        head = " ".join(map(str, [name, NUMBER[value.dtype], len(data), value.ndim, *value.shape]))
    sys.stdout.buffer.write(head.encode() + b"\n" + data)


# ---- values ----

def values(dtype, count):
    """Plain random values of moderate size."""
    if dtype.kind == "b":
        return rng.integers(0, 2, count).astype(dtype)
    if dtype.kind in "iu":
        info = np.iinfo(dtype)
        wide = rng.integers(info.min, info.max, count, dtype, endpoint=True)
        return np.where(rng.random(count) < 0.5, wide, (wide % 20).astype(dtype))
    if dtype.kind == "c":
        half = np.dtype(f"f{dtype.itemsize // 2}")
        result = np.empty(count, dtype)
        result.real, result.imag = values(half, count), values(half, count)
        return result
    return (rng.standard_normal(count) * 10.0 ** rng.integers(-2, 3, count)).astype(dtype)


# ---- text, indices, files ----

def to_print(dtype, count):
    if dtype.kind == "c":
        half = np.dtype(f"f{dtype.itemsize // 2}")
        pair = np.empty(count, dtype)
        pair.real, pair.imag = to_print(half, count), to_print(half, count)
        return pair
    if dtype.kind != "f":
        return values(dtype, count)
    kind = random_.randrange(6)
    made = [lambda: rng.standard_normal(count), lambda: rng.integers(-50, 50, count) * random_.choice([1, .25, .1, 1e5]),
            lambda: 10 ** rng.uniform(-8, 8, count), lambda: np.round(rng.uniform(0, 100, count), 3),
            lambda: 2.0 ** rng.integers(-20, 20, count),
            lambda: np.frombuffer(rng.bytes(count * dtype.itemsize), dtype).copy()][kind]().astype(dtype)
    for _ in range(random_.choice([0, 0, 1, 2])):
        if count:
            made[random_.randrange(count)] = random_.choice([np.nan, np.inf, -np.inf, 0.0, -0.0])
    return made


def print_options():
    """As the members of sta_print_options and as NumPy's."""
    given, ours = {}, [0] * 7  # precision threshold edgeitems linewidth suppress sign float_mode
    if random_.random() < 0.5:
        return given, ours
    given["precision"] = random_.choice([0, 1, 3, 12])
    ours[0] = given["precision"] or -1
    if random_.random() < 0.5:
        ours[1] = given["threshold"] = random_.choice([5, 100])
    if random_.random() < 0.5:
        ours[2] = given["edgeitems"] = random_.choice([1, 2, 5])
    if random_.random() < 0.5:
        ours[3] = given["linewidth"] = random_.choice([1, 10, 40, 120])
    if random_.random() < 0.5:
        ours[4] = given["suppress"] = True
    if random_.random() < 0.5:
        given["sign"] = random_.choice("+- ")
        ours[5] = ord(given["sign"])
    ours[6] = random_.randrange(4)
    given["floatmode"] = ["maxprec", "fixed", "unique", "maxprec_equal"][ours[6]]
    return given, ours


def print_(_):
    shapes = [(), (), (0,), (2, 0), (1,), (5,), (17,), (40,), (2, 3), (3, 1, 4), (2, 2, 2, 2), (1001,), (40, 40),
              (11, 10, 12), (2, 600), (600, 2)]
    for k in range(700):
        dtype = random_.choice([d for d in NUMBER if d != bfloat16])
        shape = random_.choice(shapes)
        data = to_print(dtype, int(np.prod(shape))).reshape(shape)
        given, ours = print_options()
        with np.printoptions(**given):
            write(f"{k}/data", data)
            write(f"{k}/options", np.array(ours, "i8"))
            write(f"{k}/str", str(data))
            write(f"{k}/repr", repr(data))


def slice_item():
    def part():
        return random_.choice(["", str(random_.randint(-7, 7)), str(random_.choice([10**19, -10**25, 2**63 - 1, -2**63]))])
    kind = random_.random()
    if kind < 0.3:
        return str(random_.randint(-4, 4))
    if kind < 0.5:
        return random_.choice(["...", "newaxis", "None"])
    return part() + ":" + part() + (":" + random_.choice(["", "1", "2", "-1", "-3", "0", "99"]) if kind < 0.8 else "")


def slices(_):
    for k in range(400):
        shape = tuple(random_.choice([0, 1, 2, 3, 5]) for _ in range(random_.randint(0, 4)))
        x = np.arange(np.prod(shape, dtype="i8")).reshape(shape)
        text = ", ".join(slice_item() for _ in range(random_.randint(1, 3)))
        write(f"{k}/in", x)
        write(f"{k}/text", text)
        try:
            write(f"{k}/out", eval(f"x[{text}]", {"x": x, "newaxis": None}))
        except (IndexError, ValueError) as error:
            write(f"{k}/error", type(error).__name__)


def npy(_):
    for k in range(150):
        dtype = random_.choice([d for d in NUMBER])
        if dtype != bfloat16 and random_.random() < 0.5:
            dtype = dtype.newbyteorder(">")
        shape = random_.choice([(), (0,), (1,), (7,), (2, 3), (4, 0, 2), (3, 4, 5), (1, 2, 1, 3)])
        data = np.frombuffer(rng.bytes(int(np.prod(shape)) * dtype.itemsize), dtype).reshape(shape)
        data = data.view("u1").__mod__(2).astype("?").reshape(shape) if dtype.kind == "b" else data
        data = np.asfortranarray(data) if random_.random() < 0.4 else data
        file = io.BytesIO()
        np.lib.format.write_array(file, data, random_.choice([(1, 0), (2, 0), (3, 0)]))
        write(f"{k}/file", file.getvalue())
        write(f"{k}/data", data)


def reductions(argument):
    import reduce_cases
    for name, value in reduce_cases.make(argument.split(), NUMBER, values):
        write(name, value)


def cases_(argument):
    import cases
    for name, value in cases.records(argument, rng):
        write(name, value)


def eval_(argument):
    names = {"np": np, "bfloat16": bfloat16, "rng": rng}
    before = set(names)
    exec(argument, names)
    for name, value in names.items():
        if name not in before and isinstance(value, (np.ndarray, np.generic, str)):
            write(name, value)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    groups = {"eval": eval_, "print": print_, "slices": slices, "reduce": reductions,
              "npy": npy, "cases": cases_}
    groups[sys.argv[1]](sys.argv[2] if len(sys.argv) > 2 else "")
