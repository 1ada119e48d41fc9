/* Functions of run/ that inner folders of the engine call.  run/host.c defines the table; a test may define its own.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_HOST_H
#define CILKPROF_HOST_H

#include "libcilkprof/engine/engine.h"

struct cilkprof_host {
  /* Starts the engine, or the thread: FUNCTION is the first one that is entered in a thread without state.  */
  void (*start)(const function_t *function);
  /* Answers requests for a profile (run/request.c).  Called where a profile would be complete.  */
  void (*answer)(void);
  /* Writes the profile as if the program ended here.  Returns 0, or -1 if it was not written.  */
  int (*snapshot)(void);
  /* Called when recording stops for good.  WRITTEN says whether the last snapshot was written.  */
  void (*stopped)(int written);
  /* Called where a strand ends that may have been in the kernel for long, at the CPU time NOW_NS.  */
  void (*catch_up)(uint64_t now_ns);
  /* Makes the samples of the strand that ends wait in the list HELD; gives those in it to the strand that ends, which
     took UNITS, where such strands take MEAN.  */
  void (*hold_samples)(uint64_t *held);
  /* Returns how many nanoseconds the strand takes that ends now, as its samples tell; 0 if they do not.  */
  uint64_t (*samples_of_strand)(void);
  void (*carry_samples)(uint64_t *held, uint64_t units, uint64_t mean);
};
extern HIDDEN const struct cilkprof_host __cilkprof_host;
#define HOST __cilkprof_host

#endif
