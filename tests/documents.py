"""What the documents say is true: their programs compile and run, their links lead somewhere, their tables are complete."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

SOURCE = pathlib.Path(os.environ["STARRAY_SOURCE"])
LIBRARY = pathlib.Path(os.environ["STARRAY_LIBRARY"])
WARNINGS = "-std=c11 -Wall -Wextra -Wpedantic -Werror -Wno-unused".split()
DOCUMENTS = [*SOURCE.glob("*.md"), *SOURCE.glob("docs/*.md")]
failures = []


def blocks(document):
    return re.findall(r"^```c\n(.*?)^```", (SOURCE / document).read_text(), re.S | re.M)


def run_program(text, name):
    """Compiles and runs it; returns what it printed."""
    pathlib.Path(f"{name}.c").write_text(text)
    command = [os.environ.get("CC", "cc"), *WARNINGS, f"-I{SOURCE}/include", f"{name}.c", "-o", name, str(LIBRARY),
               f"-Wl,-rpath,{LIBRARY.parent}"]
    built = subprocess.run(command, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    done = subprocess.run([f"./{name}"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0 and not done.stderr, (name, done.returncode, done.stderr)
    return done.stdout


def readme():
    """The program of the front page, on samples."""
    (program,) = blocks("README.md")
    random = np.random.default_rng(3)
    x, w = random.random((500, 8)), random.random((8, 8))
    np.save("samples.npy", x)
    np.save("w.npy", w)
    run_program(program, "readme")
    z = np.clip((x - x.mean(0)) / x.std(0), -3, 3)
    counts = np.histogram(np.abs(np.fft.fft(z @ w)), 64)[0]
    assert np.abs(np.load("counts.npy") - counts).sum() <= 2


def guide():
    """The tour: whole programs, and pieces that all run in one."""
    pieces = blocks("docs/guide.md")
    programs = [piece for piece in pieces if "int main" in piece]
    pieces = [piece for piece in pieces if "int main" not in piece]
    for k, program in enumerate(programs):
        run_program(program, f"program{k}")
    text = "#include <starray/starray.h>\n#include <stdio.h>\n"
    for k, piece in enumerate(pieces):
        text += f"static void piece{k}(sta_array x, sta_array y)\n{{\n{piece}}}\n"
    text += "int main(void)\n{\n    sta_init(NULL);\n"
    for k in range(len(pieces)):
        text += f"""    sta_scope scope{k} = sta_open();
    piece{k}(sta_add(sta_zeros(STA_DIMS(6, 4), STA_float64), sta_linspace(1, 2, 4, STA_float64)),
             sta_ones(STA_DIMS(6, 4), STA_float64));
    sta_close(scope{k});\n"""
    printed = run_program(text + "    sta_finish();\n    return 0;\n}\n", "guide")
    assert "add: shapes (6, 4) and (5,) do not broadcast (SHAPE)" in printed, printed
    assert "120\n8\n" in printed and "saved, 0" in printed, printed


def environment():
    """docs/environment.md has every setting, with what the source allows."""
    rows = re.findall(r'\{"(STA_\w+)", \w+, .*?"([^"]*)"\},\n', (SOURCE / "src/settings.c").read_text())
    text = (SOURCE / "docs/environment.md").read_text()
    documented = dict(re.findall(r"^\| `(STA_\w+)` \| ([^|]*) \|", text, re.M))
    assert len(rows) > 5
    for variable, allowed in rows:
        assert documented.get(variable) == allowed, f"{variable}: the source allows {allowed}"
    sources = [path.read_text() for folder in ("src", "codelets", "partition", "perfmodels", "mpi")
               for path in (SOURCE / folder).rglob("*.c")]
    read = {name for source in sources for name in re.findall(r'getenv\("(STA_\w+)"\)', source)}
    known = read | {variable for variable, _ in rows}
    assert known == set(documented), f"not in one of both: {known ^ set(documented)}"


def links():
    for document in DOCUMENTS:
        text = document.read_text()
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert (document.parent / target).exists(), f"{document.name}: no {target}"
        for target in re.findall(r"`((?:src|codelets|partition|perfmodels|scripts|tests|include|docs|examples)/[\w./-]+)`", text):
            assert (SOURCE / target).exists(), f"{document.name}: no {target}"


def coverage():
    done = subprocess.run([sys.executable, SOURCE / "scripts/coverage.py", "--check"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for check in (readme, guide, environment, links, coverage):
        try:
            check()
        except AssertionError as error:
            failures.append(check.__name__)
            print(f"{check.__name__}: {error}\n", file=sys.stderr)
print("failed: " + ", ".join(failures) if failures else "the documents are right")
sys.exit(bool(failures))
