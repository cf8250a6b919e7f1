# Installed: libraries, headers, tables of the headers, pkg-config and find_package files.

install(TARGETS starray EXPORT starrayTargets LIBRARY)
install(TARGETS starray_static ARCHIVE)
install(PROGRAMS scripts/starray-run TYPE BIN)
install(DIRECTORY include/starray TYPE INCLUDE FILES_MATCHING PATTERN "*.h" PATTERN "*.def")

# Programs that link the static library need what it links. StarPU may lie where pkg-config does not look, so flags
# stand here, not names of packages.
set(STARRAY_PC_LIBRARIES)
foreach(package STARPUMPI STARPU LIBRARIES BLAS DW)
    list(APPEND STARRAY_PC_LIBRARIES ${${package}_LDFLAGS})
endforeach()
list(REMOVE_DUPLICATES STARRAY_PC_LIBRARIES)
list(JOIN STARRAY_PC_LIBRARIES " " STARRAY_PC_LIBRARIES)
file(RELATIVE_PATH STARRAY_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
string(REGEX REPLACE "/$" "" STARRAY_PC_PREFIX "${STARRAY_PC_PREFIX}")
configure_file(cmake/starray.pc.in starray.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/starray.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

set(package ${CMAKE_INSTALL_LIBDIR}/cmake/starray)
install(EXPORT starrayTargets NAMESPACE starray:: DESTINATION ${package})
configure_package_config_file(cmake/starrayConfig.cmake.in starrayConfig.cmake INSTALL_DESTINATION ${package})
write_basic_package_version_file(starrayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/starrayConfig.cmake ${PROJECT_BINARY_DIR}/starrayConfigVersion.cmake
    DESTINATION ${package})

file(GLOB pages CONFIGURE_DEPENDS docs/man/*.1)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(DIRECTORY perfmodels/machines DESTINATION ${CMAKE_INSTALL_DATADIR}/starray FILES_MATCHING PATTERN "*.ini")
