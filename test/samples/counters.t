#!/bin/sh
# What the processor counts in samples, by a system that is made up, as few machines have counters: with two workers each
# instruction takes twice as many cycles as with one.  And that nothing is said where there are no counters.
# SPDX-License-Identifier: MIT
. "$TOP/test/samples/lib.sh"

# Counters go with the CPU time of the thread that opened them: 2 instructions and CYCLES cycles each nanosecond, a miss
# each 100 and, where that is asked for, a line of another processor each 200.  They run half of the time.
cat >system.c <<'EOC'
#define _GNU_SOURCE
#include <time.h>
#include "perf-system.h"
static int is_made_up(const struct perf_event_attr *event) {
  if (event->type == PERF_TYPE_RAW && event->config != 0x4d2)
    abort();
  return event->type != PERF_TYPE_SOFTWARE;
}
static void set_readings(uint64_t *readings, uint64_t count) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  uint64_t ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec, half = ns / 2;
  uint64_t cycles = strcmp(getenv("CILK_NWORKERS"), "1") == 0 ? 1 : 2;
  uint64_t all[] = {count, ns, half, 2 * half / cycles, half, half / 100, half / 200};
  memcpy(readings, all, (3 + count) * sizeof *all);
}
EOC
cat >program.c <<'EOC'
#include "burn.h"
/* Works in two pieces, which two workers run at once.  */
APART work(double seconds) {
  SPAWN burn(seconds);
  burn(seconds);
  SYNC;
}
int main(int argc, char **argv) {
  (void)argc, (void)argv;
  work(0.3);
  return 0;
}
EOC
compile -I"$TOP/test/samples" program.c -o program
(PATH=/usr/bin:$PATH && gcc -shared -fPIC -I"$TOP/test/libcilkprof" system.c -o system.so -ldl) >said 2>&1 || give_up 'the system is compiled' said

# run WORKERS FILE: with the system that is made up.
run() {
  CILK_NWORKERS=$1 CILKPROF_OUT=$2 CILKPROF_SAMPLE=1 LD_PRELOAD=$PWD/system.so timeout 120 ./program >printed 2>said
  cat printed >>said
}
run 1 one.out
same 'one worker: nothing is said' /dev/null said
run 2 two.out
same 'two workers: nothing is said' /dev/null said
cilkprof-report --format=json ./program one.out two.out >json 2>said || give_up 'the report' said
# Time is divided at other moments than counters are read, so sums are near what was counted, not equal to it.
holds 'instructions, cycles and frequency' jq -e '.waste.efficiency.program | map(select(.workers == 2))[0] |
  def near($x): . > $x - 0.03 and . < $x + 0.03;
  (.instructions * .instructions_per_cycle * .frequency / .computation | near(1)) and (.instructions_per_cycle | near(0.5)) and
  (.frequency | near(1))' json
cilkprof-report -b --efficiency ./program one.out two.out >table
holds 'in the table' grep -q '^      Instructions per cycle   1.00     0.50 !$' table
cilkprof-report --file-info ./program two.out >info
holds 'the file has what was counted' grep -q 'counted: .* instructions, .* cycles, .* misses, .* HITM' info
rm -f two.out
# What is not there is left out; without instructions and cycles there is nothing.
for forbidden in 2; do
  FORBIDDEN=$forbidden run 2 two.out
  same "counter $forbidden is forbidden: nothing is said" /dev/null said
  cilkprof-report --file-info ./program two.out >info
  holds "counter $forbidden is forbidden: the others are there" grep -q 'counted: .* instructions' info
done
for forbidden in 0 1; do
  FORBIDDEN=$forbidden run 2 two.out
  same "counter $forbidden is forbidden: nothing is said" /dev/null said
  cilkprof-report --file-info ./program two.out >info
  holds "counter $forbidden is forbidden: nothing is counted" test "$(grep -c counted: info)" = 0
  cilkprof-report -b --efficiency ./program one.out two.out >table 2>said
  holds 'and there is no such row' test "$(grep -c Instructions table)" = 0
done
# On this machine, whatever it has.
CILK_NWORKERS=2 CILKPROF_OUT=here.out CILKPROF_SAMPLE=1 ./program >said 2>&1
same 'on this machine nothing is said' /dev/null said
finish
