#!/usr/bin/env bash
# The doctor has nothing to say of the examples, but for the one that is made for it.
#   doctor_examples.sh SOURCE_DIR BUILD_DIR        ctest: timeout=120
set -euo pipefail
source=$1 build=$2
unset STA_TILE_ELEMS STA_INLINE_BYTES STA_CPU STA_BUDGET STARPU_NCPU
failed=0
for path in "$source"/examples/*.c; do
    name=$(basename "$path" .c)
    [ "$name" != doctor_demo ] || continue
    code=0
    STA_DOCTOR=1 "$build/examples/$name" >out.txt 2>found.txt || code=$?
    if [ $code -eq 77 ]; then
        echo "$name: no worker here"
    elif [ $code -ne 0 ] || ! grep -q '^starray doctor: ' found.txt || [ "$(tail -n 1 found.txt)" != "nothing to say" ]; then
        echo "$name (exit $code):" && cat found.txt
        failed=1
    fi
done
exit $failed
