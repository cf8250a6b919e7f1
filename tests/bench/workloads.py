"""The table of workloads: what the programs offer, at which sizes, and what the machine could do at best."""

import math
from dataclasses import dataclass, field


@dataclass
class Workload:
    program: str  # tests/bench/<program>.c; in capitals the first part of the rows' names
    sizes: list  # (size, dtype), as the options of the program
    quick: list
    cases: list
    bytes: object = None  # (case, size, bytes of an element) -> bytes that have to pass between memory and cores
    flops: object = None  # (case, size) -> operations of matrix products
    gpu_sizes: list = None  # where a GPU's peer is measured
    names: dict = field(default_factory=dict)  # of cases, where they are not the cases' own

    def row(self, case):
        name = self.names.get(case, case)
        return self.program.upper() + ("-" + name if name else "")

    def limit(self, case, size, dtype, machine):
        """Seconds; for workloads with bytes."""
        itemsize = int(dtype.lstrip("abcdefghijklmnopqrstuvwxyz")) // 8
        seconds = self.bytes(case, size, itemsize) / max(machine["triad"], machine["triad_past_caches"])
        if self.flops:
            seconds += self.flops(case, size) / machine["gemm_" + dtype]
        return seconds


def lengths(size):
    return [int(n) for n in size.split("x")]


def cube(size):
    """m, k and n of a product."""
    given = lengths(size)
    return given if len(given) == 3 else given[:1] * 3


def elements(size):
    return math.prod(lengths(size))


# x is read for the moments and again for the product; the moduli are written, and read where there is a histogram of
# them, since its range is known only at the end.
# How many arrays of x's size are read and written where everything is copied.
JOINED_PASSES = {"concat-0": 4, "concat-1": 4, "stack": 4, "pad": 2, "reflect": 2, "tile": 5, "tile-small": 1, "repeat": 3,
                 "roll-0": 2, "roll-1": 2, "tril": 2, "rows": 2, "transposed": 2}
PIPELINE_PASSES = {"whole": 4, "nohist": 3}
REDUCED = ("float64", "float32", "float16", "int64", "int8")
HISTOGRAM_PASSES = {"few": 2, "given": 1, "thousand": 1, "many": 2, "one_bin": 1, "edges": 1, "weights": 2}
# Read and written, in reals.
TRANSFORM_WORDS = {"complex": 4, "back": 4, "real": 3, "half": 2, "columns": 4}
CHAIN_PASSES = {"clip": 2, "sum": 1, "combine": 3, "squares": 2}
SCANS = ("cumsum", "cumprod", "cummax", "nancumsum", "diff", "gradient", "trapezoid", "hypot")

# In, out, indices; of a mask one byte, and half of the elements.
INDEX_BYTES = {"take": lambda i: 2 * i + 8, "mask": lambda i: 1.5 * i + 1, "put": lambda i: 2 * i + 8,
               "fill": lambda i: 2 * i + 1, "add": lambda i: 4 * i + 8, "nonzero": lambda i: 5}

WORKLOADS = [
    Workload("w1", [(str(10**k), "float64") for k in (0, 2, 3, 4, 5)], [(str(10**k), "float64") for k in (0, 3, 5)],
             ["add", "sum", "slice", "combine"]),
    Workload("w2", [("20000000", "float64")], [("2000000", "float64")], list(CHAIN_PASSES),
             bytes=lambda case, size, item: CHAIN_PASSES[case] * elements(size) * item),
    Workload("w3", [("1000000", "float64"), ("100000000", "float64")], [("1000000", "float64")], ["prices"],
             bytes=lambda case, size, item: 5 * elements(size) * item, names={"prices": ""}),
    Workload("w4", [("4000000", "float64"), ("16000000", "float64")], [("1000000", "float64")], ["density"],
             bytes=lambda case, size, item: 4 * elements(size) * item, names={"density": ""}),
    Workload("w5", [("262144x256", "float32")], [("32768x256", "float32")], ["whole", "nohist"],
             bytes=lambda case, size, item: PIPELINE_PASSES[case] * elements(size) * item,
             flops=lambda case, size: 2 * elements(size) * lengths(size)[-1], names={"whole": ""},
             gpu_sizes=[("2097152x256", "float32")]),
    Workload("w6", [("2800x2800", "float64"), ("4096x4096", "float64")], [("1000x1000", "float64")], ["step"],
             bytes=lambda case, size, item: 2 * elements(size) * item, names={"step": ""}),
    Workload("w8", [("1024", "float32"), ("1024", "float64")], [("512", "float32")], ["plain", "transposed"],
             bytes=lambda case, size, item: 0, flops=lambda case, size: 2 * math.prod(cube(size)), names={"plain": ""},
             gpu_sizes=[("1024", "float32"), ("4096", "float32"), ("16384", "float32"), ("4096", "float64"),
                        ("16384", "float64"), ("2097152x256x256", "float32")]),
    Workload("w10", [(size, dtype) for size in ("100000000", "10000x10000", "10000000x10", "10x10000000")
                     for dtype in REDUCED],
             [(size, dtype) for size in ("10000000", "3162x3162", "1000000x10", "10x1000000") for dtype in REDUCED],
             [f"{name}-{axis}" for name in ("sum", "mean", "var", "argmax") for axis in ("none", "0", "1")],
             bytes=lambda case, size, item: elements(size) * item),
    Workload("scans", [(size, "float64") for size in ("100000000", "1000000", "10000x10000", "1000x1000")],
             [(size, "float64") for size in ("10000000", "1000000", "3162x3162")],
             [f"{name}-{axis}" for name in SCANS for axis in "01"],
             bytes=lambda case, size, item: (1 if case.startswith("trapezoid") else 2) * elements(size) * item,
             gpu_sizes=[("100000000", "float64"), ("10000x10000", "float64")]),
    Workload("w12", [("10000000", "float32")], [("1000000", "float32")], list(HISTOGRAM_PASSES),
             bytes=lambda case, size, item: HISTOGRAM_PASSES[case] * elements(size) * item,
             gpu_sizes=[("500000000", "float32"), ("100000000", "float64")]),
    Workload("w13", [("4096x1024", "float32")], [("256x1024", "float32")], list(TRANSFORM_WORDS),
             bytes=lambda case, size, item: TRANSFORM_WORDS[case] * elements(size) * item,
             gpu_sizes=[("2097152x256", "float32"), ("16384x4096", "float64"), ("4096x10007", "float32")]),
    Workload("w16", [("1000000", "float64"), ("100000000", "float64")], [("1000000", "float64")], list(INDEX_BYTES),
             bytes=lambda case, size, item: INDEX_BYTES[case](item) * elements(size),
             gpu_sizes=[("100000000", "float64")]),
    Workload("w17", [(size, dtype) for size in ("1000x1000", "4472x4472") for dtype in ("float64", "float32")],
             [("1000x1000", "float64")], list(JOINED_PASSES),
             bytes=lambda case, size, item: JOINED_PASSES[case] * elements(size) * item,
             gpu_sizes=[("8192x8192", "float32"), ("1000000x256", "float32")]),
]


def has(workload, case, size):
    """A vector has no axis 1, and its axis 0 is all of it; a product with a transposed matrix needs a square one."""
    if workload.program == "w8" and case == "transposed":
        return cube(size)[1] == cube(size)[2]
    if len(lengths(size)) > 1:
        return True
    return {"w10": case.endswith("-none"), "scans": case.endswith("-0")}.get(workload.program, True)
