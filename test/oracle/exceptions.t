#!/bin/sh
# Ways out of functions, loops, scopes and regions that random programs in C do not have: the engine and the oracle agree.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

made=$BUILD_DIR/test/oracle
export CILKPROF_CONTEXTS=1
cat >thrown.cc <<'EOC'
#include <cilk/cilk.h>
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x = x + i; if (n == 5) throw 1; return x; }
struct Guard { int n; ~Guard() { leaf(n); } };
__attribute__((noinline)) int loop(int n) {
  int caught = 0;
  cilk_spawn leaf(9);
  try { cilk_for (int i = 0; i < n; i++) { Guard guard = {3}; cilk_spawn leaf(2); leaf(i); } } catch (int) { caught = 1; }
  leaf(3);
  return caught;
}
__attribute__((noinline)) int nested(int n) {
  int caught = 0;
  try {
#pragma cilk grainsize = 2
    cilk_for (int i = 0; i < 6; i++) cilk_for (int j = 0; j < n; j++) leaf(j);
  } catch (int) { caught = 1; }
  cilk_for (int i = 0; i < n; i++)
    try { leaf(i); } catch (int) { caught++; }
  return caught;
}
__attribute__((noinline)) int scope(int n) {
  int caught = 0;
  try { cilk_scope { cilk_spawn leaf(2); leaf(n); } } catch (int) { caught = 1; }
  cilk_spawn leaf(3);
  leaf(4);
  cilk_sync;
  return caught;
}
int recursive(int n) {
  Guard guard = {2};
  if (n == 0) throw 1;
  int a = cilk_spawn leaf(n == 5 ? 6 : n), b = recursive(n - 1);
  cilk_sync;
  return a + b;
}
int main() {
  int caught = loop(4) + loop(10) + nested(3) + nested(7) + scope(4) + scope(5);
  for (int i = 0; i < 9; i++)
    try { recursive(i); } catch (int) { caught++; }
  return caught != 13;
}
EOC
for level in -O0 -O3 ${LONG:+-O1 -O2}; do
  case $LONG$level in -O[02]) engines=lib/cilkprof ;; -O[13]) engines=stress ;; *) engines='lib/cilkprof stress' ;; esac
  for engine in $engines; do
    c++ $level -fcilkplus -fcilkprof=count -L"$BUILD_DIR/$engine" thrown.cc -o thrown || give_up 'thrown.cc'
    c++ $level -fcilkplus -fcilkprof=count -fcilkprof-callbacks thrown.cc "$made/tracer.o" -o traced || give_up 'thrown.cc'
    profile thrown
    equal "exceptions $level, $engine: the program runs" 0 $status
    CILKPROF_TRACE=trace $RUN ./traced
    equal "exceptions $level, $engine: and when it is traced" 0 $?
    holds "exceptions $level, $engine: every field of every site" "$made/oracle" traced trace thrown.prof
  done
done

# Random programs with exceptions, destructors and regions that are as long as a variable lives; also with roots.
# As in random.t, few programs and many runs of each; make check-long has thousands.
for program in 11 28 33 44; do
  first=$((16 * program))
  LANGUAGE=c++ PROGRAM_RUNS=16 holds "random programs in C++: seeds $first to $((first + 15))" "$TOP/test/oracle/run" \
    $first $((first + 15))
done
finish
