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
