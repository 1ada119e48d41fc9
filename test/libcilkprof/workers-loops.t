#!/bin/sh
# cilk_for and cilk_scope in profiles of parallel runs: ranges are stolen, and the profile is that of one worker.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# Loops with calls, without any, with children, in recursions that meet their own sites again, nested, with a given grain,
# downwards, of one iteration and of none; grains that are equally long.  Nothing else is spawned in flat().
cat >prog.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
static unsigned out[5000];
__attribute__((noinline)) static unsigned step(unsigned n) { unsigned sum = 0; for (unsigned i = 0; i < n % 16; i++) sum += i * n; return sum; }
static unsigned flat(unsigned n) {
  unsigned none = n - n;
  cilk_for (unsigned i = 0; i < 5000; i++) out[i] = i * n;
  cilk_for (unsigned i = 0; i < 200; i++) out[i] += step(i);
  #pragma cilk grainsize = 7
  cilk_for (long i = 200; i > 0; i -= 3) out[i] ^= step(n);
  cilk_for (unsigned i = 0; i < none; i++) out[i] = step(i);
  cilk_for (unsigned i = 0; i < 1; i++) out[i] = step(i);
  return out[77];
}
static unsigned deep(unsigned n, unsigned at) {
  unsigned sums[4] = {0};
  if (n < 2) return step(at);
  cilk_for (unsigned i = 0; i < 4; i++) {
    unsigned a = cilk_spawn deep(n - 2, i), b = step(n + i);
    cilk_sync;
    cilk_for (unsigned j = 0; j < 3; j++) step(j);
    sums[i] = a + b;
  }
  cilk_scope {
    sums[0] += cilk_spawn step(n);
    sums[1] += step(n);
  }
  return sums[0] + sums[1] + sums[2] + sums[3];
}
int main(int argc, char **argv) {
  unsigned n = argc > 1 ? (unsigned)atoi(argv[1]) : 7;
  printf("%u %u\n", flat(n), n > 1 ? deep(n, 0) : 0);
  return 0;
}
END
columns() {
  profile prog "$@"
  { sort sites.csv; cat prog.stdout; } >seen
}
stolen() {
  cilkprof-report --csv=workers prog prog.prof | tr -d '\r' | tail -1 | cut -d, -f6
}
for level in -O0 -O2; do
  compile -w $level -fcilkprof=parallel-count prog.c -o prog
  CILK_NWORKERS=1 columns 7
  cp seen wanted
  for workers in 1 2 3 4 8; do
    CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers columns 7
    same "$level: $workers workers, with forced steals" wanted seen
  done
  CILK_NWORKERS=4 columns 7
  same "$level: 4 workers" wanted seen
  ranges=0
  for workers in 2 3 4 8; do # on a busy machine there may be none in one run
    CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers columns 1
    ranges=$((ranges + $(stolen)))
  done
  holds "$level: ranges of loops were stolen" test $ranges -gt 0
done

# Grains that are equally long, and call something else each: the first of them is on the span, in whatever order they run.
cat >ties.c <<'END'
#include <cilk/cilk.h>
static volatile unsigned sink;
#define STEP(name) __attribute__((noinline)) static void name(void) { for (unsigned i = 0; i < 9; i++) sink = i; }
STEP(first) STEP(second) STEP(third) STEP(fourth)
static void (*const volatile all[])(void) = {first, second, third, fourth};
int main(void) {
  #pragma cilk grainsize = 1
  cilk_for (unsigned i = 0; i < 24; i++) all[i % 4]();
  return 0;
}
END
compile -w -O2 -fcilkprof=parallel-count ties.c -o ties
CILK_NWORKERS=1 profile ties
sort sites.csv >wanted
for seed in 1 2 3 4 5 6 7 8 9 10; do
  CILK_NWORKERS=2 CILKPROF_FORCE_STEALS=$seed profile ties
  sort sites.csv >seen
  same "grains that are equally long, seed $seed" wanted seen
done

# The serial profile has the same calls and loops.
cat >counts.awk <<'END'
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["on_work_local_count"] != "" { print $at["kind"], $at["caller"], $at["callee"], $at["line"], $at["on_work_local_count"], $at["on_work_top_call_site_count"] }
END
compile -w -O2 -fcilkprof=count prog.c -o serial
profile serial 7
awk -F, -f counts.awk sites.csv | sort >serial-counts
compile -w -O2 -fcilkprof=parallel prog.c -o timed
for workers in 1 3; do
  CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers profile timed 7
  awk -F, -f counts.awk sites.csv | sort >counts
  same "$workers workers, in time: calls and loops of the serial profile" serial-counts counts
done

# In C++: iterators, a range of a class, and an exception, the first one in serial order of those that are thrown.
cat >iterators.cc <<'END'
#include <cilk/cilk.h>
#include <cstdio>
#include <vector>
__attribute__((noinline)) static int step(int n) { int sum = 0; for (int i = 0; i < n % 8; i++) sum += i ^ n; return sum; }
static int several(int n) {
  try {
    cilk_for (int i = 0; i < n; i++) if (i >= 5) throw i;
  } catch (int thrown) { return thrown; }
  return -1;
}
int main() {
  std::vector<int> all(300);
  cilk_for (auto at = all.begin(); at != all.end(); ++at) *at = step(int(at - all.begin()));
  cilk_for (int &each : all) each += step(each);
  int sum = 0;
  for (int each : all) sum += each;
  std::printf("%d %d %d\n", sum, several(3), several(9));
}
END
c++ -w -O2 -fcilkplus -fcilkprof=parallel-count iterators.cc -o iterators >said 2>&1 || give_up 'C++' said
c++ -w -O2 -fcilkplus=serial iterators.cc -o plain && $RUN ./plain >wanted
for workers in 1 4; do
  CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=3 profile iterators
  same "$workers workers: loops of C++" wanted iterators.stdout
done
finish
