#!/bin/sh
# A gmon.out that gprof reads: the same calls, and what functions did themselves as its time.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/report/lib.sh"

build tree
# flat [FILE]: name, percentage, self, calls of gprof's flat profile.
flat() {
  gprof -b -p "$@" 2>errors | awk '/^ *[0-9]/ { print $NF, $1, $3, (NF > 4 ? $4 : "-") }'
}
"$report" --format=gmon -o gmon.out tree tree.out
flat tree gmon.out >got
cat >wanted <<'END'
leaf 55.00 0.55 35
build 30.00 0.30 1
main 14.50 0.14 -
tiny 0.50 0.01 1
END
same 'work and calls' wanted got
holds 'gprof finds nothing wrong' test ! -s errors
gprof -b -p tree gmon.out >got
holds 'in thousands of instructions' grep -q 'kinstr' got
"$report" --format=gmon --metric=span -o gmon.out tree tree.out
flat tree gmon.out | cut -d' ' -f1,2 >got
cat >wanted <<'END'
leaf 37.97
main 36.71
build 25.32
tiny 0.00
END
same '--metric=span: the span' wanted got
gprof -b -q tree gmon.out >got
holds 'arcs: recursion' grep -q '1+6 *build \[' got
holds 'arcs: two callers' sh -c 'grep -q "5/35 *leaf" got && grep -q "30/35 *leaf" got'

# More calls than 32 bits hold, and more samples than 16 bits.
sed 's/^on_work 30 300 300 300  10 100 100 100  30 /on_work 6000000000 300 300 300  10 100 100 100  6000000000 /; /^context/d' \
  tree.txt >many.txt
build many
"$report" --format=gmon -o gmon.out many many.out
flat many gmon.out | awk '$1 == "leaf" { print $4 }' >got
holds '6,000,000,005 calls' grep -qx 6000000005 got

# Times, and loops as part of their functions.
build quicksort
"$report" --format=gmon -o gmon.out quicksort quicksort.out 2>errors
holds 'functions that the program does not have are left out, with a line' grep -q 'functions of shared libraries are left out' errors
cat >loop.c <<'END'
#include <cilk/cilk.h>
__attribute__((noinline)) int leaf(int n) { volatile int x = n; return x; }
__attribute__((noinline)) void loops(int n) { cilk_for (int i = 0; i < n; i++) cilk_for (int j = 0; j < n; j++) leaf(j); }
int main(void) { loops(10); cilk_spawn leaf(1); cilk_sync; return leaf(0); }
END
PATH=$BUILD_DIR/lib/cilkprof/bin:$PATH
for mode in count clock; do
  cc -fcilkplus -O1 -fcilkprof=$mode loop.c -o loop && CILKPROF_OUT=loop.out ./loop || give_up 'loop.c'
  "$report" --format=gmon -o gmon.out loop loop.out 2>errors
  holds "$mode: a real program: nothing is said" test ! -s errors
  flat loop gmon.out | cut -d' ' -f1,4 | sort | grep -v '^main ' >got # main has a line if it took any time
  printf 'leaf 102\nloops 1\n' >wanted
  same "$mode: calls from a loop are those of its function" wanted got
  gprof -b -q loop gmon.out >got
  holds "$mode: and so are its arcs" grep -q '100/102 *leaf' got
done
gprof -b -p loop gmon.out >got
holds 'times are seconds' grep -q '^Each sample counts as .* seconds' got
"$report" --format=csv loop loop.out | tr -d '"\r' | awk -F, 'NR > 1 { sum[$6 ~ /cilk_for/ ? "loops" : $6] += $16; all += $16 } END { printf "%.2f\n", 100 * sum["loops"] / all }' >wanted
flat loop gmon.out | awk '$1 == "loops" { print $2 }' >got
awk 'NR == FNR { wanted = $1; next } { exit !($1 - wanted < 0.02 && wanted - $1 < 0.02) }' wanted got
holds 'in the right proportion' test $? = 0

finish
