#!/usr/bin/env bash
# The functions that libstarray.so exports are those that the headers declare.
#   abi.sh SOURCE_DIR BUILD_DIR LIBRARY
set -euo pipefail
source=$1 library=$3
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C

# After preprocessing, a declared function is a name before a parenthesis; without "(*name)" of function pointers and
# without inline functions, which have a body.
for header in "$source"/include/starray/*.h; do
    echo "#include <starray/$(basename "$header")>"
done >"$scratch/all.c"
"${CC:-cc}" -std=c11 -E -P -I "$source/include" "$scratch/all.c" | tr '\n' ' ' | sed 's/static inline[^{]*{[^}]*}//g; s/(\*[a-z_]*)//g; s/;/;\n/g' |
    grep -v '^ *typedef' | grep -oE '\bsta_[a-z0-9][A-Za-z0-9_]* *\(' | tr -d ' (' | sort -u >"$scratch/declared"
nm -D --defined-only "$library" | awk '{print $NF}' | sed 's/@.*//' | sort -u >"$scratch/exported"

missing=$(comm -23 "$scratch/declared" "$scratch/exported")
foreign=$(comm -13 "$scratch/declared" "$scratch/exported")
[ -z "$missing" ] || printf 'declared in a header, not exported:\n%s\n' "$missing" >&2
[ -z "$foreign" ] || printf 'exported, in no header:\n%s\n' "$foreign" >&2
echo "$(wc -l <"$scratch/declared") functions declared, $(wc -l <"$scratch/exported") exported"
[ -z "$missing$foreign" ]
