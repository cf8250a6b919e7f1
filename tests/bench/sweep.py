"""Schedulers, kinds of CPU workers and tile sizes, on workloads that stress them: which choice is best, and how far from it
are those that the library makes by itself?

scripts/bench.sh --sweep builds what is needed and calls this. Every choice is measured in processes of its own, in turn, for
several rounds; the best time counts, since a machine that others use shows only now and then what it can do.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import machine

# program, case, (size, dtype), (size, dtype) with --quick
WORKLOADS = [("w5", "whole", ("262144x256", "float32"), ("32768x256", "float32")),
             ("w6", "step", ("4096x4096", "float64"), ("1000x1000", "float64")),
             ("w8", "plain", ("2048", "float32"), ("768", "float32"))]
WORKERS = ("seq", "omp", "auto")
SCHEDULERS = ("eager", "lws", "dmda", "dmdas")
TASKS_MS = (0.1, 1, 10)
LIMIT_SECONDS = 300
OURS = ("default", "nothing measured", "auto dmda", "auto dmdas")  # the library or its models choose; all others are fixed


def clean_environment():
    """What a user may have set would hide what is measured."""
    return {key: value for key, value in os.environ.items()
            if key not in ("STA_CPU", "STARPU_SCHED", "STA_TILE_ELEMS", "STARPU_NCPU", "STA_PROFILE", "STA_DEVICES")}


class Workload:
    def __init__(self, build, program, case, size, dtype):
        self.command = [build / "bench" / program, "--case", case, "--size", size, "--dtype", dtype]
        self.name = f"{program.upper()}-{case}"
        self.size, self.dtype = size, dtype
        self.best = {}  # seconds by choice

    def run(self, repeat, **variables):
        """The seconds of each run, and what the profile says of tasks: their number and their milliseconds."""
        done = subprocess.run([*self.command, "--repeat", str(repeat)], env={**clean_environment(), **variables},
                              capture_output=True, text=True, timeout=LIMIT_SECONDS)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        if done.returncode or not answers or any("error" in answer for answer in answers):
            sys.exit(f"sweep: {self.name} with {variables}: {done.stdout}{done.stderr}")
        rows = re.findall(r" (?:cpu|omp|cuda) +(\d+) +([\d.]+) ", done.stderr)
        return [answer["seconds"] for answer in answers], sum(int(row[0]) for row in rows), sum(float(row[1]) for row in rows)

    def measure(self, choice, seconds_each, **variables):
        repeat = max(3, min(60, int(seconds_each / self.best.get(choice, seconds_each / 10))))
        seconds = min(self.run(repeat, **variables)[0])
        self.best[choice] = min(seconds, self.best.get(choice, seconds))


def has_gpu():
    return bool(list(Path("/dev").glob("nvidia[0-9]*")))


def tile_bytes(build):
    done = subprocess.run([build / "tools" / "starray-info", "--json"], env=clean_environment(), capture_output=True,
                          text=True, check=True)
    settings = {row["name"]: row["value"] for row in json.loads(done.stdout)["settings"]}
    return int(re.search(r"(\d+) KiB", settings["STA_TILE_ELEMS"])[1]) * 1024


def tile_choices(workload, bytes_now):
    """Elements of tiles whose tasks take about so long, from the mean task with the usual tiles."""
    _, tasks, milliseconds = workload.run(1, STA_PROFILE="1", STA_INLINE_BYTES="0")
    elements = bytes_now // (int(re.sub(r"\D", "", workload.dtype)) // 8)
    mean = milliseconds / max(tasks, 1)
    return {f"tasks of {wanted:g} ms": max(1024, int(elements * wanted / max(mean, 1e-3))) for wanted in TASKS_MS}


def choices(workload, bytes_now, scratch):
    yield "default", {}
    yield "nothing measured", {"STARPU_HOME": scratch, "XDG_CACHE_HOME": scratch}
    if has_gpu():
        for devices in ("cpu", "cuda"):
            yield f"{devices} only", {"STA_DEVICES": devices}
    for workers in WORKERS:
        for scheduler in SCHEDULERS:
            yield f"{workers} {scheduler}", {"STA_CPU": workers, "STARPU_SCHED": scheduler}
    for name, elements in tile_choices(workload, bytes_now).items():
        yield name, {"STA_TILE_ELEMS": str(elements)}


def sweep(workload, options, bytes_now):
    all_choices = list(choices(workload, bytes_now, ""))
    for turn in range(options.rounds):
        for name, variables in all_choices:
            with tempfile.TemporaryDirectory() as scratch:  # never with what an earlier process has learned
                variables = {key: value or scratch for key, value in variables.items()}
                workload.measure(name, options.seconds, **variables)
        print(f"{workload.name}: round {turn + 1} of {options.rounds}", file=sys.stderr, flush=True)


def show(workload):
    best = min(workload.best[name] for name in workload.best if name not in OURS and not name.startswith("tasks"))
    print(f"\n{workload.name} {workload.size} {workload.dtype}: milliseconds, and times the best fixed choice")
    print(f"{'':18}" + "".join(f"{scheduler:>16}" for scheduler in SCHEDULERS))
    cell = lambda name: f"{1000 * workload.best[name]:9.2f} {workload.best[name] / best:5.2f}x"
    for workers in WORKERS:
        print(f"STA_CPU={workers:10}" + "".join(f"{cell(f'{workers} {scheduler}'):>16}" for scheduler in SCHEDULERS))
    for name in workload.best:
        if name in ("default", "nothing measured") or name.startswith("tasks") or name.endswith("only"):
            print(f"{name:18}{cell(name):>16}")
    return {"workload": workload.name, "size": workload.size, "dtype": workload.dtype, "seconds": workload.best,
            "best_fixed": best, "times_best": {name: seconds / best for name, seconds in workload.best.items()}}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--only", type=lambda text: text.upper().split(","), default=[])
    parser.add_argument("--seconds", type=float, default=0.5, help="of a choice in a round")
    parser.add_argument("--repeat", type=int, default=0, help="rounds")
    parser.add_argument("--quick", action="store_true")
    options = parser.parse_args()
    options.rounds = options.repeat or (2 if options.quick else 3)
    bytes_now, rows = tile_bytes(options.build), []
    for program, case, *sizes in WORKLOADS:
        if options.only and program.upper() not in options.only:
            continue
        workload = Workload(options.build, program, case, *sizes[options.quick])
        sweep(workload, options, bytes_now)
        rows.append(show(workload))
    if not rows:
        sys.exit("sweep: --only names no workload")
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps({"machine": machine.facts(options.build), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
