#!/bin/sh
# Counted code has the part of a guarded function inlined that does not spawn, as GCC inlines it without -fcilkprof.
# Programs see no difference, counts of calls are exact, and the call is gone.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
. "$TOP/test/libcilkprof/counted.sh"

cat >parts.cc <<'EOF'
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
template <class F> inline void parallel_for(long from, long to, const F &f, long grain) {
  if (to - from <= grain)
    for (long i = from; i < to; i++) f(i);
  else {
    cilk_spawn parallel_for(from, (from + to) / 2, f, grain);
    parallel_for((from + to) / 2, to, f, grain);
    cilk_sync;
  }
}
static long values[4096];
struct pair { long low, high, more[6]; };
/* It has a result, by which it is divided, and two ways that do not spawn.  */
static pair extremes(const long *from, long n) {
  if (n <= 0) return {0, 0, {n}};
  if (n < 16) {
    pair result = {from[0], from[0], {n}};
    for (long i = 1; i < n; i++) {
      if (from[i] < result.low) result.low = from[i];
      if (from[i] > result.high) result.high = from[i];
    }
    return result;
  }
  pair left = cilk_spawn extremes(from, n / 2);
  pair right = extremes(from + n / 2, n - n / 2);
  cilk_sync;
  return {left.low < right.low ? left.low : right.low, left.high > right.high ? left.high : right.high, {n}};
}
[[gnu::noinline]] static void fill(long from, long n, long with) { /* is counted, and calls the first one in a loop */
  for (long k = 0; k < 3; k++)
    parallel_for(from, from + n, [=](long i) { values[i] += with * k; }, 8);
}
[[gnu::noinline]] static long spread(long from, long n) {
  pair both = extremes(values + from, n), none = extremes(values, n - n);
  return both.high - both.low + none.low + both.more[0];
}
int main(int argc, char **argv) {
  long n = atol(argv[argc - 1]), sum = 0;
  for (long i = 0; i < 4096; i++) values[i] = i * 37 % 1009;
  for (long k = 0; k < n; k++) {
    fill(k % 4000, k % 200 == 9 ? 40 : k % 8, k % 3);
    sum = sum * 3 + spread(k % 4000, k % 300 == 7 ? 70 : 3);
  }
  cilk_for (long j = 0; j < n; j++)
    parallel_for(j % 64 * 64, j % 64 * 64 + (j % 500 == 77 ? 64 : 4), [=](long i) { values[i] ^= i + j; }, 8);
  for (long i = 0; i < 4096; i++) sum = sum * 5 + values[i];
  printf("%ld\n", sum);
  return 0;
}
EOF
# Where counted code reaches a call that spawns, nobody can tell by which call: calls are compared by their callees.
counts() {
  sed 's/, /;/g' sites.csv | awk -F, 'NR > 1 && ($4 == "call" || $4 == "spawn" || $4 == "entry") { calls[$6] += $15 }
    END { for (name in calls) print name, calls[name] }' | sort
}
for options in -O0 "-O2 -g -fPIC" "-O3 -flto" ${LONG:+-O1 -O2 -O3 -Os "-O2 -fno-inline"}; do
  compile -x c++ $options -fcilkprof=hybrid parts.cc -lstdc++ -o parts
  both "parts $options" parts 20000
done

# Iterations and counted calls that only make such a call take few instructions more than without -fcilkprof.
cat >short.cc <<'EOF'
#include <cilk/cilk.h>
#include <cstdio>
#include <cstdlib>
template <class F> inline void parallel_for(long from, long to, const F &f, long grain) {
  if (to - from <= grain)
    for (long i = from; i < to; i++) f(i);
  else {
    cilk_spawn parallel_for(from, (from + to) / 2, f, grain);
    parallel_for((from + to) / 2, to, f, grain);
    cilk_sync;
  }
}
static long values[4];
int main(int argc, char **argv) {
  long n = atol(argv[argc - 1]);
  cilk_for (long j = 0; j < n; j++)
    parallel_for(0, j % 3, [=](long i) { values[i] += i ^ j; }, 8);
  printf("%ld %ld\n", values[0], values[1]);
  return 0;
}
EOF
# instructions PROGRAM: how many it executes for each of 100,000 iterations, times 100
instructions() {
  for n in 100000 200000; do
    CILKPROF_OUT=none valgrind --tool=callgrind --callgrind-out-file=/dev/null "./$1" $n 2>&1 |
      sed -n 's/,//g; s/.*Collected : //p'
  done | awk '{ print_it = $1 - before; before = $1 } END { printf "%d\n", print_it / 1000 }'
}
if command -v valgrind >/dev/null && [ -z "$RUN" ]; then
  compile -x c++ -O2 -fcilkprof=hybrid short.cc -lstdc++ -o short
  compile -x c++ -O2 -fcilkplus=serial short.cc -lstdc++ -o bare
  more=$(($(instructions short) - $(instructions bare)))
  true_that "an iteration takes few instructions more ($more in 100)" "$more < 1500"
fi
finish
