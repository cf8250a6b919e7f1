"""Random programs: other shapes and dtypes of the same memory, and indices with arrays. Parts of the maker, of NumPy's side
and of the library's side. Contract: fuzz.py."""
import ctypes

import numpy as np

from fuzz_model import NUMBER, Store, brief, cast

SLICE, INTEGER, NEWAXIS, ELLIPSIS, ARRAY = range(5)
# Dtypes whose memory can be seen as the other's without values that no operation would give.
ALIKE = [("i1", "u1"), ("i2", "u2"), ("i4", "u4"), ("i8", "u8"), ("f4", "c8"), ("f8", "c16"), ("i1", "i2"), ("i2", "i4"),
         ("i4", "i8"), ("u1", "u4"), ("?", "u1")]


def numpy_items(items):
    def one(item):
        if item[0] == SLICE:
            return slice(*item[1:])
        if item[0] == INTEGER:
            return item[1]
        return {NEWAXIS: None, ELLIPSIS: Ellipsis}[item[0]] if item[0] != ARRAY else np.array(item[1], item[2])
    return tuple(one(item) for item in items)


def broadcast(items):
    """Whether the index arrays fit each other."""
    arrays = [np.array(item[1], item[2]) for item in items if item[0] == ARRAY]
    try:
        np.broadcast_shapes(*[(int(a.sum()),) if a.dtype == bool else a.shape for a in arrays])
    except ValueError:
        return False
    return True


def regroups(how, a, b):
    """Whether the view b of a shows its elements otherwise than with axes of length 1 more or less."""
    if how == "view":
        return a.itemsize != b.itemsize
    return how in ("reshape", "ravel") and [n for n in a.shape if n != 1] != [n for n in b.shape if n != 1]


class IndexMaker:
    def frame(self):
        rng, source = self.rng, self.any()
        x = self.model.vars[source].array
        op = {"op": "frame", "to": self.name(), "in": [source], "how": rng.choice(["reshape"] * 3 + ["ravel", "real", "imag", "view"])}
        kind = x.dtype.kind
        if op["how"] in ("real", "imag") and kind != "c":
            op["how"] = "reshape"
        if op["how"] == "view":
            mine = brief(x.dtype)
            others = [b for a, b in ALIKE if a == mine] + [a for a, b in ALIKE if b == mine and a != "?"]
            op["dtype"] = rng.choice(others) if others and x.ndim else mine
        if op["how"] == "reshape":
            op["shape"] = self.other_shape(x.size)
        return op

    def other_shape(self, size):
        rng, shape, left = self.rng, [], size
        if size == 0:
            return rng.choice([[0], [0, 3], [2, 0], [-1]])
        for _ in range(rng.randint(0, 3)):
            n = rng.choice([d for d in range(1, left + 1) if left % d == 0])
            shape.append(n)
            left //= n
        shape.append(left)
        rng.shuffle(shape)
        if rng.random() < 0.3:
            shape[rng.randrange(len(shape))] = -1
        if rng.random() < 0.02:
            shape.append(2)
        return shape

    def ids(self, length, shape, wrong):
        rng = self.rng
        dtype = rng.choice(["i8", "i8", "i4", "u1" if length < 255 else "u2"])
        low = 0 if dtype[0] == "u" else -length
        count = int(np.prod(shape))
        values = [rng.randrange(low, length) if length else 0 for _ in range(count)]
        if length == 0:
            shape, values = (0,), []
        elif wrong and values:
            values[rng.randrange(count)] = length
        return [ARRAY, np.array(values, dtype).reshape(shape).tolist(), dtype]

    def items(self, shape):
        rng, items, axis, ellipsis = self.rng, [], 0, False
        common, wrong = rng.choice([(3,), (4,), (2, 2), (1,), (7,)]), rng.random() < 0.05
        while axis < len(shape) and rng.random() < 0.9:
            kind = rng.choice([SLICE, INTEGER, ARRAY, ARRAY, ARRAY, NEWAXIS, ELLIPSIS])
            n = shape[axis]
            if kind == SLICE:
                part = [rng.randint(-n - 1, n + 1) if rng.random() < 0.5 else None for _ in range(2)]
                items.append([SLICE] + part + [rng.choice([None, 1, 2, -1, -2])])
            elif kind == INTEGER and n:
                items.append([INTEGER, rng.randrange(-n, n)])
            elif kind == ARRAY and rng.random() < 0.3:
                axes = 2 if axis + 1 < len(shape) and rng.random() < 0.4 else 1
                chance = rng.choice([0.0, 0.4, 0.8])
                mask = np.array([rng.random() < chance for _ in range(int(np.prod(shape[axis:axis + axes])))], bool)
                items.append([ARRAY, mask.reshape(shape[axis:axis + axes]).tolist(), "?"])
                axis += axes - 1
            elif kind == ARRAY:
                items.append(self.ids(n, rng.choice([common, common, (), (1,)]), wrong))
            elif kind == NEWAXIS and len(items) < 4:
                items.append([NEWAXIS])
                continue
            elif kind == ELLIPSIS and not ellipsis:
                items.append([ELLIPSIS])
                axis, ellipsis = max(axis, len(shape) - 1), True
                continue
            else:
                continue
            axis += 1
        return items or [[ELLIPSIS]]

    def at(self):
        source = self.any()
        return {"op": "at", "to": self.name(), "in": [source], "items": self.items(self.model.vars[source].array.shape)}

    def write_at(self):
        rng, target = self.rng, self.any()
        x = self.model.vars[target]
        items = self.items(x.array.shape)
        try:
            shape = x.array[numpy_items(items)].shape
        except IndexError:
            shape = ()
        choices = []
        for name, v in self.model.vars.items():
            try:
                if not v.bad() and np.broadcast_shapes(v.array.shape, shape) == shape and self.writes(target, v.store.inexact):
                    choices.append(name)
            except ValueError:
                pass
        source = rng.choice(choices[-8:]) if choices and rng.random() < 0.6 else rng.randint(0, 9)
        kind = "assign_at"
        if rng.random() < 0.3 and x.array.dtype.kind in "iuf" and not x.store.inexact and x.array.dtype != "f2":
            kind, source = "add_at", rng.randint(0, 9)
        return {"op": kind, "to": target, "in": [source], "items": items}

    def find(self):
        rng, source = self.rng, self.any()
        x = self.model.vars[source]
        how = rng.choice(["flatnonzero", "argwhere", "take", "take"])
        op = {"op": "find", "to": self.name(), "in": [source], "how": how}
        if x.store.inexact and how != "take":
            op["how"] = how = "take"
        if how == "take":
            flat = x.array.ndim == 0 or rng.random() < 0.3
            op["axis"] = None if flat else rng.randrange(-x.array.ndim, x.array.ndim)
            op["mode"] = rng.choice([0, 0, 1, 2])
            length = x.array.size if flat else x.array.shape[op["axis"]]
            op["ids"] = self.ids(length, rng.choice([(3,), (2, 3), ()]), rng.random() < 0.05)
            if op["mode"] and length:
                op["ids"] = [ARRAY, rng.choice([[length + 3, -2 * length - 1, 0], [1]]), "i8"]
        return op

    def put(self):
        rng, target = self.rng, self.any()
        size = self.model.vars[target].array.size
        return {"op": "put", "to": target, "in": [], "ids": self.ids(size, rng.choice([(3,), (2, 2)]), rng.random() < 0.05),
                "values": [rng.randint(0, 9) for _ in range(rng.choice([1, 2, 3, 6]))]}


class IndexModel:
    def frame(self, op):
        x = self.vars.get(op["in"][0])
        if x is None:
            return False
        if x.bad():
            return self.fail(op["to"])
        a, how = x.array, op["how"]
        try:
            b = {"reshape": lambda: a.reshape(op["shape"]), "ravel": a.ravel, "real": lambda: a.real,
                 "imag": lambda: a.imag, "view": lambda: a.view(op["dtype"])}[how]()
        except (ValueError, TypeError):
            return self.fail(op["to"])
        x.store.truths |= how == "view" and a.dtype.kind == "b"
        shared = how in ("real", "imag", "view") or a.size and np.shares_memory(a, b)
        new = self.new(op["to"], b if shared else np.array(b, order="C"), x.store if shared else Store())
        if shared:
            new.fixed = x.fixed or x.repeats() and regroups(how, a, b)
        else:
            new.store.inexact, new.store.scale = x.store.inexact, x.store.scale

    def at(self, op):
        x = self.vars.get(op["in"][0])
        if x is None:
            return False
        if x.bad():
            return self.fail(op["to"])
        try:
            result = np.array(x.array[numpy_items(op["items"])], order="C")
        except IndexError:
            return self.fail(op["to"])
        self.copied(op, result, x)

    def copied(self, op, result, x):
        new = self.new(op["to"], result, Store())
        new.store.inexact, new.store.scale = x.store.inexact, x.store.scale

    def write_at(self, op):
        target = self.vars.get(op["to"])
        source = op["in"][0]
        if target is None or (isinstance(source, str) and source not in self.vars):
            return False
        x = self.vars[source] if isinstance(source, str) else None
        if target.writes_no_truths():
            return False
        if target.bad():
            return
        if target.refuses():
            target.error = True
        elif x is not None and x.bad():
            target.store.error = True
        else:
            value = cast(np.array(x.array if x else source), target.array.dtype)
            if self.write_items(op, target, value) is False:
                return False
            if x:
                target.store.inexact = max(target.store.inexact, x.store.inexact)
                target.store.scale = max(target.store.scale, x.store.scale)

    def write_items(self, op, target, value):
        items = numpy_items(op["items"])
        try:
            # Contiguous, so that NumPy has no reason to visit the places in another order.
            places = np.arange(target.array.size).reshape(target.array.shape)[items]
            value = np.ascontiguousarray(np.broadcast_to(value, places.shape)).reshape(-1)
        except IndexError as error:
            if "broadcast" in str(error):
                target.store.error = True
            elif not broadcast(op["items"]):
                return False  # two errors: either may come first
            else:
                target.error = True
            return
        except ValueError:
            target.store.error = True
            return
        flat = target.array.copy(order="C").reshape(-1)
        if op["op"] == "assign_at":
            for place, v in zip(places.reshape(-1), value):
                flat[place] = v
        else:
            with np.errstate(all="ignore"):
                np.add.at(flat, places.reshape(-1), value)
            target.store.scale += 9.0 * places.size
        target.array[...] = flat.reshape(target.array.shape)

    assign_at = add_at = write_at

    def find(self, op):
        x = self.vars.get(op["in"][0])
        if x is None:
            return False
        if x.bad():
            return self.fail(op["to"])
        try:
            if op["how"] == "take":
                ids = np.array(op["ids"][1], op["ids"][2])
                length = x.array.shape[op["axis"]] if op["axis"] is not None else x.array.size
                if op["mode"] == 0 and np.any((ids.astype("i8") < -length) | (ids.astype("i8") >= length)):
                    return self.fail(op["to"])  # NumPy does not look where an axis before is empty
                result = x.array.take(ids, op["axis"], mode=["raise", "wrap", "clip"][op["mode"]])
                return self.copied(op, np.array(result, order="C"), x)
            result = getattr(np, op["how"])(x.array)
        except (IndexError, ValueError):
            return self.fail(op["to"])
        self.new(op["to"], np.array(result, "i8", order="C"), Store())

    def put(self, op):
        target = self.vars.get(op["to"])
        if target is None or target.writes_no_truths():
            return False
        if target.bad():
            return
        ids = np.array(op["ids"][1], op["ids"][2]).reshape(-1)
        if target.refuses():
            target.error = True
            return
        size = target.array.size
        if any(not -size <= i < size for i in ids.tolist()):
            target.error = True
            return
        flat = target.array.copy(order="C").reshape(-1)
        for k, i in enumerate(ids.tolist()):
            flat[i] = cast(op["values"][k % len(op["values"])], flat.dtype)
        target.array[...] = flat.reshape(target.array.shape)


class Span(ctypes.Structure):
    _fields_ = [("kind", ctypes.c_int), ("has", ctypes.c_uint), ("start", ctypes.c_int64), ("stop", ctypes.c_int64),
                ("step", ctypes.c_int64), ("by", ctypes.c_uint64)]


class Items(ctypes.Structure):
    _fields_ = [("count", ctypes.c_int), ("at", ctypes.POINTER(Span))]


class IndexRun:
    def constant(self, item):
        return self.buffer(np.array(item[1], item[2], order="C"), 1)

    def index_of(self, op):
        spans = (Span * max(1, len(op["items"])))()
        for i, item in enumerate(op["items"]):
            span = spans[i]
            span.kind = item[0]
            if item[0] == SLICE:
                for bit, (field, value) in enumerate(zip(("start", "stop", "step"), item[1:])):
                    if value is not None:
                        setattr(span, field, value)
                        span.has |= 1 << bit
            elif item[0] == INTEGER:
                span.start = item[1]
            elif item[0] == ARRAY:
                span.by = self.constant(item).id
        return Items(len(op["items"]), spans)

    def frame(self, op):
        x, how = self.get(op["in"][0]), op["how"]
        if how == "reshape":
            return self.array("reshape", x, self.dims(op["shape"]))
        if how == "view":
            return self.array("view", x, NUMBER[op["dtype"]])
        return self.array(how, x)

    def at(self, op):
        return self.array("at", self.get(op["in"][0]), self.index_of(op))

    def write_at(self, op):
        self.array(op["op"], self.vars[op["to"]], self.index_of(op), self.get(op["in"][0]))

    assign_at = add_at = write_at

    def find(self, op):
        x = self.get(op["in"][0])
        if op["how"] != "take":
            return self.array(op["how"], x)
        axis = -2**63 if op["axis"] is None else op["axis"]
        return self.array("take", x, self.constant(op["ids"]), ctypes.c_int64(axis), ctypes.c_int(op["mode"]))

    def put(self, op):
        self.array("put", self.vars[op["to"]], self.constant(op["ids"]), self.constant([ARRAY, op["values"], "i8"]), ctypes.c_int(0))


def text(op, given):
    """A line for a reader; None for other operations."""
    kind = op["op"]
    if kind in ("at", "assign_at", "add_at"):
        def show(item):
            if item[0] == SLICE:
                return ":".join("" if part is None else str(part) for part in item[1:])
            return {INTEGER: lambda: str(item[1]), NEWAXIS: lambda: "newaxis", ELLIPSIS: lambda: "...",
                    ARRAY: lambda: f"array({item[1]}, '{item[2]}')"}[item[0]]()
        index = "[" + ", ".join(map(show, op["items"])) + "]"
        return {"at": f"{op['to']} = {given}{index}", "assign_at": f"{op['to']}{index} = {given}",
                "add_at": f"add.at({op['to']}, {index}, {given})"}[kind]
    if kind == "frame":
        return f"{op['to']} = {given}.{op['how']}({op.get('shape', op.get('dtype', ''))})"
    if kind == "find":
        more = f", {op['ids'][1:]}, axis={op['axis']}, mode={op['mode']}" if op["how"] == "take" else ""
        return f"{op['to']} = {op['how']}({given}{more})"
    if kind == "put":
        return f"put({op['to']}, {op['ids'][1:]}, {op['values']})"
    return None
