"""Cases for cases.h: what a module's make(rng) yields, as records."""
import importlib

import numpy as np

VIEWS = {"": lambda x: x, "T": lambda x: x.T, "flip": lambda x: x[(slice(None, None, -1),) * x.ndim],
         "half": lambda x: x[..., ::2] if x.ndim else x,
         "repeated": lambda x: np.broadcast_to(x[..., :1], x.shape) if x.ndim else x}
ERRORS = {ValueError: "VALUE", IndexError: "INDEX", TypeError: "DTYPE"}


def seen(operand):
    """What NumPy computes with."""
    return VIEWS[operand[1]](operand[0]) if isinstance(operand, tuple) else operand


def answer(function, *arguments, **more):
    """The results of a call, or the name of the error."""
    try:
        result = function(*arguments, **more)
    except np.exceptions.AxisError:
        return "AXIS"
    except (ValueError, IndexError, TypeError) as error:
        return ERRORS[type(error)]
    return list(result) if isinstance(result, (list, tuple)) else [result]


def records(module, rng):
    for k, (call, operands, numbers, results) in enumerate(importlib.import_module(module).make(rng)):
        results, near = results if isinstance(results, tuple) else (results, (0, 0, 0))
        error = results if isinstance(results, str) else "-"
        results = [] if isinstance(results, str) else results
        yield f"{k}/call", f"{call} {len(operands)} {len(results)} {error}"
        yield f"{k}/n", np.array(numbers, "i8")
        yield f"{k}/near", np.array(near, "f8")
        for i, operand in enumerate(operands):
            array, view = operand if isinstance(operand, tuple) else (operand, "")
            yield f"{k}/x{i}", array
            yield f"{k}/v{i}", view
        for i, result in enumerate(results):
            yield f"{k}/out{i}", result
