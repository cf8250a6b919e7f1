#!/usr/bin/env bash
# Installs what is missing, builds, and runs every check: format, clang-tidy, the tests of the optimised build, those
# with the label "sanitize" under asan, ubsan and tsan, and the tests with the other StarPU version.
#   test.sh [--quick | --full] [--starpu 1.3|1.4]
#     --quick     the optimised build and its tests only
#     --full      with the slow tests too
#     --starpu    the version to test with (default: 1.4 where it is), and no other
set -uo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

size=usual only=
while [ $# -gt 0 ]; do
    case $1 in
    --quick) size=quick ;;
    --full) size=full ;;
    --starpu) only=${2:-}; shift ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "$0"; [ "$1" = --help ]; exit ;;
    esac
    shift
done
cd "$STARRAY_ROOT" || exit

need_all test || die "not everything that the tests need could be installed"
need_numpy || die "no NumPy: the tests compare with it"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

version=${only:-1.4} other=1.3
starpu_version "$version" >/dev/null || { [ -z "$only" ] && version=1.3; }
starpu_version "$version" >/dev/null || die "no StarPU $version here (scripts/build-starpu.sh makes 1.4)"
[ -z "$only" ] && [ "$version" = 1.4 ] && starpu_version 1.3 >/dev/null || other=
say "StarPU $(starpu_version "$version")${other:+ and then $(starpu_version "$other")}, NumPy $("$STARRAY_PYTHON" -c \
    'import numpy; print(numpy.__version__)'), $(nproc) cores"

jobs=$(nproc)
failures=() tests=0
mkdir -p build/logs

# step NAME COMMAND...: a check of its own; a failure is remembered and the rest goes on.
step()
{
    local name=$1
    shift
    : >"build/logs/${name// /-}.log"
    quietly "$STARRAY_ROOT/build/logs/${name// /-}.log" "$name" "$@" || failures+=("$name")
}

# preset NAME STARPU: CMakePresets.json has one for each version.
preset()
{
    echo "$1$([ "$2" = 1.3 ] && echo -starpu13)"
}

# build NAME STARPU [TARGET...]
build()
{
    local preset starpu=$2 log
    preset=$(preset "$1" "$2")
    log=$STARRAY_ROOT/build/logs/$preset.log
    shift 2
    : >"$log"
    quietly "$log" "configuring $preset" cmake --preset "$preset" -DSTARRAY_STARPU="$starpu" \
        -DSTARRAY_PYTHON="$STARRAY_PYTHON" &&
        quietly "$log" "building $preset" nice cmake --build "build/$preset" -j"$jobs" ${1:+--target "$@"} && return 0
    failures+=("build of $preset")
    return 1
}

# run_tests NAME STARPU CTEST_OPTION...
run_tests()
{
    local preset results
    preset=$(preset "$1" "$2")
    results=$STARRAY_ROOT/build/logs/$preset.xml
    shift 2
    say "tests of $preset"
    ctest --test-dir "build/$preset" --output-on-failure --no-tests=ignore --output-junit "$results" \
        -j"$(((jobs + 1) / 2))" "$@" || failures+=("tests of $preset")
    [ -e "$results" ] && tests=$((tests + $(grep -c '<testcase' "$results")))
}

usual=()
[ "$size" = full ] || usual=(-LE '^slow$')

step "format" scripts/format.sh --check
if build release "$version"; then
    run_tests release "$version" "${usual[@]}"
    [ "$size" = quick ] || step "clang-tidy" scripts/tidy.sh "build/$(preset release "$version")"
fi
if [ "$size" != quick ]; then
    command -v clang >/dev/null && build clang "$version" starray_objects
    build asan "$version" && run_tests asan "$version" -L '^sanitize$'
    build tsan "$version" && run_tests tsan "$version" -L '^sanitize$'
    if [ -n "$other" ]; then
        build release "$other" && run_tests release "$other" -LE "$([ "$size" = full ] || echo '^slow$|')^oracle$"
    fi
fi

took="$((SECONDS / 60)) min $((SECONDS % 60)) s"
if [ ${#failures[@]} -gt 0 ]; then
    printf 'FAILED after %s:' "$took"
    printf ' %s;' "${failures[@]}"
    echo " logs are in build/logs"
    exit 1
fi
say "All checks passed: $tests tests in $took"
