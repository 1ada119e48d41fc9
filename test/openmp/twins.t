#!/bin/sh
# Programs with OpenMP and the same ones with Cilk: where both mean the same, the numbers are the same.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

# twins NAME OPTION...: NAME.c with OpenMP, and with Cilk where CILK is defined.  Sets what Cilk's has: work span burdened
# spawns syncs.
twins() {
  name=$1
  shift
  compile -O2 -fcilkprof=count -DCILK "$@" "$name.c" -o cilk
  profile cilk
  set -- "$(whole Work)" "$(whole Span)" "$(whole 'Burdened span')" "$(whole Spawns)" "$(whole Syncs)" "$@"
  work=$1 span=$2 burdened=$3 spawns=$4 syncs=$5
  shift 5
  compile -O2 -fopenmp -fcilkprof=count "$@" "$name.c" -o omp
  profile omp
  same "$name $*: the output" cilk.stdout omp.stdout
  equal "$name $*: work, spawns and syncs" "$work $spawns $syncs" "$(whole Work) $(whole Spawns) $(whole Syncs)"
}

# all_equal NAME OPTION...: the spans are, too.  Burdened spans differ: of a spawn the continuation moves, a task itself.
all_equal() {
  twins "$@"
  equal "$*: span" "$span" "$(whole Span)"
}

cat >fib.c <<'EOC'
#include <stdio.h>
#ifdef CILK
#include <cilk/cilk.h>
#endif
static int fib(int n) {
  int a, b;
  if (n < 2) return n;
#ifdef CILK
  a = cilk_spawn fib(n - 1);
  b = cilk_spawn fib(n - 2);
  cilk_sync;
#else
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
#endif
  return a + b;
}
int main(void) {
  int result;
#pragma omp parallel
#pragma omp single
  result = fib(17);
  printf("%d\n", result);
  return 0;
}
EOC
all_equal fib

cat >queens.c <<'EOC'
#include <stdio.h>
#include <string.h>
#ifdef CILK
#include <cilk/cilk.h>
#endif
static int fits(int n, const char *row) {
  for (int i = 0; i < n; i++)
    if (row[i] == row[n] || row[n] - row[i] == n - i || row[i] - row[n] == n - i) return 0;
  return 1;
}
static int queens(int size, int n, const char *row) {
  int found[8] = {0}, all = 0;
  if (n == size) return 1;
  for (int i = 0; i < size; i++) {
#ifdef CILK
    cilk_spawn {
#else
#pragma omp task shared(found) firstprivate(i)
    {
#endif
      char next[8];
      memcpy(next, row, (unsigned)n);
      next[n] = (char)i;
      if (fits(n, next)) found[i] = queens(size, n + 1, next);
    }
  }
#ifdef CILK
  cilk_sync;
#else
#pragma omp taskwait
#endif
  for (int i = 0; i < size; i++) all += found[i];
  return all;
}
int main(void) {
  int all;
#pragma omp parallel
#pragma omp single
  all = queens(6, 0, "");
  printf("%d\n", all);
  return 0;
}
EOC
all_equal queens

# A team takes all chunks of a loop at once, where a cilk_for halves it: it passes one node, and not one for every level.
cat >loop.c <<'EOC'
#include <stdio.h>
#ifdef CILK
#include <cilk/cilk.h>
#endif
static int result[N];
__attribute__((noinline)) static int part(int n) {
  volatile int sum = 0;
  for (int i = 0; i < n; i++) sum = sum + i;
  return sum;
}
int main(void) {
  int all = 0;
#ifdef CILK
#pragma cilk grainsize = CHUNK
  cilk_for (int i = 0; i < N; i++)
#else
#pragma omp parallel for SCHEDULE
  for (int i = 0; i < N; i++)
#endif
    result[i] = part(i);
  for (int i = 0; i < N; i++) all += result[i];
  printf("%d\n", all);
  return 0;
}
EOC
# loops LEVELS OPTION...
loops() {
  levels=$1
  shift
  twins loop "$@"
  equal "loop $*: one node and one burden on the path" "$((span - 10 * (levels - 1))) $((burdened - 15010 * (levels - 1)))" \
    "$(whole Span) $(whole 'Burdened span')"
}
loops 8 -DN=200 -DCHUNK=1 '-DSCHEDULE=schedule(dynamic)'
loops 6 -DN=200 -DCHUNK=5 '-DSCHEDULE=schedule(dynamic,5)'
loops 7 -DN=200 -DCHUNK=2 -DSCHEDULE=
loops 7 -DN=200 -DCHUNK=2 '-DSCHEDULE=schedule(static)'
loops 5 -DN=200 -DCHUNK=9 '-DSCHEDULE=schedule(static,9)'
loops 7 -DN=200 -DCHUNK=2 '-DSCHEDULE=schedule(auto)'
loops 8 -DN=200 -DCHUNK=1 '-DSCHEDULE=schedule(runtime)'
export OMP_SCHEDULE=static,9
loops 5 -DN=200 -DCHUNK=9 '-DSCHEDULE=schedule(runtime)'
unset OMP_SCHEDULE
cp loop.c kept.c
sed 's/^#pragma omp parallel for SCHEDULE/#pragma omp parallel\n#pragma omp single\n#pragma omp taskloop SCHEDULE/' kept.c >loop.c
loops 5 -DN=200 -DCHUNK=10 '-DSCHEDULE=grainsize(10)'
loops 3 -DN=200 -DCHUNK=25 '-DSCHEDULE=num_tasks(8)'
mv kept.c loop.c

# Of a guided schedule the first chunk is a thread's part of all, the next its part of what is left.
export CILKPROF_LOOP_WORKERS=4
cat >guided.c <<'EOC'
static int array[100000];
__attribute__((noinline)) static void touch(int i) { array[i]++; }
int main(void) {
#pragma omp parallel for schedule(guided, 5)
  for (int i = 0; i < 100; i++) touch(i);
  return 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=count guided.c -o guided
profile guided
# 25 19 14 11 8 6 5 5 5 2
equal 'a guided schedule: its chunks' 9 "$(whole Spawns)"
equal 'a guided schedule: the longest' 25 "$(field touch on_span_local_count)"
sed -i 's/touch(i);/array[i] = 2 * i + array[i];/' guided.c
compile -O2 -fopenmp -fcilkprof=count guided.c -o guided
profile guided
equal 'a guided schedule of equal iterations: its chunks' 9 "$(whole Spawns)"
finish
