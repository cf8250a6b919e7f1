#!/usr/bin/env bash
# Runs clang-tidy, as .clang-tidy says, over the sources of a build.
#   tidy.sh [BUILD_DIR]    build/release if not given
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

build=$(cd "${1:-$STARRAY_ROOT/build/release}" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# gcc's commands, without what clang does not know; loops_*.c once instead of once for each instruction set; no CUDA
# files, and no tests, which the analyser cannot follow through CUnit's fatal checks.
python3 - "$build/compile_commands.json" "$scratch/compile_commands.json" "$scratch/files" "$STARRAY_ROOT" <<'END'
import json, os, sys
commands = {}
for entry in json.load(open(sys.argv[1])):
    path = os.path.relpath(entry["file"], sys.argv[4])
    if path.endswith(".c") and not path.startswith(("tests/", "mpi/tests/", "..")):
        commands.setdefault(entry["file"], entry)
json.dump(list(commands.values()), open(sys.argv[2], "w"))
open(sys.argv[3], "w").write("\n".join(sorted(commands)) + "\n")
END
# gcc's omp.h serves where clang has none, without the attributes that only gcc knows.
mkdir "$scratch/omp"
sed 's/__malloc__ ([a-z_]*)/__malloc__/g' "$(gcc -print-file-name=include/omp.h)" >"$scratch/omp/omp.h"
xargs -r -P "$(nproc)" -n 4 clang-tidy --quiet -p "$scratch" --extra-arg=-Wno-unknown-warning-option \
    --extra-arg=-Wno-ignored-optimization-argument --extra-arg=-idirafter --extra-arg="$scratch/omp" <"$scratch/files" 2>"$scratch/noise" ||
    { grep -v 'warnings\? generated\|^Suppressed' "$scratch/noise" >&2 || true; exit 1; }
