"""Random programs, by the library and by NumPy: the same values, shapes, dtypes and errors? ctest: timeout=180

    fuzz.py [--seconds 15] [--seed N] [--program N]
    fuzz.py --cases 100000 [--jobs 2] [--seed N]

Programs of creation, views, reshapes, indexing with arrays, element-wise functions, reductions, scans, joining and
padding, assignments through overlapping views, user memory, scopes and reads at random moments are run with tiles of 3 elements, with one tile, and with
small arrays computed at once, in a process for each setting. A program that fails is made as short as it can be and printed
with its seed. With --cases the programs are of views, indices and assignments, many of them in one scope whose arrays are
compared at its end; a case is one of these operations. So 1e5 cases take some minutes.
"""
import argparse
import os
import subprocess
import sys
import time
import warnings

try:
    import numpy  # noqa: F401
except ImportError:
    sys.exit(77)
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "support"))
from fuzz_library import Batch, Library, execute, make_and_execute  # noqa: E402
from fuzz_maker import Maker, shrink, text  # noqa: E402

SETTINGS = [
    {"STA_TILE_ELEMS": "3", "STA_INLINE_BYTES": "0", "STA_CPU": "seq"},
    {"STA_CPU": "seq"},
    {"STA_INLINE_BYTES": "0", "STA_CPU": "seq"},
    {"STA_TILE_ELEMS": "3", "STA_INLINE_BYTES": "0", "STA_CPU": "omp"},
    {"STA_INLINE_BYTES": "0", "STA_CPU": "omp"},
    {"STA_TILE_ELEMS": "5", "STA_INLINE_BYTES": "40", "STA_CPU": "seq"},
    {"STA_TILE_ELEMS": "2", "STA_INLINE_BYTES": "0", "STA_CPU": "seq"},
]
TOGETHER = 12  # programs of a batch
SEEDS = 1000000  # numbers of programs from one seed to the next: no two seeds run the same ones


def give_up(library, seed, ops, failure):
    print(f"seed {seed}", flush=True)  # of several that ran together
    short = shrink(lambda o: execute(library, o), ops, time.monotonic() + 20)
    print("FAILED " + "\n    ".join([execute(library, short) or failure] + [text(op) for op in short]), flush=True)
    os._exit(1)


def batches(arguments):
    """Many programs at a time, until there are so many cases."""
    library, seed, cases = Library(), arguments.seed, 0
    while cases < arguments.cases:
        batch = Batch(library)
        for seed in range(seed, seed + TOGETHER):
            print(f"seed {seed}", flush=True)
            batch.run(seed, Maker(seed, library.has))
        failures = batch.finish()
        for bad, failure in failures.items():
            give_up(library, bad, list(Maker(bad, library.has).steps("views")), failure)
        cases, seed = cases + batch.cases, seed + 1
    library.call("finish", None)
    print(f"{cases} cases, {seed - arguments.seed} programs")


def one_program(arguments, library, number=None):
    number = arguments.program if number is None else number
    ops = list(Maker(number, library.has).steps(arguments.palette))
    if arguments.only:
        ops = [ops[int(i)] for i in arguments.only.split(",")]
    return ops


def worker(arguments):
    warnings.simplefilter("ignore")
    if arguments.cases:
        return batches(arguments)
    library = Library()
    deadline = time.monotonic() + arguments.seconds
    seed = arguments.seed if arguments.program is None else arguments.program
    done = 0
    while time.monotonic() < deadline and (arguments.program is None or done < 1):
        print(f"seed {seed}", flush=True)
        if arguments.program is None:
            failure = make_and_execute(library, Maker(seed, library.has))
        else:
            failure = execute(library, one_program(arguments, library))
        if failure:
            give_up(library, seed, one_program(arguments, library, seed), failure)
        seed, done = seed + 1, done + 1
    library.call("finish", None)
    print(f"{done} programs")


def start(setting, *more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STA_")} | setting
    environment.setdefault("OMP_WAIT_POLICY", "passive")  # teams on a busy machine: several times as fast
    return subprocess.Popen([sys.executable, __file__, "--worker", *map(str, more)], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, env=environment)


def finish(process, seconds):
    """(status, output); a process that hangs is ended."""
    try:
        output, _ = process.communicate(timeout=seconds)
        return process.returncode, output
    except subprocess.TimeoutExpired:
        process.kill()
        return "hangs", process.communicate()[0]


def shrink_crash(setting, seed, palette):
    """The process died: each attempt needs one of its own."""
    ops = list(Maker(seed, lambda name: True).steps(palette))
    numbered = list(range(len(ops)))

    def fails(numbers_):
        only = ",".join(map(str, numbers_))
        status, _ = finish(start(setting, "--program", seed, "--palette", palette, "--seconds", 30, "--only", only), 20)
        return status not in (0, 1)
    return [text(ops[i]) for i in shrink(fails, numbered, time.monotonic() + 60)]


def report(setting, status, output, palette):
    seeds = [line for line in output.splitlines() if line.startswith("seed ")]
    seed = int(seeds[-1].split()[1]) if seeds else None
    print(f"{setting}: failed ({status}); again with: fuzz.py --palette {palette} --program {seed}")
    if status == 1 or seed is None:
        print("\n".join(line for line in output.splitlines() if not line.startswith("seed ")))
        return
    print("\n".join(output.splitlines()[-6:]))
    print("    " + "\n    ".join(shrink_crash(setting, seed, palette)))


def run_settings(arguments, settings):
    """[(setting, status, output)]: `jobs` of them at a time."""
    waiting, running, done = [(SETTINGS.index(setting), setting) for setting in settings], [], []
    while waiting or running:
        while waiting and len(running) < arguments.jobs:
            number, setting = waiting.pop(0)
            more = ["--seed", SEEDS * arguments.seed + 100000 * number, "--seconds", arguments.seconds / len(settings)]
            limit = arguments.seconds / len(settings) + 90
            if arguments.program is not None:
                more = ["--program", arguments.program, "--palette", arguments.palette, "--seconds", 60]
            elif arguments.cases:
                more, limit = more + ["--cases", arguments.cases // len(settings)], 3600
            running.append((setting, limit, start(setting, *more)))
        setting, limit, process = running.pop(0)
        done.append((setting, *finish(process, limit)))
    return done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=int, help="only the program of this seed")
    parser.add_argument("--palette", default="all", help="what it is made of: all, views")
    parser.add_argument("--setting", type=int, help="only this one of the settings")
    parser.add_argument("--cases", type=int, help="so many views, indices and assignments")
    parser.add_argument("--jobs", type=int, default=1, help="so many settings at a time")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--only", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return worker(arguments)
    settings = SETTINGS if arguments.setting is None else [SETTINGS[arguments.setting]]
    bad = 0
    for setting, status, output in run_settings(arguments, settings):
        if status == 77:
            print(output)
            return 77
        print(setting, output.splitlines()[-1] if output else "", flush=True)
        if status != 0:
            report(setting, status, output, "views" if arguments.cases else arguments.palette)
            bad += 1
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
