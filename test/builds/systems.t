#!/bin/sh
# Projects of autoconf with libtool, cmake and meson: configured and built with the compilers named, cmake through the folder
# of the usual names; with LONG all in both ways.  A library of C, a program of C++ that spawns from it, the projects' own
# tests.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/builds/attempt.sh"

mkdir project
cat >project/tree.h <<'EOC'
#include <cilk/cilk.h>
#ifdef __cplusplus
extern "C"
#endif
int tree(int n);
EOC
cat >project/tree.c <<'EOC'
#include "tree.h"
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
int tree(int n) {
  if (n < 2)
    return n;
  int a = cilk_spawn tree(n - 1);
  int b = tree(n - 2);
  cilk_sync;
  return a + b;
}
EOC
cat >project/main.cc <<'EOC'
#include "tree.h"
#include <iostream>
#include <vector>
int main() {
  std::vector<int> part(8);
  cilk_for (int i = 0; i < 8; i++)
    part[i] = tree(i);
  std::cout << part[7] << '\n';
  return part[7] != 13;
}
EOC
cat >project/common.h <<'EOC'
#include "tree.h"
#include <vector>
EOC

cat >project/configure.ac <<'EOC'
AC_INIT([tree], [1.0])
AM_INIT_AUTOMAKE([foreign subdir-objects])
AC_CONFIG_HEADERS([config.h])
AC_PROG_CC
AC_PROG_CXX
AM_PROG_AR
LT_INIT
AC_CHECK_FUNCS([getline no_such_function strlcpy])
AC_CHECK_HEADERS([unistd.h no_such_header.h])
AC_CHECK_SIZEOF([long])
AC_CHECK_LIB([m], [sqrt])
AC_C_BIGENDIAN
AC_FUNC_MALLOC
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
EOC
cat >project/Makefile.am <<'EOC'
lib_LTLIBRARIES = libtree.la
libtree_la_SOURCES = tree.c tree.h
bin_PROGRAMS = program
program_SOURCES = main.cc
program_LDADD = libtree.la
TESTS = program
EOC
cat >project/CMakeLists.txt <<'EOC'
cmake_minimum_required(VERSION 3.16)
project(tree C CXX)
include(CheckFunctionExists)
include(CheckTypeSize)
check_function_exists(getline HAVE_GETLINE)
check_function_exists(no_such_function HAVE_NO_SUCH_FUNCTION)
check_type_size(long SIZEOF_LONG)
if(NOT HAVE_GETLINE OR HAVE_NO_SUCH_FUNCTION OR NOT SIZEOF_LONG EQUAL 8)
  message(FATAL_ERROR "the checks went wrong")
endif()
add_library(tree SHARED tree.c)
add_executable(program main.cc)
target_precompile_headers(program PRIVATE common.h)
target_link_libraries(program tree)
enable_testing()
add_test(NAME program COMMAND program)
EOC
cat >project/meson.build <<'EOC'
project('tree', 'c', 'cpp')
cc = meson.get_compiler('c')
assert(cc.has_function('getline') and not cc.has_function('no_such_function') and cc.sizeof('long') == 8)
library = shared_library('tree', 'tree.c')
program = executable('program', 'main.cc', link_with: library, cpp_pch: 'pch/common.h')
test('program', program)
EOC
mkdir project/pch
sed 's|"tree.h"|"../tree.h"|' project/common.h >project/pch/common.h

# Files that the build runs leave profiles: here they shall not be in the way.
export CILKPROF_OUT="$PWD/any.prof"
# The usual names are those of the folder.
plain="CC=/usr/bin/${CC##*/} CXX=/usr/bin/${CXX##*/}"
unset CC CXX

# measured NAME PROGRAM [FILE]: the program's profile has the spawns of the library and the loop.  Libtool's program is
# a script that runs a file.
measured() {
  rm -f any.prof
  "$2" >/dev/null 2>&1
  cilkprof-report --csv "${3-$2}" any.prof 2>&1 | tr -d '"\r' | awk -F, '$4 == "spawn" || $4 == "loop" { print $4, $5, $15 }' >got
  printf '%s\n' 'loop main 1' 'spawn tree 46' >wanted
  sort -o got got
  same "$1" wanted got
}

configured() { # FOLDER [VARIABLE...]
  folder=$1
  shift
  mkdir "$folder" && (cd "$folder" && ../project/configure --disable-static --disable-dependency-tracking "$@")
}
attempt 'autoreconf' sh -c 'cd project && autoreconf -i'
# What it finds without is known; with LONG, what the system's compilers find is compared in whole.
# shellcheck disable=SC2086 # two words
[ -z "$LONG" ] || attempt 'configure' configured autoconf-plain $plain
attempt 'configure CC=cilkprof-cc CXX=cilkprof-c++' configured autoconf CC=cilkprof-cc CXX=cilkprof-c++
if [ -n "$LONG" ]; then
  same 'it finds what it finds without' autoconf-plain/config.h autoconf/config.h
else
  sed -n 's/^#define \(HAVE_\(GETLINE\|LIBM\|MALLOC\|NO_SUCH.*\|UNISTD_H\)\|SIZEOF_LONG\) \(.*\)/\1 \3/p' autoconf/config.h |
    sort >got
  printf '%s\n' 'HAVE_GETLINE 1' 'HAVE_LIBM 1' 'HAVE_MALLOC 1' 'HAVE_UNISTD_H 1' 'SIZEOF_LONG 8' >wanted
  same 'it finds what is there, and nothing else' wanted got
fi
attempt 'make check' make -C autoconf check
measured 'a libtool library and a program' autoconf/program autoconf/.libs/program
if [ -n "$LONG" ]; then
  attempt 'configure CFLAGS=-fcilkplus\ -fcilkprof' configured autoconf-folder CFLAGS='-O2 -fcilkplus -fcilkprof' CXXFLAGS='-O2 -fcilkplus -fcilkprof'
  same 'it finds what it finds without' autoconf-plain/config.h autoconf-folder/config.h
  attempt 'make check through the folder' make -C autoconf-folder check
  measured 'a libtool library and a program, through the folder' autoconf-folder/program autoconf-folder/.libs/program
fi

if [ -n "$LONG" ]; then
  attempt 'cmake' env CC=cilkprof-cc CXX=cilkprof-c++ cmake -G Ninja -S project -B cmake -DCMAKE_BUILD_TYPE=Release
  attempt 'ninja' sh -c 'cmake --build cmake -v && cd cmake && ctest'
  measured 'a shared library, a program and a precompiled header of cmake' cmake/program
fi
attempt 'cmake through the folder' cmake -G Ninja -S project -B cmake-folder \
  -DCMAKE_C_FLAGS='-fcilkplus -fcilkprof' -DCMAKE_CXX_FLAGS='-fcilkplus -fcilkprof' -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON
attempt 'ninja through the folder, with -flto' sh -c 'cmake --build cmake-folder -v && cd cmake-folder && ctest'
measured 'a shared library and a program of cmake, through the folder' cmake-folder/program

attempt 'meson' env CC=cilkprof-cc CXX=cilkprof-c++ meson setup meson project --buildtype=release
attempt 'meson test' sh -c 'ninja -v -C meson && meson test -C meson'
measured 'a shared library, a program and a precompiled header of meson' meson/program
if [ -n "$LONG" ]; then
  attempt 'meson through the folder' env CFLAGS='-fcilkplus -fcilkprof' CXXFLAGS='-fcilkplus -fcilkprof' \
    meson setup meson-folder project --buildtype=debugoptimized
  attempt 'meson test through the folder' sh -c 'ninja -v -C meson-folder && meson test -C meson-folder'
  measured 'a shared library and a program of meson, through the folder' meson-folder/program
fi
finish
