/* What programs for parallel runs call besides events.  The tracer runs them serially.
   SPDX-License-Identifier: MIT  */

#include <stdlib.h>

#include "libcilkprof/abi/parallel.h"
#include "test/oracle/tracer.h"

/* Programs that are not for parallel runs have no such variable, and no loops that use it.  */
#pragma weak __cilkprof_r_range

/* What the program's records refer to, and the linker, in place of the engine.  */
extern const uint64_t __cilkprof_mode_parallel_count;
const uint64_t __cilkprof_mode_parallel_count = 1;
void __cilkprof_is_missing_link_with_fcilkprof_parallel_count(void);
void __cilkprof_is_missing_link_with_fcilkprof_parallel_count(void) {}

/* Calls CHILD, a spawned call, with its CLOSURE.  All else is for the engine.  */
void __cilkprofiled_spawn(void *frame, body_t *child, void *closure, uint64_t size, void *learnt, const void *callee);
void __cilkprofiled_spawn(void *frame, body_t *child, void *closure, uint64_t size, void *learnt, const void *callee) {
  (void)frame, (void)size, (void)learnt, (void)callee;
  child(closure);
}

/* Returns the grain of a cilk_for of TRIPS iterations whose program gives none, as engine and oracle choose it.  */
static uint64_t tracer_loop_grain(uint64_t trips) {
  enum { MAX_GRAIN = 2048, GRAINS_PER_WORKER = 8, WORKERS = 128 };
  const char *given = getenv("CILKPROF_LOOP_WORKERS");
  uint64_t parts = GRAINS_PER_WORKER * (given ? strtoul(given, NULL, 10) : WORKERS),
           grain = (trips + parts - 1) / parts;
  return grain < 1 ? 1 : grain > MAX_GRAIN ? MAX_GRAIN : grain;
}

/* Runs a cilk_for, whose number of iterations and grain size are in the thread's range, by calling BODY with DATA for
   each grain; and ends it.  */
void __cilkprofiled_loop(body_t *body, void *data, void *learnt);
void __cilkprofiled_loop(body_t *body, void *data, void *learnt) {
  (void)learnt;
  frame_t *frame = trace.top;
  uint64_t trips = __cilkprof_r_range.high, given = __cilkprof_r_range.grain,
           grain = (int64_t)given > 0 ? given : tracer_loop_grain(trips);
  __cilkprof_t_loop_grains(frame, given, trips);
  for (uint64_t low = 0; low < trips && !__cilkprof_r_range.thrown; low += grain) {
    __cilkprof_r_range.low = low;
    __cilkprof_r_range.high = trips - low > grain ? low + grain : trips;
    fprintf(trace.file, "n %lu %lu\n", frame->key, frame->local_work);
    body(data);
  }
  frame->local_work = __cilkprof_t_loop_end(frame, frame->local_work, 0);
}

/* Does nothing at a sync of FRAME: no child was deferred.  */
void __cilkprof_join(void *frame);
void __cilkprof_join(void *frame) {
  (void)frame;
}

/* Does nothing where the exception THROWN leaves FRAME: no child was deferred.  */
void __cilkprof_join_thrown(void *frame, void *thrown);
void __cilkprof_join_thrown(void *frame, void *thrown) {
  (void)frame, (void)thrown;
}

/* Returns the frame of the function around a loop, whose body is called.  Nothing is written.  */
EVENT(frame_t *, range_enter, void) {
  return trace.top;
}
