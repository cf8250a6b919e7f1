"""Measures the programs of tests/bench and their peers in turn, checks the results, and prints a table.

scripts/bench.sh builds what is needed and calls this; its head says which options there are. Ours and the peers are
processes that live through all repetitions and are stopped while another one measures, so that all of them see the same
machine, whatever else runs on it.
"""

import argparse
import ctypes
import datetime
import functools
import json
import os
import select
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import machine
import peers
import table
from workloads import WORKLOADS, has

HERE = Path(__file__).resolve().parent
PEERS = ("NumPy", "numexpr", "JAX")
LIMIT_SECONDS = 600
START = time.monotonic()


def say(text):
    print(f"[{time.monotonic() - START:4.0f}s] {text}", flush=True)


class Failure(Exception):
    pass


def end_with_parent():
    """A process that is stopped would never notice that nobody asks any more."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


class Server:
    """A process that answers a line with a line of JSON, and is stopped in between."""

    def __init__(self, name, command, environment):
        self.name = name
        self.log = tempfile.TemporaryFile()
        self.process = subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=self.log, bufsize=0, preexec_fn=end_with_parent)
        self.text = b""
        try:
            self.ready = self.answer()
        except BaseException:
            self.close()
            raise

    def fail(self, what):
        self.log.seek(0)
        last = self.log.read().decode(errors="replace").strip().splitlines()[-3:]
        raise Failure(": ".join([f"{self.name} {what}", *last]))

    def answer(self):
        end = time.monotonic() + LIMIT_SECONDS
        while b"\n" not in self.text:
            if not select.select([self.process.stdout], [], [], max(0, end - time.monotonic()))[0]:
                self.process.kill()
                self.fail(f"did not answer within {LIMIT_SECONDS} s")
            piece = os.read(self.process.stdout.fileno(), 65536)
            if not piece:
                self.fail(f"ended with {self.process.wait()}")
            self.text += piece
        line, self.text = self.text.split(b"\n", 1)
        # What it frees after its answer belongs to its own time.
        time.sleep(0.01)
        self.process.send_signal(signal.SIGSTOP)
        try:
            answer = json.loads(line)
        except ValueError:
            self.fail(f"says {line[:200]!r}")
        if answer.get("error"):
            raise Failure(answer["error"])
        return answer

    def ask(self, *words):
        self.process.send_signal(signal.SIGCONT)
        try:
            self.process.stdin.write((" ".join(map(str, words)) + "\n").encode())
        except BrokenPipeError:
            pass  # answer() finds out
        return self.answer()

    def close(self):
        self.process.kill()
        self.process.wait()
        self.log.close()


class Bench:
    def __init__(self, options):
        self.options = options
        self.scratch = tempfile.mkdtemp(prefix="starray-bench-")
        self.rows = []
        # Debian's OpenBLAS may need these; NumPy brings its own, which chooses better.
        self.environment = {key: value for key, value in os.environ.items()
                            if key not in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")}
        self.facts = machine.facts(options.build)
        self.limits = {}
        self.limited = []  # rows, and their limits in seconds as functions of self.limits

    def measure_limits(self):
        """The best of several times: a machine that others use shows what it can do only now and then."""
        command = [self.options.build / "bench" / "limits", *(["64", "1024"] if self.options.quick else [])]
        new = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        self.limits.update({key: max(value, self.limits.get(key, 0)) for key, value in new.items()})
        self.facts["limits"] = self.limits
        say("limits: " + ", ".join(f"{key} {value / 1e9:.1f}" for key, value in self.limits.items()) + " Gbyte/s, Gflop/s")
        for row, limit in self.limited:
            if row["seconds"]:
                row["limit_share"] = limit(self.limits) / row["seconds"]

    def cases(self, workload, size):
        only = self.options.only
        return [case for case in workload.cases if has(workload, case, size) and
                (not only or any(f"{workload.row(case)}-".startswith(f"{name}-") for name in only))]

    def run(self):
        chosen = [(workload, size, dtype) for workload in WORKLOADS
                  for size, dtype in (workload.quick if self.options.quick else workload.sizes)
                  if self.cases(workload, size)]
        for workload, size, dtype in chosen:
            if workload.bytes:
                self.measure_limits()
            self.measure_all(workload, size, dtype)
        if self.limits:
            self.measure_limits()
            table.save(self.options.json, self.rows)

    def measure_all(self, workload, size, dtype):
        """All cases of a workload at a size: the processes keep their inputs. After one that a process did not survive
        the others get new ones."""
        left = self.cases(workload, size)
        while left:
            say(f"{workload.program.upper()} {size} {dtype}: making the data")
            servers = {}
            try:
                self.start(workload, size, dtype, servers)
                while left:
                    self.measure(workload, left[0], size, dtype, servers)
                    left.pop(0)
            except Failure as failure:
                # Processes that do not start fail for all.
                for case in [left.pop(0)] if "NumPy" in servers else left:
                    self.add(workload, case, size, dtype, None, {}, None, str(failure))
                if "NumPy" not in servers:
                    return
            finally:
                for server in servers.values():
                    server.close()

    def start(self, workload, size, dtype, servers):
        program = self.options.build / "bench" / workload.program
        servers["ours"] = Server("starray", [program, "--size", size, "--dtype", dtype, "--serve"], os.environ)
        # NumPy checks, also where it is no peer; it is the last to start.
        for peer in sorted(PEERS, key=lambda peer: peer == "NumPy"):
            if peer in self.options.peers and peers.cases_of(peer, workload.program) or peer == "NumPy":
                servers[peer] = Server(peer, [sys.executable, HERE / "peers.py", peer, workload.program, size, dtype],
                                       self.environment)

    def measure(self, workload, case, size, dtype, servers):
        ours = servers["ours"]
        others = [peer for peer in self.options.peers if case in peers.cases_of(peer, workload.program)]
        try:
            ours.ask("run", case)
            peak = ours.ask("peak", case)["peak_bytes"]
            ours.ask("run", case)
            wrong = self.check(case, ours, servers["NumPy"])
        except Failure as failure:
            if ours.process.poll() is not None:
                raise
            self.add(workload, case, size, dtype, None, {}, None, str(failure))
            return
        for peer in others:
            servers[peer].ask("run", case)
        seconds = {"ours": [], **{peer: [] for peer in others}}
        for _ in range(self.options.repeat):
            for name in seconds:
                seconds[name].append(servers[name].ask("run", case)["seconds"])
        medians = {name: statistics.median(values) for name, values in seconds.items()}
        versions = {peer: servers[peer].ready["version"] for peer in others}
        self.add(workload, case, size, dtype, medians, versions, peak, wrong)

    def check(self, case, ours, numpy):
        prefix = os.path.join(self.scratch, "result")
        saved = ours.ask("save", case, prefix)
        wrong = numpy.ask("check", case, prefix, saved["saved"], saved["updates"])["wrong"]
        for path in Path(self.scratch).glob("result.*"):
            path.unlink()
        return wrong

    def add(self, workload, case, size, dtype, medians, versions, peak, failed):
        row = {"id": workload.row(case), "size": size, "dtype": dtype, "seconds": medians and medians["ours"],
               "peer": None, "peer_seconds": None, "ratio": None, "limit_share": None, "peak_bytes": peak,
               "failed": failed, "repeat": self.options.repeat, "date": datetime.date.today().isoformat(),
               "machine": self.facts}
        limit = functools.partial(workload.limit, case, size, dtype)
        if medians and workload.bytes:
            row["limit_share"] = limit(self.limits) / medians["ours"]
        new = [dict(row, peer=versions[peer], peer_seconds=medians[peer],
                    ratio=None if failed else medians[peer] / medians["ours"]) for peer in versions] or [row]
        self.rows += new
        self.limited += [(row, limit) for row in new if workload.bytes]
        for row in new:
            say(table.line(row))
        table.save(self.options.json, self.rows)


def parse():
    parser = argparse.ArgumentParser()
    names = lambda text: [name for name in text.split(",") if name]
    parser.add_argument("--only", type=names, default=[])
    parser.add_argument("--peers", type=names, default=list(PEERS))
    parser.add_argument("--json", type=Path, required=True)
    parser.add_argument("--repeat", type=int, default=0)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--build", type=Path, required=True)
    options = parser.parse_args()
    options.repeat = options.repeat if options.repeat > 0 else 3 if options.quick else 7
    options.only = [name.upper() if "-" not in name else name[: name.index("-")].upper() + name[name.index("-") :]
                    for name in options.only]
    known = {peer.lower(): peer for peer in PEERS}
    for name in options.peers:
        if name.lower() not in known:
            parser.error(f"no peer {name}; there are {', '.join(known)}")
    options.peers = [known[name.lower()] for name in options.peers]
    return options


def main():
    bench = Bench(parse())
    try:
        bench.run()
    except KeyboardInterrupt:
        say("interrupted")
    finally:
        shutil.rmtree(bench.scratch)
    if not bench.rows:
        sys.exit("bench: --only names no workload")
    print()
    table.show(bench.rows)
    sys.exit(1 if any(row["failed"] for row in bench.rows) else 0)


if __name__ == "__main__":
    main()
