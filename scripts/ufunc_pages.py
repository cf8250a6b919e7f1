#!/usr/bin/env python3
"""ufunc.h as Doxygen should see it: each row of ufuncs.def as a documented function. docs/Doxyfile runs it."""
import pathlib
import re
import sys

KINDS = {"B": "bool", "b": "bool (as int8)", "I": "integers", "L": "64-bit integers", "F": "floats", "C": "complex"}
header = pathlib.Path(sys.argv[1])
table = header.with_name("ufuncs.def").read_text()
pages = []
for name, arity, kinds, rule, _, _, ulp, doc in re.findall(
        r'^STA_UFUNC\((\w+),\s*(\d),\s*(\w+),\s*(\w+),\s*(\w+),\s*([\d.]+),\s*([\d.]+),.*\n\s*"(.*)"\)', table, re.M):
    operands = ", ".join(f"sta_array {letter}" for letter in "xyz"[:int(arity)])
    accuracy = f"; float32 and float64 within {ulp} ulp" if float(ulp) else "; correctly rounded"
    accuracy = "" if rule in ("BOOL", "COMPARE", "EXPONENT") else accuracy
    taken = ", ".join(KINDS[kind] for kind in kinds)
    pages.append(f"/** {doc}.\n *  Computed for {taken}; dtype rule {rule}{accuracy}. */\n"
                 f"sta_array sta_{name}({operands});\n"
                 f"/** sta_{name}, written into `out`. */\n"
                 f"sta_array sta_{name}_into(sta_array out, {operands});\n")
for name, arity, first, second, doc in re.findall(
        r'^STA_PAIR\((\w+),\s*(\d),\s*(\w+),\s*(\w+),.*\n\s*"(.*)"\)', table, re.M):
    operands = ", ".join(f"sta_array {letter}" for letter in "xyz"[:int(arity)])
    pages.append(f"/** What sta_{name} returns. */\ntypedef struct sta_{name}_result {{ sta_array {first}, {second}; }} "
                 f"sta_{name}_result;\n/** {doc}. */\nsta_{name}_result sta_{name}({operands});\n")
text = re.sub(r"^#define .*?[^\\]$", "", header.read_text(), flags=re.S | re.M)
print(text.replace("#include <starray/ufuncs.def>", "\n".join(pages)))
