# The sources, found by their place and name; no list to edit.
#   src/ codelets/*/ partition/ perfmodels/ mpi/    all *.c
#   cuda*.c cuda*.cu in one of them                 only with CUDA; no_cuda*.c stands in for them without
#   src/no_dwarf.c                                  stands in for src/dwarf.c without libdw
#   codelets/no_levels.c                            stands in for codelets/levels.c where the processor is no x86-64
#   mpi/none.c                                      stands in for the rest of mpi/ without MPI
#   codelets/*/loops_*.c                            once for each level of the instruction set

file(GLOB STARRAY_SOURCES CONFIGURE_DEPENDS src/*.c codelets/*.c codelets/*/*.c partition/*.c perfmodels/*.c mpi/*.c)
file(GLOB STARRAY_LOOP_SOURCES CONFIGURE_DEPENDS codelets/*/loops_*.c)
list(REMOVE_ITEM STARRAY_SOURCES ${STARRAY_LOOP_SOURCES})

file(GLOB cuda_sources CONFIGURE_DEPENDS src/cuda*.c codelets/cuda*.c codelets/*/cuda*.c partition/cuda*.c
    src/cuda*.cu codelets/cuda*.cu codelets/*/cuda*.cu partition/cuda*.cu)
list(FILTER STARRAY_SOURCES EXCLUDE REGEX "/cuda[^/]*\\.c$")
if(STARRAY_CUDA_FOUND)
    list(APPEND STARRAY_SOURCES ${cuda_sources})
    foreach(source IN LISTS cuda_sources)
        get_filename_component(folder ${source} DIRECTORY)
        list(FILTER STARRAY_SOURCES EXCLUDE REGEX "^${folder}/no_cuda[^/]*\\.c$")
    endforeach()
endif()
if(DW_FOUND)
    list(FILTER STARRAY_SOURCES EXCLUDE REGEX "/no_dwarf\\.c$")
else()
    list(FILTER STARRAY_SOURCES EXCLUDE REGEX "/dwarf\\.c$")
endif()
message(STATUS "libdw: ${DW_FOUND}")
if(STARRAY_MPI_FOUND)
    list(FILTER STARRAY_SOURCES EXCLUDE REGEX "/mpi/none\\.c$")
else()
    list(FILTER STARRAY_SOURCES EXCLUDE REGEX "${PROJECT_SOURCE_DIR}/mpi/")
    if(EXISTS ${PROJECT_SOURCE_DIR}/mpi/none.c)
        list(APPEND STARRAY_SOURCES ${PROJECT_SOURCE_DIR}/mpi/none.c)
    endif()
endif()

set(STARRAY_ISAS)
if(STARRAY_LOOP_SOURCES)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
        set(STARRAY_ISAS v2 v3 v4)
        list(FILTER STARRAY_SOURCES EXCLUDE REGEX "/no_levels\\.c$")
        foreach(isa IN LISTS STARRAY_ISAS)
            set(STARRAY_ISA_FLAGS_${isa} -march=x86-64-${isa})
        endforeach()
        check_c_compiler_flag("-march=x86-64-v4 -mprefer-vector-width=512" STARRAY_HAVE_VECTOR_WIDTH)
        if(STARRAY_HAVE_VECTOR_WIDTH)
            list(APPEND STARRAY_ISA_FLAGS_v4 -mprefer-vector-width=512)
        endif()
    else()
        set(STARRAY_ISAS base)
        list(FILTER STARRAY_SOURCES EXCLUDE REGEX "/levels\\.c$")
        set(STARRAY_ISA_FLAGS_base)
    endif()
endif()

# Where cost tables of known machines are installed.
set_source_files_properties(perfmodels/cost.c PROPERTIES COMPILE_DEFINITIONS
    STA__MACHINES="${CMAKE_INSTALL_FULL_DATADIR}/starray/machines")
