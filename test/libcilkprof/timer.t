#!/bin/sh
# Timers that step back, run on while the machine sleeps, differ between processors, stop or wrap: no number of the profile
# is negative or absurd.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
# The timer is not that of the samples.
export CILKPROF_SAMPLE_HZ=0

faulty=$BUILD_DIR/faulty-timer
for mode in hybrid clock; do
  for name in fib qsort stencil; do
    compile -O2 -fcilkprof=$mode -D__CILKPROF_TIMER=__cilkprof_test_timer -L"$faulty" "$programs/$name.c" "$faulty/timer.o" -o $name.$mode
  done
  for fault in none back suspend migration stopped wrap; do
    TIMER_FAULT=$fault
    export TIMER_FAULT
    for run in 'fib 20' 'qsort 100000' 'stencil 100 20'; do
      set -- $run
      sample=$1
      shift
      profile $sample.$mode "$@" # the report checks the identities, and that spans are within works
      equal "$fault, $mode: $sample runs" 0 "$status"
      sed -n 's/^ *Work: *//p' summary.txt | awk '{ print $1 * ($2 == "s" ? 1 : $2 == "ms" ? 1e-3 : $2 == "us" ? 1e-6 : 1e-9) }' >work
      true_that "$fault, $mode: the work of $sample is less than five seconds" "$(cat work) >= 0 && $(cat work) < 5"
      [ $fault = stopped ] || true_that "$fault, $mode: and more than a microsecond" "$(cat work) > 1e-6"
    done
  done
done

corrected() {
  cilkprof-report -i fib.clock fib.clock.prof | sed -n 's/.*preempted strands: *\([0-9,]*\), .*/\1/p' | tr -d ,
}

# The tests can fail: without a look at the CPU time the weeks of a suspended machine would be work.
TIMER_FAULT=suspend
profile fib.clock 25
true_that 'strands were corrected' "$(corrected) > 0"

# Few instructions that take long were interrupted, if that is rare; if most do, they waited for memory.
TIMER_FAULT=interrupts
profile fib.clock 20
true_that 'interrupts that are short are corrected' "$(corrected) >= 20"
TIMER_FAULT=waiting
profile fib.clock 20
true_that 'strands that wait for memory are not' "$(corrected) + 0 <= 2000"

# What a strand did before it waited is its work, even if it waited longer: the program prints what it had of the processor.
cat >waits.c <<'END'
#include <stdio.h>
#include <time.h>
static char buffer[4096];
__attribute__((noinline)) static void writes(void) {
  for (volatile int i = 0; i < 20000; i++) {}
  fwrite(buffer, 1, sizeof buffer, stdout);
}
static double cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  double before = cpu();
  for (int i = 0; i < 500; i++) writes();
  fprintf(stderr, "%g\n", cpu() - before);
  return 0;
}
END
cat >reader.c <<'END'
#include <time.h>
#include <unistd.h>
int main(void) {
  char buffer[4096];
  while (read(0, buffer, sizeof buffer) > 0) nanosleep(&(struct timespec){0, 100000}, NULL);
  return 0;
}
END
"$CC" reader.c -o reader || give_up 'reader'
for mode in hybrid clock; do
  compile -O2 -fcilkprof=$mode waits.c -o waits
  CILKPROF_OUT=waits.prof $RUN ./waits 2>cpu | $RUN ./reader
  cilkprof-report --csv waits waits.prof | tr -d '\r"' >sites.csv
  cilkprof-report -i waits waits.prof >information
  hz=$(sed -n 's/.*unit: *1.\([0-9,]*\) s.*/\1/p' information | tr -d ,)
  true_that "$mode: most of what a strand did that waits is its work" "$(field writes on_work_local_work) > $(cat cpu) * $hz / 2"
done

# A system that finds in its first tick that all of the thread's time was its own, also that before the run.
cat >system.c <<'END'
#define _GNU_SOURCE
#include <string.h>
#include <sys/resource.h>
int getrusage(__rusage_who_t who, struct rusage *used) {
  static int calls;
  (void)who;
  memset(used, 0, sizeof *used);
  used->ru_stime.tv_sec = 100 * calls++;
  return 0;
}
END
cat >ticks.c <<'END'
#include <cilk/cilk.h>
int fib(int n) {
  if (n < 2) return n;
  int a = cilk_spawn fib(n - 1), b = fib(n - 2);
  cilk_sync;
  return a + b;
}
int main(void) { return fib(15) != 610; }
END
compile -O1 -c system.c
compile -O1 -fcilkplus -fcilkprof ticks.c system.o -o ticks
CILKPROF_OUT=ticks.prof $RUN ./ticks
cilkprof-report --csv=usage ticks ticks.prof | tr -d '\r' | awk -F, '$1 == "\"run\"" { print ($4 > 0 && $4 <= $3 ? "part" : "more") }' >got
echo part >wanted
same 'time in the kernel is a part of the time' wanted got
# Leaves that wait for results more than for instructions, in a loop that only counts their calls: the loop is timed.
cat >latency.c <<'END'
#include <stdio.h>
#include <time.h>
__attribute__((noinline)) static double next(double x) { for (int i = 0; i < 4; i++) x = 1 / (x + 1); return x; }
static double cpu(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
int main(void) {
  double x = 1, before = cpu();
  for (int i = 0; i < 1000000; i++) x = next(x);
  fprintf(stderr, "%g\n", cpu() - before);
  return x < 0;
}
END
if [ -z "$RUN" ]; then
  compile -O2 -fcilkprof latency.c -o latency
  profile latency
  cilkprof-report -i latency latency.prof >information
  hz=$(sed -n 's/.*unit: *1.\([0-9,]*\) s.*/\1/p' information | tr -d ,)
  true_that 'most of the time of leaves that wait for results is their work' \
    "$(field next on_work_local_work) + $(field main on_work_local_work) > $(tail -n 1 latency.stderr) * $hz / 2"
fi

# A leaf in a loop that was timed by itself, before its series is: what is measured of the series, a few instructions that
# wait for the memory that the leaf has used up, says nothing about it.
cat >faults.c <<'END'
#include <cilk/cilk.h>
#include <stdlib.h>
enum { PARTS = 64, SIZE = 1 << 20 };
static double *a, *b, *c;
__attribute__((noinline)) static void triad(long from, long to) {
  for (long i = from; i < to; i++) a[i] = b[i] + 3 * c[i];
}
int main(void) {
  a = calloc(SIZE, sizeof *a), b = calloc(SIZE, sizeof *b), c = calloc(SIZE, sizeof *c);
  for (int pass = 0; pass < 6; pass++)
#pragma cilk grainsize 1
    cilk_for (int i = 0; i < PARTS; i++) triad((long)i * (SIZE / PARTS), (long)(i + 1) * (SIZE / PARTS));
  return 0;
}
END
if [ -z "$RUN" ]; then
  compile -O2 -fcilkprof faults.c -o faults
  CILKPROF_FOLLOW=1 profile faults
  equal 'a leaf that is timed by itself has not more than the whole run' '' "$(grep 'exceeds the run' summary.txt)"
fi

finish
