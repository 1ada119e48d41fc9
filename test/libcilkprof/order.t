#!/bin/sh
# Control that leaves the usual order: jumps inside code without instrumentation, and functions that run before the program
# has thread-local memory.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

cat >catcher.cc <<'EOC'
#include <csetjmp>
static jmp_buf back;
int caught(void (*f)(int), int n) { try { f(n); } catch (int) { return 1; } return 0; }
int jumped(void (*f)(int), int n) { if (setjmp(back)) return 1; f(n); return 0; }
void jump() { longjmp(back, 1); }
EOC
cat >leaving.cc <<'EOC'
#include <cilk/cilk.h>
#include <cstdio>
int caught(void (*)(int), int), jumped(void (*)(int), int);
void jump();
extern "C" {
__attribute__((noinline)) int leaf(int n) { volatile int x = n; for (int i = 0; i < n; i++) x = x + i; return x; }
__attribute__((noinline)) void descend(int n, int how) {
  if (n == 0) { if (how) throw 1; jump(); }
  cilk_spawn leaf(n);
  descend(n - 1, how);
  cilk_sync;
}
static void throws(int n) { descend(n, 1); }
static void jumps(int n) { descend(n, 0); }
}
int main() {
  int sum = 0;
  for (int i = 0; i < 3; i++) { sum += caught(throws, 4) + jumped(jumps, 5); leaf(7); }
  std::printf("%d\n", sum);
}
EOC
g++ -O2 -c catcher.cc -o catcher.o
for mode in count hybrid clock; do
  for level in -O0 -O2; do
    in_turn 2 || continue
    c++ -fcilkplus $level -fcilkprof=$mode leaving.cc catcher.o -o leaving >said 2>&1 || fail "$mode $level: compiles" said
    profile leaving
    equal "$mode $level: left inside code without instrumentation" '0 6 3 27 3' "$status $(cat leaving.stdout) \
$(field 'throws>descend' on_work_local_count) $(field 'descend>leaf' on_work_local_count) \
$(field 'main>leaf' on_work_local_count)"
  done
done

cat >resolver.c <<'EOC'
#include <stdio.h>
#include <cilk/cilk.h>
__attribute__((noinline)) static int deeper(int n) { volatile int x = n; return x; }
__attribute__((noinline)) static int choose(int n) { return n ? choose(n-1) : deeper(n); }
__attribute__((noinline)) int both(int n) { volatile int x = n; for (int i=0;i<n;i++) x+=i; return x; }
static int a(int n) { return both(n); }
static int b(int n) { return both(2*n); }
static int (*resolve(void))(int) { return choose(3) + both(1) > 5 ? a : b; }
int f(int) __attribute__((ifunc("resolve")));
int main(void) { int x = cilk_spawn f(10); int y = f(11); cilk_sync; printf("%d\n", x + y + both(3)); return 0; }
EOC
for how in -O0 -O2 '-O0 -static' '-O2 -static' '-O2 -static-pie' '-O2 -static -flto'; do
  compile $how -fcilkprof=count resolver.c -o resolver
  profile resolver
  equal "$how: the resolver of an ifunc, and what it calls" '0 469 1' \
    "$status $(cat resolver.stdout) $(field 'main>both' on_work_local_count)"
done

finish
