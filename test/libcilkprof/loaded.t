#!/bin/sh
# Other programs take most of the processors' time: times are those of the program all the same.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# A program that prints the CPU time of its long serial loop, and of all: a strand of many turns, then strands of
# milliseconds.
cat >long.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <time.h>
static double cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
static volatile double sum;
static void parts(int n) {
  if (n == 1) {
    for (int i = 0; i < 500000; i++) sum += i;
    return;
  }
  cilk_spawn parts(n / 2);
  parts(n - n / 2);
  cilk_sync;
}
int main(void) {
  double begin = cpu();
  for (int i = 0; i < 100000000; i++) sum += i;
  double middle = cpu();
  parts(200);
  fprintf(stderr, "%g %g\n", middle - begin, cpu() - begin);
  return 0;
}
END
compile -O2 -fcilkplus -fcilkprof long.c -o long

# Two programs for each processor take turns with it.  Turns end at the kernel's ticks, where samples are taken too.
for hog in $(seq $((2 * $(nproc)))); do
  timeout 60 sh -c 'while :; do :; done' &
  hogs="$hogs $!"
done
profile long
kill $hogs
cilkprof-report -i long long.prof >information
hz=$(sed -n 's/.*unit: *1.\([0-9,]*\) s.*/\1/p' information | tr -d ,)
tail -n 1 long.stderr >cpu
read -r loop all <cpu
# seconds COLUMN: of main and of its loop
seconds() {
  awk -F, -v column="$1" -v hz="$hz" '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["callee"] == "main" || $at["caller"] == "main" && $at["kind"] == "serial" { sum += $at[column] }
    END { print sum / hz }' sites.csv
}
work=$(field main on_work_top_call_site_work)
true_that 'the work is the CPU time of the program' "$work > 0.7 * $all * $hz && $work < 1.5 * $all * $hz"
true_that 'a long strand has its part of the work' "$(seconds on_work_local_work) > 0.7 * $loop"
true_that 'and of the span' "$(seconds on_span_local_span) > 0.7 * $loop"
finish
