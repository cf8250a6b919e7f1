#!/usr/bin/env bash
# The doctor finds the line of a program with debug information, the function in one without, and in a stripped one an
# address that leads to the line.
#   doctor_places.sh SOURCE_DIR BUILD_DIR LIBRARY
set -euo pipefail
source=$1 library=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cat >"$scratch/habit.c" <<'END'
#include <starray/starray.h>

double sum_one_by_one(sta_array x, int n);
double sum_one_by_one(sta_array x, int n)
{
    double sum = 0, element = 0;
    for (int i = 0; i < n; i++) {
        sta_item_float(sta_slice(x, "%d", i), &element); /* line 8 */
        sum += element;
    }
    return sum;
}

int main(void)
{
    if (sta_init(NULL))
        return 77;
    double sum = sum_one_by_one(sta_ones(STA_DIMS(200), STA_float64), 200);
    sta_finish();
    return sum != 200;
}
END
cd "$scratch"

# place NAME: where the doctor found the habit in that program
place()
{
    local code=0
    STA_DOCTOR=found.txt "./$1" || code=$?
    [ $code -eq 0 ] || exit $code
    sed -n 's/^   \(.*\), item_float: 200 times .*/\1/p' found.txt
}

# expect WHAT FOUND PATTERN
expect()
{
    echo "$1: $2"
    [[ $2 =~ $3 ]] || { echo "expected $3" >&2; exit 1; }
}

for options in -g -O2; do
    "${CC:-cc}" -std=c11 -fPIE -pie $options -I "$source/include" habit.c -o "habit$options" "$library" -Wl,-rpath,"$(dirname "$library")"
done
strip -o habit-stripped habit-g
found=$(place habit-stripped)
expect "stripped" "$found" '^habit-stripped\+0x[0-9a-f]+$'
line=$(addr2line -e habit-g "$(printf '0x%x' $((${found##*+} - 1)))")
expect "which is line" "$line" 'habit\.c:8'
if [[ $(ldd "$library") == *libdw* ]]; then
    expect "with -g" "$(place habit-g)" '/habit\.c:8 in sum_one_by_one$'
    expect "without" "$(place habit-O2)" '^sum_one_by_one\+0x[0-9a-f]+$'
fi
