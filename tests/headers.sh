#!/usr/bin/env bash
# Each public header compiles alone, as C11 and as C++17, by gcc and clang, without a warning.
#   headers.sh SOURCE_DIR
set -u
source=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
warnings='-Wall -Wextra -Wpedantic -Werror -fsyntax-only'
failures=0 tried=0

# check COMPILER STANDARD FILE
check()
{
    command -v "$1" >/dev/null || return 0
    tried=$((tried + 1))
    # shellcheck disable=SC2086
    if ! "$1" -std="$2" $warnings -I "$source/include" "$3"; then
        echo "$(basename "$3" | sed 's/\..*//').h does not compile alone with $1 -std=$2" >&2
        failures=$((failures + 1))
    fi
}

for header in "$source"/include/starray/*.h; do
    stem=$(basename "$header" .h)
    echo "#include <starray/$stem.h>" | tee "$scratch/$stem.c" >"$scratch/$stem.cpp"
    # An empty unit is a warning of its own.
    echo "extern int unused;" | tee -a "$scratch/$stem.c" >>"$scratch/$stem.cpp"
    for compiler in gcc clang; do
        check $compiler c11 "$scratch/$stem.c"
    done
    for compiler in g++ clang++; do
        check $compiler c++17 "$scratch/$stem.cpp"
    done
done
[ $tried -gt 0 ] || exit 77
echo "$tried compilations, $failures failures"
[ $failures -eq 0 ]
