# shellcheck shell=bash
# Shared by the scripts of this folder: progress lines, packages of the system, StarPU and Python. Source it.

STARRAY_ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
STARRAY_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/starray
mkdir -p "$STARRAY_CACHE"

say()
{
    printf '[%4ds] %s\n' "$SECONDS" "$*"
}

die()
{
    printf '%s: %s\n' "$(basename "$0")" "$*" >&2
    exit 1
}

# quietly LOG WHAT COMMAND...: runs the command into the log, with a line before it; on failure shows the log's end.
quietly()
{
    local log=$1 what=$2
    shift 2
    say "$what"
    if ! "$@" >>"$log" 2>&1; then
        printf '%s failed; the end of %s:\n' "$what" "$log" >&2
        tail -n 40 "$log" >&2
        return 1
    fi
}

as_root()
{
    if [ "$(id -u)" -eq 0 ]; then
        env DEBIAN_FRONTEND=noninteractive "$@"
    elif command -v sudo >/dev/null; then
        sudo env DEBIAN_FRONTEND=noninteractive "$@"
    else
        die "run as root or with sudo to: $*"
    fi
}

# need PACKAGE...: installs those of the packages that are missing. Says nothing when none is.
need()
{
    local package missing=()
    command -v dpkg-query >/dev/null || die "this is for Debian and its kin; elsewhere install by hand: $*"
    for package in "$@"; do
        case $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) in
        *' installed') ;;
        *) missing+=("$package") ;;
        esac
    done
    [ ${#missing[@]} -eq 0 ] && return 0
    quietly "$STARRAY_CACHE/apt.log" "looking for packages" as_root apt-get -q update || say "going on with the old lists"
    quietly "$STARRAY_CACHE/apt.log" "installing ${missing[*]}" \
        as_root apt-get -q -y --no-install-recommends install "${missing[@]}"
}

# Where the CUDA compiler lies: prints its path, fails if there is none.
find_nvcc()
{
    local nvcc
    for nvcc in "${CUDACXX:-}" "$(command -v nvcc)" "${CUDA_HOME:-/usr/local/cuda}/bin/nvcc" /usr/local/cuda/bin/nvcc; do
        if [ -n "$nvcc" ] && [ -x "$nvcc" ]; then
            echo "$nvcc"
            return 0
        fi
    done
    return 1
}

# What building needs, and with "test" what the tests need on top.
need_all()
{
    local packages=(build-essential cmake ninja-build pkg-config libhwloc-dev libglib2.0-dev libdw-dev zlib1g-dev
        libopenblas-dev liblapacke-dev libfftw3-dev libopenmpi-dev openmpi-bin python3 python3-venv)
    [ -n "$(starpu_prefix)" ] || packages+=(libstarpu-dev)
    if [ "${1:-}" = test ]; then
        packages+=(libcunit1-dev libmpfr-dev libstarpu-dev clang clang-format clang-tidy libomp-dev)
    fi
    need "${packages[@]}"
}

# The StarPU 1.4 in the cache that CMake would take; nothing if there is none.
starpu_prefix()
{
    local prefix
    for prefix in "$STARRAY_CACHE"/starpu-1.4-cuda "$STARRAY_CACHE"/starpu-1.4-cpu; do
        [ -e "$prefix/complete" ] && echo "$prefix" && return 0
    done
    return 0
}

# starpu_version VERSION: prints the full version of that StarPU ("1.4.10"), fails if it is not here.
starpu_version()
{
    local path=${PKG_CONFIG_PATH:-} prefix
    prefix=$(starpu_prefix)
    [ -n "$prefix" ] && path=$prefix/lib/pkgconfig:$path
    PKG_CONFIG_PATH=$path pkg-config --modversion "starpu-$1" 2>/dev/null
}

# A virtual environment with the newest NumPy in the cache; STARRAY_PYTHON is its Python.
need_numpy()
{
    export STARRAY_PYTHON=$STARRAY_CACHE/venv/bin/python
    if "$STARRAY_PYTHON" -c 'import numpy' 2>/dev/null; then
        return 0
    fi
    quietly "$STARRAY_CACHE/venv.log" "making a Python environment" python3 -m venv --clear "$STARRAY_CACHE/venv" &&
        quietly "$STARRAY_CACHE/venv.log" "installing NumPy into it" "$STARRAY_PYTHON" -m pip -q install --upgrade numpy
}

# sources: every C and CUDA file of ours, one a line.
sources()
{
    (cd "$STARRAY_ROOT" && find include src codelets partition mpi perfmodels tests examples \
        \( -name '*.[ch]' -o -name '*.cu' -o -name '*.cuh' \) 2>/dev/null | sort || true)
}
