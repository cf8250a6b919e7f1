# Programs: examples/*.c against the shared library, as a user's; perfmodels/tools/*.c and tests/bench/*.c against the
# static one, since they look inside. Parts of a program lie in a folder of its name. A line "links: glib-2.0 starpu" in a
# source names what else it is linked to.

file(GLOB example_sources CONFIGURE_DEPENDS examples/*.c)
file(GLOB tool_sources CONFIGURE_DEPENDS perfmodels/tools/*.c)
file(GLOB bench_sources CONFIGURE_DEPENDS tests/bench/*.c)

pkg_check_modules(GLIB REQUIRED IMPORTED_TARGET glib-2.0)
set(links_glib-2.0 PkgConfig::GLIB)
set(links_starpu PkgConfig::STARPU)

# starray_program(SOURCE FOLDER LIBRARY...)
function(starray_program source folder)
    get_filename_component(stem ${source} NAME_WE)
    get_filename_component(place ${source} DIRECTORY)
    set(target ${folder}_${stem})
    file(GLOB parts CONFIGURE_DEPENDS ${place}/${stem}/*.c)
    add_executable(${target} ${source} ${parts})
    file(STRINGS ${source} line REGEX "links:" LIMIT_COUNT 1)
    string(REGEX REPLACE ".*links:" "" line "${line}")
    foreach(name glib-2.0 starpu)
        if(line MATCHES "(^| )${name}( |$)")
            target_link_libraries(${target} PRIVATE ${links_${name}})
        endif()
    endforeach()
    set_target_properties(${target} PROPERTIES OUTPUT_NAME ${stem} LINKER_LANGUAGE C
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/${folder})
    target_link_libraries(${target} PRIVATE ${ARGN})
endfunction()

# What a user's program needs: our warnings and sanitizers, not our include folders.
add_library(starray_user INTERFACE)
target_compile_options(starray_user INTERFACE -g -Wall -Wextra -Wpedantic $<$<BOOL:${STARRAY_WERROR}>:-Werror>)
if(STARRAY_SANITIZE)
    target_compile_options(starray_user INTERFACE -fsanitize=${STARRAY_SANITIZE})
    target_link_options(starray_user INTERFACE -fsanitize=${STARRAY_SANITIZE})
endif()

foreach(source IN LISTS tool_sources)
    starray_program(${source} tools starray_static)
    get_filename_component(stem ${source} NAME_WE)
    install(TARGETS tools_${stem} RUNTIME)
endforeach()
if(STARRAY_TESTS)
    foreach(source IN LISTS example_sources)
        starray_program(${source} examples starray starray_user m)
    endforeach()
    foreach(source IN LISTS bench_sources)
        starray_program(${source} bench starray_static)
    endforeach()
endif()
