#!/bin/sh
# The tree of a program of Cilk or OpenMP: its work and its span are those of the profile, exactly.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
print_tree=$BUILD_DIR/test/libcilkprof/print-tree
none=--overheads=fork=0,join=0,iteration=0,lock=0,task=0,spawn=0,steal=0,burden=0

# emulated PROGRAM PROCESSORS: the time of a greedy scheduler.
emulated() {
  cilkprof-report $none --csv=emulation --processors="$2" "$1" "$1.prof" | tr -d '\r' | sed -n 's/^"greedy",[0-9]*,\([0-9]*\),.*/\1/p'
}
# total_of PROGRAM FIELD
total_of() {
  cilkprof-report --format=json "$1" "$1.prof" | tr ',{' '\n\n' | sed -n "s/^\"$2\":\([0-9]*\).*/\1/p" | head -n 1
}
# exact PROGRAM SOURCE [ARGUMENT...]: on one processor it takes the work, on many the span.
exact() {
  program=$1 source=$2
  shift 2
  compile -O2 $language -fcilkprof=count -fcilkprof-callbacks "$source" -o "$program" -lm
  CILKPROF_TREE=1 CILKPROF_TOLERANCE=0 CILKPROF_OUT=$program.prof "./$program" "$@" >/dev/null 2>said
  same "$program: nothing is said" /dev/null said
  total_of "$program" work >wanted
  emulated "$program" 1 >got
  same "$program: its work" wanted got
  total_of "$program" span >wanted
  emulated "$program" 1024 >got
  same "$program: its span" wanted got
}

language=''
exact fib "$programs/fib.c" 10
exact qsort "$programs/qsort.c" 5000
exact cilksort "$programs/cilksort.c" 5000
cat >forms.c <<'END'
#include <setjmp.h>
#include <stdlib.h>
#include <cilk/cilk.h>
static jmp_buf back;
static volatile int sink;
static void work(int n) { while (n-- > 0) sink += n; }
static void inner(int n) {
  cilk_spawn work(n);
  work(n / 2);
}
static void jumps(int n) {
  cilk_spawn work(n);
  longjmp(back, 1);
}
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
  int numbers[100];
  for (int i = 0; i < 100; i++)
    numbers[i] = i * 7919 % 101;
  work(10);
  for (int i = 0; i < 3; i++) {
    cilk_spawn inner(100 * i);
    work(20);
    inner(50);
  }
  cilk_sync;
  cilk_spawn work(300);
  cilk_scope {
    cilk_spawn work(100);
    work(30);
  }
  work(40);
  cilk_sync;
  cilk_spawn qsort(numbers, 100, sizeof *numbers, compare);
  work(500);
  cilk_sync;
  if (setjmp(back) == 0)
    jumps(200);
  work(60);
  return 0;
}
END
exact forms forms.c
# OpenMP's constructs, where all that is made is waited for.  Chunks of iterations that are not told apart, and those of
# guided loops, are rounded otherwise.
cat >openmp.c <<'END'
static volatile int sink;
__attribute__((noinline)) static void work(int n) { while (n-- > 0) sink += n; }
static int fib(int n) {
  int x, y, copy = n;
  if (n < 2)
    return n;
#pragma omp task shared(x)
  x = fib(n - 1);
#pragma omp task shared(y) firstprivate(copy)
  {
    work(copy);
    y = fib(copy - 2);
    work(3);
  }
#pragma omp taskwait
  return x + y;
}
int main(void) {
  fib(4);
#pragma omp parallel
  {
#pragma omp single
    fib(9);
#pragma omp for schedule(dynamic, 3)
    for (int i = 0; i < 50; i++) {
      work(i);
#pragma omp critical
      work(2);
    }
  }
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task final(1)
      fib(5);
#pragma omp task if (0)
      fib(6);
      work(20);
    }
  }
#pragma omp parallel sections
  {
    work(100);
#pragma omp section
    work(200);
  }
  return 0;
}
END
language=-fopenmp
exact openmp openmp.c
language=''

# A loop's tree of spawns has costs of its own, which its grains do not: they are not on the emulated span.
cat >loop.c <<'END'
#include <cilk/cilk.h>
static volatile int sink;
int main(void) {
  cilk_for (int i = 0; i < 64; i++)
    for (int j = 0; j < i; j++)
      sink += j;
  return 0;
}
END
compile -O1 -fcilkprof=count -fcilkprof-callbacks loop.c -o loop
CILKPROF_TREE=1 CILKPROF_TOLERANCE=0 CILKPROF_OUT=loop.prof ./loop
total_of loop work >wanted
emulated loop 1 >got
same 'a loop: its work' wanted got
"$print_tree" loop.prof | grep -c 'task' >got
echo 64 >wanted
same 'and its grains' wanted got
true_that 'and nearly its span' "$(emulated loop 1024) > 0.5 * $(total_of loop span) && $(emulated loop 1024) <= $(total_of loop span)"

CILKPROF_TREE=1 CILKPROF_OUT=large.prof ./fib 22 >/dev/null
holds 'a tree with few shapes is small' test "$(wc -c <large.prof)" -lt 20000
compile -O2 -fcilkprof=count "$programs/fib.c" -o plain
CILKPROF_TREE=1 ./plain 10 >/dev/null 2>got
echo 'cilkprof: CILKPROF_TREE: no tree was recorded; rebuild the program with -fcilkprof-callbacks as well' >wanted
same 'without callbacks there is none, which is said' wanted got
cilkprof-report --emulate plain cilkprof.out >got 2>&1
holds 'and nothing is foretold of it' grep -q '^cilkprof-report: --emulate: .*-fcilkprof-callbacks' got
CILKPROF_OUT=none.prof ./fib 10 >/dev/null
"$print_tree" none.prof >got
echo 'no tree' >wanted
same 'nor is there where nobody asks' wanted got
finish
