/* Ends of a program that is sampled which pass by the exit handlers.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/abi/parallel.h"
#include "libcilkprof/common/ending.h"

/* A program with nothing of Cilk in it has no runtime.  */
#pragma weak __cilkprof_r_sampled
#pragma weak __cilkprof_r_sampling_ends

static void before_exit(int status) {
  (void)status;
  if (&__cilkprof_r_sampled && __cilkprof_r_sampled)
    __cilkprof_r_sampling_ends(1);
}

static int before_exec(void) {
  if (&__cilkprof_r_sampled && __cilkprof_r_sampled)
    __cilkprof_r_sampling_ends(0);
  return 0;
}

static int after_exec(int before) {
  (void)before;
  return -1;
}
