"""Random programs, by the library and by NumPy: the same values, shapes, dtypes and errors? ctest: timeout=180

    fuzz.py [--seconds 15] [--seed N] [--program N]

Programs of creation, views, reshapes, indexing with arrays, element-wise functions, reductions, scans, joining and
padding, assignments through overlapping views, user memory, scopes and reads at random moments are run with tiles of 3 elements, with one tile, and with
small arrays computed at once, in a process for each setting. A program that fails is made as short as it can be and printed
with its seed.
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
from fuzz_library import Library, execute  # noqa: E402
from fuzz_maker import Maker, shrink, text  # noqa: E402

SETTINGS = [
    {"STA_TILE_ELEMS": "3", "STA_INLINE_BYTES": "0", "STA_CPU": "seq"},
    {"STA_CPU": "seq"},
    {"STA_INLINE_BYTES": "0", "STA_CPU": "seq"},
    {"STA_TILE_ELEMS": "3", "STA_INLINE_BYTES": "0", "STA_CPU": "omp"},
    {"STA_INLINE_BYTES": "0", "STA_CPU": "omp"},
    {"STA_TILE_ELEMS": "5", "STA_INLINE_BYTES": "40", "STA_CPU": "seq"},
]


def worker(arguments):
    warnings.simplefilter("ignore")
    library = Library()
    deadline = time.monotonic() + arguments.seconds
    seed = arguments.seed
    done = 0
    while time.monotonic() < deadline and (arguments.count is None or done < arguments.count):
        ops = Maker(seed, library.has).program()
        if arguments.only:
            ops = [ops[int(i)] for i in arguments.only.split(",")]
        print(f"seed {seed}", flush=True)
        failure = execute(library, ops)
        if failure:
            short = shrink(lambda o: execute(library, o), ops, time.monotonic() + 20)
            print("FAILED " + "\n    ".join([execute(library, short) or failure] + [text(op) for op in short]), flush=True)
            os._exit(1)
        seed, done = seed + 1, done + 1
    library.call("finish", None)
    print(f"{done} programs")


def start(setting, *more):
    environment = {k: v for k, v in os.environ.items() if not k.startswith("STA_")} | setting
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


def shrink_crash(setting, seed):
    """The process died: each attempt needs one of its own."""
    ops = Maker(seed, lambda name: True).program()
    numbered = list(range(len(ops)))

    def fails(numbers_):
        only = ",".join(map(str, numbers_))
        status, _ = finish(start(setting, "--seed", seed, "--count", 1, "--seconds", 30, "--only", only), 20)
        return status not in (0, 1)
    return [text(ops[i]) for i in shrink(fails, numbered, time.monotonic() + 60)]


def report(setting, status, output):
    seeds = [line for line in output.splitlines() if line.startswith("seed ")]
    seed = int(seeds[-1].split()[1]) if seeds else None
    print(f"{setting}: failed ({status}); again with: fuzz.py --program {seed}")
    if status == 1 or seed is None:
        print("\n".join(line for line in output.splitlines() if not line.startswith("seed ")))
        return
    print("\n".join(output.splitlines()[-6:]))
    print("    " + "\n    ".join(shrink_crash(setting, seed)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=int, help="only the program of this seed")
    parser.add_argument("--setting", type=int, help="only this one of the settings")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--only", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.worker:
        return worker(arguments)
    settings = SETTINGS if arguments.setting is None else [SETTINGS[arguments.setting]]
    bad = 0
    seconds = arguments.seconds / len(settings)
    for number, setting in enumerate(settings):
        more = ["--seed", arguments.seed + 100000 * number, "--seconds", seconds]
        if arguments.program is not None:
            more = ["--seed", arguments.program, "--count", 1, "--seconds", 60]
        status, output = finish(start(setting, *more), seconds + 90)
        if status == 77:
            print(output)
            return 77
        print(setting, output.splitlines()[-1] if output else "")
        if status != 0:
            report(setting, status, output)
            bad += 1
    return bad != 0


if __name__ == "__main__":
    sys.exit(main())
