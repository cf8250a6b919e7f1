"""Rows of results: as a table, as JSON, and as docs/benchmarks.md.

    table.py JSON PAGE [SWEEP]      writes the page from the rows; SWEEP: the JSON of a sweep of schedulers
Where one of the two is missing its part of the page stays.
"""

import json
import os
import sys
import textwrap
from pathlib import Path

COLUMNS = ("workload", "size", "dtype", "time", "peer", "its time", "ratio", "of the limit", "memory")

MEANINGS = """\
* **W1**, latency of a call with its result read back: `add` is a + b, `sum` sum(a), `slice` a[1:] += b,
  `combine` 2 a + 3 b.
* **W2**, chains of element-wise functions: `clip` is clip((a - m) / s, -3, 3) with numbers m and s, `sum`
  sum(sin(a) + cos(a)), `combine` 2 a + 3 b, `squares` sin(a)^2 + cos(a)^2.
* **W5**, the pipeline: columns of x standardised, clipped to -3 .. 3, multiplied by a matrix, rows transformed, histogram
  of the moduli with 64 bins; `nohist` up to the moduli. x is in memory before.
* **W6**, a step of the 5-point stencil by slices, in place.
* **W8**, matrix products, m x k x n, or one number for all; `transposed` with a transposed second matrix.
* **W10**, reductions of an array over all axes (`none`), or over axis 0 or 1.
* **W12**, histograms: `few` of 64 and `many` of a million bins over the range of the data, `given` of 64 and `thousand` of
  1000 bins over 0 .. 1, `one_bin` where most values lie in one bin, `edges` of 100 unequal bins, `weights`.
* **W13**, transforms of the rows of a matrix: `complex`, `back` the inverse, `real` of real numbers and `half` without the
  second half; `columns` along the other axis.
* **W16**, indexing with indices in no order, and a mask half of which is true: x[ids], x[mask], y[ids] = x,
  y[mask] = 1/4, numpy.add.at, numpy.flatnonzero.
* **W17**, joining and rearranging: each case makes a new array by NumPy's function of its name.
* **SCANS**, cumulative functions and differences along axis 0 or 1."""


def number(value, unit, scale=1000.0, units=("", "k", "M", "G", "T")):
    for prefix in units:
        if abs(value) < scale or prefix == units[-1]:
            return f"{value:.3g} {prefix}{unit}"
        value /= scale


def time_text(seconds):
    return "" if seconds is None else number(seconds * 1e9, "s", units=("n", "µ", "m", "")) if seconds < 1 else f"{seconds:.3g} s"


def bytes_text(count):
    return "" if count is None else number(max(count, 0), "B", 1024.0, ("", "Ki", "Mi", "Gi", "Ti"))


def cells(row):
    ratio = "failed" if row["failed"] else "" if row["ratio"] is None else f"{row['ratio']:.2f}"
    share = "" if row["limit_share"] is None else f"{100 * row['limit_share']:.0f} %"
    return [row["id"], row["size"], row["dtype"], time_text(row["seconds"]), row["peer"] or "",
            time_text(row["peer_seconds"]), ratio, share, bytes_text(row["peak_bytes"])]


def line(row):
    text = "  ".join(cell for cell in cells(row) if cell)
    return text + (f"\n        {row['failed']}" if row["failed"] else "")


def show(rows):
    lines = [COLUMNS, *map(cells, rows)]
    widths = [max(len(entry[k]) for entry in lines) for k in range(len(COLUMNS))]
    for entry in lines:
        print("  ".join(cell.ljust(width) if k in (0, 1, 2, 4) else cell.rjust(width)
                        for k, (cell, width) in enumerate(zip(entry, widths))).rstrip())
    for text in dict.fromkeys(f"{row['id']} {row['size']} {row['dtype']}: {row['failed']}" for row in rows if row["failed"]):
        print(text)


def save(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_text(json.dumps(rows, indent=1, ensure_ascii=False) + "\n")
    os.replace(beside, path)


# ---- the page ----


def machine_text(facts):
    parts = [f"{facts['cpu']}, {facts['cores']} cores" + (" of a virtual machine" if facts["virtual"] else "")]
    parts += [f"{facts[level]} {level.upper()}" for level in ("l2", "l3") if facts[level]]
    parts.append(f"{bytes_text(facts['memory'])} memory")
    parts += facts["gpus"]
    parts += [facts["system"], facts["compiler"], f"StarPU {facts['starpu']}", f"OpenBLAS {facts['openblas']}"]
    text = ", ".join(part for part in parts if part) + "."
    limits = facts.get("limits")
    if limits:
        text += (f" Measured: triad {limits['triad'] / 1e9:.1f} GB/s with plain stores and"
                 f" {limits['triad_past_caches'] / 1e9:.1f} past the caches; products of matrices"
                 f" {limits['gemm_float32'] / 1e9:.0f} GFLOP/s in float32 and {limits['gemm_float64'] / 1e9:.0f} in float64.")
    return text


def markdown(rows):
    titles = ["", "size", "dtype", "time", "peer", "its time", "ratio", "of the limit", "memory"]
    lines = ["| " + " | ".join(titles) + " |", "|---|---|---|--:|---|--:|--:|--:|--:|"]
    return "\n".join(lines + ["| " + " | ".join(cells(row)) + " |" for row in rows])


def page(rows):
    sections = {}
    for row in rows:
        facts = {key: value for key, value in row["machine"].items() if key != "limits"}
        sections.setdefault((json.dumps(facts), row["date"], row["repeat"]), []).append(row)
    parts = ["# Benchmarks\n\n<!-- Written by scripts/bench.sh --docs from measured rows; edit tests/bench/table.py instead. -->\n",
             "Ours and the peers run in turn, in one run; the time is the median after a warm-up, the ratio the peer's time over"
             "\nours: above 1 we are faster. Every result is compared with NumPy in float64, and a wrong one has no ratio."
             "\nThe limit is what the machine needs at best: bytes that must pass over a measured STREAM triad, plus the flops of"
             "\nmatrix products over a measured one. Memory is the peak of anonymous resident memory above what it was after"
             "\nsta_init, inputs included. `scripts/bench.sh` measures on your machine.\n", MEANINGS + "\n"]
    for (_, date, repeat), entries in sections.items():
        # Rows without limits were not measured with them.
        machine = max((row["machine"] for row in entries), key=lambda facts: "limits" in facts)
        parts.append(f"## {machine['cpu']}{' with ' + machine['gpus'][0] if machine['gpus'] else ''}, {date}\n\n"
                     + textwrap.fill(f"{machine_text(machine)} Medians of {repeat}.", 118)
                     + f"\n\n{markdown(entries)}\n")
    if not rows:
        parts.append("Nothing has been measured yet.\n")
    return "\n".join(parts)


# ---- its last part: the sweep ----

SWEEP = "## Schedulers and kinds of workers"
MEANS = """\
`scripts/bench.sh --sweep` runs each workload with `STA_CPU` seq, omp and auto under eager, lws, dmda and dmdas, each choice in
processes of its own, and compares what the library and its models choose by themselves with the best of the fixed choices:
all of seq and omp, and auto under eager and lws. Its figures are times that best one: without anything measured before
/ after `starray-calibrate` / after other runs of the same program. The lower quartile of a process counts, and of the
processes the best. Two of equal settings differ by up to {noise:.0f} % here, so that less than that says nothing."""


def sweep_part(sweep):
    ours = list(dict.fromkeys(name.split(", ")[0] for name in sweep["rows"][0]["seconds"] if ", " in name))
    known = list(dict.fromkeys(name.split(", ")[1] for name in sweep["rows"][0]["seconds"] if ", " in name))
    lines = ["| | size | dtype | best fixed | time | worst fixed | " + " | ".join(ours) + " |",
             "|---|---|---|---|--:|--:|" + "--:|" * len(ours)]
    noise = 0
    for row in sweep["rows"]:
        times = row["times_best"]
        fixed = [name for name in times if ", " not in name and not name.startswith("tasks") and name.count(" ") == 1]
        cells = [" / ".join(f"{times[f'{name}, {state}']:.2f}" for state in known) for name in ours]
        lines.append(f"| {row['workload']} | {row['size']} | {row['dtype']} | {row['best']} | {time_text(row['best_fixed'])} |"
                     f" {max(times[name] for name in fixed):.2f} | " + " | ".join(cells) + " |")
        same = [times["seq lws"], times["default, nothing measured"]]
        noise = max(noise, 100 * (max(same) / min(same) - 1))
    return "\n".join([SWEEP, "", MEANS.format(noise=noise), "", textwrap.fill(machine_text(sweep["machine"]), 118), "", *lines, ""])


def write(source, target, sweep):
    old = target.read_text() if target.exists() else ""
    measured, _, swept = old.partition(SWEEP)
    if source.exists():
        measured = page(json.loads(source.read_text()))
    if sweep and sweep.exists():
        part = sweep_part(json.loads(sweep.read_text()))
    else:
        part = SWEEP + swept if swept else ""
    target.parent.mkdir(exist_ok=True)
    target.write_text(measured.rstrip("\n") + "\n" + ("\n" + part if part else ""))


if __name__ == "__main__":
    source, target, *more = map(Path, sys.argv[1:])
    write(source, target, more[0] if more else None)
