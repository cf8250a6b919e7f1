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


def elements(size):
    return math.prod(lengths(size))


# x is read for the moments and again for the product; the moduli are written, and read where there is a histogram of
# them, since its range is known only at the end.
PIPELINE_PASSES = {"whole": 4, "nohist": 3}
CHAIN_PASSES = {"clip": 2, "sum": 1, "combine": 3, "squares": 2}
SCANS = ("cumsum", "cumprod", "cummax", "nancumsum", "diff", "gradient", "trapezoid", "hypot")

WORKLOADS = [
    Workload("w1", [(str(10**k), "float64") for k in (0, 2, 3, 4, 5)], [(str(10**k), "float64") for k in (0, 3, 5)],
             ["add", "sum", "slice", "combine"]),
    Workload("w2", [("20000000", "float64")], [("2000000", "float64")], list(CHAIN_PASSES),
             bytes=lambda case, size, item: CHAIN_PASSES[case] * elements(size) * item),
    Workload("w5", [("262144x256", "float32")], [("32768x256", "float32")], ["whole", "nohist"],
             bytes=lambda case, size, item: PIPELINE_PASSES[case] * elements(size) * item,
             flops=lambda case, size: 2 * elements(size) * lengths(size)[-1], names={"whole": ""}),
    Workload("w10", [(size, "float64") for size in ("100000000", "10000x10000", "10000000x10", "10x10000000")],
             [(size, "float64") for size in ("10000000", "3162x3162", "1000000x10", "10x1000000")],
             [f"{name}-{axis}" for name in ("sum", "mean", "var", "argmax") for axis in ("none", "0", "1")],
             bytes=lambda case, size, item: elements(size) * item),
    Workload("scans", [(size, "float64") for size in ("100000000", "1000000", "10000x10000", "1000x1000")],
             [(size, "float64") for size in ("10000000", "1000000", "3162x3162")],
             [f"{name}-{axis}" for name in SCANS for axis in "01"],
             bytes=lambda case, size, item: (1 if case.startswith("trapezoid") else 2) * elements(size) * item),
]


def has(workload, case, size):
    """A vector has no axis 1, and its axis 0 is all of it."""
    if len(lengths(size)) > 1:
        return True
    return {"w10": case.endswith("-none"), "scans": case.endswith("-0")}.get(workload.program, True)
