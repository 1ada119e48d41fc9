# find_package(cilkprof): targets that give gcc the options of cilkprof, to compile and to link with.
# SPDX-License-Identifier: MIT
#
# cilkprof::profile profiles a program, cilkprof::parallel runs a Cilk program in parallel.

foreach(_cilkprof_language C CXX Fortran)
  if(DEFINED CMAKE_${_cilkprof_language}_COMPILER_ID AND NOT CMAKE_${_cilkprof_language}_COMPILER_ID STREQUAL "GNU")
    set(cilkprof_FOUND FALSE)
    set(cilkprof_NOT_FOUND_MESSAGE
        "cilkprof needs gcc, but the compiler for ${_cilkprof_language} is ${CMAKE_${_cilkprof_language}_COMPILER}")
    return()
  endif()
endforeach()

get_filename_component(_cilkprof_specs "${CMAKE_CURRENT_LIST_DIR}/../../cilkprof/cilkprof.specs" ABSOLUTE)
foreach(_cilkprof_target "profile -fcilkprof C,CXX,Fortran" "parallel -fcilkprof-language C,CXX")
  separate_arguments(_cilkprof_target)
  list(GET _cilkprof_target 0 _cilkprof_name)
  list(GET _cilkprof_target 1 _cilkprof_option)
  list(GET _cilkprof_target 2 _cilkprof_languages)
  if(NOT TARGET cilkprof::${_cilkprof_name})
    add_library(cilkprof::${_cilkprof_name} INTERFACE IMPORTED)
    set_target_properties(cilkprof::${_cilkprof_name} PROPERTIES
      INTERFACE_COMPILE_OPTIONS "$<$<COMPILE_LANGUAGE:${_cilkprof_languages}>:-specs=${_cilkprof_specs};${_cilkprof_option}>"
      INTERFACE_LINK_OPTIONS "-specs=${_cilkprof_specs};${_cilkprof_option}")
  endif()
endforeach()
