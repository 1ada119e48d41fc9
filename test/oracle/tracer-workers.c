/* What programs for parallel runs call besides events.  The tracer runs them serially.
   SPDX-License-Identifier: MIT  */

#include "test/oracle/tracer.h"

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
