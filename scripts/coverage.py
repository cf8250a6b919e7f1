#!/usr/bin/env python3
"""Writes docs/coverage.md: what the library has and lacks, read from the sources, so that it cannot go stale.

    coverage.py            writes it
    coverage.py --check    says whether the one that is there is right (exit status 1: no)
    coverage.py --print    to the standard output
"""
import difflib
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TARGET = ROOT / "docs" / "coverage.md"
HEAD = """# What is there

Made by `scripts/coverage.py` from the headers, `ufuncs.def`, the code and the tests. Names are NumPy's with `sta_` before
them. {there} of {wanted} functions of the plan are there.

- **dtypes**: what the function is computed for. B bool, I integers, F float16, bfloat16, float32, float64, C complex64 and
  complex128; (I) means that integers are taken as floats.
- **CPU, OpenMP**: a variant for one core, one for a team of threads on one tile. **CUDA**: one for GPUs. *view*: nothing is
  computed. *host*: done at once by the calling thread.
- **nodes**: a test runs it on several nodes.
- **NumPy**: tests that name it and compare with NumPy. **tests**: the others that name it, the examples that do, and those
  that walk all rows of the table (`ulp` measures the error against MPFR where a result is inexact).

Each element-wise function has a form `sta_<name>_into(out, ...)`. Reductions with options have a form `_ex`.
"""
COLUMNS = ["function", "dtypes", "CPU", "OpenMP", "CUDA", "nodes", "NumPy", "tests"]


def text_of(path):
    return (ROOT / path).read_text()


def files(*patterns):
    return sorted(path for pattern in patterns for path in ROOT.glob(pattern))


def without_comments(text):
    return re.sub(r"/\*.*?\*/", " ", text, flags=re.S)


# ---- what there is ----

def ufuncs():
    """Name: the cells of its row."""
    rows = re.findall(r"^STA_UFUNC\((\w+),\s*(\d),\s*(\w+),\s*(\w+),", text_of("include/starray/ufuncs.def"), re.M)
    found = {name: (kinds, rule) for name, _, kinds, rule in rows}
    pairs = re.findall(r"^STA_PAIR\((\w+),\s*\d,\s*\w+,\s*\w+,\s*(\w+),", text_of("include/starray/ufuncs.def"), re.M)
    parts = re.findall(r"^STA_PART\((\w+),\s*\d,\s*(\w+),\s*(\w+),", text_of("include/starray/ufuncs.def"), re.M)
    known = {**found, **{name: (kinds, rule) for name, kinds, rule in parts}}
    made = re.search(r"#define STA_PAIR\([^)]*\)[ \t]*[\\\w]", text_of("codelets/elementwise/elementwise.c"))
    return {**found, **({name: known[first] for name, first in pairs} if made else {})}


def declared():
    """Name: the comment before it, for every function of the headers that is no row of a table."""
    found = {}
    for header in files("include/starray/*.h"):
        comment = ""
        for match in re.finditer(r"/\*\*(.*?)\*/|^(?!typedef)[\w ]*[ *]sta_(\w+)\(", header.read_text(), re.S | re.M):
            if match.group(2):
                found[match.group(2)] = comment
            else:
                comment = " ".join(match.group(1).replace("\n *", " ").split())
    found["add_at"] = "by STA__AT_2 of index.h"
    listed = {name for _, names in groups() for name in names}
    return {name: comment for name, comment in found.items()
            if name in listed or not re.search(r"_into$|_ex$|^_|^(dims|items)_of$|^items$", name)}


def places():
    """Name: the file that defines it, as a function or by a row of a macro's."""
    found, rows = {}, {}
    for path in files("src/*.c", "mpi/*.c", "codelets/*/*.c"):
        text = path.read_text()
        found.update((name, path) for name in re.findall(r"^[\w ]+[ *]sta_(\w+)\([^;{]*?\)\n\{", text, re.M))
        for first, second in re.findall(r"^ *[A-Z][A-Z_]+\((\w+)(?:, (\w+))?[,)]", text, re.M):
            rows[first] = rows[second] = path
    return {**rows, **found, "add_at": ROOT / "codelets/index/at.c"}


# ---- the cells ----

FLOATING_RULES = {"FLOAT", "DIVIDE", "WIDE", "ANGLE", "EXPONENT", "SCALE"}
LETTERS = {"B": "B", "b": "B", "I": "I", "L": "I", "F": "F", "C": "C"}


def ufunc_dtypes(kinds, rule):
    letters = " ".join(LETTERS[kind] for kind in kinds)
    return "(I) " + letters if rule in FLOATING_RULES and "I" not in kinds else letters


def header_dtypes(comment):
    """From the sentence about the error DTYPE."""
    match = re.search(r"DTYPE for ([^.;]*)", comment)
    reason = match.group(1) if match else ""
    for word, letters in [("bool", "I F C"), ("complex", "B I F")]:
        if re.match(word, reason):
            return letters
    return "B I F C"


def variants(place):
    """CPU, OpenMP and CUDA of what is defined there."""
    folder = place.parent
    if folder.name == "mpi" or folder.name == "src" and place.name != "assign.c":
        return ["view"] * 3 if place.name in ("views.c", "slice.c", "axes.c") else ["host"] * 3
    if folder.name == "src":
        folder = ROOT / "codelets" / "elementwise"
    team = any("job->threads" in path.read_text() for path in folder.glob("*.c"))
    cuda = any(folder.glob("cuda*.c*"))
    return ["yes", "yes" if team else "", "yes" if cuda else ""]


class Tests:
    def __init__(self):
        self.texts = {}
        for path in files("tests/*.c", "tests/*.py"):
            if path.stem == "documents":  # of examples, not of functions
                continue
            text = without_comments(path.read_text()) if path.suffix == ".c" else path.read_text()
            for helper in re.findall(r"import (\w+_cases)", text):
                text += text_of(f"tests/support/{helper}.py")
            self.texts[path.stem] = text
        for path in files("examples/*.c"):
            self.texts["examples/" + path.stem] = without_comments(path.read_text())
        self.nodes = " ".join(path.read_text() for path in files("mpi/tests/*.c"))

    def cells(self, name, ufunc):
        pattern = re.compile(rf'\bsta_{name}(_into|_ex)?\b|\bSTA__OP_{name}\b|"{name}"')
        named = [stem for stem, text in self.texts.items() if pattern.search(text)]
        walks = [stem for stem, text in self.texts.items() if ufunc and ("< STA__OPS" in text or "<starray/ufuncs.def>" in text)]
        against = [stem for stem in named if re.search(r"sta_test_oracle|import numpy", self.texts[stem])]
        against += [stem for stem in walks if 'import ufunc_cases' in self.texts[stem] and stem not in against]
        others = [stem for stem in self.texts if stem in named + walks and stem not in against]
        return ["yes" if re.search(rf"\bsta_{name}\b", self.nodes) else "", ", ".join(against), ", ".join(others)]


# ---- the page ----

def groups():
    for line in text_of("scripts/coverage.txt").splitlines():
        if line and not line.startswith("#"):
            title, _, names = line.partition(": ")
            yield title, names.split()


def table(rows):
    yield "| " + " | ".join(COLUMNS) + " |"
    yield "|" + "---|" * len(COLUMNS)
    for row in rows:
        yield "| " + " | ".join(row) + " |"


def page():
    element_wise, headers, where, tests = ufuncs(), declared(), places(), Tests()
    elementwise_c = ROOT / "codelets" / "elementwise" / "elementwise.c"

    def row(name):
        ufunc = name in element_wise
        place = elementwise_c if ufunc else where.get(name)
        if not place:
            raise SystemExit(f"coverage.py: sta_{name} is declared, but defined nowhere that I know of")
        ways = variants(place)
        dtypes = ufunc_dtypes(*element_wise[name]) if ufunc else header_dtypes(headers[name])
        return [f"`{name}`", "" if ways[0] == "host" else dtypes, *ways, *tests.cells(name, ufunc)]

    there, wanted, lines, seen = 0, 0, [], set()
    for title, names in groups():
        have = [name for name in names if name in element_wise or name in headers]
        lack = [name for name in names if name not in have]
        there, wanted = there + len(have), wanted + len(names)
        seen.update(have)
        lines += ["", f"## {title}", ""]
        lines += [*table(map(row, have)), ""] if have else []
        lines += ["Not there yet: " + ", ".join(f"`{name}`" for name in lack) + "."] if lack else []
        if not lines[-1]:
            lines.pop()
    rest = [name for name in [*element_wise, *headers] if name not in seen]
    lines += ["", "## Everything else", "", *table(map(row, sorted(rest)))]
    return HEAD.format(there=there, wanted=wanted) + "\n".join(lines) + "\n"


def main():
    new = page()
    old = TARGET.read_text() if TARGET.exists() else ""
    if "--print" in sys.argv:
        sys.stdout.write(new)
    elif "--check" not in sys.argv:
        TARGET.write_text(new)
    elif new != old:
        sys.stdout.writelines(difflib.unified_diff(old.splitlines(True), new.splitlines(True), "docs/coverage.md", "now"))
        sys.exit("docs/coverage.md is not what scripts/coverage.py makes: run it")


if __name__ == "__main__":
    main()
