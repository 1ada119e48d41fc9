# For cmake --toolchain: the whole build is compiled for profiling.
# SPDX-License-Identifier: MIT

get_filename_component(_cilkprof_bin "${CMAKE_CURRENT_LIST_DIR}/../../../bin" ABSOLUTE)
set(CMAKE_C_COMPILER "${_cilkprof_bin}/cilkprof-cc")
set(CMAKE_CXX_COMPILER "${_cilkprof_bin}/cilkprof-c++")
set(CMAKE_Fortran_COMPILER "${_cilkprof_bin}/cilkprof-fortran")
