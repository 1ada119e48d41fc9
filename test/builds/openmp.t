#!/bin/sh
# OpenMP as build systems give it: find_package(OpenMP) of cmake, which links libgomp and not -fopenmp, dependency('openmp')
# of meson, AC_OPENMP of autoconf; in a static library, a shared one and a program.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/builds/attempt.sh"

mkdir project
cat >project/squares.c <<'EOC'
void squares(int *a, int n);
void squares(int *a, int n) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; i++) a[i] = i * i;
}
EOC
cat >project/total.c <<'EOC'
int total(const int *a, int n);
int total(const int *a, int n) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; i++) sum += a[i];
  return sum;
}
EOC
cat >project/main.cc <<'EOC'
#include <cstdio>
#include <omp.h>
#include <vector>
extern "C" void squares(int *a, int n);
extern "C" int total(const int *a, int n);
int main() {
  std::vector<int> a(100);
  squares(a.data(), 100);
#pragma omp parallel for
  for (int i = 0; i < 100; i++) a[i]++;
  std::printf("%d\n", total(a.data(), 100) + (omp_get_max_threads() < 1));
}
EOC
cat >project/CMakeLists.txt <<'EOC'
cmake_minimum_required(VERSION 3.16)
project(squares C CXX)
find_package(OpenMP REQUIRED)
add_library(squares STATIC squares.c)
target_link_libraries(squares OpenMP::OpenMP_C)
add_library(total SHARED total.c)
target_link_libraries(total OpenMP::OpenMP_C)
add_executable(program main.cc)
target_link_libraries(program squares total OpenMP::OpenMP_CXX)
EOC
cat >project/meson.build <<'EOC'
project('squares', 'c', 'cpp')
openmp = dependency('openmp')
squares = static_library('squares', 'squares.c', dependencies: openmp)
total = shared_library('total', 'total.c', dependencies: openmp)
executable('program', 'main.cc', link_with: [squares, total], dependencies: openmp)
EOC
cat >project/configure.ac <<'EOC'
AC_INIT([squares], [1.0])
AM_INIT_AUTOMAKE([foreign])
AC_PROG_CC
AC_PROG_CXX
AC_PROG_RANLIB
AM_PROG_AR
AC_OPENMP
AC_LANG_PUSH([C++])
AC_OPENMP
AC_LANG_POP([C++])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
EOC
cat >project/Makefile.am <<'EOC'
noinst_LIBRARIES = libsquares.a
libsquares_a_SOURCES = squares.c total.c
libsquares_a_CFLAGS = $(OPENMP_CFLAGS)
bin_PROGRAMS = program
program_SOURCES = main.cc
program_CXXFLAGS = $(OPENMP_CXXFLAGS)
program_LDADD = libsquares.a
EOC

# Programs that a configuration runs leave profiles too.
export CILKPROF_OUT="$PWD/any.prof"
unset CC CXX

# measured NAME PROGRAM: it computes the sum, and its profile has the three loops.
measured() {
  rm -f any.prof
  equal "$1: what it computes" 328450 "$("$2" 2>&1)"
  cilkprof-report --csv "$2" any.prof 2>&1 | tr -d '"\r' | awk -F, '$4 == "loop" { print $5, $15 }' | sort >got
  printf '%s\n' 'main 1' 'squares 1' 'total 1' >wanted
  same "$1: its loops" wanted got
}

if [ -n "$LONG" ]; then
  attempt 'cmake' env CC=cilkprof-cc CXX=cilkprof-c++ cmake -G Ninja -S project -B cmake -DCMAKE_BUILD_TYPE=Release
  attempt 'cmake: it is built' ninja -v -C cmake
  measured 'cmake' cmake/program
fi
attempt 'cmake through the folder' cmake -G Ninja -S project -B cmake-folder -DCMAKE_C_FLAGS=-fcilkprof -DCMAKE_CXX_FLAGS=-fcilkprof
attempt 'cmake through the folder: it is built' ninja -v -C cmake-folder
measured 'cmake through the folder' cmake-folder/program
attempt 'meson' env CC=cilkprof-cc CXX=cilkprof-c++ meson setup meson project --buildtype=release
attempt 'meson: it is built' ninja -v -C meson
measured 'meson' meson/program
attempt 'autoreconf' sh -c 'cd project && autoreconf -i'
attempt 'autoconf' sh -c 'mkdir autoconf && cd autoconf && ../project/configure CC=cilkprof-cc CXX=cilkprof-c++'
attempt 'autoconf: it is built' make -C autoconf
measured 'autoconf' autoconf/program
finish
