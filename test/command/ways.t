#!/bin/sh
# The ways of five people, as the README has them, in at most four commands each: Cilk, OpenMP by CMake, serial code, a user
# of gprof, and a build in CI.
# SPDX-License-Identifier: MIT
. "$TOP/test/command/lib.sh"
PKG_CONFIG_PATH=$BUILD_DIR/lib/pkgconfig
export PKG_CONFIG_PATH

# Cilk.
cp sum.c prog.c
type_line Cilk 'cilkprof cc -O2 -g prog.c -o prog'
type_line Cilk 'cilkprof ./prog'
shows 'Cilk: a verdict' '^Verdict for [0-9]* processor'
shows 'Cilk: a speedup' '^  speedup from '
shows 'Cilk: call sites' 'sum -> sum'
type_line Cilk 'cilkprof cc --parallel -O2 -g prog.c -o fast'
type_line Cilk 'cilkprof scale --runs=1 ./fast'
shows 'Cilk: measured beside predicted' '^processors .* lower    upper'
shows 'Cilk: what to type next' '^cilkprof: next: cilkprof waste ./fast$' errors

# OpenMP, built by CMake.
if command -v cmake >/dev/null; then
  mkdir openmp
  cp loop.c openmp/prog.c
  cat >openmp/CMakeLists.txt <<'EOC'
cmake_minimum_required(VERSION 3.10)
project(prog C)
find_package(OpenMP REQUIRED)
add_executable(prog prog.c)
target_link_libraries(prog OpenMP::OpenMP_C)
EOC
  cd openmp || exit 1
  type_line OpenMP 'cmake -B profiled -DCMAKE_C_COMPILER=cilkprof-cc && cmake --build profiled'
  type_line OpenMP 'cilkprof profiled/prog'
  shows 'OpenMP: a verdict' '^Verdict for'
  type_line OpenMP 'cmake -B plain && cmake --build plain'
  type_line OpenMP 'cilkprof waste -j 2 plain/prog'
  shows 'OpenMP: what its parallel run wasted' '^What the parallel run wasted'
  cd .. || exit 1
fi

# Serial code, annotated.
cat >serial.c <<'EOC'
#include <cilkprof-annotate.h>
#include <stdio.h>
static volatile double sink;
int main(void) {
  PAR_SEC_BEGIN("rows");
  for (int i = 0; i < 40; i++) {
    PAR_TASK_BEGIN("row");
    double x = 1;
    for (int j = 0; j < 100000; j++)
      x = x * 1.0000001 + j;
    sink = x;
    PAR_TASK_END();
  }
  PAR_SEC_END(0);
  puts("1");
  return 0;
}
EOC
rm -f cilkprof.out
type_line 'serial code' 'cc -O2 -g serial.c $(pkg-config --cflags --libs cilkprof-annotate) -o serial'
type_line 'serial code' 'cilkprof predict ./serial'
shows 'serial code: schedules' 'dynamic'
type_line 'serial code' 'cilkprof ./serial'
shows 'serial code: the same without the word' 'dynamic'

# A user of gprof: the same letters.
type_line gprof 'cilkprof cc -O2 -g prog.c -o prog && ./prog'
type_line gprof 'cilkprof report -b -p prog cilkprof.out'
shows 'gprof: the flat profile' '^ time .* calls'
type_line gprof 'cilkprof report -b -q prog'
shows 'gprof: the call graph' '^index % time'
type_line gprof 'cilkprof annotate sum'
shows 'gprof: the source' 'cilk_spawn sum'

# CI.
cp cilkprof.out old.out
type_line CI 'cilkprof run ./prog'
shows 'CI: what to type next' '^cilkprof: next: cilkprof report$' errors
type_line CI "cilkprof gate 'parallelism >= 1.5' 'span <= reference+900%' --reference=old.out"
type_line CI 'cilkprof export json -o profile.json && cilkprof diff old.out cilkprof.out'
shows 'CI: JSON' '"burdened_span"' profile.json
cilkprof gate 'parallelism >= 1000000' >out 2>errors
if [ $? = 3 ]; then pass 'CI: a broken rule has status 3'; else fail 'CI: a broken rule has status 3' errors; fi
finish
