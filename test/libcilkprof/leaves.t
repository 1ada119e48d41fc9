#!/bin/sh
# Functions without events: their calls are booked when they have returned, by whoever calls them.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

counts() { # of every site: top-call-site, top-caller, all, on the work and on the span
  awk -F, 'NR > 1 { print $5, $6, $2, $7, $11, $15, $19, $23, $27 }' sites.csv | sort
}

# Called directly, from below a recursion, spawned, by a pointer, by code without instrumentation; with a loop, and after
# strands that are timed.
cat >leaves.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile long sink;
__attribute__((noinline)) static long leaf(long n) { return n * 7 % 5; }
__attribute__((noinline)) long seen(long n) { return n * 3 % 11; }
__attribute__((noinline)) static long looping(long n) { long s = 0; for (long i = 0; i < n % 9; i++) s += i ^ n; return s; }
static long (*pointers[])(long) = {leaf, seen, looping};
static int order(const void *a, const void *b) { long x = *(const long *)a, y = *(const long *)b; return x < y ? -1 : x > y; }
__attribute__((noinline)) static long below(long n) {
  long s = leaf(n) + seen(n);
  if (n > 0) s += below(n - 1);
  return s + looping(n);
}
__attribute__((noinline)) static long spawns(long n) {
  long a = cilk_spawn leaf(n), b = leaf(n + 1), c = 0;
  if (n > 0) c = cilk_spawn spawns(n - 1);
  b += seen(b);
  cilk_sync;
  return a + b + c + leaf(c);
}
int main(void) {
  long values[200], sum = 0;
  char text[300];
  for (long i = 0; i < 200; i++) values[i] = i * 37 % 199;
  qsort(values, 200, sizeof *values, order);
  for (int i = 0; i < 300; i++) sum += pointers[i % 3](i);
  for (int i = 0; i < 50; i++) { memset(text, i, sizeof text); sum += leaf(text[i]) + seen(i); }
  cilk_for (int i = 0; i < 100; i++) sink = leaf(i) + looping(i);
  qsort(values, 100, sizeof *values, order);
  printf("%ld %ld\n", sum + below(20) + spawns(8), values[7]);
  return 0;
}
EOC
for mode in count hybrid; do
  for form in '' -fcilkprof-inline -fcilkprof-outline; do
    compile -O2 -fcilkprof=$mode $form leaves.c -o leaves
    profile leaves
    counts >"$mode$form"
    cut -d' ' -f1-6 "$mode$form" >"$mode$form.work"
  done
  same "$mode: inlined events count the same" "$mode-fcilkprof-inline.work" "$mode.work"
  same "$mode: called events count the same" "$mode-fcilkprof-outline.work" "$mode.work"
done
same 'both modes count the same' count.work hybrid.work
same 'and in instructions the same is on the span' count-fcilkprof-inline count
CILKPROF_CONTEXTS=1 profile leaves
counts | cut -d' ' -f1-6 >contexts
same 'where contexts are recorded as well' hybrid.work contexts

# Of an inline function there is one in every unit, and the linker takes the first: not the one that its caller was
# compiled with.  There it calls another, or is not instrumented at all.
cat >inline.h <<'EOC'
inline __attribute__((always_inline)) int inner(int n) { return n * 5 % 7; }
#ifdef CALLS
__attribute__((noinline)) int helper(int n);
inline __attribute__((noinline)) int shared(int n) { return helper(n) + helper(n + 1); }
#else
inline __attribute__((noinline)) int shared(int n) { return inner(n) + inner(n + 1); }
#endif
EOC
cat >first.cc <<'EOC'
#include "inline.h"
#ifdef CALLS
int helper(int n) { return inner(n); }
#endif
int first(int n) { return shared(n); }
EOC
cat >second.cc <<'EOC'
#include "inline.h"
#include <cstdio>
int first(int n);
int main() {
  long sum = first(3);
  for (int i = 0; i < 1000; i++) sum += shared(i);
  std::printf("%ld\n", sum);
}
EOC
linked() { # NAME OPTION...: of the first unit
  name=$1
  shift
  c++ -fcilkplus "$@" -c first.cc -o first.o && c++ -fcilkplus -O2 -fcilkprof=hybrid -c second.cc -o second.o &&
    c++ -fcilkplus -fcilkprof=hybrid first.o second.o -o linked || exit 1
  profile linked
  equal "$name: the program runs" 0 "$status"
  equal "$name: its output" "$(c++ -O2 first.cc second.cc -o plain && $RUN ./plain)" "$(cat linked.stdout)"
  equal "$name: all calls count" 1000 "$(field 'main>shared(int)' on_work_local_count)"
}
linked 'the same function' -O2 -fcilkprof=hybrid
linked 'one that calls another' -O2 -fcilkprof=hybrid -DCALLS
equal 'what that calls counts' 2002 "$(total on_work_local_count | awk '{ print $1 - 1003 }')"
linked 'one without instrumentation' -O2

# A function object, a virtual function.
cat >objects.cc <<'EOC'
#include <cstdio>
#include <functional>
struct Base { virtual ~Base() {} virtual int of(int n) const = 0; };
struct Twice : Base { int of(int n) const override { return 2 * n; } };
struct Thrice : Base { int of(int n) const override { return 3 * n; } };
static const Base *volatile choice;
int main() {
  Twice twice; Thrice thrice;
  std::function<bool(int)> odd = [](int n) { return n % 2 != 0; };
  long sum = 0;
  for (int i = 0; i < 900; i++) { choice = i % 3 ? (const Base *)&twice : &thrice; sum += choice->of(i) + odd(i); }
  std::printf("%ld\n", sum);
}
EOC
c++ -fcilkplus -O2 -fno-devirtualize-speculatively -fcilkprof=hybrid objects.cc -o objects || exit 1
profile objects
equal 'a virtual function: one callee' 600 "$(field 'main>Twice::of(int) const' on_work_local_count)"
equal 'the other' 300 "$(field 'main>Thrice::of(int) const' on_work_local_count)"
finish
