/* Cilk by hand: what the compiler makes of spawns and syncs, for tests of the runtime alone.
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
    struct child##_closure closure = {__VA_ARGS__};                                                                    \
    if (__cilkprof_r_want)                                                                                             \
      __cilkprof_r_spawn(&frame, child, &closure, sizeof closure);                                                     \
    else                                                                                                               \
      child(&closure);                                                                                                 \
  } while (0)
#define SYNC                                                                                                           \
  do {                                                                                                                 \
    if (frame.deferred)                                                                                                \
      __cilkprof_r_join(&frame);                                                                                       \
  } while (0)

#define CHECK(condition)                                                                                               \
  do {                                                                                                                 \
    if (!(condition)) {                                                                                                \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                                          \
      exit(1);                                                                                                         \
    }                                                                                                                  \
  } while (0)

#endif
