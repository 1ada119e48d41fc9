#!/bin/sh
# Sums that exceed 64 bits stay at the largest number, or are cut before it, and the profile says so.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"
# The timer is not that of the samples.
export CILKPROF_SAMPLE_HZ=0
note='Some totals exceed the largest number that can be stored'

# Burdens: the work and span beside them are what they are.
cat >burden.c <<'EOC'
#include <cilk/cilk.h>
#include <cilkprof.h>
#include <stdlib.h>
static volatile long zero;
__attribute__((noinline)) long leaf(long n) { return n + zero; }
void chain(long n) {
  for (; n > 0; n--) {
    cilk_spawn leaf(n);
    leaf(n);
    cilk_sync;
  }
}
int main(int argc, char *argv[]) {
  (void)argc;
  cilkprof_start("chain");
  chain(atol(argv[1]));
  cilkprof_stop("chain");
  return 0;
}
EOC
compile -O2 -fcilkprof=count burden.c -o burden
CILKPROF_CONTEXTS=1 CILKPROF_BURDEN=17592186044415
export CILKPROF_CONTEXTS CILKPROF_BURDEN
profile burden 500000
equal 'burdens that fit' "8796093022207500000 0" "$(($(whole 'Burdened span') - $(whole Span))) $(grep -c "$note" summary.txt)"
work=$(whole Work)
profile burden 2200000
equal 'burdens that do not' "18446744073709551615 1" "$(whole 'Burdened span') $(grep -c "$note" summary.txt)"
true_that 'the work beside them' "$(whole Work) > 4.39 * $work && $(whole Work) < 4.41 * $work"
equal 'a call site' 18446744073709551615 "$(field 'main>chain' on_work_top_call_site_burdened_span)"
cilkprof-report --format=json burden burden.prof >got
holds 'a region' grep -q '"chain".*18446744073709551615' got
holds 'and the flag' grep -q '"saturated":true' got
cilkprof-report --verdict burden burden.prof >got
holds 'the verdict says so' grep -q 'Counter overflow' got
unset CILKPROF_CONTEXTS

# Loops of which only the number of iterations is known: their trees cost what no time was spent on.
cat >preset.c <<'EOC'
#include "libcilkprof/abi/state.h"
extern void preset(__cilkprof_u64 nodes);
void preset(__cilkprof_u64 nodes) { __cilkprof_self.loop_spawns = nodes; }
EOC
cat >loop.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
extern void preset(unsigned long nodes);
__attribute__((noinline)) long sum(long n) {
  long result = 0;
#pragma cilk grainsize = 1
  cilk_for (long i = 0; i < n; i++) result += i;
  return result;
}
int main(int argc, char *argv[]) {
  (void)argc;
  preset(strtoul(argv[1], NULL, 10));
  printf("%ld\n", sum(1000));
  return 0;
}
EOC
gcc -O2 -I "$TOP" -c preset.c -o preset.o || give_up 'preset.c'
compile -O2 -fcilkprof=count loop.c preset.o -o loop
CILKPROF_BURDEN=0
profile loop 0
equal 'the nodes of a loop' '0 499500 999' "$status $(cat loop.stdout) $(whole Spawns)"
profile loop 9007199254739000
equal 'nodes up to the most' '0 499500 9007199254739999 0' "$status $(cat loop.stdout) $(whole Spawns) $(grep -c "$note" summary.txt)"
profile loop 9007199254740988
equal 'and no more' '0 499500 9007199254740992 1' "$status $(cat loop.stdout) $(whole Spawns) $(grep -c "$note" summary.txt)"
unset CILKPROF_BURDEN

# What the user adds.
cat >view.c <<'EOC'
#include <cilktools/cilkview.h>
int main(void) {
  cilkview_data_t zero = {0}, much = {0};
  much.work = much.burdened_span = 9223372036854775808ul;
  much.span = 7;
  for (int i = 0; i < 3; i++) __cilkview_report(&zero, &much, "much", 0);
  return 0;
}
EOC
compile -O2 -fcilkprof=count view.c -o view
profile view
cilkprof-report --format=json view view.prof >got
holds 'a region of what the user adds' grep -q '"label":"much".*"work":18446744073709551615,"span":21,"burdened_span":18446744073709551615' got
equal 'and the note' 1 "$(grep -c "$note" summary.txt)"

# What-ifs compute with multiples of the work.
cat >whatif.c <<'EOC'
#include <cilk/cilk.h>
extern void preset(void);
__attribute__((noinline)) void leaf(void) { preset(); }
int main(void) { leaf(); return 0; }
EOC
cat >whatif-preset.c <<'EOC'
#define __CILKPROF_WHATIF 1
#include "libcilkprof/abi/state.h"
extern void preset(void);
void preset(void) { __cilkprof_self.frames->work = (__cilkprof_u64)1 << 61; }
EOC
gcc -O2 -I "$TOP" -c whatif-preset.c -o preset.o || give_up 'whatif-preset.c'
compile -O2 -fcilkprof=whatif whatif.c preset.o -o whatif
CILKPROF_WHATIF=leaf/5 CILKPROF_OUT=whatif.prof ./whatif 2>stderr
holds 'what-ifs of too much work' grep -q 'the work is too large; it is left out' stderr

# A strand of ten days.
cat >days.c <<'EOC'
extern volatile unsigned long test_seconds;
int main(void) {
  volatile int x = 0;
  for (int i = 0; i < 1000; i++)
    if (x++ == 500) test_seconds = 864000;
  return 0;
}
EOC
cat >clocks.c <<'EOC'
#define _GNU_SOURCE
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
volatile unsigned long test_seconds;
extern uint64_t __cilkprof_test_timer(void);
uint64_t __cilkprof_test_timer(void) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
#if defined(__aarch64__)
  uint64_t hz;
  __asm__("mrs %0, cntfrq_el0" : "=r"(hz));
#else
  uint64_t hz = 1000000000;
#endif
  return (uint64_t)((unsigned __int128)((now.tv_sec + test_seconds) * 1000000000 + now.tv_nsec) * hz / 1000000000);
}
int clock_gettime(clockid_t clock, struct timespec *now) {
  long result = syscall(SYS_clock_gettime, clock, now);
  now->tv_sec += test_seconds;
  return (int)result;
}
EOC
# The same with a handler inside, whose own strands are timed.
cat >handled.c <<'EOC'
#include <signal.h>
extern volatile unsigned long test_seconds;
static volatile int x;
static void handler(int number) { for (int i = 0; i < 1000; i++) x += number; }
int main(void) {
  signal(SIGUSR1, handler);
  for (int i = 0; i < 1000; i++)
    if (x++ == 999) test_seconds = 864000;
  raise(SIGUSR1);
  for (int i = 0; i < 1000; i++) x++;
  return 0;
}
EOC
gcc -O2 -c clocks.c -o clocks.o || give_up 'clocks.c'
for mode in hybrid clock; do
  for form in -fcilkprof-inline -fcilkprof-outline; do
    compile -O2 -fcilkprof=$mode $form -D__CILKPROF_TIMER=__cilkprof_test_timer -L"$BUILD_DIR/faulty-timer" handled.c clocks.o -o handled
    profile handled
    true_that "$mode $form: a strand of ten days that a handler interrupts" "$(whole Work) > 860000 && $(whole Work) < 870000"
  done
  compile -O2 -fcilkprof=$mode -D__CILKPROF_TIMER=__cilkprof_test_timer -L"$BUILD_DIR/faulty-timer" days.c clocks.o -o days
  profile days
  true_that "$mode: a strand of ten days" "$(whole Work) > 860000 && $(whole Work) < 870000"
done

# The on-span log stays short however many children there are before a sync, each on a longer path than those before it.
cat >spawns.c <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
__attribute__((noinline)) void leaf(void) { __asm__ volatile("" ::: "memory"); }
int main(int argc, char *argv[]) {
  int n = atoi(argv[argc - 1]);
  for (int i = 0; i < n; i++) cilk_spawn leaf();
  cilk_sync;
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("%ld\n", usage.ru_maxrss);
  return 0;
}
EOC
for form in -fcilkprof-inline -fcilkprof-outline; do
  compile -O2 -fcilkprof=count $form spawns.c -o spawns
  profile spawns 1000
  few=$(cat spawns.stdout)
  profile spawns 1000000
  true_that "$form: a million spawns before a sync take no more memory than a thousand" "$(cat spawns.stdout) < $few + 1024"
  equal "$form: all of them count" 1000000 "$(field leaf on_work_local_count)"
done
finish
