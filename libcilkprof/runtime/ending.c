/* Exits of a sampled program that bypass the exit handlers.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/abi/parallel.h"
#include "libcilkprof/common/ending.h"

/* A program without Cilk code is not linked with the runtime.  */
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
