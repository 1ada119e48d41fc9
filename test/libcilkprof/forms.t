#!/bin/sh
# Events that are inlined and events that are called give the same numbers, as do frames in registers and in memory.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
# The timer is not that of the samples.
export CILKPROF_SAMPLE_HZ=0

# Of what gcc prints the code alone, and not the numbers that it gives to variables of its own: it goes on counting from one
# function to the next.
instructions='/^;; Function/ { print $3; inside = 0 } /^ *<bb / { inside = 1 } inside { gsub(/[.][0-9]+/, "."); print }'

for program in 'fib 18' 'qsort 20000' 'stencil 100' 'cholesky 200' \
  ${LONG:+'mm 128' 'nqueens 7' 'cilksort 30000' 'strassen 256' 'knapsack 20'}; do
  set -- $program
  for form in '' -fcilkprof-inline -fcilkprof-outline; do
    compile -O2 -fcilkprof=count $form -fdump-tree-optimized=optimized "$programs/$1.c" -o "$1" -lm
    profile "$1" "$2"
    equal "$1$form: the program runs" 0 "$status"
    cp sites.csv "form$form.csv"
    awk "$instructions" optimized >"form$form.code"
  done
  for form in -fcilkprof-inline -fcilkprof-outline; do
    same "$1$form: the code before there are events is the same" form.code "form$form.code"
    same "$1$form: every value of every site is the same" form.csv "form$form.csv"
  done
done

# A function may begin with a loop, whose first block is the function's.
cat >begins.c <<'END'
__attribute__((noinline)) int even(int n) { return n % 2; }
__attribute__((noinline)) int begins(int n) {
  while (1) {
    while (1)
      if (n >= 50)
        return n;
      else if (even(n))
        n += 3;
      else
        break;
    n += 1;
  }
}
__attribute__((noinline)) int alone(int n) {
  for (;;)
    if ((n += 7) % 3 == 0)
      return n;
}
int main(void) { return begins(4) + alone(3) == 0; }
END
for level in -O0 -O2; do
  for form in '' -fcilkprof-inline -fcilkprof-outline; do
    compile $level -fcilkprof=count $form begins.c -o begins
    profile begins
    cp sites.csv "form$form.csv"
  done
  for form in -fcilkprof-inline -fcilkprof-outline; do
    same "$level$form: a function that begins with a loop" form.csv "form$form.csv"
  done
  holds "$level: its work is small" awk -F, 'NR > 1 && $8 > 1000 { exit 1 }' form.csv
done

# With a timer that is the same in every run, the strands that are timed are the same as well.
cat >timed.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static volatile long zero;
extern unsigned long __cilkprof_test_step;
__attribute__((noinline)) static long once(long n) { long s = 0; for (long i = 0; i < n; i++) s += i ^ s; return s; }
__attribute__((noinline)) static long twice(long n) {
  long s = n * 3;
  if (n & 1) for (long i = 0; i < n; i++) s += i ^ s;
  s ^= zero;
  if (n & 2) for (long i = 0; i < n; i++) s -= i ^ s;
  return s;
}
__attribute__((noinline)) static void copies(char *to, long n) { if (n & 1) memset(to, (int)n, (size_t)n); to[0] = (char)n; }
struct page { char bytes[4096]; };
static struct page page, other;
struct line { char bytes[64]; };
static struct line line, another;
__attribute__((noinline)) static void copies_page(long n) { page = other; page.bytes[n] = (char)n; }
__attribute__((noinline)) static void clears_page(long n) { memset(&page, 0, sizeof page); page.bytes[n] = (char)n; }
__attribute__((noinline)) static void copies_line(long n) { line = another; line.bytes[n & 63] = (char)n; }
__attribute__((noinline)) long seen_by_all(long n) { long s = 1; while (n > 1) { n = n & 1 ? 3 * n + 1 : n / 2; s++; } return s; }
__attribute__((noinline)) static long calls(long n) { long s = once(n); for (long i = 0; i < n; i++) s ^= i; return s + twice(n); }
/* Of loops in a loop nobody knows how long they take: they are timed, also where a strand comes to them that is not.  */
static long lengths[4] = {1, 0, 2, 1};
#define LONG_LOOPS(m) \
  for (long i = 0; i < 5; i++) zero = zero ^ 0; \
  if (m) for (long i = 0; i < m; i++) for (long j = 0; j < lengths[i]; j++) zero = zero ^ 0
__attribute__((noinline)) static void sometimes_long(long m) { LONG_LOOPS(m); }
__attribute__((noinline)) static long long_and_calls(long m) { LONG_LOOPS(m); return once(m); }
/* It calls: of one that does not, called events are fewer, and the time that they take is subtracted. */
static int order(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b, s = 0;
  for (long i = 0; i < 3; i++) s ^= i;
  copies_line(x);
  return x + (s & 0) < y ? -1 : x > y;
}
long tree(long n) {
  if (n < 2) return seen_by_all(n + 7);
  long a = cilk_spawn tree(n - 1);
  long b = tree(n - 2);
  cilk_sync;
  return a + b + calls(n);
}
/* It is called several times and does not spawn: in main its loops would have second bodies, if events are called.  */
__attribute__((noinline)) static void loops(char *buffer, long *values, long from, long to) {
  if (to - from > 25) {
    loops(buffer, values, from, from + 25);
    loops(buffer, values, from + 25, to);
    return;
  }
  for (long i = from; i < to; i++) { values[i] = i * 7 % 50; copies(buffer, i + 1); copies_page(i); clears_page(i); copies_line(i); }
  for (long i = 20 * from; i < 20 * to; i++) { sometimes_long(i & 4); long_and_calls(i & 4); }
}
int main(void) {
  char buffer[100];
  long values[50];
  __cilkprof_test_step = 31;
  loops(buffer, values, 0, 50);
  qsort(values, 50, sizeof *values, order);
  printf("%ld %ld %d %d %d\n", tree(12), values[3], buffer[0], page.bytes[3], line.bytes[3]);
  return 0;
}
END
TIMER_FAULT=reads CILKPROF_FOLLOW=1 # which calls are counted differs from form to form
export TIMER_FAULT CILKPROF_FOLLOW
for source in timed "$programs/fib" "$programs/qsort" "$programs/stencil"; do
  name=${source##*/}
  for form in '' -fcilkprof-inline -fcilkprof-outline; do
    compile -O2 -fcilkprof=hybrid $form -D__CILKPROF_TIMER=__cilkprof_test_timer -L"$BUILD_DIR/faulty-timer" "$source.c" \
      "$BUILD_DIR/faulty-timer/timer.o" -o "$name"
    profile "$name" 20
    equal "$name$form, hybrid: the program runs" 0 "$status"
    cp sites.csv "form$form.csv"
    [ "$name" = timed ] || continue
    for function in copies_page clears_page; do # a tick of this timer is worth more than their instructions
      true_that "$name$form, hybrid: $function is timed" "$(field $function on_work_local_work) > 2 * $(field copies_line on_work_local_work)"
      # Of fifty that take the same time only some are timed; the others cost what those did.
      true_that "$name$form, hybrid: $function costs the same whether it is timed or not" \
        "$(field $function on_work_local_work) > 49 * 30 * 14000 && $(field $function on_work_local_work) < 51 * 30 * 15000"
    done
    for function in sometimes_long long_and_calls; do # in two strands at most
      true_that "$name$form, hybrid: $function takes no longer than it is timed" \
        "$(field $function on_work_local_work) < 2 * 1000 * 30 * 15000"
    done
  done
  for form in -fcilkprof-inline -fcilkprof-outline; do
    same "$name$form, hybrid: every value of every site is the same" form.csv "form$form.csv"
  done
done
finish
