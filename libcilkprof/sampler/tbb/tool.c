/* Start and end of the samples of a oneTBB program, before main and when it exits.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/sampler/preload/preload.h"
#include "libcilkprof/sampler/tbb/tbb.h"

/* Ends sampling in the child after a fork, where only this thread exists.  */
static void reset_tbb_after_fork(void) {
  __cilkprof_s_forked();
  tbb_forked();
}

/* Starts sampling before main runs, if cilkprof-run preloaded this library into this process.  */
static __attribute__((constructor)) void begin_tbb_sampling(void) {
  int processors = begin_preload();
  unsigned hz = processors ? __cilkprof_s_wanted() : 0;
  if (!hz)
    return;
  tbb_configure(processors);
  tbb_thread_begin();
  __cilkprof_s_start(&tbb_agent, hz);
  complete_preload(reset_tbb_after_fork);
}
