/* What the runtime learns of loops and children, by hand: each part checks itself.  learning PART
   SPDX-License-Identifier: MIT  */

#include <cilk/cilk_api.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "by-hand.h"

/* Loops and children that are short are learned to be, and no longer divided or deferred; when they become long, that
   is learned as well.  Nothing is learned with forced steals.  */
struct lasting {
  long steps;          /* that each iteration takes */
  atomic_long *ranges; /* how many were run */
};

/* Counts its range, each iteration of which lasts so many steps: the body of a loop with a struct lasting as its
   DATA.  */
static void test_parallel_run_lasting_range(void *data) {
  struct lasting *l = data;
  for (unsigned long i = __cilkprof_r_range.low, high = __cilkprof_r_range.high; i < high; i++)
    for (volatile long step = l->steps; step; step--)
      ;
  atomic_fetch_add(l->ranges, 1);
}

struct lasting_child_closure {
  long steps;
};

/* Lasts as many steps as its CLOSURE says.  */
static void test_parallel_run_lasting_child(void *closure) {
  for (volatile long step = ((struct lasting_child_closure *)closure)->steps; step; step--)
    ;
}

/* Runs loops whose iterations take so many STEPS, until SITE has learned whether 8 of them are SHORT.  */
static void test_parallel_run_until_loops_are(bool is_short, long steps, struct __cilkprof_r_site *site) {
  atomic_long ranges = 0;
  struct lasting l = {steps, &ranges};
  while ((site->plain >= 8) != is_short)
    test_parallel_run_loop(8, 0, test_parallel_run_lasting_range, &l, site);
}

/* Spawns children that take so many STEPS, until SITE has learned whether they are SHORT.  */
static void test_parallel_spawn_until_children_are(bool is_short, long steps, struct __cilkprof_r_site *site) {
  while (!site->plain == is_short) {
    struct lasting_child_closure closure = {steps};
    FRAME;
    __cilkprof_r_spawn(&frame, test_parallel_run_lasting_child, &closure, sizeof closure, site);
    SYNC;
  }
}

/* Checks that loops and children are no longer divided and deferred once they are known to be short, and that it is
   noticed when they become long.  Never returns if it is not.  */
static void test_parallel_learn(void) {
  enum { FEW = 1, MANY = 1000000 };
  struct __cilkprof_r_site loops = {0}, children = {0};
  atomic_long ranges = 0;
  struct lasting l = {FEW, &ranges};
  test_parallel_run_until_loops_are(true, FEW, &loops);
  for (int i = 0; i < 3; i++)
    test_parallel_run_loop(8, 0, test_parallel_run_lasting_range, &l, &loops);
  CHECK(ranges == 3);
  test_parallel_run_until_loops_are(false, MANY, &loops);
  test_parallel_spawn_until_children_are(true, FEW, &children);
  struct lasting_child_closure closure = {FEW};
  FRAME;
  __cilkprof_r_spawn(&frame, test_parallel_run_lasting_child, &closure, sizeof closure, &children);
  CHECK(!frame.deferred);
  test_parallel_spawn_until_children_are(false, MANY, &children);
}

/* Checks, with forced steals, that loops are still divided and children deferred after hundreds of short ones.  */
static void test_parallel_learn_nothing(void) {
  struct __cilkprof_r_site loops = {0}, children = {0};
  atomic_long ranges = 0;
  struct lasting l = {1, &ranges};
  for (int i = 0; i < 300; i++) {
    struct lasting_child_closure closure = {1};
    FRAME;
    test_parallel_run_loop(8, 0, test_parallel_run_lasting_range, &l, &loops);
    __cilkprof_r_spawn(&frame, test_parallel_run_lasting_child, &closure, sizeof closure, &children);
    CHECK(frame.deferred);
    SYNC;
  }
  CHECK(ranges > 300 && !loops.plain && !children.plain);
}

/* A loop within a loop of the same site is known as a recursion, whoever runs the inner one.  */
struct levels {
  long left;
  struct __cilkprof_r_site *site;
  atomic_long *visits;
};

/* Runs the same loop one level below, or counts at the lowest level: the body of a loop with a struct levels as its
   DATA.  */
static void test_parallel_descend(void *data) {
  struct levels *l = data, below = {l->left - 1, l->site, l->visits};
  for (unsigned long i = __cilkprof_r_range.low, high = __cilkprof_r_range.high; i < high; i++)
    if (l->left)
      test_parallel_run_loop(4, 0, test_parallel_descend, &below, l->site);
    else
      atomic_fetch_add(l->visits, 1);
}

/* Checks that loops eight deep at one site visit all iterations, and that the site is then known to be recursive.  */
static void test_parallel_recursion(void) {
  atomic_long visits = 0;
  struct __cilkprof_r_site site = {0};
  struct levels l = {7, &site, &visits};
  test_parallel_run_loop(4, 0, test_parallel_descend, &l, &site);
  CHECK(visits == 1 << 16 && site.needed == __CILKPROF_R_RECURSIVE);
}

/* Checks, with one worker, that loops are not divided and no longer ask the runtime, but do once there is another
   worker.  */
static void test_parallel_become_two(void) {
  struct __cilkprof_r_site site = {0};
  atomic_long ranges = 0;
  struct lasting l = {1, &ranges};
  test_parallel_run_loop(1000, 1, test_parallel_run_lasting_range, &l, &site);
  ranges = 0;
  for (int i = 0; i < 3; i++)
    test_parallel_run_loop(1000, 1, test_parallel_run_lasting_range, &l, &site);
  CHECK(ranges == 3 && __cilkprof_r_range.undivided >= 1000);
  __cilkrts_end_cilk();
  CHECK(!__cilkrts_set_param("nworkers", "2"));
  test_parallel_run_loop(1000, 1, test_parallel_run_lasting_range, &l, &site);
  CHECK(ranges > 4);
}

/* Checks that a loop of no more iterations than a grain is run as a whole, however long it takes and whoever is idle,
   and that one of more is not.  */
static void test_parallel_loops_of_one_grain(void) {
  enum { LOOPS = 100, GRAIN = 10, STEPS = 10000 };
  struct __cilkprof_r_site site = {0};
  atomic_long ranges = 0;
  struct lasting l = {STEPS, &ranges};
  for (int i = 0; i < LOOPS; i++)
    test_parallel_run_loop(GRAIN, GRAIN, test_parallel_run_lasting_range, &l, &site);
  CHECK(ranges == LOOPS);
  for (int i = 0; i < LOOPS; i++)
    test_parallel_run_loop(2 * GRAIN, GRAIN, test_parallel_run_lasting_range, &l, &site);
  CHECK(ranges == 3 * LOOPS);
}

/* Runs the part that is named.  Exits with status 1 if a check fails; returns 2 if there is no such part.  */
int main(int argc, char **argv) {
  const char *part = argc > 1 ? argv[1] : "";
  if (!strcmp(part, "short"))
    test_parallel_learn();
  else if (!strcmp(part, "nothing"))
    test_parallel_learn_nothing();
  else if (!strcmp(part, "recursion"))
    test_parallel_recursion();
  else if (!strcmp(part, "grain"))
    test_parallel_loops_of_one_grain();
  else if (!strcmp(part, "one"))
    test_parallel_become_two();
  else
    return 2;
  return 0;
}
