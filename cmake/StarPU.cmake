# Finds StarPU: 1.4 where scripts/build-starpu.sh put it or pkg-config knows it, else 1.3. Sets STARRAY_STARPU_VERSION
# (1.3 or 1.4), STARRAY_STARPU_CUDA, and makes PkgConfig::STARPU and, where there is MPI, PkgConfig::STARPUMPI.

set(STARRAY_STARPU auto CACHE STRING "StarPU to build against: 1.4, 1.3 or auto (1.4 first)")
set_property(CACHE STARRAY_STARPU PROPERTY STRINGS auto 1.4 1.3)
set(STARRAY_STARPU_PREFIX "" CACHE PATH "Where StarPU is installed, if pkg-config does not know")

set(starray_cache "$ENV{XDG_CACHE_HOME}")
if(NOT starray_cache)
    set(starray_cache "$ENV{HOME}/.cache")
endif()
set(STARRAY_CACHE "${starray_cache}/starray" CACHE PATH "Where the scripts keep StarPU, Python and measured models")

function(starray_find_starpu version least)
    set(saved "$ENV{PKG_CONFIG_PATH}")
    foreach(prefix IN LISTS ARGN)
        set(ENV{PKG_CONFIG_PATH} "${prefix}/lib/pkgconfig:$ENV{PKG_CONFIG_PATH}")
    endforeach()
    pkg_check_modules(STARPU QUIET IMPORTED_TARGET GLOBAL "starpu-${version}>=${least}")
    if(STARPU_FOUND AND NOT STARRAY_MPI STREQUAL OFF)
        pkg_check_modules(STARPUMPI QUIET IMPORTED_TARGET GLOBAL "starpumpi-${version}>=${least}")
    endif()
    set(ENV{PKG_CONFIG_PATH} "${saved}")
    set(STARPU_FOUND "${STARPU_FOUND}" PARENT_SCOPE)
    set(STARPUMPI_FOUND "${STARPUMPI_FOUND}" PARENT_SCOPE)
    set(STARRAY_STARPU_VERSION ${version} PARENT_SCOPE)
endfunction()

set(STARPU_FOUND FALSE)
if(STARRAY_STARPU MATCHES "^(auto|1\\.4)$")
    # The last one is looked at first.
    starray_find_starpu(1.4 1.4.0 ${STARRAY_CACHE}/starpu-1.4-cpu ${STARRAY_CACHE}/starpu-1.4-cuda
        ${STARRAY_STARPU_PREFIX})
endif()
if(NOT STARPU_FOUND AND STARRAY_STARPU MATCHES "^(auto|1\\.3)$")
    starray_find_starpu(1.3 1.3.9 ${STARRAY_STARPU_PREFIX})
endif()
if(NOT STARPU_FOUND)
    message(FATAL_ERROR "No StarPU (asked for: ${STARRAY_STARPU}). Install libstarpu-dev, or run "
        "scripts/build-starpu.sh, or set PKG_CONFIG_PATH or STARRAY_STARPU_PREFIX.")
endif()

set(CMAKE_REQUIRED_LIBRARIES PkgConfig::STARPU)
set(CMAKE_REQUIRED_DEFINITIONS -D_GNU_SOURCE)
unset(STARRAY_STARPU_CUDA CACHE)
check_symbol_exists(STARPU_USE_CUDA starpu.h STARRAY_STARPU_CUDA)
unset(CMAKE_REQUIRED_LIBRARIES)
unset(CMAKE_REQUIRED_DEFINITIONS)
set(STARRAY_STARPU_FOUND_VERSION ${STARRAY_STARPU_VERSION} CACHE INTERNAL "For the scripts")
message(STATUS "StarPU ${STARPU_VERSION} of ${STARPU_LIBDIR}")
