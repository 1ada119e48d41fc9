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

# The workflows of cilkprof(1): what a runner would run, of a program with too little parallelism for the gate, and of one
# with enough.
# workflow NAME: runs its commands as a runner does, the gate last, and leaves what it prints in printed, and its status.
workflow() {
  listing cilkprof.1 "$1" >"$1.yml"
  sed -n 's/^ *- run: //p; /^  script:$/,/^  [a-z]*:/s/^    - //p' "$1.yml" >commands
  printf '%s\n' "$2" >prog.c
  rm -f cilkprof.sarif cilkprof.md summary
  status=0
  while read -r line; do
    GITHUB_STEP_SUMMARY=summary bash -e -c "$line" >printed 2>errors </dev/null || { status=$?; failed=$line; }
  done <commands
}
head='#include <cilk/cilk.h>
static double a[2000];
static double __attribute__((noinline)) row(int i) { double s = 0; for (int j = 1; j < 1000; j++) s += 1.0 / (i + j); return s; }'
ample="$head
int main(void) { cilk_for (int i = 0; i < 2000; i++) a[i] = row(i); return a[7] < 0; }"
serial="$head
int main(void) { for (int i = 0; i < 2000; i++) a[i] = row(i); cilk_spawn row(1); cilk_sync; return a[7] < 0; }"
for host in github gitlab; do
  workflow $host "$ample"
  equal "cilkprof(1), $host: there are commands" 1 "$(grep -c '^cilkprof gate ' commands)"
  equal "cilkprof(1), $host: enough parallelism passes" 0 $status
  workflow $host "$serial"
  equal "cilkprof(1), $host: a broken rule fails" 3 $status
  holds "cilkprof(1), $host: and only the gate" sh -c 'case $1 in "cilkprof gate "*) ;; *) exit 1 ;; esac' - "$failed"
done
holds 'cilkprof(1), gitlab: the page' grep -q '^## Verdict' cilkprof.md
workflow github "$serial"
holds 'cilkprof(1), github: an annotation at a line' grep -q '^::error file=prog.c,line=[0-9]*,title=cilkprof%3A parallelism >= 10::' printed
holds 'cilkprof(1), github: the summary' grep -q '^## Verdict' summary
holds 'cilkprof(1), github: the file that is uploaded' grep -q '"version":"2.1.0"' cilkprof.sarif
if python3 -c 'import yaml' 2>/dev/null; then
  for host in github gitlab; do
    holds "cilkprof(1), $host: it is YAML" python3 -c 'import sys, yaml; yaml.safe_load(open(sys.argv[1]))["'"$([ $host = github ] && echo jobs || echo scalability)"'"]' $host.yml
  done
fi

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
