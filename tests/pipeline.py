"""examples/preprocess against the same program in NumPy, and its answers to bad input. ctest: omp"""
import os
import subprocess
import sys
import tempfile
import xml.dom.minidom

import numpy as np

PROGRAM = os.path.join(os.path.dirname(os.environ["STARRAY_LIBRARY"]), "examples", "preprocess")
if not os.path.exists(PROGRAM):
    sys.exit(77)


def run(*arguments, status=0, **environment):
    done = subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=100,
                          env=dict(os.environ, **environment))
    assert done.returncode == status, (arguments, done.returncode, done.stdout, done.stderr)
    return done.stdout if status == 0 else done.stderr


def expected(x, w, bins):
    z = np.clip((x - x.mean(0, keepdims=True)) / x.std(0, keepdims=True), -3, 3)
    return np.histogram(np.abs(np.fft.fft(z @ w, axis=-1)), bins)


def check(x, w, bins, case):
    np.save("x.npy", x)
    np.save("w.npy", w)
    run("--input", "x.npy", "--weights", "w.npy", "--bins", str(bins), "--output", ".", "--svg", "h.svg", *case)
    counts, edges = np.load("counts.npy"), np.load("edges.npy")
    want_counts, want_edges = expected(x.astype("f8"), w.astype("f8"), bins)
    single = x.dtype == w.dtype == np.float32
    assert counts.dtype == np.int64 and edges.dtype == (np.float32 if single else np.float64)
    near = 1e-6 if single else 1e-13
    np.testing.assert_allclose(edges, want_edges, rtol=near, atol=near * want_edges[-1])
    # An element at an edge may fall to either side of it.
    assert counts.sum() == x.shape[0] * w.shape[1]
    assert np.abs(counts - want_counts).sum() <= (2e-4 * counts.sum() if single else 4), (case, counts, want_counts)
    assert len(xml.dom.minidom.parse("h.svg").getElementsByTagName("rect")) == bins + 1


def pictures():
    wide = run("--bins", "7", LC_ALL="C.UTF-8", COLUMNS="100")
    assert "█" in wide and max(map(len, wide.splitlines())) <= 100
    plain = run("--bins", "500", LC_ALL="C", COLUMNS="60")
    assert plain.isascii() and "#" in plain and max(map(len, plain.splitlines()[:15])) <= 60
    assert "histogram" in run("--profile", "--repeat", "2")


def errors():
    assert "Usage" in run("--help")
    for arguments, says in [(["--bins", "0"], "--bins"), (["--what"], "--what"), (["x.npy"], "--input x.npy".lower()),
                            (["--repeat", "-1"], "--repeat")]:
        assert says in run(*arguments, status=2).lower(), arguments
    np.save("cube.npy", np.zeros((2, 2, 2)))
    np.save("integers.npy", np.zeros((2, 2), int))
    np.save("other.npy", np.zeros((3, 4)))
    np.save("x.npy", np.random.default_rng(1).random((20, 5)))
    for arguments, says in [(["-i", "none.npy"], "No such file"), (["-i", "cube.npy"], "(rows, columns)"),
                            (["-i", "integers.npy"], "int64"), (["-i", "x.npy", "-w", "other.npy"], "(20, 5) and (3, 4)"),
                            (["-i", "x.npy", "-w", "none.npy"], "No such file"),
                            (["-i", "x.npy", "-s", "no/h.svg"], "No such file"),
                            (["-i", "x.npy", "-o", "x.npy/no"], "Not a directory")]:
        text = run(*arguments, status=1)
        assert says in text, (arguments, text)


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    random = np.random.default_rng(7)
    for dtype, rows, columns, out, bins in [("f4", 3000, 96, 96, 64), ("f8", 3000, 96, 50, 33), ("f8", 7, 3, 1, 1)]:
        x = (random.standard_normal((rows, columns)) * np.arange(1, columns + 1) + 5).astype(dtype)
        w = (random.standard_normal((columns, out)) / columns**0.5).astype(dtype)
        for case in [[], ["--profile"]]:
            check(x, w, bins, case)
        check(np.asfortranarray(x), w, bins, [])
    pictures()
    errors()
print("the pipeline answers as NumPy does")
