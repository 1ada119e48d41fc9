#!/bin/sh
# Regions that look at thread numbers: a team of as many threads as there would be, and its span.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

export OMP_NUM_THREADS=4

# Four threads, each of which has as many units as its number says; after a barrier the other way round.
cat >numbers.c <<'EOC'
#include <omp.h>
int main(void) {
  int seen = 0;
#pragma omp parallel
  {
    int id = omp_get_thread_num(), n = omp_get_num_threads();
#pragma omp atomic
    seen |= 1 << id;
    work(id + 1);
#pragma omp barrier
    work(n - id);
  }
  printf("%d %d %d\n", seen, omp_get_max_threads(), omp_get_thread_num());
  return 0;
}
EOC
openmp numbers
spans numbers 8
equal 'all numbers' '15 4 0' "$(cat numbers.stdout)"
CILKPROF_TEAM=2 profile numbers
spans numbers 4
CILKPROF_TEAM=1 profile numbers
spans numbers 2

# A function of another file divides its loop between the threads that call it, or does all of it.
cat >shares.c <<'EOC'
#include <omp.h>
void orphan(int *done);
int main(void) {
  int done[4] = {0}, copied = 0;
#pragma omp parallel num_threads(4)
  {
    int x = 0;
    if (omp_get_num_threads() != 4) abort();
    orphan(done);
#pragma omp single copyprivate(x)
    x = 7;
#pragma omp atomic
    copied += x;
#pragma omp sections
    {
#pragma omp section
      work(1);
#pragma omp section
      work(1);
    }
  }
  orphan(done);
  printf("%d %d\n", done[0] + done[1] + done[2] + done[3], copied);
  return 0;
}
EOC
cat >orphan.c <<'EOC'
extern int omp_get_thread_num(void);
void orphan(int *done) {
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 8; i++) {
    work(1);
    done[omp_get_thread_num()]++;
  }
}
EOC
compile -O2 -fopenmp -fcilkprof=count -include unit.h shares.c orphan.c -o shares
profile shares
equal 'every iteration once' '16 28' "$(cat shares.stdout)"
spans shares 11

# A pipeline: each thread waits for the one before it, by a flag for each step.
cat >pipeline.c <<'EOC'
#include <omp.h>
static int ready[5][8];
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int id = omp_get_thread_num(), n = omp_get_num_threads();
    for (int step = 0; step < 8; step++) {
      for (int is = id == 0; !is;) {
#pragma omp atomic read
        is = ready[id - 1][step];
      }
      work(1);
#pragma omp atomic write
      ready[id][step] = 1;
    }
    if (n != 4) abort();
  }
  return 0;
}
EOC
openmp pipeline
spans pipeline 11

# The first waits for the last, which comes later: it is not waited for in vain.
cat >backwards.c <<'EOC'
#include <omp.h>
#include <sched.h>
int main(void) {
  volatile int go = 0;
#pragma omp parallel num_threads(3)
  {
    if (omp_get_thread_num() + 1 == omp_get_num_threads()) go = 1;
#if FLUSH
    while (!go) {
#pragma omp flush
    }
#else
    while (!go) sched_yield();
#endif
  }
  puts("through");
  return 0;
}
EOC
for how in 0 1; do
  openmp backwards -DFLUSH=$how
  equal "waiting for a flag, $how" through "$(cat backwards.stdout)"
done

# A function outside of all regions that waits, called as a function that cannot spawn would be.
cat >helper.c <<'EOC'
#include <omp.h>
#include <sched.h>
static volatile int ready[4];
__attribute__((noinline)) static int wait_for(int i) {
  while (!ready[i])
    if (sched_yield() != 0) return -1;
  return ready[i];
}
__attribute__((noinline)) static int small(int n) { return n * 7 % 5; }
int main(void) {
  int sum = 0;
  for (int round = 0; round < 100; round++) {
    for (int i = 0; i < 4; i++) ready[i] = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
    {
      int id = omp_get_thread_num(), n = omp_get_num_threads();
      for (int i = 0; i < 50; i++) sum += small(i);
      ready[id] = id + 1;
      sum += wait_for((id + 1) % n) + small(id);
    }
  }
  printf("%d\n", sum);
  return 0;
}
EOC
openmp helper
equal 'a function that waits' 41700 "$(cat helper.stdout)"

# All wait: one line, and an end.
cat >stuck.c <<'EOC'
#include <omp.h>
int main(void) {
  int go = 0;
#pragma omp parallel num_threads(2)
  {
    int is = omp_get_num_threads() == 0;
    while (!is) {
#pragma omp atomic read
      is = go;
    }
  }
  return 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=count stuck.c -o stuck
timeout 60 $RUN ./stuck 2>stuck.said
equal 'an end' 1 $?
holds 'and a line' grep 'all threads of the team wait for each other' stuck.said
finish
