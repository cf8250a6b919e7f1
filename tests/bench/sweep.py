"""Schedulers, kinds of CPU workers and tile sizes, on workloads that stress them: which choice is best, and how far from it
are those that the library makes by itself?

scripts/bench.sh --sweep builds what is needed and calls this. Every choice is measured in processes of its own, in turn, for
several rounds. Of a process the lower quartile counts, of the processes the best: a machine that others use shows only now and
then what it can do. What the library learns is kept apart: a process that is to choose begins with nothing measured, with what
starray-calibrate has measured, or with what a run of the same program has left behind.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import machine

# program, case, (size, dtype), (size, dtype) with --quick
WORKLOADS = [("w2", "clip", ("20000000", "float64"), ("2000000", "float64")),
             ("w5", "whole", ("32768x256", "float32"), ("16384x256", "float32")),
             ("w6", "step", ("4096x4096", "float64"), ("1000x1000", "float64")),
             ("w8", "plain", ("2048", "float32"), ("768", "float32")),
             ("w10", "var-0", ("8000x4000", "float64"), ("2000x1000", "float64")),
             ("w12", "few", ("10000000", "float32"), ("1000000", "float32")),
             ("w13", "complex", ("8192x1024", "float32"), ("1024x1024", "float32"))]
WORKERS = ("seq", "omp", "auto")
SCHEDULERS = ("eager", "lws", "dmda", "dmdas")
TASKS_MS = (0.1, 1, 10)
LIMIT_SECONDS = 300
ALLOWED = 1.1  # times the best fixed choice
# Here the library or its models choose: the default, and models on one worker with a team.
OURS = {"default": {}, "auto dmda": {"STA_CPU": "auto", "STARPU_SCHED": "dmda"},
        "auto dmdas": {"STA_CPU": "auto", "STARPU_SCHED": "dmdas"}}
KNOWN = ("nothing measured", "calibrated", "used before")


def clean_environment():
    """What a user may have set would hide what is measured."""
    return {key: value for key, value in os.environ.items()
            if key not in ("STA_CPU", "STARPU_SCHED", "STA_TILE_ELEMS", "STARPU_NCPU", "STA_PROFILE", "STA_DEVICES")}


class Homes:
    """Where StarPU's histories and the cost table lie: one folder for each of KNOWN, copied for each process that counts.
    Programs that were compiled for this machine are shared."""

    def __init__(self, folder):
        self.folder = folder
        for known in KNOWN:
            (folder / known).mkdir(parents=True, exist_ok=True)

    def environment(self, home):
        return {"STARPU_HOME": str(home), "XDG_CACHE_HOME": str(home), "STA_CACHE": str(self.folder / "programs")}

    def calibrate(self, tool, seconds):
        done = subprocess.run([tool, *(["--budget", str(seconds)] if seconds else [])], capture_output=True, text=True,
                              env={**clean_environment(), **self.environment(self.folder / "calibrated")})
        if done.returncode:
            sys.exit(f"sweep: {tool}: {done.stderr}")
        return done.stdout

    def copy(self, known, to):
        shutil.copytree(self.folder / known, to, dirs_exist_ok=True)


class Workload:
    def __init__(self, build, program, case, size, dtype):
        self.command = [build / "bench" / program, "--case", case, "--size", size, "--dtype", dtype]
        self.name = f"{program.upper()}-{case}"
        self.size, self.dtype = size, dtype
        self.best = {}  # seconds by choice
        self.disturbed = set()  # choices whose best time is of a process beside which others ran

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
        """False: other programs had more than a tenth of a core; then the time counts only until there is a better one."""
        repeat = max(3, min(60, int(seconds_each / self.best.get(choice, seconds_each / 10))))
        wall, busy, own = time.monotonic(), busy_seconds(), own_seconds()
        seconds = statistics.quantiles(self.run(repeat, **variables)[0], n=4)[0]
        quiet = busy_seconds() - busy - (own_seconds() - own) < 0.1 * (time.monotonic() - wall)
        if choice not in self.best or (quiet and choice in self.disturbed):
            self.best[choice] = seconds
            self.disturbed.discard(choice)
        elif quiet or choice in self.disturbed:
            self.best[choice] = min(seconds, self.best[choice])
        if not quiet and self.best[choice] == seconds:
            self.disturbed.add(choice)
        return quiet


def busy_seconds():
    """Of all cores, whoever used them."""
    ticks = list(map(int, Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:9]))
    return (sum(ticks) - ticks[3] - ticks[4]) / os.sysconf("SC_CLK_TCK")


def own_seconds():
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def has_gpu():
    return bool(list(Path("/dev").glob("nvidia[0-9]*")))


def tile_bytes(build, environment):
    done = subprocess.run([build / "tools" / "starray-info", "--json"], env={**clean_environment(), **environment},
                          capture_output=True, text=True, check=True)
    settings = {row["name"]: row["value"] for row in json.loads(done.stdout)["settings"]}
    return int(re.search(r"(\d+) KiB", settings["STA_TILE_ELEMS"])[1]) * 1024


def tile_choices(workload, bytes_now, environment):
    """Elements of tiles whose tasks take about so long, from the mean task with the usual tiles."""
    _, tasks, milliseconds = workload.run(1, STA_PROFILE="1", STA_INLINE_BYTES="0", **environment)
    elements = bytes_now // (int(re.sub(r"\D", "", workload.dtype)) // 8)
    mean = milliseconds / max(tasks, 1)
    return {f"tasks of {wanted:g} ms": max(1024, int(elements * wanted / max(mean, 1e-3))) for wanted in TASKS_MS}


def fixed_choices():
    if has_gpu():
        for devices in ("cpu", "cuda"):
            yield f"{devices} only", {"STA_DEVICES": devices}
    for workers in WORKERS:
        for scheduler in SCHEDULERS:
            if f"{workers} {scheduler}" not in OURS:
                yield f"{workers} {scheduler}", {"STA_CPU": workers, "STARPU_SCHED": scheduler}


def measure_in(homes, known, workload, name, options, **variables):
    for _ in range(options.tries):
        with tempfile.TemporaryDirectory() as scratch:  # never with what another process has learned
            homes.copy(known, scratch)
            if workload.measure(name, options.seconds, **homes.environment(scratch), **variables):
                break


def sweep(workload, options, homes, bytes_now):
    everyday = homes.environment(homes.folder / "used before")
    tiles = tile_choices(workload, bytes_now, everyday) if options.tiles else {}
    for name, variables in OURS.items():
        workload.run(3, **everyday, **variables)
    for turn in range(options.rounds):
        for name, variables in OURS.items():
            for known in KNOWN:
                measure_in(homes, known, workload, f"{name}, {known}", options, **variables)
        for name, variables in fixed_choices():
            measure_in(homes, "nothing measured", workload, name, options, **variables)
        for name, elements in tiles.items():
            measure_in(homes, "nothing measured", workload, name, options, STA_TILE_ELEMS=str(elements))
        print(f"{workload.name}: round {turn + 1} of {options.rounds}", file=sys.stderr, flush=True)


def show(workload):
    fixed = [name for name, _ in fixed_choices()]
    chosen = min(fixed, key=workload.best.get)
    best = workload.best[chosen]
    cell = lambda name: f"{1000 * workload.best[name]:9.2f} {workload.best[name] / best:5.2f}x" if name in workload.best else ""
    print(f"\n{workload.name} {workload.size} {workload.dtype}: milliseconds, and times the best fixed choice, {chosen}")
    print(f"{'fixed':18}" + "".join(f"{scheduler:>18}" for scheduler in SCHEDULERS))
    for workers in WORKERS:
        print(f"  STA_CPU={workers:8}" + "".join(f"{cell(f'{workers} {scheduler}'):>18}" for scheduler in SCHEDULERS))
    print(f"{'ours':18}" + "".join(f"{known:>18}" for known in KNOWN))
    for name in OURS:
        print(f"  {name:16}" + "".join(f"{cell(f'{name}, {known}'):>18}" for known in KNOWN))
    for name in workload.best:
        if name.startswith("tasks") or name.endswith("only"):
            print(f"{name:18}{cell(name):>18}")
    return {"workload": workload.name, "size": workload.size, "dtype": workload.dtype, "seconds": workload.best,
            "best": chosen, "best_fixed": best, "times_best": {name: seconds / best for name, seconds in workload.best.items()}}


def summary(rows):
    """How far each of our choices is from the best fixed one, and which are beyond what is allowed."""
    titles = [f"{name}, {known}" for name in OURS for known in KNOWN]
    print(f"\nTimes the best fixed choice (beyond {ALLOWED}: marked)")
    print("".join([f"{'':12}", *(f"{name:>27}" for name in OURS)]))
    print("".join([f"{'':12}", *("    none    cal.   used   " for _ in OURS)]))
    for row in rows:
        cells = [f"{row['times_best'][title]:6.2f}{'!' if row['times_best'][title] > ALLOWED else ' '} " for title in titles]
        print(f"{row['workload']:12}" + "".join("   " + "".join(cells[k:k + len(KNOWN)]) for k in range(0, len(cells), len(KNOWN))))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--only", type=lambda text: text.upper().split(","), default=[])
    parser.add_argument("--seconds", type=float, default=0.3, help="of a choice in a round")
    parser.add_argument("--repeat", type=int, default=2, help="rounds")
    parser.add_argument("--tries", type=int, default=2, help="of a process beside which others ran")
    parser.add_argument("--tiles", action="store_true", help="sizes of tiles, too")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--home", type=Path, help="keeps what was calibrated and compiled, for the next sweep")
    options = parser.parse_args()
    options.rounds = options.repeat
    wanted = [row for row in WORKLOADS if not options.only or row[0].upper() in options.only]
    if not wanted:
        sys.exit("sweep: --only names no workload")
    rows = []
    with tempfile.TemporaryDirectory() as scratch:
        homes = Homes(options.home or Path(scratch))
        if not list((homes.folder / "calibrated").rglob("costs-*.ini")):
            print(homes.calibrate(options.build / "tools" / "starray-calibrate", 8 if options.quick else 0), flush=True)
        bytes_now = tile_bytes(options.build, homes.environment(homes.folder / "nothing measured"))
        for program, case, *sizes in wanted:
            workload = Workload(options.build, program, case, *sizes[options.quick])
            sweep(workload, options, homes, bytes_now)
            rows.append(show(workload))
    summary(rows)
    options.json.parent.mkdir(parents=True, exist_ok=True)
    options.json.write_text(json.dumps({"machine": machine.facts(options.build), "rows": rows}, indent=1) + "\n")


if __name__ == "__main__":
    main()
