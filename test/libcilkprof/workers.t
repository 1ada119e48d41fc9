#!/bin/sh
# Profiles of parallel runs: equal to those of one worker, and what is refused.
# SPDX-License-Identifier: MIT
. "$TOP/test/libcilkprof/lib.sh"

# Calls of code without instrumentation, spawns through pointers, two children with equal paths, results in bit-fields, a
# closure with much in it, and an inner recursion that is below another invocation of its sites.
cat >prog.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
struct large { unsigned long words[40]; };
struct bits { unsigned low : 7, high : 25; };
volatile unsigned sink;
static unsigned step(unsigned n) { unsigned sum = 0; for (unsigned i = 0; i < n % 16; i++) sum += i * n; return sum; }
static unsigned of_large(struct large all) { return step((unsigned)all.words[39]); }
static int compare(const void *a, const void *b) { return (int)step(3) / 1000 + *(const int *)a - *(const int *)b; }
static unsigned sort(unsigned n) {
  int numbers[16];
  for (int i = 0; i < 16; i++) numbers[i] = (int)(n * 7919u >> i) % 100;
  qsort(numbers, 16, sizeof *numbers, compare);
  return (unsigned)numbers[0];
}
static unsigned (*volatile through[])(unsigned) = {step, sort};
static unsigned walk(unsigned n) {
  if (n < 2) return step(n);
  struct bits bits = {0, 0};
  struct large large = {{0}};
  unsigned a, b, c;
  large.words[39] = n;
  a = cilk_spawn walk(n - 1);
  bits.high = cilk_spawn walk(n - 2);
  b = cilk_spawn through[n % 2](n);
  c = step(n);
  cilk_sync;
  cilk_spawn step(5); cilk_spawn step(5);
  b += cilk_spawn of_large(large);
  cilk_for (unsigned i = 0; i < n; i++) sink = walk(i / 4);
  return a + c + bits.high;
}
int main(int argc, char **argv) {
  unsigned result = cilk_spawn walk(argc > 1 ? (unsigned)atoi(argv[1]) : 9);
  walk(6);
  cilk_sync;
  printf("%u\n", result);
  return 0;
}
END
# columns: what must not depend on the schedule; the order of the sites does.
columns() {
  profile prog "$@"
  { sort sites.csv; cat prog.stdout; } >seen
}
for level in -O0 -O2; do
  compile -w $level -fcilkprof=parallel-count prog.c -o prog
  CILK_NWORKERS=1 columns 9
  cp seen wanted
  stolen=0
  for workers in 1 2 3 8; do
    CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers columns 9
    same "$level: $workers workers, with forced steals" wanted seen
    cilkprof-report --csv=workers prog prog.prof | tr -d '\r' >workers.csv
    equal "$level: $workers workers ran it" $workers "$(tail -1 workers.csv | cut -d, -f2)"
    stolen=$((stolen + $(tail -1 workers.csv | cut -d, -f6)))
  done
  holds "$level: children were stolen" test $stolen -gt 0 # on a busy machine not in each run
  CILK_NWORKERS=4 columns 9
  same "$level: 4 workers" wanted seen
done

# A serial profile of the same program has as many calls of everything.
compile -w -O2 -fcilkprof=count prog.c -o serial
profile serial 9
cut -d, -f1-8 sites.csv | sort >serial-sites
cat >counts.awk <<'END'
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{ print $at["caller"], $at["callee"], $at["line"], $at["on_work_local_count"] }
END
awk -F, -f counts.awk sites.csv | sort >serial-counts
CILK_NWORKERS=3 CILKPROF_FORCE_STEALS=5 profile prog 9
awk -F, -f counts.awk sites.csv | sort >counts
holds 'there are counts' test "$(wc -l <counts)" -gt 8
same 'the serial profile counts the same calls' serial-counts counts

# What a program does so that other workers can run its children is no work: a function that only spawns has done as
# much as in a serial run.
cat >fib.c <<'END'
#include <cilk/cilk.h>
#include <stdio.h>
static int fib(int n) {
  int x, y;
  if (n < 2) return n;
  x = cilk_spawn fib(n - 1);
  y = fib(n - 2);
  cilk_sync;
  return x + y;
}
int main(int argc, char **argv) { return fib(argc + 9) != 55 || argv == 0; }
END
cat >totals.awk <<'END'
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["callee"] == "fib" { print $at["line"], $at["on_work_local_work"], $at["on_work_top_caller_span"] }
END
for mode in count parallel-count; do
  compile -w -O2 -fcilkprof=$mode fib.c -o fib-$mode
  profile fib-$mode
  awk -F, -f totals.awk sites.csv | sort >totals-$mode
done
equal 'fib is called in three places' 3 "$(wc -l <totals-count)"
same 'closures are no work' totals-count totals-parallel-count

# In time: the same calls with events as in a serial run, and all that is measured adds up.
cat >known-counts.awk <<'END'
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
$at["on_work_local_count"] != "" { print $at["caller"], $at["callee"], $at["line"], $at["on_work_local_count"] }
END
compile -w -O2 -fcilkprof prog.c -o serial
profile serial 9
awk -F, -f known-counts.awk sites.csv | sort >serial-counts
holds 'calls with events are counted' test "$(wc -l <serial-counts)" -gt 12
compile -w -O2 -fcilkprof=parallel prog.c -o timed
for workers in 1 3; do
  CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers profile timed 9
  awk -F, -f known-counts.awk sites.csv | sort >counts
  same "$workers workers, in time: the serial profile counts the same calls" serial-counts counts
  holds "$workers workers, in time: the profile is complete" test "$(cilkprof-report --format=json timed timed.prof | grep -c '"incomplete":false')" -eq 1
  cilkprof-report --brief --summary timed timed.prof >summary
  holds "$workers workers: the summary has them" grep -q "Workers:  *$workers;" summary
  holds "$workers workers: and the speedup of the run" grep -q 'Speedup of this run:  *[0-9.]*, work / elapsed time' summary
done
CILK_NWORKERS=2 profile timed 9 # callbacks of qsort(), in children that are called and such that are deferred
equal 'without forced steals, in time: it runs' 0 $status
awk -F, -f known-counts.awk sites.csv | sort >counts
same 'without forced steals, in time: the serial profile counts the same calls' serial-counts counts
CILK_NWORKERS=3 CILKPROF_FORCE_STEALS=3 profile timed 9
holds 'the verdict compares it with the bounds' cilkprof-report --verdict timed timed.prof
cilkprof-report --format=json timed timed.prof >json
holds 'JSON has the speedup' grep -q '"workers":{"workers":3,"elapsed_ns":[0-9]*,"speedup":[0-9.e-]*,"deferred":[0-9]*,"stolen":[0-9]*}' json

# cilkprof-run: -j is the number of workers, and there are no samples.
if [ -z "$RUN" ]; then
  cilkprof-run -j 3 -o run.prof ./timed 9 >said 2>&1
  equal 'cilkprof-run -j: it runs' 0 $?
  cilkprof-report --brief --summary timed run.prof >summary
  holds 'cilkprof-run -j: the number of workers' grep -q 'Workers:  *3;' summary
fi
cilkprof-run -F 100 ./timed 9 >refusal 2>&1
holds 'cilkprof-run -F: no samples of such a program' grep -q 'was compiled with -fcilkprof=parallel; build it with' refusal

# A worker that runs a child while it waits at a sync: the child's time is no work of the waiting function, whose strand
# is being timed.
cat >waits.c <<'END'
#include <cilk/cilk.h>
#include <string.h>
volatile unsigned sink;
char memory[1 << 16];
__attribute__((noinline)) static void child(void) { for (unsigned i = 0; i < 100000000; i++) sink = i; }
__attribute__((noinline)) static void waits(int n) {
  cilk_spawn child();
  for (int i = 0; i < n; i++) memset(memory, i, sizeof memory);
  cilk_sync;
}
int main(int argc, char **argv) { waits(argc + 9); return argv == 0; }
END
compile -w -O2 -fcilkprof=parallel waits.c -o waits
CILK_NWORKERS=2 CILKPROF_FORCE_STEALS=0 profile waits
cat >work.awk <<'END'
NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
{ gsub("\"", "", $at["callee"]); all[$at["callee"]] += $at["on_work_top_call_site_work"] }
END { waits = all["waits"] - all["child"]; exit !(all["child"] > 2 * waits && waits > 0) }
END
holds 'what the child took is not charged to who waits for it' awk -F, -f work.awk sites.csv

# An exception of a child is thrown at the sync, and the profile is whole.
cat >throws.cc <<'END'
#include <cilk/cilk.h>
#include <cstdio>
struct guard { int &n; ~guard() { n++; } };
static int child(int n) { if (n == 3) throw n; return n; }
static int several(int &ended) {
  guard here = {ended};
  int a, b;
  try {
    a = cilk_spawn child(3);
    b = child(2);
    cilk_sync;
    return a + b;
  } catch (int thrown) { return 100 + thrown; }
}
int main() {
  int ended = 0, sum = 0;
  for (int i = 0; i < 20; i++) { int part = cilk_spawn several(ended); cilk_sync; sum += part; }
  std::printf("%d %d\n", sum, ended);
}
END
c++ -w -O2 -fcilkplus -fcilkprof=parallel-count throws.cc -o throws >said 2>&1 || give_up 'C++' said
for workers in 1 4; do
  CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=3 profile throws
  equal "$workers workers: exceptions of children" '2060 20' "$(cat throws.stdout)"
done

# Children that throw, one after another and below each other: the profile does not depend on who ran them.
cat >thrown.cc <<'END'
#include <cilk/cilk.h>
#include <cstdio>
static int step(int n) { int sum = 0; for (int i = 0; i < n % 8; i++) sum += i ^ n; if (n % 3 == 2) throw n; return sum; }
static int walk(int n) {
  if (n < 2) return n;
  int a = 0, b = 0;
  try { a = cilk_spawn walk(n - 1); b = cilk_spawn step(n); a += step(n + 1); cilk_sync; }
  catch (int thrown) { a = 1000 + thrown; if (n % 5 == 1) throw; }
  return a + b + n;
}
int main() {
  int sum = 0;
  try { sum = walk(20); } catch (int thrown) { sum = -thrown; }
  std::printf("%d\n", sum);
}
END
c++ -w -O2 -fcilkplus=serial thrown.cc -o plain && $RUN ./plain >plain.stdout
c++ -w -O2 -fcilkplus -fcilkprof=parallel-count thrown.cc -o thrown >said 2>&1 || give_up 'C++' said
for workers in 1 2 4 8; do
  CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers profile thrown
  same "$workers workers: what is thrown is what a serial run throws" plain.stdout thrown.stdout
  sort sites.csv >seen
  [ $workers -gt 1 ] || cp seen wanted
  same "$workers workers: the profile of a run with exceptions" wanted seen
done

# A forked process has workers of its own, and threads of the program's own run their children themselves.
cat >forks.c <<'END'
#include <cilk/cilk.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
static long fib(long n) { if (n < 2) return n; long a = cilk_spawn fib(n - 1); long b = fib(n - 2); cilk_sync; return a + b; }
static void *run(void *result) { *(long *)result = fib(12); return 0; }
int main(void) {
  pthread_t thread;
  long other, first = fib(14);
  int status = 0;
  pid_t child = fork();
  if (child == 0) return (int)fib(11);
  waitpid(child, &status, 0);
  pthread_create(&thread, 0, run, &other);
  long last = fib(13);
  pthread_join(thread, 0);
  printf("%ld %d %ld %ld\n", first, WEXITSTATUS(status), last, other);
  return 0;
}
END
compile -w -O2 -fcilkprof=parallel-count forks.c -o forks -lpthread
numbers='1 3'
[ -z "$RUN" ] || numbers=1 # an emulator fails where a process with several threads forks
for workers in $numbers; do
  CILK_NWORKERS=$workers CILKPROF_FORCE_STEALS=$workers profile forks
  equal "$workers workers: fork and threads" '377 89 233 144' "$(cat forks.stdout)"
  sort sites.csv >forks-$workers
done
[ -n "$RUN" ] || same 'the profile of the first process does not depend on them' forks-1 forks-3

# Refused.
refused() {
  name=$1 text=$2
  shift 2
  "$@" >refusal 2>&1
  holds "refused: $name" grep -q "$text" refusal
}
refused 'OpenMP' 'is not for OpenMP' cc -fopenmp -fcilkplus -fcilkprof=parallel-count prog.c -o prog.omp
cc -w -fcilkplus -fcilkprof=count -c prog.c -o count.o && echo 'int other;void touch(void) { other++; }' >other.c &&
  cc -fcilkplus -fcilkprof=parallel-count -c other.c && refused 'two modes' 'same_mode\|is_missing' cc -fcilkprof=parallel-count count.o other.o -o both
for asked in CILKPROF_CONTEXTS=1 CILKPROF_ROOT=walk CILKPROF_INTERVAL=1; do
  refused "$asked" "${asked%=*}: not for parallel runs; ignored" env $asked $RUN ./prog 3
done
cat >regions.c <<'END'
#include <cilkprof.h>
int main(void) { cilkprof_start("a"); cilkprof_stop("a"); cilkprof_start("b"); return 0; }
END
compile -fcilkprof=parallel-count regions.c -o regions
refused 'regions' 'not measured in a parallel run' $RUN ./regions
equal 'said once' 1 "$(grep -c 'not measured' refusal)"
cat >leaves.c <<'END'
#include <cilk/cilk.h>
#include <stdlib.h>
static void ends(void) { exit(0); }
int main(void) { cilk_spawn ends(); cilk_sync; return 1; }
END
compile -fcilkprof=parallel-count leaves.c -o leaves
CILKPROF_OUT=/dev/full CILK_NWORKERS=2 $RUN ./prog 3 >full 2>&1
holds 'a full disk is said' grep -q 'No space left on device; no profile is written' full
cat >forever.c <<'END'
#include <cilk/cilk.h>
#include <unistd.h>
static void forever(void) { for (;;) pause(); }
int main(void) { cilk_spawn forever(); cilk_sync; return 0; }
END
compile -fcilkprof=parallel-count forever.c -o forever
CILKPROF_OUT=forever.prof CILK_NWORKERS=2 CILKPROF_FORCE_STEALS=1 timeout -s KILL 1 $RUN ./forever >said 2>&1
holds 'killed while a worker waits: nothing is written, not even a part' test ! -e forever.prof
rm -f cilkprof.out
refused 'exit in a child that was deferred: no profile' 'no profile' env CILK_NWORKERS=2 CILKPROF_FORCE_STEALS=1 $RUN ./leaves
holds 'none is written' test ! -e cilkprof.out
finish
