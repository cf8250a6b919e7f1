#!/usr/bin/env bash
# Measures the workloads of tests/bench and, in turn with them, the same in other libraries; checks every result against
# float64 NumPy; prints a table. Installs what is missing and builds first.
#   bench.sh [--only W1,W2-clip] [--peers numpy,jax] [--json FILE] [--repeat N] [--quick]
#   bench.sh --sweep [--quick] [--only W5,W6] [--tiles] [--json FILE] [--repeat N]
#   bench.sh --docs [--json FILE]
#     --only      these workloads or rows (default: all)
#     --peers     these libraries (default: all)
#     --json      the rows as JSON (build/bench.json)
#     --repeat    measurements of each, of which the median counts (7, with --quick 3); of the sweep rounds, the best counts (2)
#     --quick     smaller sizes: whether all runs, not how fast
#     --sweep     schedulers and STA_CPU against each other, and what the library chooses by itself, in 10 minutes
#                 (build/sweep.json); calibrates first, into a folder of its own
#     --tiles     in the sweep: sizes of tiles, too
#     --docs      measures nothing: writes docs/benchmarks.md from the JSON files that are there
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

usage()
{
    sed -n '2,15s/^# \{0,1\}//p' "$0"
}

json= docs= sweep= arguments=()
while [ $# -gt 0 ]; do
    case $1 in
    --json) json=$(realpath -m "${2:?--json needs a file}"); shift ;;
    --only | --peers | --repeat) arguments+=("$1" "${2:?$1 needs a value}"); shift ;;
    --quick | --tiles) arguments+=("$1") ;;
    --docs) docs=1 ;;
    --sweep) sweep=sweep ;;
    --help) usage; exit ;;
    *) usage >&2; exit 2 ;;
    esac
    shift
done
cd "$STARRAY_ROOT"
json=${json:-$STARRAY_ROOT/build/${sweep:-bench}.json}

if [ -n "$docs" ]; then
    swept=$STARRAY_ROOT/build/sweep.json
    [ -e "$json" ] || [ -e "$swept" ] || die "no $json: run scripts/bench.sh first, or say --json FILE"
    python3 tests/bench/table.py "$json" docs/benchmarks.md "$swept"
    say "wrote docs/benchmarks.md"
    exit
fi

# Debian 12's StarPU has no CUDA and takes 4 cores at most.
if [ -z "$(starpu_prefix)" ] && { find_nvcc >/dev/null || [ "$(nproc)" -gt 4 ]; } && ! starpu_version 1.4 >/dev/null; then
    scripts/build-starpu.sh || say "going on with the StarPU of the system"
fi
need_all
need libcunit1-dev # the preset has the tests in it
mkdir -p build/logs
log=$STARRAY_ROOT/build/logs/bench.log
: >"$log"
targets=()
for source in tests/bench/*.c; do
    targets+=("bench_$(basename "$source" .c)")
done
[ -z "$sweep" ] || targets+=(starray-info starray-calibrate)
quietly "$log" "configuring" cmake --preset release -DSTARRAY_TESTS=ON
quietly "$log" "building" nice cmake --build build/release -j"$(nproc)" --target "${targets[@]}"

use_home()
{
    export STARPU_SILENT=${STARPU_SILENT:-1} PYTHONDONTWRITEBYTECODE=1
    local version
    version=$(sed -n 's/^STARRAY_STARPU_FOUND_VERSION:[^=]*=//p' build/release/CMakeCache.txt)
    export STARPU_HOME=${STARPU_HOME:-$STARRAY_CACHE/home-starpu-$version}
    mkdir -p "$STARPU_HOME"
}

if [ -n "$sweep" ]; then
    use_home
    exec python3 tests/bench/sweep.py --build build/release --json "$json" ${arguments[@]+"${arguments[@]}"}
fi

# The peers, in a virtual environment of their own.
python=$STARRAY_CACHE/bench-venv/bin/python
if ! "$python" -c 'import numpy, numexpr' 2>/dev/null; then
    quietly "$STARRAY_CACHE/bench-venv.log" "making a Python environment for the peers" \
        python3 -m venv --clear "$STARRAY_CACHE/bench-venv"
    quietly "$STARRAY_CACHE/bench-venv.log" "installing NumPy and numexpr into it" \
        "$python" -m pip -q install --upgrade numpy numexpr
fi
if ! "$python" -c 'import jax' 2>/dev/null; then # large, and not everywhere
    quietly "$STARRAY_CACHE/bench-venv.log" "installing JAX into it" "$python" -m pip -q install jax ||
        say "going on without JAX"
fi

use_home
exec "$python" tests/bench/driver.py --build build/release --json "$json" ${arguments[@]+"${arguments[@]}"}
