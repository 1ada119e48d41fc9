#!/bin/sh
# Serial loops: the loops of a function that ran long are sites of their own, named by line and inlined function.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >phases.c <<'EOC'
#include <cilk/cilk.h>
static double values[100000];
static volatile double sink;
static void generate(int n) {
  unsigned seed = 1;
  for (int i = 0; i < n; i++) values[i] = seed = seed * 1103515245u + 12345u;
}
static double sum(int n) {
  double all = 0;
  for (int i = 0; i < n; i++) all += values[i];
  return all;
}
__attribute__((noinline)) static void scale(void) {
  cilk_for (int i = 0; i < 100000; i++) values[i] *= 0.5;
}
int main(int argc, char **argv) {
  (void)argv;
  generate(100000);
  scale();
  for (int step = 0; step < 3; step++)
    sink = sum(argc > 1 ? 20 : 50000);
  return 0;
}
EOC

# rows: kind, line, caller, callee and count of the sites in sites.csv.
rows() {
  awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $at["kind"], $at["line"], $at["caller"], $at["callee"], $at["on_work_local_count"] }' sites.csv | sort
}
wanted() {
  sort >wanted
}
wanted <<'EOF'
call 19 main scale 1
entry 16 <spontaneous> main 1
loop 14 scale cilk_for phases.c:14 1
serial 10 main loop phases.c:10 in sum 3
serial 6 main loop phases.c:6 in generate 1
EOF
for options in -O2 '-O2 -g' '-O3 -g' '-O2 -fcilkprof-inline' '-O2 -flto'; do
  # shellcheck disable=SC2086 # several options
  compile $options -fcilkprof=count phases.c -o phases
  profile phases
  rows >got
  same "$options: two loops of inlined functions" wanted got
  equal "$options: the sites add up to the work" "$(whole Work | tr -d ,)" "$(total on_work_local_work)"
done
profile phases short
equal 'a loop of few iterations is part of its function' 0 "$(grep -c ' in sum' sites.csv)"
equal 'the other is not' 1 "$(grep -c ' in generate' sites.csv)"
for options in '-O0 -fcilkprof=count' '-O2 -fcilkprof=clock' '-O2 -fcilkprof=whatif'; do
  # shellcheck disable=SC2086
  compile $options phases.c -o phases
  profile phases
  equal "$options: none" 0 "$(grep -c serial sites.csv)"
done

# A loop of the library's is where the program calls it.
cat >library.cc <<'EOC'
#include <numeric>
#include <vector>
int main() {
  std::vector<double> values(100000, 1.5);
  return std::accumulate(values.begin(), values.end(), 0.0) < 1;
}
EOC
c++ -O2 -g -fcilkprof=count library.cc -o library && profile library
holds 'a loop of the library is at the line of the program' \
  grep -q 'library.cc,5,[0-9]*,serial,main,loop library.cc:5 in std::accumulate,' sites.csv

# Loops of one function of the library's are all there, also where one of them makes calls: std::nth_element has a loop
# that halves the range, and for such input one that builds a heap.
cat >halves.cc <<'EOC'
#include <cilk/cilk.h>
#include <algorithm>
#include <cstdio>
#include <vector>
static int halve(std::vector<int> &v, int first, int count) {
  int half = count / 2;
  std::nth_element(v.begin() + first, v.begin() + first + half, v.begin() + first + count);
  if (count <= 5000) return v[first + half];
  int left = cilk_spawn halve(v, first, half), right = halve(v, first + half, count - half);
  cilk_sync;
  return left + right;
}
int main() {
  int n = 40000, k = n / 2;
  std::vector<int> v(n);
  for (int i = 1; i <= k; i++) {
    if (i & 1) v[i - 1] = i, v[i] = k + i;
    v[k + i - 1] = 2 * i;
  }
  std::printf("%d\n", halve(v, 0, n));
}
EOC
for mode in hybrid count; do
  for follow in '' 1; do
    c++ -O2 -g -fcilkplus -fcilkprof=$mode halves.cc -o halves
    ${follow:+env CILKPROF_FOLLOW=$follow} sh -c 'CILKPROF_OUT=halves.prof $RUN ./halves' >/dev/null 2>said
    grep -v WHATIF said >halves.stderr
    cilkprof-report --summary -b halves halves.prof >>halves.stderr 2>&1
    holds "loops of one library function, $mode ${follow:+followed}: nothing is missing" sh -c '! grep "seems to\|did not finish" halves.stderr'
    cilkprof-report --csv halves halves.prof 2>/dev/null | tr -d '"' >sites.csv
    holds "and the loop has its row" grep -q 'halves.cc,7,[0-9]*,serial,halve' sites.csv
  done
done

# What other programs read has no loops: they are part of their function.
compile -O2 -fcilkprof=count phases.c -o phases
profile phases
cilkprof-report --format=callgrind phases phases.prof >got
equal 'callgrind: they are no functions' 0 "$(grep -c 'fn=.*loop phases' got)"
finish
