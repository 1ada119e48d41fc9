#!/bin/sh
# Threads of a team that wait for each other for long: pipelines whose stages are teams, flags that change for longer than
# the engine lets all threads wait, loops that call functions while they wait.
# SPDX-License-Identifier: MIT
. "$TOP/test/openmp/lib.sh"

# stressed NAME OPTION...: builds NAME.c with an engine in which 200 ms of waiting are long, and runs it.
stressed() {
  compile -O2 -fopenmp -fcilkprof=count "-L$BUILD_DIR/stress" -include unit.h "$1.c" -o "$@"
  timeout 60 $RUN "./$1" >"$1.stdout" 2>"$1.said"
}

# One section writes what the threads of a team in the other one have made: all of these wait until it has.
cat >writer.c <<'EOC'
#include <omp.h>
enum { THREADS = 3, ITEMS = 60 };
static char slots[THREADS][8];
static int producing = 1, written;
static void give(int id) {
  char *s = slots[id];
  do {
#pragma omp flush(s)
  } while (*s);
  *s = 'x';
}
static void write_all(void) {
  for (int i = 0; i < THREADS; i++) {
    char *s = slots[i];
#pragma omp flush(s)
    if (*s) {
      written++;
      *s = 0;
    }
  }
}
int main(void) {
  omp_set_max_active_levels(LEVELS);
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
#pragma omp flush(producing)
      while (producing) {
        write_all();
#pragma omp flush(producing)
      }
      write_all();
    }
#pragma omp section
    {
#pragma omp parallel for num_threads(THREADS) schedule(static)
      for (int i = 0; i < ITEMS; i++) give(omp_get_thread_num());
      producing = 0;
#pragma omp flush(producing)
    }
  }
  printf("%d\n", written);
  return 0;
}
EOC
for levels in 2 1; do
  stressed writer -DLEVELS=$levels
  equal "$levels levels of teams: what is in a section waits for another section" 60 "$(cat writer.stdout)"
  equal "$levels levels: nothing is said" '' "$(cat writer.said)"
done

# Two threads that take turns for much longer than 200 ms, and never both are ready.
cat >turns.c <<'EOC'
#include <omp.h>
#include <time.h>
static int turn, rounds;
static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000 + t.tv_nsec / 1000000;
}
int main(void) {
  long end = now() + 1000;
#pragma omp parallel num_threads(2)
  {
    int id = omp_get_thread_num(), last = 0;
    while (!last) {
      for (int mine = 0; !mine;) {
        int is;
#pragma omp atomic read
        is = turn;
        mine = is % 2 == id || is < 0;
        last = is < 0;
      }
      if (!last && id == 0) rounds++;
      if (!last) {
        int next = rounds > 5000 && now() > end ? -1 : 1 - id;
#pragma omp atomic write
        turn = next;
        last = next < 0;
      }
    }
  }
  printf("%d\n", rounds > 5000);
  return 0;
}
EOC
stressed turns
equal 'threads may take turns for as long as they like' 1 "$(cat turns.stdout)"
equal 'nothing is said of them' '' "$(cat turns.said)"

# Those that wait for each other for ever are told of, also in a team of a team.
cat >stuck.c <<'EOC'
#include <omp.h>
static volatile int never;
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(2)
    {
      int threads = omp_get_num_threads();
      while (threads == 2 && !never);
    }
  }
  return 0;
}
EOC
stressed stuck
equal 'a deadlock ends the program' 1 $?
equal 'with one line' 1 "$(grep -c 'all threads of the team wait for each other' stuck.said)"

# Sections that wait for each other by atomic variables only, the one that waits first; and a mutex of the system, which
# a thread holds while it waits for another one that needs it.
cat >sections.c <<'EOC'
#include <stdatomic.h>
static int done;
static atomic_int seen;
int main(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      for (int is = 0; !is;) {
#ifdef BY_OPENMP
#pragma omp atomic read
        is = done;
#else
        is = atomic_load(&seen);
#endif
      }
      printf("read ");
    }
#pragma omp section
    {
      printf("written ");
      atomic_store(&seen, 1);
#pragma omp atomic write
      done = 1;
    }
  }
  return 0;
}
EOC
for by in OPENMP C11; do
  stressed sections -DBY_$by
  equal "sections that wait by $by" 'written read ' "$(cat sections.stdout)"
  equal "$by: nothing is said" '' "$(cat sections.said)"
done
cat >sections.cc <<'EOC'
#include <atomic>
static std::atomic<int> ready(0);
int main() {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      while (!ready.load(std::memory_order_acquire)) {
      }
      printf("read ");
    }
#pragma omp section
    {
      printf("written ");
      ready = 1;
    }
  }
  return 0;
}
EOC
c++ -O2 -fopenmp -fcilkprof=count -include unit.h sections.cc -o sections
equal 'sections that wait by std::atomic' 'written read ' "$(timeout 60 $RUN ./sections)"
cat >mutex.c <<'EOC'
#include <omp.h>
#include <pthread.h>
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int flag, done;
int main(void) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    pthread_mutex_lock(&mutex);
    for (int is = 0; !is;) {
#pragma omp atomic read
      is = flag;
    }
    done++;
    pthread_mutex_unlock(&mutex);
  } else {
#pragma omp atomic write
    flag = 1;
    pthread_mutex_lock(&mutex);
    done++;
    pthread_mutex_unlock(&mutex);
  }
  printf("%d", done);
  return 0;
}
EOC
stressed mutex
equal 'a mutex that a thread holds while it waits' 2 "$(cat mutex.stdout)"

# The initializer of a static variable waits for another thread, and others wait until it has ended.
cat >guard.cc <<'EOC'
#include <atomic>
#include <omp.h>
static std::atomic<int> go(0);
static int slow() {
  while (!go.load()) {
  }
  return 7;
}
static int value() {
  static int initialized = slow();
  return initialized;
}
int main() {
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  {
    if (omp_get_thread_num() == 3) go = 1;
    sum += value();
  }
  printf("%d", sum);
  return 0;
}
EOC
c++ -O2 -fopenmp -fcilkprof=count -include unit.h guard.cc -o guard
equal 'an initializer that waits for a thread of the team' 28 "$(timeout 60 $RUN ./guard 2>guard.said)"

# A loop that calls an instrumented function while it waits: in a team, and in a region that one thread runs.
cat >calls.c <<'EOC'
#include <omp.h>
int flag, tries;
__attribute__((noinline)) void step(void) {
  __asm__ volatile("" ::: "memory");
  tries++;
}
__attribute__((noinline)) void deeper(void) {
  step();
  step();
}
int main(void) {
#ifdef TEAM
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == omp_get_num_threads() - 2)
    while (!flag) {
      deeper();
      tries++;
    }
  else
    flag = 1;
#else
#pragma omp parallel sections
  {
#pragma omp section
    while (!flag) deeper();
#pragma omp section
    flag = 1;
  }
#endif
  return 0;
}
EOC
for where in team region; do
  compile -O2 -fopenmp -D$([ $where = region ] && echo REGION || echo TEAM) -fcilkprof=count "-L$BUILD_DIR/stress" -include unit.h calls.c -o calls
  says_and_goes_on calls
  equal "$where: a loop that calls functions goes on" yes "$goes_on"
  equal "$where: one line says so" 1 "$(wc -l <calls.said)"
  holds "$where: what to do" grep 'for a long time.* by omp atomic read' calls.said
done
finish
