#!/bin/sh
# Threads of a team: variables of which each has its own, and flags of any kind by which they wait for each other.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

# threadprivate and __thread: the first thread has the value of before, the others begin with the initial value, all keep
# theirs at barriers and until the next region; copyin.
cat >mine.c <<'EOC'
#include <omp.h>
static int mine = 7;
static __thread int other;
#pragma omp threadprivate(mine)
static int first[4], kept[4], next[4], others[4];
static void show(const int *values) { printf("%d %d %d %d\n", values[0], values[1], values[2], values[3]); }
int main(void) {
  mine = 100;
#pragma omp parallel num_threads(4)
  {
    int id = omp_get_thread_num();
    first[id] = mine;
    mine = id * 10 + omp_get_num_threads();
    other = id;
#pragma omp barrier
    kept[id] = mine;
    others[id] = other;
  }
  printf("%d\n", mine);
  mine = 55;
#pragma omp parallel num_threads(4)
  if (omp_get_num_threads() == 4) next[omp_get_thread_num()] = mine;
  show(first), show(kept), show(others), show(next);
  mine = 9;
#pragma omp parallel num_threads(4) copyin(mine)
  if (omp_get_num_threads() == 4) next[omp_get_thread_num()] = mine;
  show(next);
  return 0;
}
EOC
openmp mine
equal 'own variables' '4 100 7 7 7 4 14 24 34 0 1 2 3 55 14 24 34 9 9 9 9' "$(tr '\n' ' ' <mine.stdout | sed 's/ $//')"

# copyprivate of a threadprivate variable: each thread gets the value of the one that executes the construct.
cat >copied.c <<'EOC'
#include <omp.h>
static int mine;
#pragma omp threadprivate(mine)
int main(void) {
  int got[4] = {0};
#pragma omp parallel num_threads(4)
  {
    int id = omp_get_thread_num(), count = omp_get_num_threads();
    mine = -id;
#pragma omp barrier
#pragma omp single copyprivate(mine)
    mine = 42 + count;
    got[id] = mine + id;
  }
  printf("%d %d %d %d\n", got[0], got[1], got[2], got[3]);
  return 0;
}
EOC
openmp copied
equal 'copyprivate of such a variable' '46 47 48 49' "$(cat copied.stdout)"

# A variable of another file, in a team inside of a team: each inner team has other threads, but for its first.
cat >nested.c <<'EOC'
#include <omp.h>
extern __thread int depth;
int count(int by);
int main(void) {
  int sum = 0;
  omp_set_max_active_levels(2);
  depth = 1000;
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
    count(omp_get_thread_num() + omp_get_num_threads());
#pragma omp parallel num_threads(3) reduction(+ : sum)
    sum += count(omp_get_thread_num() + omp_get_num_threads());
  }
  printf("%d %d\n", sum, depth);
  return 0;
}
EOC
cat >count.c <<'EOC'
__thread int depth;
int count(int by) { return depth += by; }
EOC
compile -O2 -fopenmp -fcilkprof=count -include unit.h nested.c count.c -o nested
profile nested
# 1000 + 2 + 3, 0 + 4 and 0 + 5; 0 + 3 + 3, 4 and 5.
equal 'in a team of a team' '1029 1005' "$(cat nested.stdout)"

# Spins that have neither a flush nor an atomic construct, in the region and in functions; a lock of the program's own.
cat >spins.cc <<'EOC'
#include <atomic>
#include <omp.h>
#include <unistd.h>
static std::atomic<int> turn{0};
static std::atomic_flag lock = ATOMIC_FLAG_INIT;
static volatile int flag;
static int plain, sum, swapped;
static void wait_for(int id) { while (turn.load() != id); }
static void take() { while (lock.test_and_set(std::memory_order_acquire)); }
int main() {
#pragma omp parallel num_threads(4)
  {
    int id = omp_get_thread_num(), n = omp_get_num_threads();
    if (id == n - 1) flag = 1;
    while (!flag);
    wait_for(n - 1 - id);
    turn++;
    wait_for(n);
    for (int i = 0; i < 100; i++) {
      take();
      sum++;
      lock.clear();
    }
    if (id == n - 1) plain = 1;
    while (!plain) __asm__ volatile("" ::: "memory");
    if (id == n - 1) flag = 2;
    while (flag != 2) usleep(1);
    while (!__sync_bool_compare_and_swap(&swapped, n - 1 - id, n - id));
  }
  printf("%d %d %d\n", sum, (int)turn, swapped);
}
EOC
c++ -O2 -fopenmp -fcilkprof=count -include unit.h spins.cc -o spins
timeout 60 $RUN ./spins >spins.stdout
equal 'spins of all kinds' '400 4 4' "$(cat spins.stdout)"

# An atomic construct in a function outside of all regions, and a flag that is volatile: the span has their edges.
cat >chain.c <<'EOC'
#include <omp.h>
static int ready[5];
static volatile int after[5];
static void wait_for(int i) {
  for (int is = 0; !is;) {
#pragma omp atomic read
    is = ready[i];
  }
}
static void tell(int i) {
#pragma omp atomic write
  ready[i] = 1;
}
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int id = omp_get_thread_num(), n = omp_get_num_threads();
    if (id) wait_for(id - 1);
    work(1);
    tell(id);
    while (id < n - 1 && !after[id + 1]);
    work(1);
    after[id] = 1;
  }
  return 0;
}
EOC
openmp chain
spans chain 8

# A pipeline of sections that wait for each other, in functions that do not look at thread numbers, the last one first.
cat >pipeline.c <<'EOC'
#include <unistd.h>
enum { ITEMS = 40, SLOTS = 4 };
static volatile int filled[SLOTS], done[SLOTS];
static int slots[SLOTS], total;
static void reader(void) {
  for (int i = 0; i < ITEMS; i++) {
    while (filled[i % SLOTS]) usleep(1);
    slots[i % SLOTS] = i;
    filled[i % SLOTS] = 1;
  }
}
static void worker(void) {
  for (int i = 0; i < ITEMS; i++) {
    while (!filled[i % SLOTS] || done[i % SLOTS]);
    slots[i % SLOTS] *= 2;
    done[i % SLOTS] = 1;
  }
}
static void writer(void) {
  for (int i = 0; i < ITEMS; i++) {
    while (!done[i % SLOTS]);
    total += slots[i % SLOTS];
    done[i % SLOTS] = filled[i % SLOTS] = 0;
  }
}
int main(void) {
#pragma omp parallel sections num_threads(3)
  {
#pragma omp section
    writer();
#pragma omp section
    worker();
#pragma omp section
    reader();
  }
  printf("%d\n", total);
  return 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=count -include unit.h pipeline.c -o pipeline
timeout 60 $RUN ./pipeline >pipeline.stdout
equal 'sections that wait for each other' 1560 "$(cat pipeline.stdout)"

# It waits in another file, in a region that does not show it: no silent hang.
cat >hangs.c <<'EOC'
void wait_for(volatile int *flag);
int main(void) {
  static volatile int flag;
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    wait_for(&flag);
#pragma omp section
    flag = 1;
  }
  return 0;
}
EOC
echo 'void wait_for(volatile int *flag) { while (!*flag); }' >waits.c
compile -O2 -fopenmp -fcilkprof=count -include unit.h hangs.c waits.c -o hangs
timeout 300 $RUN ./hangs 2>hangs.said # it takes 5 s of CPU time
status=$?
# It goes on if the process has other threads, as an emulator has.
[ -n "$RUN" ] || equal 'a program that waits for a thread that does not exist ends' 1 $status
holds 'it is said that one thread waits' grep 'a thread waits for another one, but one thread runs the region' hangs.said

# A loop in a team that does nothing but read a plain variable lets others run, too.  Where it does more, there is a line
# after a while: after 300 ms in an engine that is built for it.
cat >plain.c <<'EOC'
#include <omp.h>
static int flag, tries;
void nothing(void);
int main(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == omp_get_num_threads() - 2)
    while (!flag) {
      nothing();
      MORE;
    }
  else
    flag = 1;
  return tries < 0;
}
EOC
echo 'void nothing(void) {}' >nothing.c
compile -O2 -DMORE= -fopenmp -fcilkprof=count -include unit.h plain.c nothing.c -o plain
timeout 60 $RUN ./plain
equal 'a loop that waits for a plain variable' 0 $?
echo '#pragma omp flush' >flush.h
sed 's/MORE;/\n#include "flush.h"/' plain.c >flushed.c
compile -O2 -fopenmp -fcilkprof=count -I. -include unit.h flushed.c nothing.c -o flushed
timeout 60 $RUN ./flushed
equal 'one with a flush' 0 $?
compile -O2 -DMORE=tries++ -fopenmp -fcilkprof=count "-L$BUILD_DIR/stress" -include unit.h plain.c nothing.c -o plain
says_and_goes_on plain
equal 'one that does more goes on' yes "$goes_on"
equal 'one line says so' 1 "$(wc -l <plain.said)"
holds 'it names the region and the thread' \
  grep '^cilkprof: omp parallel[a-z ]* plain.c:5: thread 0 of 2 has been running for a long time.* by omp atomic read' plain.said

# A section that waits for another one, in a region that one thread runs.
cat >sections.c <<'EOC'
int flag;
long tries;
int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    while (!flag) {
      __asm__ volatile("" ::: "memory");
      tries++;
    }
#pragma omp section
    flag = 1;
  }
  return tries < 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=count "-L$BUILD_DIR/stress" -include unit.h sections.c -o sections
says_and_goes_on sections
equal 'a section that waits for another one goes on' yes "$goes_on"
equal 'one line says so, too' 1 "$(wc -l <sections.said)"
holds 'it says that one thread runs the region' \
  grep '^cilkprof: omp parallel: one thread runs the region for all.* by omp atomic read' sections.said
# One that works for long is no such section.
cat >works.c <<'EOC'
int main(void) {
#pragma omp parallel for
  for (int i = 0; i < 300; i++) work(1000);
  return 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=count "-L$BUILD_DIR/stress" -include unit.h works.c -o works
timeout 60 $RUN ./works 2>works.said
equal 'a loop that takes as long says nothing' '' "$(cat works.said)"

# No memory for stacks: one line, and one thread.
cat >many.c <<'EOC'
#include <omp.h>
int main(void) {
  int most = 0;
  for (int i = 0; i < 3; i++)
#pragma omp parallel num_threads(1000)
    if (omp_get_thread_num() == 0) most = omp_get_num_threads();
  printf("%d\n", most);
  return 0;
}
EOC
compile -O2 -fopenmp -fcilkprof=count -include unit.h many.c -o many
(ulimit -s 8192 && ulimit -v 2000000 && $RUN ./many) >many.stdout 2>many.said
equal 'one thread' 1 "$(cat many.stdout)"
holds 'and it is said' grep 'no memory for the threads of a team' many.said
finish
