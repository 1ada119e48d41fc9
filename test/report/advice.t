#!/bin/sh
# What is said of programs whose trouble is known: the sentence that one who knows the program would say.
# SPDX-License-Identifier: GPL-3.0-or-later
. "$TOP/test/tap.sh"

PATH=$BUILD_DIR/lib/cilkprof/bin:$BUILD_DIR/bin:$PATH
cat >work.h <<'EOC'
#include <cilk/cilk.h>
#include <stdio.h>
#include <stdlib.h>
static volatile long sink;
/* So much to do, and none of it in parallel.  */
#define WORK(n) do { long x = 1; for (long w = 0; w < (n); w++) x = x * 31 + w; sink = x; } while (0)
EOC

# said NAME PATTERN [OPTION...] <PROGRAM: the verdict for 8 processors, its lines joined, has the pattern.
said() {
  name=$1 pattern=$2
  shift 2
  { echo '#include "work.h"' && cat; } >program.c
  rm -f cilkprof.out
  cc -O1 -fcilkplus -fcilkprof=count "$@" program.c -o program && ./program >/dev/null || give_up "$name: it does not run"
  cilkprof-report --verdict --processors=8 program | tr '\n' ' ' | tr -s ' ' >verdict
  echo >>verdict
  if grep -q -e "$pattern" verdict; then pass "$name"; else fail "$name" verdict; fi
}
# nor NAME PATTERN: it has not.
nor() {
  if grep -q -e "$2" verdict; then fail "$1" verdict; else pass "$1"; fi
}

said 'a recursion that spawns down to nothing' "Short strands: .* Most often 'fib' is spawned, at program.c:5" <<'EOC'
__attribute__((noinline)) static long fib(long n) {
  if (n < 2)
    return n;
  long x = cilk_spawn fib(n - 1);
  long y = fib(n - 2);
  cilk_sync;
  return x + y;
}
int main(void) { printf("%ld\n", fib(18)); return 0; }
EOC
said 'a serial step in a parallel recursion' "Serial bottleneck: 'merge' takes .* Parallelise 'merge'" <<'EOC'
__attribute__((noinline)) static void merge(long n) { WORK(n); }
static void sort(long n) {
  if (n < 50000) { WORK(n); return; }
  cilk_spawn sort(n / 2);
  sort(n / 2);
  cilk_sync;
  merge(n);
}
int main(void) { sort(4000000); return 0; }
EOC
said 'input that is read before anything is parallel' "Serial bottleneck: 'read_input' takes .* Parallelise 'read_input'" <<'EOC'
__attribute__((noinline)) static void read_input(void) { WORK(3000000); }
int main(void) {
  read_input();
  cilk_for (int i = 0; i < 1000; i++) WORK(10000);
  return 0;
}
EOC
said 'the same in main itself' "Serial loop: the loop at program.c:3 in 'main' takes .* make it a cilk_for" <<'EOC'
int main(void) {
  WORK(3000000);
  cilk_for (int i = 0; i < 1000; i++) WORK(10000);
  return 0;
}
EOC
said 'a spawn that is synced at once' "Nothing runs in parallel with what it spawns at program.c:4: .* the parts of 'solve'" <<'EOC'
__attribute__((noinline)) static void solve(void) { WORK(3000000); }
int main(void) {
  cilk_spawn solve();
  cilk_sync;
  return 0;
}
EOC
nor 'it is not main that is to be parallelised' 'Parallelise'
said 'one iteration that is nearly all' 'Load imbalance: the longest of the 64 iterations of the cilk_for at program.c:3 takes 99% of its work; splitting the longest ones would raise the speedup on 8 processors from 1.01 to 8.00' <<'EOC'
int main(void) {
  cilk_for (int i = 0; i < 64; i++) WORK(i == 5 ? 9000000 : 1000);
  return 0;
}
EOC
said 'iterations of different length' 'Load imbalance: the longest of the 64 iterations of the cilk_for at program.c:3 takes 35% of its work' <<'EOC'
int main(void) {
  cilk_for (int i = 0; i < 64; i++) WORK(i == 5 ? 2000000 : 60000);
  return 0;
}
EOC
said 'spawns of different length' 'Load imbalance: the longest of the 4 spawns at program.c:6 takes 44% of their work; smaller pieces would raise the speedup on 8 processors from 2.25 to 8.00' <<'EOC'
__attribute__((noinline)) static void block(long n) { WORK(n); }
int main(void) {
  long parts[] = {800000, 1600000, 400000, 800000};
  for (int i = 0; i < 4; i++)
    cilk_spawn block(parts[i]);
  cilk_sync;
  return 0;
}
EOC
nor 'it is not what they do that is to be parallelised' 'Parallelise'
said 'spawns at several places' "Load imbalance: the longest of the 3 spawns of 'main', at program.c:5, takes 80% of their work" <<'EOC'
__attribute__((noinline)) static void block(long n) { WORK(n); }
int main(void) {
  cilk_spawn block(300000);
  cilk_spawn block(4000000);
  block(700000);
  cilk_sync;
  return 0;
}
EOC
said 'spawns that are equal are none' 'Too little parallelism' <<'EOC'
__attribute__((noinline)) static void block(long n) { WORK(n); }
int main(void) {
  for (int i = 0; i < 4; i++)
    cilk_spawn block(1600000);
  cilk_sync;
  return 0;
}
EOC
nor 'and are not said to be' 'Load imbalance'
said 'one grain' 'Loop on the critical path: .* It runs as a single grain' <<'EOC'
int main(void) {
#pragma cilk grainsize = 100000
  cilk_for (int i = 0; i < 1000; i++) WORK(10000);
  return 0;
}
EOC
said 'a small parallel loop in a serial one' \
  'Grain too fine: .* cilk_for at program.c:4: move the cilk_for outward to an enclosing loop' <<'EOC'
int main(void) {
  for (int j = 0; j < 1000; j++)
    cilk_for (int i = 0; i < 16; i++) WORK(100);
  return 0;
}
EOC
said 'all is well' 'Ample parallelism: .* memory bandwidth, false sharing and locks' <<'EOC'
__attribute__((noinline)) static void piece(void) { WORK(100000); }
int main(void) {
  cilk_for (int i = 0; i < 4096; i++) piece();
  return 0;
}
EOC
nor 'then nothing is a bottleneck' 'bottleneck'
said 'two halves' 'Too little parallelism: 2.00 for 8 processors' <<'EOC'
__attribute__((noinline)) static void half(void) { WORK(3000000); }
int main(void) {
  cilk_spawn half();
  half();
  cilk_sync;
  return 0;
}
EOC
said 'nothing is spawned' 'No parallelism: it is 1.00' <<'EOC'
__attribute__((noinline)) static void simulate(void) { WORK(3000000); }
int main(void) { simulate(); return 0; }
EOC
said 'one that is short as a whole' \
  "Short run: the work, [0-9,]* instructions, is only 1 times the cost .* Measure a longer run" <<'EOC'
int main(void) { return 0; }
EOC
nor 'then nothing is to be parallelised' 'Parallelise'
said 'a task for every element of a list' "Short strands: .* Most often 'visit' is spawned" <<'EOC'
__attribute__((noinline)) static void visit(long i) { sink = i; }
int main(void) {
  for (long i = 0; i < 20000; i++)
    cilk_spawn visit(i);
  cilk_sync;
  return 0;
}
EOC
said 'a chain: each piece waits for the one before' "Nothing runs in parallel with what it spawns at program.c:5: .* the parts of 'step'" <<'EOC'
__attribute__((noinline)) static void step(void) { WORK(100000); }
int main(void) {
  for (int i = 0; i < 50; i++) {
    cilk_spawn step();
    cilk_sync;
  }
  return 0;
}
EOC
said 'ample, and a longest serial part' 'Ample parallelism: .* Longest serial part: ' <<'EOC'
__attribute__((noinline)) static void piece(void) { WORK(100000); }
__attribute__((noinline)) static void once(void) { WORK(100000); }
int main(void) {
  once();
  cilk_for (int i = 0; i < 4096; i++) piece();
  return 0;
}
EOC
nor 'which is no bottleneck' 'bottleneck'

# In time: what libraries do is not counted in instructions.
said 'a serial sort of the library' \
  "Of that, 'qsort', called at program.c:11, takes .* Replace 'qsort' with something parallel" -fcilkprof=hybrid <<'EOC'
static int order(const void *a, const void *b) {
  return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b;
}
enum { COUNT = 300000 };
int main(void) {
  static int values[COUNT];
  unsigned random = 1;
  for (int i = 0; i < COUNT; i++)
    values[i] = (int)((random = random * 1664525 + 1013904223) >> 8);
  qsort(values, COUNT, sizeof *values, order);
  cilk_for (int i = 0; i < COUNT; i++) values[i] /= 3;
  return values[7] == 1;
}
EOC
said 'threads of its own' "Other threads: .* Work of other threads is not measured" \
  -fcilkprof=hybrid -pthread <<'EOC'
#include <pthread.h>
#include <unistd.h>
static void *run(void *argument) { WORK(20000000); return argument; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, run, NULL);
  pthread_join(thread, NULL);
  return 0;
}
EOC
said 'OpenMP without its pragmas' \
  "Of that, 'GOMP_parallel', .* The program creates its own threads, which are not measured" -fcilkprof=hybrid \
  -Wl,--no-as-needed -lgomp <<'EOC'
extern void GOMP_parallel(void (*)(void *), void *, unsigned, unsigned);
static void body(void *data) { (void)data; WORK(20000000); }
int main(void) {
  GOMP_parallel(body, 0, 2, 0);
  return 0;
}
EOC
nor 'main is not to be parallelised' 'Parallelise'
said 'four equal iterations on 8 processors' "the loop's parallelism is 4.00. Split its longest iterations" <<'EOC'
int main(void) {
  cilk_for (int i = 0; i < 4; i++)
    WORK(3000000);
  return 0;
}
EOC
cilkprof-report --verdict --processors=2 program | tr '\n' ' ' | tr -s ' ' >verdict
holds 'are enough for two, which four iterations keep at work: nothing is to blame there' \
  grep -q "Speedup: .*; 2.00 expected. .* the loop's parallelism is 4.00. That is not a limit yet" verdict
said 'a loop, and a serial part that costs less than a tenth of the speedup' 'On its own that would be enough' <<'EOC'
int main(void) {
  WORK(350000);
  cilk_for (int i = 0; i < 64; i++)
    WORK(466000);
  return 0;
}
EOC
nor 'which is not to blame' 'shorten it'

finish
