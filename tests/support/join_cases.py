"""Joining, splitting, repeating and padding by NumPy, for tests/join.c."""
import random

import numpy as np

from cases import VIEWS, answer, seen

random_ = random.Random(5)
FLAT = -2**63  # STA_FLAT
DTYPES = "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 c8 c16".split()


def values(rng, dtype, shape):
    dtype = np.dtype(dtype)
    if dtype.kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if dtype.kind in "iu":
        return rng.integers(0, 120, shape).astype(dtype)
    x = np.round(rng.normal(size=shape) * 8)
    return (x + 1j * np.round(rng.normal(size=shape) * 8) if dtype.kind == "c" else x).astype(dtype)


class Maker:
    def __init__(self, rng):
        self.rng = rng

    def shape(self, least=0, most=3):
        return [random_.choice([0, 1, 2, 3, 5, 7]) if random_.random() < 0.4 else random_.choice([2, 3, 4, 6])
                for _ in range(random_.randint(least, most))]

    def operand(self, shape, dtype=None, views=True):
        """An operand of this shape, often as a view."""
        view = random_.choice(list(VIEWS)) if views and random_.random() < 0.5 else ""
        base = list(shape)
        if view == "T":
            base.reverse()
        elif view == "half" and base:
            base[-1] = max(0, 2 * base[-1] - random_.randint(0, 1))
        elif view == "repeated" and base and base[-1] == 0:
            view = ""
        return values(self.rng, dtype or random_.choice(DTYPES), base), view

    def axis(self, ndim):
        return random_.randint(-ndim, ndim - 1) if random_.random() < 0.95 else random_.choice([-ndim - 1, ndim])

    def joins(self):
        for _ in range(90):
            name = random_.choice("concat stack vstack hstack dstack column_stack append".split())
            shape, count = self.shape(0, 4), random_.randint(1, 5)
            count = 2 if name == "append" else count
            ndim = len(shape) + (name == "stack")
            axis = self.axis(max(ndim, 1))
            same = random_.choice(DTYPES) if random_.random() < 0.5 else None
            along = {"vstack": 0, "hstack": min(1, ndim - 1), "dstack": 2, "column_stack": 1}.get(name, axis)
            shapes = [list(shape) for _ in range(count)]
            for s in shapes:
                if -ndim <= along < ndim and name != "stack" and random_.random() < 0.6:
                    s[along] = random_.choice([0, 1, 2, 4, 9])
            if random_.random() < 0.1:
                shapes[-1] = self.shape(0, 3)
            x = [self.operand(s, same) for s in shapes]
            y = [seen(a) for a in x]
            if name == "append":
                out = answer(np.append, *y, axis=axis)
            elif name in ("concat", "stack"):
                out = answer(getattr(np, name), y, axis=axis)
            else:
                out = answer(getattr(np, name), y)
            yield name, x, [axis], "SHAPE" if out == "VALUE" else out

    def many(self):
        for count in (40, 100):
            x = [values(self.rng, "f4", random_.randint(0, 3)) for _ in range(15)]
            yield "many", x, [count], [np.concatenate((x * count)[:count])]

    def blocks(self):
        for rows, columns in [(1, 1), (2, 2), (1, 3), (3, 1), (2, 3)]:
            heights, widths = [random_.randint(1, 4) for _ in range(rows)], [random_.randint(1, 4) for _ in range(columns)]
            x = [self.operand([h, w]) for h in heights for w in widths]
            y = [seen(a) for a in x]
            yield "block2", x, [rows, columns], answer(np.block, [y[r * columns:(r + 1) * columns] for r in range(rows)])
        x = [values(self.rng, "i4", s) for s in [(), (3,), (2, 2)]]
        yield "block1", x[:2], [2], answer(np.block, x[:2])
        yield "block1", x[1:], [2], "SHAPE"
        yield "block2", [x[1]] * 4, [2, 2], answer(np.block, [[x[1], x[1]], [x[1], x[1]]])

    def splits(self):
        for _ in range(30):
            shape = self.shape(1, 3)
            x = self.operand(shape)
            axis, count = self.axis(len(shape)), random_.randint(1, 5)
            y = seen(x)
            out = answer(np.array_split, y, count, axis=axis)
            yield "array_split", [x], [count, axis], "AXIS" if out == "INDEX" else out
            out = answer(np.split, y, count, axis=axis)
            yield "split", [x], [count, axis], {"VALUE": "SHAPE", "INDEX": "AXIS"}.get(out, out) if isinstance(out, str) else out
            at = [random_.randint(-9, 9) for _ in range(random_.randint(0, 4))]
            out = answer(np.split, y, at, axis=axis)
            yield "split_at", [x], [axis] + at, "AXIS" if out == "INDEX" else out
            for name in "vsplit hsplit dsplit".split():
                out = answer(getattr(np, name), y, count)
                yield name, [x], [count], "SHAPE" if out == "VALUE" else out
            if -len(shape) <= axis < len(shape) and shape[axis] > 0:
                yield "unstack", [x], [axis], answer(np.unstack, y, axis=axis)

    def repeats(self):
        for _ in range(60):
            shape = self.shape(0, 3)
            x = self.operand(shape)
            y = seen(x)
            times = [random_.choice([0, 1, 1, 2, 3, 10]) for _ in range(random_.randint(0, 4))]
            yield "tile", [x], times, answer(np.tile, y, times)
            if not shape:
                continue
            axis, n = self.axis(len(shape)), random_.choice([-1, 0, 1, 2, 3, 8])
            out = answer(np.repeat, y, n, axis)
            yield "repeat", [x], [n, axis], "VALUE" if n < 0 and out != "AXIS" else out
            length = shape[axis] if -len(shape) <= axis < len(shape) else 2
            each = np.array([random_.choice([0, 1, 1, 2, 5]) for _ in range(random_.choice([length, length, 1, length + 1]))], "i4")
            out = answer(np.repeat, y, each, axis)
            yield "repeat_each", [x, each], [axis], "SHAPE" if out == "VALUE" else out
            count = random_.randint(1, 3)
            by, axes = [random_.randint(-9, 9) for _ in range(count)], [self.axis(len(shape)) for _ in range(count)]
            yield "roll", [x], by + axes, answer(np.roll, y, by, axes)

    def changes(self):
        for _ in range(90):
            shape = self.shape(1, 3)
            x = self.operand(shape)
            axis = self.axis(len(shape))
            length = shape[axis] if -len(shape) <= axis < len(shape) else 2
            most = length + (random_.random() < 0.1)
            which = [np.array(random_.randint(-most, most)), np.array([random_.randint(-most, most)
                     for _ in range(random_.randint(0, 5))], "i8"), values(self.rng, "?", length)]
            index = random_.choice(which)
            if index.size == 0:
                index = index.astype("i4")
            out = answer(np.delete, seen(x), index, axis)
            yield "delete", [x, index], [axis], "SHAPE" if out == "VALUE" else out
            count = int(index.sum()) if index.dtype == bool else index.size
            given = list(shape)
            if -len(shape) <= axis < len(shape):
                given[axis] = random_.choice([1, count, count, 3])
                if index.ndim == 0 and random_.random() < 0.7:
                    given = [given[axis]] + given[:axis % len(shape)] + given[axis % len(shape) + 1:]
            given = random_.choice([given, given[1:], [], [1] * len(shape)])
            v = self.operand(given, random_.choice([seen(x).dtype, "i4"]) if seen(x).dtype != bool else "?")
            if seen(v).dtype.kind not in "biu" and seen(x).dtype.kind in "biu":
                continue
            out = answer(np.insert, seen(x), index, seen(v), axis)
            if out == "VALUE" and index.dtype != bool and (abs(index) > length).any():
                continue  # two errors: either may come first
            yield "insert", [x, index, v], [axis], "SHAPE" if out == "VALUE" else out

    def flat(self):
        """NumPy's axis None."""
        for _ in range(40):
            shape = self.shape(0, 3)
            x, dtype = self.operand(shape), random_.choice(DTYPES)
            y, n = seen(x), random_.choice([0, 1, 2, 5])
            others = [self.operand(self.shape(0, 3), dtype) for _ in range(3)]
            yield "concat", others, [FLAT], answer(np.concatenate, [seen(a) for a in others], axis=None)
            yield "append", [x, others[0]], [FLAT], answer(np.append, y, seen(others[0]))
            yield "repeat", [x], [n, FLAT], answer(np.repeat, y, n)
            each = self.rng.integers(0, 4, y.size)
            yield "repeat_each", [x, each], [FLAT], answer(np.repeat, y, each)
            by = [random_.randint(-9, 9) for _ in range(random_.randint(1, 2))]
            yield "roll_flat", [x], by, answer(np.roll, y, sum(by))
            wanted = self.shape(0, 3)
            yield "resize", [x], wanted, answer(np.resize, y, wanted)
            ids = self.rng.integers(-y.size, y.size, random_.randint(1, 4)) if y.size else np.zeros(0, "i8")
            yield "delete", [x, ids], [FLAT], answer(np.delete, y, ids)
            v = values(self.rng, y.dtype, random_.choice([[], [1], [ids.size]]))
            yield "insert", [x, ids, v], [FLAT], answer(np.insert, y, ids, v)
        yield "insert", [np.zeros((2, 3)), np.array([1, 4]), np.array([[7.0], [8.0]])], [FLAT], \
            answer(np.insert, np.zeros((2, 3)), [1, 4], [7.0, 8.0])
        yield "resize", [np.ones(3)], [2, -1], "SHAPE"

    def pads(self):
        modes = ("constant edge linear_ramp maximum mean median minimum reflect symmetric wrap empty".split())
        for _ in range(220):
            shape = self.shape(0, 3)
            mode = random_.choice(modes)
            dtype = random_.choice(DTYPES)
            if mode == "median" and dtype in ("c8", "c16", "f2") or mode == "linear_ramp" and dtype == "?":
                continue
            x = self.operand(shape, dtype)
            widths = [[random_.choice([0, 1, 2, 3, 9]) for _ in range(2)] for _ in shape]
            numbers, more = [modes.index(mode), 0, 0, 0] + sum(widths, []), {}
            operands = [x]
            if mode in ("reflect", "symmetric") and random_.random() < 0.4 and dtype != "?":
                numbers[1], more["reflect_type"] = 1, "odd"
            if mode in ("constant", "linear_ramp") and shape and random_.random() < 0.6:
                v = [[random_.randint(0, 9) for _ in range(2)] for _ in shape]
                more["constant_values" if mode == "constant" else "end_values"] = v
                numbers[2] = 1
                operands.append(np.array(v))
            if mode in ("maximum", "minimum", "mean", "median") and shape and random_.random() < 0.5:
                v = [[random_.randint(1, 4) for _ in range(2)] for _ in shape]
                more["stat_length"] = v
                numbers[3] = 1
                numbers += sum(v, [])
            with np.errstate(all="ignore"):
                out = answer(np.pad, seen(x), widths, mode=mode, **more) if shape else [seen(x)]
            if mode == "empty" and shape and not isinstance(out, str):
                out = answer(np.pad, seen(x), widths)
            eps = {"f2": 2e-3, "f4": 1e-6, "c8": 1e-6}.get(dtype, 1e-14)
            near = (0, eps, eps * 20) if mode in ("mean", "median", "linear_ramp") and dtype[0] in "fc" else (0, 0, 0)
            yield "pad", operands, numbers, (out, near)


def make(rng):
    maker = Maker(rng)
    for part in (maker.joins, maker.many, maker.blocks, maker.splits, maker.repeats, maker.changes, maker.flat, maker.pads):
        yield from part()
