#!/usr/bin/env bash
# The pipeline of the front page on your data, or on data made here: standardise, clip, matrix product, FFT, histogram.
#   demo.sh [X.npy [W.npy]]    X: (rows, columns) float32; W: (columns, columns)
# Installs what is missing, builds, shows the histogram and where the time goes. Writes to build/demo: counts.npy, edges.npy,
# histogram.svg.
# DEMO_ROWS and DEMO_COLUMNS change the size of what is made here (262144 and 256).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

case ${1:-} in -*) sed -n '2,6s/^# \{0,1\}//p' "$0"; [ "$1" = --help ]; exit ;; esac
input=${1:+$(realpath "$1")} weights=${2:+$(realpath "$2")}
cd "$STARRAY_ROOT"

# Debian 12's StarPU has no CUDA and takes 4 cores at most.
if [ -z "$(starpu_prefix)" ] && { find_nvcc >/dev/null || [ "$(nproc)" -gt 4 ]; } && ! starpu_version 1.4 >/dev/null; then
    scripts/build-starpu.sh || say "going on with the StarPU of the system"
fi
need_all
need libcunit1-dev # cmake wants it where tests can be built
mkdir -p build/demo
log=$STARRAY_ROOT/build/demo/build.log
: >"$log"
quietly "$log" "configuring" cmake --preset release -DSTARRAY_TESTS=ON
quietly "$log" "building" cmake --build build/release -j"$(nproc)" --target examples_preprocess

rows=${DEMO_ROWS:-262144} columns=${DEMO_COLUMNS:-256}
if [ -z "$input" ]; then
    input=$STARRAY_ROOT/build/demo/x-$rows-$columns.npy weights=$STARRAY_ROOT/build/demo/w-$columns.npy
    if [ ! -e "$input" ] || [ ! -e "$weights" ]; then
        need_numpy
        quietly "$log" "making samples of shape ($rows, $columns)" "$STARRAY_PYTHON" - "$input" "$weights" "$rows" "$columns" <<'END'
import sys
import numpy as np

rows, columns = int(sys.argv[3]), int(sys.argv[4])
random = np.random.default_rng(1)
samples = np.lib.format.open_memmap(sys.argv[1], "w+", np.float32, (rows, columns))
for begin in range(0, rows, 16384):
    block = random.standard_normal((min(16384, rows - begin), columns), dtype=np.float32)
    samples[begin : begin + len(block)] = block * np.linspace(1, 9, columns, dtype=np.float32) + 3
samples.flush()
np.save(sys.argv[2], (random.standard_normal((columns, columns)) / columns**0.5).astype(np.float32))
END
    fi
fi

export STARPU_SILENT=${STARPU_SILENT:-1} OPENBLAS_NUM_THREADS=1
version=$(sed -n 's/^STARRAY_STARPU_FOUND_VERSION:[^=]*=//p' build/release/CMakeCache.txt)
export STARPU_HOME=${STARPU_HOME:-$STARRAY_CACHE/home-starpu-$version}
mkdir -p "$STARPU_HOME"
say "running the pipeline on $input"
build/release/examples/preprocess --input "$input" ${weights:+--weights "$weights"} --output build/demo \
    --svg build/demo/histogram.svg --profile
say "the results are build/demo/counts.npy and edges.npy, the picture is histogram.svg"
