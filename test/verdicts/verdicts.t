#!/bin/sh
# Planted faults whose verdicts are right, in count mode: nothing depends on time.  make verdicts judges all of them.
# SPDX-License-Identifier: MIT
. "$TOP/test/tap.sh"
. "$TOP/test/verdicts/lib.sh"

list_cases >cases

# Their names, as in programs/; more can be added when they are right.
names='
bfs-gather-call
blur-columns
cache-write
cg-dot-omp
channels-single
gametree-moves
histogram-main
kmeans-generate
kmeans-generate-call
lu-check-static
montecarlo-none
nqueens-grain
particles-walls
particles-walls-omp
particles-one
prefix-main-cilk
quicksort-partition
saxpy-short-omp
spmv-row-omp
triangle-none-cilk
unequal-sections
'
for name in $names; do
  one=$(grep "^$name | " cases)
  for level in -O2 ${LONG:+-O3}; do
    if build_case "$PWD/$name" "$one" $level -fcilkprof=count >log 2>&1 && run_case "$PWD/$name" >>log 2>&1; then
      judge_case "$PWD/$name" "$one" >log 2>&1
    fi
    if grep -q '^right	' log; then pass "$name $level"; else fail "$name $level" log; fi
  done
done

awk -F ' *[|] *' '{ print $1 }' cases | sort | uniq -d >twice
same 'no two cases have one name' /dev/null twice
holds 'there are at least 50 cases' test "$(grep -c . cases)" -ge 50
finish
