#!/bin/sh
# A strand that is long once in a thousand times counts as what it takes, although most of the short ones are not timed:
# in a child, in the code that spawns, in a loop.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/libcilkprof/lib.sh"

cat >rare.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static volatile long x;
static __attribute__((noinline)) void work(long n) {
  for (long i = 0; i < n; i++) x++;
}
static __attribute__((noinline)) void child(long n) { work(n); }
static long steps(int i) { return i % 1000 == 500 ? 20000000 : 20; }
int main(int argc, char **argv) {
  switch (atoi(argv[argc - 1])) {
  case 0:
    for (int i = 0; i < 10000; i++) cilk_spawn child(steps(i));
    cilk_sync;
    break;
  case 1:
    for (int i = 0; i < 10000; i++) {
      work(steps(i));
      cilk_spawn child(1);
    }
    cilk_sync;
    break;
  default:
    cilk_for (int i = 0; i < 10000; i++) child(steps(i));
  }
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  printf("%.6f\n", (double)now.tv_sec + (double)now.tv_nsec * 1e-9);
  return 0;
}
EOC
# seconds VALUE: of the summary.
seconds() {
  sed -n "s/^ *$1: *//p" summary.txt | awk '{ print $1 * ($2 == "s" ? 1 : $2 == "ms" ? 1e-3 : $2 == "us" ? 1e-6 : 1e-9) }'
}
compile -O2 -fcilkprof rare.c -o rare
for what in 0 1 2; do
  profile rare $what
  true_that "$what: the work has the long ones" "$(seconds Work) > $(cat rare.stdout) / 2"
  true_that "$what: no more than the program took" "$(seconds Work) < $(cat rare.stdout) * 1.5"
  if [ $what = 1 ]; then
    true_that "$what: the span has all of them" "$(seconds Span) > $(cat rare.stdout) / 2"
  else
    true_that "$what: the span has one of them" "$(seconds Span) > $(cat rare.stdout) / 40"
    true_that "$what: and no more" "$(seconds Span) < $(cat rare.stdout) / 3"
  fi
done
finish
