#!/bin/sh
# The examples of cilkprof(1) and cilkprof(7) with counted instructions print what the pages show.
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
for page in cilkprof.1:stencil.c cilkprof.7:tree.c cilkprof.7:driver.c cilkprof.7:waves.c; do
  listing "${page%:*}" "${page#*:}" >"${page#*:}"
done
runs cilkprof.1 'example 4'
runs cilkprof.1 'example 5'
runs cilkprof.1 'example 6'
listing cilkprof.1 'example 6' | awk '/^ *[1-8] / { print $1, $8, $9, $10 }' >wanted
awk '/^ *[1-8] / { print $1, $8, $9, $10 }' output >got
same 'cilkprof.1: the speedups of the trials' wanted got
listing cilkprof.1 'example 7' | sed -n 's/^\$ //p' >commands
[ "$(nproc)" -gt 1 ] || sed -i 's/ --copies//' commands # there is no room for them
holds 'cilkprof.1, example 7: the commands run' bash -e ./commands
listing cilkprof.1 qsort.c >qsort.c
listing cilkprof.1 'example what-if' | sed -n 's/^\$ //p' >commands
sh -e ./commands >output 2>&1
holds 'cilkprof.1, what if: both candidates are answered' sh -c 'grep -q partition output && grep -q qsort.c:26 output'
for page in "$TOP"/man/*.[1-8]; do
  awk -v page="${page##*/}" '/^\.\\" begin/ { on = 1 } /^\.\\" end/ { on = 0 } /^\$ / && !on { print page ": " $0 }' "$page"
done >unmarked
same 'every command of a page is in an example that is run' /dev/null unmarked
runs cilkprof.7 'example 1'
listing cilkprof.7 'example 1' | sed '/^\$ /d' >wanted
same 'cilkprof.7: the numbers of invocations' wanted output
runs cilkprof.7 'example 2'
listing cilkprof.7 'example 3' | sed -n 's/^\$ //p' >commands
bash -e ./commands >output 2>&1 </dev/null
holds 'cilkprof.7, example 3: the reader is to blame' grep -q ' refine  *read_input$' output
holds 'cilkprof.7, example 3: and not the solver' sh -c '! grep " refine  *solve\$" output'
finish
