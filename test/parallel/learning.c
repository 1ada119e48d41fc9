/* What the runtime learns of loops and children, by hand: each part checks itself.  learning PART
   SPDX-License-Identifier: MIT  */

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
static void last(void *data) {
  struct lasting *l = data;
  for (unsigned long i = __cilkprof_r_range.low, high = __cilkprof_r_range.high; i < high; i++)
    for (volatile long step = l->steps; step; step--)
      ;
  atomic_fetch_add(l->ranges, 1);
}
struct last_child_closure {
  long steps;
};
static void last_child(void *closure) {
  for (volatile long step = ((struct last_child_closure *)closure)->steps; step; step--)
    ;
}

/* Runs loops whose iterations take so many STEPS, until SITE has learned whether 8 of them are SHORT.  */
static void run_until_loops_are(bool is_short, long steps, struct __cilkprof_r_site *site) {
  atomic_long ranges = 0;
  struct lasting l = {steps, &ranges};
  while ((site->plain >= 8) != is_short)
    run_loop(8, 0, last, &l, site);
}

/* Spawns children that take so many STEPS, until SITE has learned whether they are SHORT.  */
static void spawn_until_children_are(bool is_short, long steps, struct __cilkprof_r_site *site) {
  while (!site->plain == is_short) {
    struct last_child_closure closure = {steps};
    FRAME;
    __cilkprof_r_spawn(&frame, last_child, &closure, sizeof closure, site);
    SYNC;
  }
}
static void learn(void) {
  enum { FEW = 1, MANY = 1000000 };
  struct __cilkprof_r_site loops = {0}, children = {0};
  atomic_long ranges = 0;
  struct lasting l = {FEW, &ranges};
  run_until_loops_are(true, FEW, &loops);
  for (int i = 0; i < 3; i++)
    run_loop(8, 0, last, &l, &loops);
  CHECK(ranges == 3);
  run_until_loops_are(false, MANY, &loops);
  spawn_until_children_are(true, FEW, &children);
  struct last_child_closure closure = {FEW};
  FRAME;
  __cilkprof_r_spawn(&frame, last_child, &closure, sizeof closure, &children);
  CHECK(!frame.deferred);
  spawn_until_children_are(false, MANY, &children);
}
static void learn_nothing(void) {
  struct __cilkprof_r_site loops = {0}, children = {0};
  atomic_long ranges = 0;
  struct lasting l = {1, &ranges};
  for (int i = 0; i < 300; i++) {
    struct last_child_closure closure = {1};
    FRAME;
    run_loop(8, 0, last, &l, &loops);
    __cilkprof_r_spawn(&frame, last_child, &closure, sizeof closure, &children);
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
static void descend(void *data) {
  struct levels *l = data, below = {l->left - 1, l->site, l->visits};
  for (unsigned long i = __cilkprof_r_range.low, high = __cilkprof_r_range.high; i < high; i++)
    if (l->left)
      run_loop(4, 0, descend, &below, l->site);
    else
      atomic_fetch_add(l->visits, 1);
}
static void recursion(void) {
  atomic_long visits = 0;
  struct __cilkprof_r_site site = {0};
  struct levels l = {7, &site, &visits};
  run_loop(4, 0, descend, &l, &site);
  CHECK(visits == 1 << 16 && site.needed == __CILKPROF_R_RECURSIVE);
}

int main(int argc, char **argv) {
  const char *part = argc > 1 ? argv[1] : "";
  if (!strcmp(part, "short"))
    learn();
  else if (!strcmp(part, "nothing"))
    learn_nothing();
  else if (!strcmp(part, "recursion"))
    recursion();
  else
    return 2;
  return 0;
}
