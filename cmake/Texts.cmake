# Headers as text inside the library: programs compiled at run time need them where there is no source tree.
#   starray_texts(VARIABLE header...)   adds to VARIABLE a source made by the build, with sta__text_<stem> for each header
# Run as a script (-P) it makes that source.

if(CMAKE_SCRIPT_MODE_FILE)
    set(source "/* Made by cmake/Texts.cmake. */\n#include \"elementwise/texts.h\"\n")
    string(REPLACE "," ";" HEADERS "${HEADERS}")
    foreach(header IN LISTS HEADERS)
        get_filename_component(stem ${header} NAME_WE)
        file(READ ${header} bytes HEX)
        string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
        string(REGEX REPLACE "(0a,)" "\\1\n" bytes "${bytes}")
        string(APPEND source "\nconst char sta__text_${stem}[] = {\n${bytes}0};\n")
    endforeach()
    file(WRITE ${OUTPUT} "${source}")
    return()
endif()

function(starray_texts variable)
    set(output ${PROJECT_BINARY_DIR}/texts.c)
    list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE headers)
    list(JOIN headers "," list)
    add_custom_command(OUTPUT ${output}
        COMMAND ${CMAKE_COMMAND} "-DHEADERS=${list}" -DOUTPUT=${output} -P ${PROJECT_SOURCE_DIR}/cmake/Texts.cmake
        DEPENDS ${headers} ${PROJECT_SOURCE_DIR}/cmake/Texts.cmake VERBATIM)
    set(${variable} ${${variable}} ${output} PARENT_SCOPE)
endfunction()
