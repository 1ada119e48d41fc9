#!/bin/sh
# Counted calls in profiles of parallel runs: the calls of a run in which all are followed, whoever runs them, and few
# instructions.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
. "$TOP/test/libcilkprof/counted.sh"

# Serial code below spawns and loops; a function that decides whether it spawns; serial code that spawns seldom; calls
# by a pointer; a recursion in serial code; and invocations of a site below others of it, in other workers.
cat >calls.c <<'END_OF_FILE'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#define APART static __attribute__((noinline))
static unsigned results[200];
APART unsigned leaf(unsigned n) { return n * 3 + 1; }
APART unsigned middle(unsigned n) { unsigned sum = 0; for (unsigned i = 0; i < 3; i++) sum += leaf(n + i); return sum; }
APART unsigned tree(unsigned n) { return n < 2 ? leaf(n) : tree(n - 1) + tree(n - 2); }
APART unsigned by_pointer(unsigned (*function)(unsigned), unsigned n) { return function(n) + function(n + 1); }
APART unsigned guarded(unsigned n) {
  if (n < 8) return middle(n);
  unsigned a = cilk_spawn guarded(n / 2), b = guarded(n / 2);
  cilk_sync;
  return a + b;
}
APART unsigned seldom(unsigned n) { return n % 97 == 0 ? guarded(40) : middle(n); }
APART unsigned around(unsigned n) { unsigned sum = 0; for (unsigned i = 0; i < 20; i++) sum += seldom(n + i); return sum; }
APART unsigned walk(unsigned n);
APART unsigned again(unsigned n) { return n > 4 && n % 2 ? walk(n - 4) : middle(n); }
APART unsigned walk(unsigned n) {
  if (n < 2) return middle(n);
  unsigned a = cilk_spawn walk(n - 1), b = walk(n - 2), c = again(n), d = guarded(n % 10);
  cilk_sync;
  return a + b + c + d;
}
int main(int argc, char **argv) {
  unsigned sum = walk(argc > 1 ? (unsigned)atoi(argv[1]) : 11);
  for (int round = 0; round < 10; round++) {
    cilk_for (unsigned i = 0; i < 200; i++) results[i] = middle(i) + around(i) + tree(i % 9) + by_pointer(i % 2 ? leaf : middle, i);
    for (unsigned i = 0; i < 200; i++) sum += results[i];
  }
  printf("%u\n", sum);
  return 0;
}
END_OF_FILE
compile -O2 -fcilkprof=parallel calls.c -o calls
# known_counts: those of all calls but the ones by which counted code may turn out to spawn, whose callees are then entered
# by nobody known; and how often guarded() was called in all.
known_counts() {
  counts | grep -v 'call seldom'
  awk -F, '$6 == "\"guarded\"" { calls += $15 } END { print "guarded", calls }' sites.csv
}
for workers in 1 2 5; do
  export CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers
  CILKPROF_FOLLOW=1 profile calls
  known_counts >wanted
  cp calls.stdout result
  profile calls
  equal "$workers workers: the exit status" 0 $status
  same "$workers workers: what the program prints" result calls.stdout
  known_counts >counted
  same "$workers workers: how often each call was made" wanted counted
  sed 's/, /;/g' sites.csv | awk -F, 'NR > 1 && $4 != "entry" && $4 != "serial" && ($7 > $15 || $11 > $7 || $8 < $12)' >wrong
  equal "$workers workers: top-caller are top-call-site invocations, and these are invocations" '' "$(cat wrong)"
  holds "$workers workers: the profile is complete" test "$(cilkprof-report --format=json calls calls.prof | grep -c '"incomplete":false')" -eq 1
done
unset CILK_NWORKERS CILKPROF_FORCE_STEALS

# A site in a loop that other workers run has no top-caller invocations: the function with the loop is open.
cat >loop.c <<'END_OF_FILE'
#include <cilk/cilk.h>
static unsigned results[2000];
static __attribute__((noinline)) unsigned leaf(unsigned n) { return n * 3 + 1; }
static __attribute__((noinline)) unsigned middle(unsigned n) { return leaf(n) + leaf(n + 1); }
static __attribute__((noinline)) void loop(int depth) {
  if (depth) loop(depth - 1);
#pragma cilk grainsize = 100
  cilk_for (unsigned i = 0; i < 2000; i++) results[i] += middle(i);
}
int main(void) {
  for (int i = 0; i < 20; i++) loop(1);
  return (int)(results[1] % 1);
}
END_OF_FILE
compile -O2 -fcilkprof=parallel loop.c -o loop
# tops: counts of invocations, of top-call-site ones and of top-caller ones, where middle() is called.
tops() {
  sed 's/, /;/g' sites.csv | awk -F, '$6 == "\"middle\"" { print $15, $7, $11 }'
}
CILK_NWORKERS=1 CILKPROF_FOLLOW=1 profile loop
tops >wanted
for workers in 1 4; do
  CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers profile loop
  tops >counted
  same "$workers workers: which invocations in a loop are the outermost ones" wanted counted
done

# Functions of reducers are not recorded, however often they call others.
cat >reducer.cc <<'END_OF_FILE'
#include <cilk/cilk.h>
#include <cilk/reducer.h>
#include <cstdio>
static __attribute__((noinline)) unsigned leaf(unsigned n) { return n * 3 + 1; }
static __attribute__((noinline)) unsigned some(unsigned n) { unsigned sum = 0; for (unsigned i = 0; i < 50; i++) sum += leaf(n + i); return sum; }
struct monoid : cilk::monoid_base<unsigned> {
  static void identity(unsigned *view) { *view = some(1) * 0; }
  static void reduce(unsigned *left, unsigned *right) { *left += *right + some(*right) * 0; }
};
static cilk::reducer<monoid> sum;
int main() {
  for (int round = 0; round < 20; round++)
    cilk_for (unsigned i = 0; i < 400; i++) sum.view() += some(i);
  std::printf("%u\n", sum.get_value());
}
END_OF_FILE
c++ -w -O2 -fcilkplus -fcilkprof=parallel reducer.cc -o reducer >compiler-said 2>&1 || give_up 'c++ reducer.cc' compiler-said
CILK_NWORKERS=1 CILKPROF_FOLLOW=1 profile reducer
counts >wanted
cp reducer.stdout result
CILK_NWORKERS=4 CILKPROF_FORCE_STEALS=3 profile reducer
same 'reducers: what the program prints' result reducer.stdout
counts >counted
same 'reducers: how often each call was made' wanted counted

# Grains of one iteration: where these call nothing, or only short serial functions, several are run at once.
cat >grains.c <<'END_OF_FILE'
#include <cilk/cilk.h>
#include <stdlib.h>
static unsigned results[1000];
static __attribute__((noinline)) unsigned leaf(unsigned n) { return n * 3 + 1; }
static __attribute__((noinline)) unsigned middle(unsigned n) { return leaf(n) + leaf(n + 1); }
int main(int argc, char **argv) {
  int even = argc > 1 ? atoi(argv[1]) : 0, calling = argc > 2 ? atoi(argv[2]) : 0;
  for (int round = 0; round < even; round++)
    cilk_for (unsigned i = 0; i < 1000; i++) results[i] += i * 3;
  for (int round = 0; round < calling; round++)
    cilk_for (unsigned i = 0; i < 1000; i++) results[i] += middle(i);
  return (int)(results[1] % 1);
}
END_OF_FILE
compile -O2 -fcilkprof=parallel grains.c -o grains
# most NAME INSTRUCTIONS ARGUMENT...: so many instructions, at most, for each of 100,000 iterations.
most() {
  command -v valgrind >/dev/null && [ -z "$RUN" ] || return 0
  for arguments in '0 0' "$3 $4"; do # shellcheck disable=SC2086
    CILK_NWORKERS=1 CILKPROF_OUT=none valgrind --tool=callgrind --callgrind-out-file=/dev/null ./grains $arguments 2>&1 |
      sed -n 's/,//g; s/.*Collected : //p'
  done | tr '\n' ' ' >instructions
  read -r none some <instructions
  true_that "$1: few instructions for an iteration" "$some - $none < 100000 * $2"
}
most 'grains without events' 20 100 0
for arguments in '3 0' '0 3'; do # shellcheck disable=SC2086
  CILK_NWORKERS=3 CILKPROF_FORCE_STEALS=2 CILKPROF_FOLLOW=1 profile grains $arguments
  counts >wanted
  CILK_NWORKERS=3 CILKPROF_FORCE_STEALS=2 profile grains $arguments
  counts >counted
  same "grains $arguments: how often each call was made" wanted counted
done

CILK_NWORKERS=1 fewer 'serial code in a parallel run' loop
finish
