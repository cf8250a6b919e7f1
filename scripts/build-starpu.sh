#!/usr/bin/env bash
# Builds StarPU 1.4 from Debian's source package into the cache, with MPI and, where nvcc is, with CUDA. Debian 12 has
# StarPU 1.3 only, without CUDA and limited to 4 cores; starray works with both.
#   build-starpu.sh [--no-cuda] [--gpus N] [--force]    does nothing when it is there already
#   build-starpu.sh [--no-cuda] --prefix-only    prints where it is (or would be), builds nothing
#     --gpus     the most that it can use: those of this machine; 8 where there are none, for a machine that has some. All that
#                StarPU keeps of an array has room for so many; the room that nobody needs costs time (docs/environment.md)
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

cuda=auto prefix_only='' force='' gpus=''
while [ $# -gt 0 ]; do
    case $1 in
    --no-cuda) cuda=no ;;
    --prefix-only) prefix_only=1 ;;
    --force) force=1 ;;
    --gpus) gpus=${2:?--gpus needs a number}; shift ;;
    *) sed -n '2,7s/^# \{0,1\}//p' "$0"; [ "$1" = --help ]; exit ;;
    esac
    shift
done
[[ ${gpus:-1} =~ ^[1-9][0-9]*$ ]] || die "--gpus takes a number from 1 on, not '$gpus'"

nvcc=''
[ "$cuda" = no ] || nvcc=$(find_nvcc) || true
prefix=$STARRAY_CACHE/starpu-1.4-$([ -n "$nvcc" ] && echo cuda || echo cpu)
[ -n "$prefix_only" ] && { echo "$prefix"; exit 0; }

exec 9>"$prefix.lock"
flock 9
if [ -e "$prefix/complete" ] && [ -z "$force" ]; then
    say "StarPU $(cat "$prefix/complete") is in $prefix"
    exit 0
fi

log=$prefix.log
work=$prefix.work
rm -rf "$work"
mkdir -p "$work"/{lists/partial,archives/partial,parts,source}
: >"$log"
say "StarPU 1.4 goes to $prefix, its log to $log"
need build-essential pkg-config dpkg-dev libhwloc-dev libopenmpi-dev openmpi-bin debian-archive-keyring

# The mirror and the key that apt is set up with, for suites that this machine does not follow. An apt configuration of
# our own on top of the system's; its sources stay as they are.
# shellcheck disable=SC2016
mirror()
{
    local targets
    targets=$(apt-get indextargets --format '$(ORIGIN)|$(LABEL)|$(REPO_URI)' 'Created-By: Packages')
    grep -m 1 '^Debian|Debian|' <<<"$targets" | cut -d '|' -f 3 && return 0
    # Lists never fetched have no origin: the first address that ends in /debian.
    cut -d '|' -f 3 <<<"$targets" | grep -m 1 '/debian/*$'
}

apt_ours()
{
    APT_CONFIG=$work/apt.conf "$@"
}

fetch_source()
{
    local suite=$1 keyring version
    for keyring in /usr/share/keyrings/debian-archive-keyring.{pgp,gpg}; do
        [ -e "$keyring" ] && break
    done
    echo "deb-src [signed-by=$keyring] $(mirror) $suite main" >"$work/sources.list"
    cat >"$work/apt.conf" <<END
Dir::Etc::SourceList "$work/sources.list";
Dir::Etc::SourceParts "$work/parts";
Dir::State::Lists "$work/lists";
Dir::Cache "$work";
Dir::Cache::archives "$work/archives";
$([ "$(id -u)" -eq 0 ] && echo 'APT::Sandbox::User "root";')
END
    quietly "$log" "looking for StarPU 1.4 in $suite" apt_ours apt-get -q update || return 1
    version=$(apt_ours apt-cache showsrc starpu | sed -n 's/^Version: \(1\.4\..*\)/\1/p' | sort -V | tail -n 1)
    [ -n "$version" ] || { say "$suite has no StarPU 1.4"; return 1; }
    (cd "$work/source" && quietly "$log" "fetching the source of StarPU $version" \
        apt_ours apt-get -q source --only-source --download-only "starpu=$version") || return 1
    quietly "$log" "unpacking it" dpkg-source --no-check -x "$work"/source/starpu_*.dsc "$work/starpu" || return 1
    echo "$version" >"$work/version"
}

[ -n "$(mirror)" ] || die "apt knows no Debian mirror: no source of StarPU 1.4. The StarPU of the system is used instead."
fetch_source unstable || fetch_source testing ||
    die "no source of StarPU 1.4 to be had (see $log). The StarPU of the system is used instead."

# CUDA 13 has no cudaDeviceProp.computeMode.
cuda_13()
{
    local driver=$work/starpu/src/drivers/cuda/driver_cuda.c
    grep -n computeMode "$driver" >>"$log" || true
    sed -i 's/if *(\(props\[[^]]*\]\)\.computeMode *== *cudaComputeModeExclusive\(Process\)\{0,1\})/int compute_mode = 0; cudaDeviceGetAttribute(\&compute_mode, cudaDevAttrComputeMode, devid); if (compute_mode == cudaComputeModeExclusiveProcess)/' "$driver"
}

# count PATTERN: files of that name
count()
{
    { compgen -G "$1" || true; } | wc -l
}

[ -n "$gpus" ] || gpus=$(count '/dev/nvidia[0-9]*')
[ "$gpus" -gt 0 ] || gpus=8
numa=$(count '/sys/devices/system/node/node[0-9]*')
[ "$numa" -gt 0 ] || numa=1

# memories GPUS: what StarPU shall have room for, a power of two: those of GPUs and processors, a disk
memories()
{
    local least=$(($1 + numa + 1)) room=4
    while [ "$room" -lt "$least" ]; do room=$((2 * room)); done
    echo "$room"
}

options=(--prefix="$prefix" --libdir="$prefix/lib" --disable-opencl --disable-build-doc --disable-build-examples
    --disable-build-tests --disable-starpupy --disable-socl --disable-starpufft --disable-fortran --disable-mlr
    --disable-hdf5 --disable-static --disable-hip --enable-quick-check --disable-fxt --disable-glpk --disable-papi --disable-simgrid
    --disable-starpurm --disable-eclipse-plugin --disable-julia --enable-mpi
    --enable-maxcpus="$(($(nproc) > 64 ? $(nproc) : 64))" --enable-maxnumanodes="$numa")
if [ -n "$nvcc" ]; then
    toolkit=$(dirname "$(dirname "$(readlink -f "$nvcc")")")
    options+=(--enable-cuda --enable-maxcudadev="$gpus" --enable-maxnodes="$(memories "$gpus")" --with-cuda-dir="$toolkit" NVCC="$nvcc")
    cuda_13
else
    options+=(--disable-cuda --enable-maxnodes="$(memories 0)")
fi
mkdir "$work/build"
cd "$work/build"
quietly "$log" "configuring ($([ -n "$nvcc" ] && echo "CUDA of $toolkit" || echo 'no CUDA'))" \
    ../starpu/configure "${options[@]}"
quietly "$log" "compiling (a few minutes)" nice make -j"$(nproc)"
rm -rf "$prefix"
quietly "$log" "installing" make install
cd /
# It also answers to the names of older versions; a build that asks for 1.3 must not get 1.4.
find "$prefix/lib/pkgconfig" -name '*.pc' ! -name '*-1.4.pc' -delete
for pc in starpu-1.4 starpumpi-1.4; do
    [ -e "$prefix/lib/pkgconfig/$pc.pc" ] || die "no $pc.pc was made, see $log"
done
mv "$work/version" "$prefix/complete"
rm -rf "$work"
say "StarPU $(cat "$prefix/complete") is in $prefix"
