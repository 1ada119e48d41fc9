/* Spawns, syncs, loops and blocks by hand: each part checks itself.  spawns PART [NUMBER]
   SPDX-License-Identifier: MIT  */

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "by-hand.h"

/* Two children a call, results through pointers.  */
static long test_parallel_fib(long n);
struct test_parallel_fib_child_closure {
  long *result, n;
};

/* Child of fib: stores the Fibonacci number where its CLOSURE says.  */
static void test_parallel_fib_child(void *closure) {
  struct test_parallel_fib_child_closure *c = closure;
  *c->result = test_parallel_fib(c->n);
}

/* Returns the Nth Fibonacci number.  One recursive call is spawned, the other is the continuation.  */
static __attribute__((noinline)) long test_parallel_fib(long n) {
  long x, y;
  FRAME;
  if (n < 2)
    return n;
  SPAWN(test_parallel_fib_child, &x, n - 1);
  y = test_parallel_fib(n - 2);
  SYNC;
  return x + y;
}

/* Returns the Nth Fibonacci number by a loop, to compare with.  */
static long test_parallel_true_fib(long n) {
  long a = 0, b = 1;
  for (; n; n--) {
    long c = a + b;
    a = b;
    b = c;
  }
  return a;
}

/* A closure that is larger than any task has room for, and aligned.  */
struct large_closure {
  _Alignas(64) char bytes[5000];
  atomic_long *sum;
};

/* Checks that its CLOSURE is aligned and has the same byte everywhere, and adds that byte to the sum.  */
static void test_parallel_large_closure(void *closure) {
  struct large_closure *c = closure;
  CHECK((unsigned long)closure % 64 == 0);
  for (int i = 1; i < 5000; i++)
    CHECK(c->bytes[i] == c->bytes[0]);
  atomic_fetch_add(c->sum, c->bytes[0]);
}

/* Spawns 100 children with large closures from the same memory, so that each must have a copy of its own.  */
static void test_parallel_spawn_large(void) {
  atomic_long sum = 0;
  FRAME;
  static struct large_closure closure;
  static struct __cilkprof_r_site site;
  closure.sum = &sum;
  for (int i = 1; i <= 100; i++) {
    memset(closure.bytes, i, sizeof closure.bytes);
    if (__cilkprof_r_want)
      __cilkprof_r_spawn(&frame, test_parallel_large_closure, &closure, sizeof closure, &site);
    else
      test_parallel_large_closure(&closure);
  }
  SYNC;
  CHECK(sum == 5050);
}

/* COUNT children in one frame.  */
struct test_parallel_count_child_closure {
  atomic_long *counter;
};

/* Adds 1 to the counter in its CLOSURE.  */
static void test_parallel_count_child(void *closure) {
  struct test_parallel_count_child_closure *c = closure;
  atomic_fetch_add_explicit(c->counter, 1, memory_order_relaxed);
}

/* Spawns NUMBER children before one sync, and checks that all of them have run.  */
static void test_parallel_spawn_many(long number) {
  atomic_long counter = 0;
  FRAME;
  for (long i = 0; i < number; i++)
    SPAWN(test_parallel_count_child, &counter);
  SYNC;
  CHECK(counter == number);
}

/* One inside the other.  */
static long test_parallel_deep_spawns(long n);
struct test_parallel_deep_child_closure {
  long *result, n;
};

/* Child of deep: stores the depth where its CLOSURE says.  */
static void test_parallel_deep_child(void *closure) {
  struct test_parallel_deep_child_closure *c = closure;
  *c->result = test_parallel_deep_spawns(c->n);
}

/* Returns N, counted by N nested spawns.  */
static __attribute__((noinline)) long test_parallel_deep_spawns(long n) {
  long x = 0;
  FRAME;
  if (!n)
    return 0;
  SPAWN(test_parallel_deep_child, &x, n - 1);
  SYNC;
  return x + 1;
}

/* Loops: each iteration once, ranges no longer than the grain; one inside the other.  */
struct visits {
  unsigned char *seen;
  unsigned long grain, inner;
  bool limited; /* this loop is known to be divided */
};

/* Body of a loop, with a struct visits as its DATA: notes each iteration of its range, and may run an inner loop in it.
   Checks that the range is not longer than the grain, and that the inner loop visits each iteration once.  */
static void test_parallel_visit_range(void *data) {
  struct visits *v = data;
  unsigned long low = __cilkprof_r_range.low, high = __cilkprof_r_range.high;
  CHECK(low <= high && (!v->limited || high - low <= v->grain));
  for (unsigned long i = low; i < high; i++) {
    if (v->inner) {
      unsigned char *seen = calloc(v->inner, 1);
      struct visits within = {seen, 3, 0, false};
      static struct __cilkprof_r_site site;
      test_parallel_run_loop(v->inner, 3, test_parallel_visit_range, &within, &site);
      for (unsigned long j = 0; j < v->inner; j++)
        CHECK(seen[j] == 1);
      free(seen);
    }
    v->seen[i]++;
  }
}

/* Runs a loop of TRIPS iterations; each runs a loop of INNER iterations, unless that is 0.  Checks that each is run
   once, and, if GRAIN is not 0 and there are several workers, that no range is longer than that.  */
static void test_parallel_loop(unsigned long trips, unsigned long grain, unsigned long inner) {
  const char *workers = getenv("CILK_NWORKERS");
  struct visits v = {calloc(trips + 1, 1), grain, inner, grain && workers && atoi(workers) > 1};
  struct __cilkprof_r_site site = {0}; /* of which nothing is known */
  test_parallel_run_loop(trips, grain, test_parallel_visit_range, &v, &site);
  for (unsigned long i = 0; i < trips; i++)
    CHECK(v.seen[i] == 1);
  free(v.seen);
}

/* Blocks, with a copy of their data and without.  */
struct block_data {
  long number;
  atomic_long *sum;
};

/* Adds the number in DATA to the sum: the body of a spawned block.  */
static void test_parallel_block_body(void *data) {
  struct block_data *d = data;
  atomic_fetch_add(d->sum, d->number);
}

/* Copies the data of a block, for the runtime.  */
static void test_parallel_copy_block(void *to, void *from) {
  memcpy(to, from, sizeof(struct block_data));
}

/* Spawns 1000 blocks, every other one with a copy of its data, and checks the sum that they make.  */
static void test_parallel_blocks(void) {
  atomic_long sum = 0;
  static struct __cilkprof_r_site site;
  FRAME;
  for (int i = 0; i < 1000; i++) {
    struct block_data data = {i, &sum};
    __cilkprof_r_block_frame(&frame);
    __cilkprof_r_spawn_block(test_parallel_block_body, &data, i % 2 ? test_parallel_copy_block : NULL, sizeof data,
                             _Alignof(struct block_data), &site);
    __cilkprof_r_block_end();
  }
  SYNC;
  CHECK(sum == 999 * 500);
}

/* Thread function: spawns and checks the result.  */
static void *test_parallel_thread(void *unused) {
  CHECK(test_parallel_fib(15) == 610);
  return unused;
}

/* Checks, NUMBER times, that four threads and this one can spawn at the same time.  */
static void test_parallel_threads(int number) {
  for (int i = 0; i < number; i++) {
    pthread_t started[4];
    for (int j = 0; j < 4; j++)
      CHECK(!pthread_create(&started[j], NULL, test_parallel_thread, NULL));
    CHECK(test_parallel_fib(15) == 610);
    for (int j = 0; j < 4; j++)
      pthread_join(started[j], NULL);
  }
}

/* Checks, NUMBER times, that a process forked after workers have been started, which it lacks, can spawn and run
   loops.  */
static void test_parallel_forks(int number) {
  for (int i = 0; i < number; i++) {
    CHECK(test_parallel_fib(15) == 610);
    pid_t child = fork();
    if (!child) {
      CHECK(test_parallel_fib(18) == 2584);
      test_parallel_loop(1000, 0, 0);
      _exit(0);
    }
    int status;
    CHECK(waitpid(child, &status, 0) == child && !status);
  }
}

/* The program ends while children run, or while workers sleep.  */
struct endless_closure {
  int unused;
};

/* Runs for ever: a child that never ends.  */
static void test_parallel_endless_child(void *closure) {
  (void)closure;
  for (;;)
    test_parallel_fib(20);
}

/* Exits with status 0 while other workers run children that never end.  */
static void test_parallel_end_busy(void) {
  FRAME;
  for (int i = 0; i < 3; i++)
    if (__cilkprof_r_want) {
      struct endless_closure closure = {0};
      struct __cilkprof_r_site site = {0};
      __cilkprof_r_spawn(&frame, test_parallel_endless_child, &closure, sizeof closure, &site);
    }
  test_parallel_fib(22);
  exit(0);
}

/* Workers that sleep are woken: this thread does nothing until another has begun its child.  */
struct begin_closure {
  atomic_bool *begun;
};

/* Notes that this child has begun.  */
static void test_parallel_begin_child(void *closure) {
  atomic_store(((struct begin_closure *)closure)->begun, true);
}

/* Checks, NUMBER times, that a child is begun by another worker after all workers have fallen asleep.  */
static void test_parallel_wakes(long number) {
  struct timespec nap = {0, 3000000};
  for (; number; number--) {
    atomic_bool begun = false;
    FRAME;
    nanosleep(&nap, NULL);
    CHECK(__cilkprof_r_want);
    struct begin_closure closure = {&begun};
    struct __cilkprof_r_site site = {0}; /* of which nothing is known, so that the child is deferred */
    __cilkprof_r_spawn(&frame, test_parallel_begin_child, &closure, sizeof closure, &site);
    while (!atomic_load(&begun))
      sched_yield();
    SYNC;
  }
}

/* Returns the time of CLOCK in seconds.  */
static double test_parallel_seconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Prints how much processor time workers without work take while this thread sleeps.  For people.  */
static void test_parallel_idle(void) {
  test_parallel_fib(20);
  struct timespec nap = {0, 100000000};
  nanosleep(&nap, NULL);
  double before = test_parallel_seconds(CLOCK_PROCESS_CPUTIME_ID);
  nap.tv_sec = 1;
  nanosleep(&nap, NULL);
  printf("idle for 1.1 s: %.6f s of processors\n", test_parallel_seconds(CLOCK_PROCESS_CPUTIME_ID) - before);
}

/* Runs the part that is named, with NUMBER if it needs one.  Exits with status 1 if a check fails; returns 2 if there
   is no such part.  If TIMES is set, prints how long it took.  */
int main(int argc, char **argv) {
  const char *part = argc > 1 ? argv[1] : "";
  long number = argc > 2 ? atol(argv[2]) : 0;
  double before = test_parallel_seconds(CLOCK_MONOTONIC);
  if (!strcmp(part, "fib"))
    CHECK(test_parallel_fib(number) == test_parallel_true_fib(number));
  else if (!strcmp(part, "large"))
    test_parallel_spawn_large();
  else if (!strcmp(part, "many"))
    test_parallel_spawn_many(number);
  else if (!strcmp(part, "deep"))
    CHECK(test_parallel_deep_spawns(number) == number);
  else if (!strcmp(part, "loops")) {
    test_parallel_loop(0, 0, 0);
    test_parallel_loop(1, 0, 0);
    test_parallel_loop(1, 7, 0);
    test_parallel_loop(100000, 0, 0);
    test_parallel_loop(1000, 1, 0);
    test_parallel_loop(1001, 10, 0);
    test_parallel_loop(60, 1, 61);
  } else if (!strcmp(part, "blocks"))
    test_parallel_blocks();
  else if (!strcmp(part, "threads"))
    test_parallel_threads((int)number);
  else if (!strcmp(part, "forks"))
    test_parallel_forks((int)number);
  else if (!strcmp(part, "end"))
    test_parallel_end_busy();
  else if (!strcmp(part, "wakes"))
    test_parallel_wakes(number);
  else if (!strcmp(part, "idle"))
    test_parallel_idle();
  else if (strcmp(part, "nothing"))
    return 2;
  if (getenv("TIMES"))
    printf("%s %ld: %.3f s\n", part, number, test_parallel_seconds(CLOCK_MONOTONIC) - before);
  return 0;
}
