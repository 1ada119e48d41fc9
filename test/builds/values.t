#!/bin/sh
# Instrumentation does not change what a program computes: shapes of code that optimisations have mistaken.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/libcilkprof/lib.sh"

# same_output NAME FILE: it prints the same with and without instrumentation at every level.
same_output() {
  case $2 in *.cc) compiler=c++ ;; *) compiler=cc ;; esac
  for level in -O1 -O3 ${LONG:+-O0 -O2 -Os}; do
    rm -f plain profiled
    $compiler -fcilkplus=serial $level "$2" -o plain && ./plain >wanted 2>&1
    $compiler -fcilkplus -fcilkprof $level "$2" -o profiled >got 2>&1 && CILKPROF_OUT=profiled.prof ./profiled >got 2>&1
    same "$1, $level" wanted got
  done
}

# Elements of a local array that a loop sets by an index and other code by name.
cat >indexed.c <<'EOC'
#include <stdio.h>
__attribute__((noipa)) int found(int i, int all) { return all || i; }
__attribute__((noipa)) void use(int root, int created) { printf("%d %d\n", root, created); }
__attribute__((noinline)) static void choose(int all) {
  int i, root[3];
  unsigned char created[3];
  for (i = 0; i < 3; i++) {
    created[i] = 0;
    if (!found(i, all)) {
      if (i < 1) {
        root[i] = 3;
        created[i] = 16;
      }
    } else
      root[i] = 7 + i;
  }
  use(root[0], created[0]);
}
int main(void) { choose(0); choose(1); choose(0); return 0; }
EOC
same_output 'elements set by an index' indexed.c

# A function of which only instrumented code is the caller, and which begins with a loop.
cat >begins.cc <<'EOC'
#include <cstdio>
template <class T> struct compared { T f; template <class A, class B> bool operator()(A a, B b) { return f(*a, *b); } };
template <class T> inline void exchange(T *a, T *b) { T t = *a; *a = *b; *b = t; }
template <class T, class C> inline T part(T a, T b, T pivot, C less) {
  while (true) {
    while (less(a, pivot)) ++a;
    --b;
    while (less(pivot, b)) --b;
    if (!(a < b)) return a;
    exchange(a, b);
    ++a;
  }
}
int main() {
  int v[] = {5, 9, 1, 7, 5, 3, 8, 2, 6, 5};
  auto less = [](int a, int b) { return a < b; };
  compared<decltype(less)> c{less};
  std::printf("%d:", (int)(part(v + 1, v + 10, v, c) - v));
  for (int x : v) std::printf(" %d", x);
  std::printf("\n");
}
EOC
same_output 'a function that begins with a loop' begins.cc

# Functions that only code of the same file without instrumentation calls: the initialisation of objects, exceptions to
# the instrumentation.
cat >objects.cc <<'EOC'
#include <cstdlib>
#include <iostream>
static int y = rand();
int main() { std::cout << 3 << '\n'; return y & 0; }
EOC
cat >exempt.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static int fib(int n) {
  if (n < 2) return n;
  int a = cilk_spawn fib(n - 1);
  int b = fib(n - 2);
  cilk_sync;
  return a + b;
}
__attribute__((noinline)) static void once(void) { srand(1); puts("once"); }
__attribute__((no_instrument_function, noinline)) static int exempt(void) { once(); return fib(5); }
int main(void) { int r = exempt(); printf("%d %d\n", r, fib(6)); return 0; }
EOC
for mode in hybrid count clock; do
  for level in -O0 -O2; do
    in_turn 2 || continue
    c++ -fcilkplus -fcilkprof=$mode $level objects.cc -o objects
    profile objects
    equal "initialised objects, $mode $level" 1 "$(field main on_work_top_call_site_count)"
    cc -fcilkplus -fcilkprof=$mode $level exempt.c -o exempt
    profile exempt
    equal "called by an exempt function, $mode $level" 19 "$(whole Spawns)"
  done
done
finish
