#!/usr/bin/env bash
# What cmake installs can be used: a program is built through pkg-config and through find_package, and runs.
#   install.sh SOURCE_DIR BUILD_DIR        ctest: timeout=300
set -euo pipefail
build=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset PYTHONPATH

cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cat >"$scratch/program.c" <<'END'
#include <starray/starray.h>
#include <stdio.h>

int main(void)
{
    if (sta_init(NULL))
        return 1;
    sta_array x = sta_int(1);
    printf("version %d, %d axes\n", sta_version(), sta_ndim(x));
    sta_finish();
    return 0;
}
END
cat >"$scratch/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.25)
project(program LANGUAGES C)
find_package(starray 0.1 REQUIRED)
add_executable(program program.c)
target_link_libraries(program starray::starray)
END
libraries=$(dirname "$(find "$scratch/prefix" -name libstarray.so)")
export PKG_CONFIG_PATH=$libraries/pkgconfig${PKG_CONFIG_PATH:+:$PKG_CONFIG_PATH}

echo "through pkg-config:"
# shellcheck disable=SC2046
"${CC:-cc}" -std=c11 -Wall -Werror "$scratch/program.c" -o "$scratch/by_pkg_config" $(pkg-config --cflags --libs starray)
LD_LIBRARY_PATH=$libraries "$scratch/by_pkg_config"

echo "through find_package:"
cmake -S "$scratch" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" >/dev/null
cmake --build "$scratch/build" >/dev/null
"$scratch/build/program"
