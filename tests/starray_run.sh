#!/usr/bin/env bash
# What starray-run makes of its options, with launchers that only say how they were called, and with the real one.
#   starray_run.sh SOURCE_DIR BUILD_DIR        ctest: timeout=120
# shellcheck disable=SC2016 # other shells expand them
set -euo pipefail
run=$1/scripts/starray-run build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for name in $(compgen -e | grep -E '^(STA_|STARPU_|OMP_|XDG_CACHE_HOME$|SLURM_|CUDA_)' || true); do
    unset "$name"
done

failed=0
# expect TEXT COMMAND...: what it prints
expect()
{
    local expected=$1 got
    shift
    got=$("$@" 2>&1) || true
    if [ "$got" != "$expected" ]; then
        printf 'of %s\n  expected: %s\n  got:      %s\n' "$*" "$expected" "$got"
        failed=1
    fi
}

# status NUMBER COMMAND...
status()
{
    local expected=$1 got=0
    shift
    "$@" >/dev/null 2>&1 || got=$?
    if [ "$got" != "$expected" ]; then
        printf 'of %s: status %s, not %s\n' "$*" "$got" "$expected"
        failed=1
    fi
}

fake()
{
    mkdir -p "$scratch/$1"
    printf '#!/bin/sh\n[ "$1" = --version ] && { echo "%s"; exit; }\necho "%s $*"\n' "$3" "$2" >"$scratch/$1/$2"
    chmod +x "$scratch/$1/$2"
}
fake open mpirun "mpirun (Open MPI) 4.1.4"
fake hydra mpirun "HYDRA build details:"
fake slurm srun ""

open=(env "PATH=$scratch/open:$PATH") hydra=(env "PATH=$scratch/hydra:$PATH")
slurm=(env "PATH=$scratch/slurm:$PATH" SLURM_JOB_ID=1 SLURM_JOB_NUM_NODES=3)
expect "hello a  b" "$run" echo "hello a  b"
expect "echo --nodes 7" "$run" --dry-run echo --nodes 7
expect "mpirun -n 6 --map-by ppr:3:node --bind-to none prog -n 1" "${open[@]}" "$run" --nodes 2 --ranks-per-node 3 prog -n 1
expect "mpirun -n 2 --map-by ppr:1:node --bind-to none --host a:1,b:1 prog" "${open[@]}" "$run" --hosts a,b prog
expect "mpirun -n 2 --map-by ppr:1:node --bind-to none --hostfile f -x STA_CPU prog" \
    "${open[@]}" STA_CPU=seq "$run" --nodes 2 --hostfile f prog
expect "mpirun -n 4 -ppn 2 -bind-to none -hosts a,b prog" "${hydra[@]}" "$run" --hosts a,b --ranks-per-node 2 prog
expect "srun --nodes=3 --ntasks-per-node=1 --cpu-bind=none prog" "${slurm[@]}" "$run" prog
expect "srun --nodes=2 --ntasks-per-node=4 --cpu-bind=none --nodelist=a,b prog" \
    "${slurm[@]}" "$run" --nodes 2 --ranks-per-node 4 --hosts a,b prog
expect "mpirun -n 2 --map-by ppr:1:node --bind-to none prog" \
    "${slurm[@]}" "${open[@]}" "$run" --launcher mpirun --nodes 2 prog
expect "mpirun -n 2 --map-by ppr:1:node --bind-to none $run --become-rank 1 2 prog" \
    "${open[@]}" "$run" --nodes 2 --gpus 2 prog

# GPUs of a node among its ranks
shown=(sh -c 'echo "$STARPU_NCUDA ${CUDA_VISIBLE_DEVICES:-none}"')
expect "0 none" "$run" --gpus 0 "${shown[@]}"
expect "2 0,1" "$run" --gpus 2 "${shown[@]}"
expect "2 2,3" env OMPI_COMM_WORLD_LOCAL_RANK=1 "$run" --become-rank 2 4 "${shown[@]}"
expect "1 5" env SLURM_LOCALID=0 CUDA_VISIBLE_DEVICES=5,6,7 "$run" --become-rank 3 3 "${shown[@]}"
expect "1 7" env SLURM_LOCALID=2 CUDA_VISIBLE_DEVICES=5,6,7 "$run" --become-rank 3 3 "${shown[@]}"

status 2 "$run"
status 2 "$run" --nodes
status 2 "$run" --nodes two prog
status 2 "$run" --nodes 0 prog
status 2 "$run" --node 2 prog
status 2 "$run" --nodes 2 --launcher ssh prog
status 2 "${slurm[@]}" "$run" --hostfile f prog
status 0 "$run" --help
status 3 "$run" sh -c 'exit 3'

# The real thing: two ranks of one program.
if command -v mpirun >/dev/null && grep -q '^MPI_C_FOUND\|MPIEXEC_EXECUTABLE:FILEPATH=/' "$build/CMakeCache.txt"; then
    got=$("$run" --ranks-per-node 2 --gpus 0 sh -c 'echo "rank $STARPU_NCUDA"' | sort | uniq -c | tr -s ' ')
    [ "$got" = " 2 rank 0" ] || { echo "two ranks said: $got"; failed=1; }
fi
exit $failed
