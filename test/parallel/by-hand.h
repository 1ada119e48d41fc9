/* Cilk by hand: what the compiler generates for spawns and syncs, for tests of the runtime alone.
   SPDX-License-Identifier: MIT  */

#ifndef BY_HAND_H
#define BY_HAND_H

#include <stdio.h>
#include <stdlib.h>
#include "libcilkprof/abi/parallel.h"

/* A function that spawns begins with FRAME and leaves after SYNC.  */
#define FRAME                                                                                                          \
  struct __cilkprof_r_frame frame;                                                                                     \
  frame.deferred = 0
#define SPAWN(child, ...)                                                                                              \
  do {                                                                                                                 \
    static struct __cilkprof_r_site site;                                                                              \
    struct child##_closure closure = {__VA_ARGS__};                                                                    \
    if (__cilkprof_r_want)                                                                                             \
      __cilkprof_r_spawn(&frame, child, &closure, sizeof closure, &site);                                              \
    else                                                                                                               \
      child(&closure);                                                                                                 \
  } while (0)
#define SYNC                                                                                                           \
  do {                                                                                                                 \
    if (frame.deferred)                                                                                                \
      __cilkprof_r_join(&frame);                                                                                       \
  } while (0)

/* Runs a cilk_for of SITE with TRIPS iterations, in ranges of at most GRAIN: calls BODY(DATA) for each range.  */
static inline void test_parallel_run_loop(unsigned long trips, unsigned long grain, void (*body)(void *), void *data,
                                          struct __cilkprof_r_site *site) {
  __cilkprof_r_range.grain = grain;
  __cilkprof_r_range.low = 0;
  __cilkprof_r_range.high = trips;
  if (trips <= __cilkprof_r_range.undivided)
    body(data);
  else if (trips <= (site->plain > grain ? site->plain : grain) && __cilkprof_r_range.plain_runs) {
    __cilkprof_r_range.plain_runs--;
    body(data);
  } else
    __cilkprof_r_loop(body, data, site);
  if (__cilkprof_r_range.thrown)
    __cilkprof_r_loop_end();
}

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                          \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

#endif
