#!/bin/sh
# The ways of five people, with the commands of README.md and no others, at most four each: Cilk, OpenMP by CMake, serial
# code, a user of gprof, and a build in CI.
# SPDX-License-Identifier: MIT
. "$TOP/test/command/lib.sh"
PKG_CONFIG_PATH=$BUILD_DIR/lib/pkgconfig
export PKG_CONFIG_PATH

# way NAME: runs the commands that README.md has for it; out and errors have what they print, one after another.
way() {
  awk -v begin="<!-- way $1 -->" '$0 == begin { on = 1 } on && sub(/^\$ /, "") { print } on && $0 == "```" && ++fences == 2 { exit }' \
    "$TOP/README.md" >"$1.commands"
  commands=$(grep -c . "$1.commands")
  holds "$1: one to four commands" test "$commands" -ge 1 -a "$commands" -le 4
  : >out
  : >errors
  while read -r line; do
    if sh -c "$line" >said 2>complaints </dev/null; then pass "$1: $line"; else fail "$1: $line" complaints; fi
    cat said >>out
    cat complaints >>errors
  done <"$1.commands"
}

cp sum.c prog.c
way Cilk
shows 'Cilk: a verdict' '^Verdict for [0-9]* processor'
shows 'Cilk: the speedups to expect' '^  speedup from '
shows 'Cilk: call sites' 'sum -> sum'
shows 'Cilk: measured beside predicted' '^processors .* lower    upper'
shows 'Cilk: what to type next' '^cilkprof: next: cilkprof waste ./fast$' errors

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
  way OpenMP
  shows 'OpenMP: a verdict' '^Verdict for'
  shows 'OpenMP: what its parallel run wasted' '^What the parallel run wasted'
  cd .. || exit 1
fi

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
way serial
shows 'serial code: schedules' '^  dynamic'
shows 'serial code: the best of them' 'Prediction: [0-9.]*x on [0-9]* processors with '
cilkprof ./serial >out 2>errors
shows 'serial code: the same without the word' '^  dynamic'

way gprof
shows 'gprof: the verdict' '^Verdict for'
shows 'gprof: work, span and bounds' '^ *Parallelism profile'
shows 'gprof: the flat profile' '^ time .* calls'
shows 'gprof: the call graph' '^index % time'
shows 'gprof: the source' 'cilk_spawn sum'

cp cilkprof.out old.out
way CI
shows 'CI: what to type next' '^cilkprof: next: cilkprof report$' errors
shows 'CI: JSON' '"burdened_span"' profile.json
shows 'CI: a difference' '^Difference from old.out to cilkprof.out'
cilkprof gate 'parallelism >= 1000000' >out 2>errors
if [ $? = 3 ]; then pass 'CI: a broken rule has status 3'; else fail 'CI: a broken rule has status 3' errors; fi
finish
