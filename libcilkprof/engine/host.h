/* What the engine's inner rooms ask of the run around them.  run/host.c answers; a test may, in its place.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_HOST_H
#define CILKPROF_HOST_H

#include "libcilkprof/engine/engine.h"

struct cilkprof_host {
  void (*start)(const function_t *function); /* it is entered in a thread that has no state yet */
  void (*answer)(void);                      /* requests for a profile, where one can be whole */
  int (*snapshot)(void);                     /* writes the profile as if the program ended here; -1: it was not */
  void (*stopped)(int written);              /* nothing more is recorded: whether the last snapshot was written */
};
extern HIDDEN const struct cilkprof_host __cilkprof_host;
#define HOST __cilkprof_host

#endif
