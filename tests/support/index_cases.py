"""Records of indexing for tests/index.c. A case k: an array k/x, an index k/items, its arrays k/0, k/1, ..; what the index
reads, k/out, or the name of NumPy's exception, k/error; a source k/source, and x after x[index] = source, k/set; after
np.add.at, k/at.

k/items has a row an item: kind, has, start, stop, step as in sta_span; of an array its number is start."""
import random

import numpy as np

random_ = random.Random(31)
rng = np.random.default_rng(31)
SLICE, INTEGER, NEWAXIS, ELLIPSIS, ARRAY = range(5)


def slice_item(length):
    row, parts = [SLICE, 0, 0, 0, 0], [None] * 3
    for i, (chance, low, high) in enumerate([(0.5, -length - 1, length + 1), (0.5, -length - 1, length + 1), (0.4, -2, 2)]):
        if random_.random() < chance:
            value = random_.randint(low, high)
            value = value if i < 2 or value else 1
            parts[i], row[2 + i] = value, value
            row[1] |= 1 << i
    return row, slice(*parts)


def array_item(shape, axis, common, wrong):
    """An index array, or a mask of one or more axes; how many it takes."""
    if random_.random() < 0.3 and axis < len(shape):
        axes = random_.choice([1, 1, 2]) if axis + 1 < len(shape) else 1
        mask = rng.random(shape[axis:axis + axes]) < random_.choice([0.3, 0.6, 0.0])
        return mask[..., :-1] if wrong and mask.shape[-1] else mask, axes
    length = shape[axis] if axis < len(shape) else 1
    n = random_.choice([common, common, (1,), ()])
    dtype = random_.choice(["i8", "i8", "i4", "i1", "u1", "u2"])
    low = 0 if dtype[0] == "u" else -length
    if length == 0:
        return np.zeros((0,), dtype), 1
    ids = rng.integers(low, length + (2 if wrong else 0), n)
    return ids.astype(dtype), 1


def index(shape, wrong):
    """(rows, arrays, NumPy's index)."""
    common = random_.choice([(3,), (2, 3), (5,), (1, 2), (0,)])
    rows, arrays, items, axis = [], [], [], 0
    ellipsis = False
    for _ in range(random_.randint(1, len(shape) + 1)):
        kind = random_.choice([SLICE, SLICE, INTEGER, ARRAY, ARRAY, ARRAY, NEWAXIS, ELLIPSIS])
        if kind == NEWAXIS:
            rows.append([NEWAXIS, 0, 0, 0, 0]), items.append(None)
        elif kind == ELLIPSIS:
            if not ellipsis:
                rows.append([ELLIPSIS, 0, 0, 0, 0]), items.append(Ellipsis)
                ellipsis = True
                axis = max(axis, len(shape) - random_.randint(0, 1))
        elif kind == ARRAY and random_.random() < 0.1:  # a mask without axes
            rows.append([ARRAY, 0, len(arrays), 0, 0]), items.append(np.array(random_.random() < 0.8)), arrays.append(items[-1])
        elif axis >= len(shape):
            break
        elif kind == SLICE:
            row, item = slice_item(shape[axis])
            rows.append(row), items.append(item)
            axis += 1
        elif kind == INTEGER:
            if not shape[axis]:
                continue
            i = random_.randrange(-shape[axis], shape[axis])
            rows.append([INTEGER, 0, i, 0, 0]), items.append(i)
            axis += 1
        else:
            array, axes = array_item(shape, axis, common, wrong)
            rows.append([ARRAY, 0, len(arrays), 0, 0]), items.append(array), arrays.append(array)
            axis += axes
    return rows, arrays, tuple(items)


def cast(array, dtype):
    return np.asarray(array).astype(dtype)


def source_for(shape, dtype):
    kind = random_.random()
    if kind < 0.2 or shape == ():
        shape = ()
    elif kind < 0.5:
        shape = tuple(1 if random_.random() < 0.4 else n for n in shape)[random_.randint(0, len(shape)):]
    elif kind < 0.6:
        shape = (1,) + tuple(shape)
    return rng.integers(0, 100, shape).astype(dtype)


def make(values, dtypes, count=440):
    for k in range(count):
        dtype = np.dtype(random_.choice([d for d in dtypes if d.kind != "V"]))
        shape = tuple(random_.choice([1, 2, 3, 4, 5, 5, 6, 0 if random_.random() < 0.1 else 7]) for _ in range(random_.randint(1, 4)))
        x = values(dtype, int(np.prod(shape))).reshape(shape)
        rows, arrays, items = index(shape, random_.random() < 0.08)
        yield f"{k}/x", x
        yield f"{k}/items", np.array(rows, "i8").reshape(len(rows), 5)
        for i, array in enumerate(arrays):
            yield f"{k}/{i}", np.asarray(array)
        try:
            out = x[items]
        except IndexError:
            yield f"{k}/error", "IndexError"
            continue
        out = out if isinstance(out, np.ndarray) else np.asarray(out, dtype)
        yield f"{k}/out", out
        source = source_for(out.shape, dtype)
        after = x.copy()
        try:
            after[items] = source
        except (TypeError, ValueError):  # a mask alone takes no source with a leading axis of length 1
            source = source.reshape(out.shape if source.size == out.size else ())
            after[items] = source
        yield f"{k}/source", source
        yield f"{k}/set", after
        if dtype.kind in "iuf" and dtype.itemsize > 2 and out.size:  # NumPy refuses some empty ones
            after = cast(np.arange(x.size) % 50, dtype).reshape(shape)
            try:
                np.add.at(after, items, source)
            except ValueError:  # it does not drop leading axes of length 1
                continue
            yield f"{k}/at", after
