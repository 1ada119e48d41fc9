#!/bin/sh
# The examples of cilkprof-profile(7) and cilkprof(7) with counted instructions print what the pages show.
# SPDX-License-Identifier: MIT
. "$TOP/test/man/lib.sh"

# runs PAGE NAME: its commands print what it shows, as far as words go.
runs() {
  listing "$1" "$2" >shown
  sed -n 's/^\$ //p' shown >commands
  sed '/^\$ /d' shown | words >wanted
  bash -e ./commands >output 2>errors </dev/null || echo "status $?" >>errors
  same "$1, $2: the commands run" /dev/null errors
  words <output >got
  same "$1, $2: what they print" wanted got
}
for page in cilkprof-profile.7:stencil.c cilkprof.7:tree.c cilkprof.7:driver.c cilkprof.7:waves.c; do
  listing "${page%:*}" "${page#*:}" >"${page#*:}"
done
runs cilkprof-profile.7 'example 4'
runs cilkprof-profile.7 'example 5'
runs cilkprof-profile.7 'example 6'
listing cilkprof-profile.7 'example 6' | awk '/^ *[1-8] / { print $1, $8, $9, $10 }' >wanted
awk '/^ *[1-8] / { print $1, $8, $9, $10 }' output >got
same 'cilkprof-profile.7: the speedups of the trials' wanted got
listing cilkprof-profile.7 'example 7' | sed -n 's/^\$ //p' >commands
[ "$(nproc)" -gt 1 ] || sed -i 's/ --copies//' commands # there is no room for them
holds 'cilkprof-profile.7, example 7: the commands run' bash -e ./commands
listing cilkprof-profile.7 qsort.c >qsort.c
listing cilkprof-profile.7 'example what-if' | sed -n 's/^\$ //p' >commands
sh -e ./commands >output 2>&1
holds 'cilkprof-profile.7, what if: both candidates are answered' sh -c 'grep -q partition output && grep -q qsort.c:26 output'
for page in "$TOP"/man/*.[1-8]; do
  awk -v page="${page##*/}" '/^\.\\" begin/ { on = 1 } /^\.\\" end/ { on = 0 } /^\$ / && !on { print page ": " $0 }' "$page"
done >unmarked
same 'every command of a page is in an example that is run' /dev/null unmarked

# cilkprof(1): a Cilk program, and one of OpenMP; its span does not change in count mode.
cat >prog.c <<'EOC'
#include <stdio.h>
#ifndef _OPENMP
#include <cilk/cilk.h>
#endif
static double a[3000];
static double __attribute__((noinline)) row(int i) {
  double sum = 0;
  for (int j = 1; j < 1000; j++)
    sum += 1.0 / (i + j);
  return sum;
}
int main(void) {
#ifdef _OPENMP
#pragma omp parallel for
  for (int i = 0; i < 3000; i++)
#else
  cilk_for (int i = 0; i < 3000; i++)
#endif
    a[i] = row(i);
  printf("%d\n", a[7] > 0);
  return 0;
}
EOC
for number in 1 2 3; do
  listing cilkprof.1 "example $number" | sed -n 's/^\$ //p' >commands
  holds "cilkprof.1, example $number" bash -e ./commands
done
"$BUILD_DIR/lib/cilkprof/bin/cc" -O2 -g -fcilkplus -fcilkprof=count prog.c -o prog
CILKPROF_OUT=release.out ./prog >output
listing cilkprof.1 'example 4' | sed -n 's/^\$ //p' >commands
holds 'cilkprof.1, example 4' bash -e ./commands
listing cilkprof.7 triangle.c >triangle.c
runs cilkprof.7 'example static'
runs cilkprof.7 'example dynamic'
runs cilkprof.7 'example 1'
listing cilkprof.7 'example 1' | sed '/^\$ /d' >wanted
same 'cilkprof.7: the numbers of invocations' wanted output
runs cilkprof.7 'example 2'
listing cilkprof.7 'example 3' | sed -n 's/^\$ //p' >commands
bash -e ./commands >output 2>&1 </dev/null
holds 'cilkprof.7, example 3: the reader is to blame' grep -q ' smaller pieces  *read_input$' output
holds 'cilkprof.7, example 3: and not the solver' sh -c '! grep " smaller pieces  *solve\$" output'
finish
