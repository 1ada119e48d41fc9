#!/bin/sh
# The tree of a program of Cilk or OpenMP: its work and its span are those of the profile, exactly.  Children are long from
# 100 instructions on here, in an engine that is built so.
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
  compile -O2 $language -fcilkprof=count $short "$source" -o "$program" -lm
  CILKPROF_OUT=$program.prof "./$program" "$@" >/dev/null 2>said
  same "$program: nothing is said" /dev/null said
  total_of "$program" work >wanted
  emulated "$program" 1 >got
  same "$program: its work" wanted got
  total_of "$program" span >wanted
  emulated "$program" 1024 >got
  same "$program: its span" wanted got
}

short="-D__CILKPROF_LONG_CHILD=100 -L$BUILD_DIR/stress"
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

# A loop with long grains.
cat >loop.c <<'END'
#include <cilk/cilk.h>
static volatile int sink;
int main(void) {
  cilk_for (int i = 0; i < 64; i++)
    for (int j = 0; j < 20 * (i / 32 + 1); j++)
      sink += j;
  return 0;
}
END
exact loop loop.c
"$print_tree" loop.prof | grep -o 'task  x32' | wc -l >got
echo 2 >wanted
same 'equal grains are one node each' wanted got

# In the usual engine: large programs have small trees, whatever they do, and short ones have trees, too.
short=''
exact short "$programs/fib.c" 10
compile -O2 -fcilkprof=count "$programs/cilksort.c" -o sorted
CILKPROF_OUT=sorted.prof ./sorted 1000000 >/dev/null
holds 'a tree is at most some 100 KB' test "$(wc -c <sorted.prof)" -lt 130000
total_of sorted work >wanted
emulated sorted 1 >got
same 'and has all work' wanted got
"$print_tree" sorted.prof | grep -c task >nodes
holds 'and many tasks' test "$(cat nodes)" -gt 300

# between NAME OPTION...: what is expected lies between the bounds, on each number of processors; and is known.
between() {
  cilkprof-report --format=json "$1" "$1.prof" | tr '{' '\n' | sed -n 's/^"processors":[0-9]*,"lower":\([0-9.]*\),"upper":\([0-9.]*\),"expected":\([0-9.]*\)}.*/\1 \2 \3/p' >bounds
  holds "$1: what is expected is between the bounds" awk '$3 < $1 || $3 > $2 { wrong = 1 } END { exit wrong || NR != 7 }' bounds
}
between sorted
between short
between loop

# Where calls return in other ways, and in processes and threads of the program's own.
cat >other.c <<'END'
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cilk/cilk.h>
static volatile int sink;
static void work(int n) { while (n-- > 0) sink += n; }
static void pair(int n) {
  cilk_spawn work(n);
  work(n / 2);
  cilk_sync;
}
static void *thread(void *nothing) {
  for (int i = 0; i < 10; i++)
    pair(100000);
  return nothing;
}
static int compare(const void *a, const void *b) {
  pair(20000 + 100 * *(const int *)a);
  return *(const int *)a - *(const int *)b;
}
int main(void) {
  int numbers[] = {3, 1, 2};
  pthread_t other;
  pthread_create(&other, NULL, thread, NULL);
  pthread_join(other, NULL);
  pair(100000);
  if (fork() == 0) {
    pair(100000);
    exit(0);
  }
  wait(NULL);
  qsort(numbers, 3, sizeof *numbers, compare);
  pair(200000);
  exit(0);
}
END
compile -O2 -fcilkprof=count other.c -o other -lpthread
CILKPROF_OUT=other.prof ./other 2>/dev/null
total_of other work >wanted
emulated other 1 >got
same 'with a thread and a process of its own: the work' wanted got
total_of other span >wanted
emulated other 1024 >got
same 'and the span' wanted got
"$print_tree" other.prof | grep -c 'section  2' >got
holds 'and the sections, those that qsort calls among them' test "$(cat got)" -ge 4
finish
