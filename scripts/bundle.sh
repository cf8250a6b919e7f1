#!/usr/bin/env bash
# Makes a folder that runs on another machine without being installed there: the programs of a build, the libraries that
# they need, the tests' Python, and `run`, `run-tests` and `run-bench`. For machines with GPUs and without StarPU. CUDA's
# libraries and those of the C library are the other machine's own.
#   bundle.sh [--build FOLDER] [--to FOLDER] [--archive FILE]
#     --build      what is bundled (build/release)
#     --to         the bundle, made anew (build/bundle)
#     --archive    also packs it into a .tar.xz
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"
cd "$STARRAY_ROOT"

build=build/release to=build/bundle archive=
while [ $# -gt 0 ]; do
    case $1 in
    --build) build=${2:?--build needs a folder}; shift ;;
    --to) to=${2:?--to needs a folder}; shift ;;
    --archive) archive=${2:?--archive needs a file}; shift ;;
    *) sed -n '2,8s/^# \{0,1\}//p' "$0"; [ "$1" = --help ]; exit ;;
    esac
    shift
done
[ -e "$build/build.ninja" ] || die "no build in $build"

# programs FOLDER: what can be run in it
programs()
{
    [ -d "$1" ] && find "$1" -maxdepth 1 -type f -perm -u+x ! -name '*.so*'
}

# libraries FILE...: the paths of all that they load but what a machine has itself
libraries()
{
    ldd "$@" | sed -n 's/^\t.* => \(\/[^ ]*\) .*/\1/p' | sort -u |
        grep -vE '/(ld-linux|libc|libm|libmvec|libdl|libpthread|librt|libresolv|libstdc\+\+|libgcc_s|libcuda|libnvidia)[-.0-9x_]*\.so' |
        grep -vE '/lib(cudart|cublas|cublasLt|cufft|cufftw|cusolver|cusparse|curand|nvrtc|nvJitLink|nvToolsExt)\.so'
}

rm -rf "$to"
mkdir -p "$to"/{lib,bin,source}
for folder in tests bench examples tools; do
    mkdir "$to/$folder"
    programs "$build/$folder" | while read -r program; do
        strip -o "$to/$folder/$(basename "$program")" "$program"
    done
done
for library in "$build"/libstarray.so.?; do
    [ -e "$library" ] || continue # only some targets were built
    strip -o "$to/$(basename "$library")" "$library"
    ln -s "$(basename "$library")" "$to/libstarray.so"
done

starpu=$(sed -n 's/^STARPU_PREFIX:[^=]*=//p' "$build/CMakeCache.txt")
for tool in machine_display perfmodel_display calibrate_bus; do
    [ -e "$starpu/bin/starpu_$tool" ] && strip -o "$to/bin/starpu_$tool" "$starpu/bin/starpu_$tool"
done
mapfile -t all < <(libraries "$build"/tests/* "$build"/tools/* "$build"/libstarray.so "$to"/bin/* 2>/dev/null)
for library in "${all[@]}"; do
    strip -o "$to/lib/$(basename "$library")" "$library"
done

cp --parents -r tests/*.py tests/support/*.py tests/bench/*.py include/starray "$to/source"
cp "$build/CMakeCache.txt" "$to" # tests/bench/machine.py looks there
cp scripts/bundle/* "$to"
ctest --test-dir "$build" --show-only=json-v1 >"$to/tests.json"
sed -i "s|$(realpath "$build")/|@bundle@/|g; s|$STARRAY_ROOT/|@bundle@/source/|g" "$to/tests.json"

say "$to: $(du -sm "$to" | cut -f 1) MiB, ${#all[@]} libraries"
if [ -n "$archive" ]; then
    tar -C "$(dirname "$to")" -cf - --owner=0 --group=0 "$(basename "$to")" | xz -T1 --lzma2=preset=1,dict=128MiB >"$archive.new"
    mv "$archive.new" "$archive"
    say "$archive: $(du -m "$archive" | cut -f 1) MiB"
fi
