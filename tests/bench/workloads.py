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
        itemsize = int(dtype[-2:]) // 8
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
PIPELINE_PASSES = {"whole": 4, "nohist": 3}
HISTOGRAM_PASSES = {"few": 2, "given": 1, "thousand": 1, "many": 2, "one_bin": 1, "edges": 1, "weights": 2}
# Read and written, in reals.
TRANSFORM_WORDS = {"complex": 4, "back": 4, "real": 3, "half": 2, "columns": 4}
CHAIN_PASSES = {"clip": 2, "sum": 1, "combine": 3, "squares": 2}

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
    Workload("w8", [("1024", "float32"), ("1024", "float64")], [("512", "float32")], ["plain", "transposed"],
             bytes=lambda case, size, item: 0, flops=lambda case, size: 2 * math.prod(cube(size)), names={"plain": ""},
             gpu_sizes=[("1024", "float32"), ("4096", "float32"), ("16384", "float32"), ("4096", "float64"),
                        ("16384", "float64"), ("2097152x256x256", "float32")]),
    Workload("w10", [(size, "float64") for size in ("100000000", "10000x10000", "10000000x10", "10x10000000")],
             [(size, "float64") for size in ("10000000", "3162x3162", "1000000x10", "10x1000000")],
             [f"{name}-{axis}" for name in ("sum", "mean", "var", "argmax") for axis in ("none", "0", "1")],
             bytes=lambda case, size, item: elements(size) * item),
    Workload("w12", [("10000000", "float32")], [("1000000", "float32")], list(HISTOGRAM_PASSES),
             bytes=lambda case, size, item: HISTOGRAM_PASSES[case] * elements(size) * item,
             gpu_sizes=[("500000000", "float32"), ("100000000", "float64")]),
    Workload("w13", [("4096x1024", "float32")], [("256x1024", "float32")], list(TRANSFORM_WORDS),
             bytes=lambda case, size, item: TRANSFORM_WORDS[case] * elements(size) * item,
             gpu_sizes=[("2097152x256", "float32"), ("16384x4096", "float64"), ("4096x10007", "float32")]),
]


def has(workload, case, size):
    """A vector has no axis 1, and its axis 0 is all of it; a product with a transposed matrix needs a square one."""
    if workload.program == "w8" and case == "transposed":
        return cube(size)[1] == cube(size)[2]
    return workload.program != "w10" or len(lengths(size)) > 1 or case.endswith("-none")
