#!/bin/sh
# Samples in the on-span log: which functions the span consists of, also inlined ones and those of libraries.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
export CILKPROF_SAMPLE_HZ=4000 # the runs are short

# hot PROGRAM: makes rows of "% span, % work, name" of its functions and lines.
hot() {
  cilkprof-report --hot -b "$1" "$1.prof" >hot-said 2>&1 || give_up "$1: --hot" hot-said
  awk '$1 ~ /^[0-9.]+$/ && NF >= 5 { print $1, $3, $5 }' hot-said >rows
}
# share NAME CONDITION: of S, its % of the span, and W, its % of the work.
share() {
  awk -v name="$2" '$3 == name { s = $1; w = $2 } END { if (s == "") s = w = 0; exit !('"$3"') }' rows &&
    pass "$1" || fail "$1" hot-said
}

cat >paths.c <<'END'
#include <cilk/cilk.h>
#include <string.h>
#include <stdlib.h>
static volatile unsigned sink;
static char buffer[1 << 16];
static inline __attribute__((always_inline)) void inlined(long n) {
  for (long i = 0; i < n; i++)
    sink += i;
}
__attribute__((noinline)) static void chosen(long n) {
  inlined(n);
}
__attribute__((noinline)) static void dropped(long n) {
  for (long i = 0; i < n; i++)
    sink += i;
}
__attribute__((noinline)) static void before(long n) {
  for (long i = 0; i < n; i++)
    sink += i;
}
__attribute__((noinline)) static void in_library(long n) {
  for (long i = 0; i < n; i++)
    memset(buffer, (int)i, sizeof buffer);
}
__attribute__((noinline)) static void child(long n) {
  cilk_spawn chosen(n);
  dropped(n / 4);
  cilk_sync;
}
__attribute__((noinline)) static void continuation(long n) {
  cilk_spawn dropped(n / 4);
  chosen(n);
  cilk_sync;
}
__attribute__((noinline)) static void grains(long n) {
  cilk_for (int i = 0; i < 16; i++)
    dropped(n / 64);
}
int main(int argc, char **argv) {
  (void)argc;
  long n = 60000000;
  switch (argv[1][0]) {
  case 's': before(n / 2); child(n); break;
  case 'c': before(n / 2); continuation(n); break;
  case 'g': before(n / 8); grains(n); break;
  case 'l': before(n / 8); in_library(20000); break;
  case 'e': before(n / 8); cilk_for (long i = 0; i < 40000000; i++) sink += i; break;
  case 'n': for (int i = 0; i < 300; i++) child(n / 300); break;
  }
}
END
compile -O2 -g -fcilkprof paths.c -o paths
profile paths s
hot paths
share 'a spawned child that is the longest' inlined 's > 50 && s < 80'
share 'what is inlined in it is not its own' chosen 's < 20'
share 'the continuation that is shorter is work alone' dropped 's == 0 && w > 8'
share 'what was before the spawn' before 's > 20 && s < 50'
share 'a line of it' paths.c:8 's > 5 && s < 80'
holds 'no share is certain, not even none' awk '$1 ~ /^[0-9.]+$/ && NF >= 5 && $2 == 0 { exit 1 }' hot-said
cilkprof-report -i paths paths.prof >info 2>&1
holds 'how many are on the span' grep -Eq 'samples: +[0-9,]+, [0-9,]+ on the span' info
profile paths c
hot paths
share 'a continuation that is the longest' inlined 's > 50 && s < 80'
share 'the child that is shorter' dropped 's == 0 && w > 8'
profile paths n
hot paths
share 'many short strands: the longest' inlined 's > 90'
share 'and the others' dropped 's < 5 && w > 10'
profile paths g
hot paths
share 'one of 16 grains is on the span' dropped 's > 2 && s < 35 && w > 50'
profile paths e
hot paths
share 'of equal iterations few are' before 's > 60 && w < 50'
profile paths l
hot paths
holds 'a function of the C library has a row' awk '$3 ~ /mem|libc/ && $1 > 20 { found = 1 } END { exit !found }' rows
share 'that its caller has not' in_library 's < 10'

cilkprof-report -s paths paths.prof paths.prof >sum-said 2>&1
holds 'profiles are added up' test -s cilkprof.sum
cilkprof-report -i paths cilkprof.sum >info-of-sum 2>&1
cilkprof-report -i paths paths.prof >info 2>&1
samples() { sed -n 's/^.*samples: *\([0-9,]*\), \([0-9,]*\) on.*/\1 \2/p' "$1" | tr -d ,; }
equal 'with their samples' "$(samples info | awk '{ print 2 * $1, 2 * $2 }')" "$(samples info-of-sum)"

# none NAME: paths.prof has no samples, and the report says so.
none() {
  cilkprof-report --hot -b paths paths.prof >said 2>&1
  equal "$1: status" 1 $?
  same "$1: a line" - said <<'END'
cilkprof-report: paths.prof: it has no samples of a serial run; make them: cilkprof cc, then cilkprof run
END
}
CILKPROF_SAMPLE_HZ=0
profile paths l
CILKPROF_SAMPLE_HZ=4000
none 'CILKPROF_SAMPLE_HZ=0'
compile -O2 -g -fcilkprof=count paths.c -o paths
profile paths l
none 'count mode'

cat >others.c <<'END'
#define _GNU_SOURCE
#include <cilk/cilk.h>
#include <errno.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static volatile unsigned sink;
static jmp_buf back;
static void work(long n) {
  for (long i = 0; i < n; i++)
    sink += i;
}
static int deep(int n) {
  work(3000);
  int below = 0;
  if (n > 0)
    below = cilk_spawn deep(n - 1);
  cilk_sync;
  return below + 1;
}
static void jumps(int n) {
  work(100000);
  if (n == 0)
    longjmp(back, 1);
  cilk_spawn jumps(n - 1);
  cilk_sync;
}
int main(void) {
  struct timespec nap = {0, 20000000};
  int interrupted = 0;
  for (int i = 0; i < 10; i++) {
    work(1000000);
    interrupted += nanosleep(&nap, NULL) < 0 && errno == EINTR;
  }
  printf("interrupted %d\n", interrupted);
  printf("deep %d\n", deep(20000));
  for (volatile int i = 0; i < 20; i++)
    if (!setjmp(back))
      jumps(40);
  fflush(stdout);
  pid_t pid = fork();
  if (pid == 0) {
    work(30000000);
    deep(100);
    exit(7);
  }
  int status;
  waitpid(pid, &status, 0);
  printf("child %d\n", WEXITSTATUS(status));
  work(30000000);
}
END
compile -O2 -g -fcilkprof others.c -o others
profile others
same 'calls of the system, deep recursion, jumps, a fork' - others.stdout <<'END'
interrupted 0
deep 20001
child 7
END
hot others
share 'and the profile is whole' work 's > 50'
holds 'that of the forked child has no samples' sh -c "cilkprof-report -i others others.prof.* >info && grep -q call-site info && ! grep -q 'on the span' info"

# A loop that calls a library at a line of its own: what was done there is the loop's, or that of the call, not both.
cat >calls.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <time.h>
static int fib(int n) { if (n < 2) return n; int a = cilk_spawn fib(n - 1); int b = fib(n - 2); cilk_sync; return a + b; }
int main(void) {
  unsigned long sum = fib(10);
  for (int i = 0; i < 2000000; i++) { struct timespec now; clock_gettime(CLOCK_MONOTONIC, &now); sum += now.tv_nsec % (i + 7); }
  return sum == 0;
}
END
compile -O2 -g -fcilkprof calls.c -o calls
profile calls
cilkprof-report --format=json calls calls.prof >calls.json
for figure in work span; do
  whole=$(jq ".totals.$figure" calls.json)
  parts=$(total on_${figure}_local_$figure)
  true_that "a loop and what it calls: local $figure adds up" "$parts > 0.99 * $whole && $parts < 1.01 * $whole"
done
finish
