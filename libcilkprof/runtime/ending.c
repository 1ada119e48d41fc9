/* Exits of a sampled program that bypass the exit handlers.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/abi/parallel.h"
#include "libcilkprof/common/ending.h"

/* A program without Cilk code is not linked with the runtime.  */
#pragma weak __cilkprof_r_sampled
#pragma weak __cilkprof_r_sampling_ends

/* Ends sampling and writes the profile before a sampled Cilk program ends by _exit.  */
static void before_exit(int status) {
  (void)status;
  if (&__cilkprof_r_sampled && __cilkprof_r_sampled)
    __cilkprof_r_sampling_ends(1);
}

/* Writes the samples so far before a sampled Cilk program replaces itself by an exec, which may fail.  The result, 0,
   is passed to after_exec.  */
static int before_exec(void) {
  if (&__cilkprof_r_sampled && __cilkprof_r_sampled)
    __cilkprof_r_sampling_ends(0);
  return 0;
}

/* Returns -1, the result of an exec that failed; sampling has gone on.  */
static int after_exec(int before) {
  (void)before;
  return -1;
}
