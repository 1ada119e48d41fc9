/* A run on several workers: how many there were, and how long it took.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>
#include <string.h>

#include "libcilkprof/abi/parallel.h"
#include "libcilkprof/engine/time/clock.h"
#include "libcilkprof/engine/workers/workers.h"

extern int __cilkrts_get_nworkers(void); /* of the runtime */

static uint64_t started_ns;

/* Returns whether only one worker runs, which passes nothing to others: the user asks for that.  */
int __cilkprof_is_one_worker(void) {
  const char *workers = secure_getenv("CILK_NWORKERS");
  return workers && strcmp(workers, "1") == 0 && !secure_getenv("CILKPROF_FORCE_STEALS");
}

/* Begins the measurement of a run on several workers, when that of the first one has begun.  Where there is only one,
   it calls all children, and never asks the runtime.  */
void __cilkprof_workers_start(void) {
  __cilkprof_recorders_start();
  if (ENGINE.in_order)
    __cilkprof_r_want = 0;
  __cilkprof_r_unrecorded = __cilkprof_unrecorded;
  started_ns = __cilkprof_now_ns();
}

/* Writes how the run went to the profile.  */
void __cilkprof_workers_write(struct cilkprof_writer *writer) {
  const struct profiled_passages *passages = &profiled_thread()->passages;
  cilkprof_write_workers(writer, &(struct cilkprof_workers){.workers = (uint64_t)__cilkrts_get_nworkers(),
                                                            .elapsed_ns = __cilkprof_now_ns() - started_ns,
                                                            .deferred = passages->deferred,
                                                            .stolen = passages->stolen});
}
