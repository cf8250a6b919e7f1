"""Random programs: writing by masks, along an axis and to diagonals. Contract: fuzz.py."""
import ctypes

import numpy as np

from fuzz_model import cast

HOW = "putmask place put_along_axis fill_diagonal".split()


def make(maker):
    rng, target = maker.rng, maker.any(0.9)
    shape = maker.model.vars[target].array.shape
    op = {"op": "change", "to": target, "in": [], "how": rng.choice(HOW), "axis": 0,
          "values": [rng.randint(0, 9) for _ in range(rng.choice([1, 1, 2, 3, 6]))]}
    if op["how"] == "put_along_axis" and not shape:
        op["how"] = "putmask"
    if op["how"] == "put_along_axis":
        op["axis"] = rng.randrange(len(shape))
        length = shape[op["axis"]]
        op["shape"] = [rng.randint(1, 3) if a == op["axis"] else n for a, n in enumerate(shape)]
        far = length + (rng.random() < 0.05)
        op["items"] = [rng.randrange(-length, far) if far else 0 for _ in range(int(np.prod(op["shape"])))]
        op["shape"][op["axis"]] *= length > 0  # no index fits an axis without elements
        op["items"] = op["items"] if length else []
        op["values"] = op["values"][:1]
    elif op["how"] != "fill_diagonal":
        chance = rng.choice([0.0, 0.4, 0.8])
        op["shape"] = list(shape) + [2] * (rng.random() < 0.04)
        op["items"] = [rng.random() < chance for _ in range(int(np.prod(op["shape"])))]
    return op


def changed(op, x):
    """x as NumPy has it afterwards. IndexError: the handle alone tells; ValueError: the array does."""
    x, values = x.copy(order="C"), cast(np.array(op["values"]), x.dtype)
    if op["how"] == "fill_diagonal":
        np.fill_diagonal(x, values[0])
        return x
    items = np.array(op["items"], "i8" if op["how"] == "put_along_axis" else bool).reshape(op["shape"])
    if op["how"] == "put_along_axis":
        np.put_along_axis(x, items, values[0], op["axis"])
    elif items.shape != x.shape:
        raise IndexError
    else:
        getattr(np, op["how"])(x, items, values)
    return x


def apply(model, op):
    target = model.vars.get(op["to"])
    if target is None or target.writes_no_truths():
        return False
    if target.bad():
        return None
    if target.repeats() and op["how"] == "fill_diagonal":
        return False  # a diagonal need not repeat what the array does
    try:
        array = changed(op, target.array)
    except (IndexError, ValueError) as error:
        if target.refuses() or isinstance(error, IndexError):
            target.error = True
        else:
            target.store.error = True
        return None
    if target.refuses():
        target.error = True
    else:
        target.array[...] = array
    return None


def call(run, op):
    x, values = run.vars[op["to"]], run.buffer(np.array(op["values"], "i8"), 1)
    if op["how"] == "fill_diagonal":
        run.array("fill_diagonal", x, run.get(op["values"][0]), ctypes.c_int(0))
    elif op["how"] == "put_along_axis":
        ids = run.buffer(np.array(op["items"], "i8").reshape(op["shape"]), 1)
        run.array("put_along_axis", x, ids, run.get(op["values"][0]), ctypes.c_int64(op["axis"]))
    else:
        run.array(op["how"], x, run.buffer(np.array(op["items"], bool).reshape(op["shape"]), 1), values)


def text(op):
    if op["how"] == "fill_diagonal":
        return f"fill_diagonal({op['to']}, {op['values'][0]})"
    what = f"array({op['items']}).reshape({op['shape']})"
    axis = f", axis={op['axis']}" if op["how"] == "put_along_axis" else ""
    return f"{op['how']}({op['to']}, {what}, {op['values']}{axis})"
