/* Time that threads wait for locks.  It is added to a path in portions of at least one sampling interval, so that
   finding the path costs no more than sampling does.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/sampler/state.h"

/* Adds NS nanoseconds, for which this thread waited for a lock, to the call path of the call that returns to SITE, or
   of the caller if that is NULL.  Shorter waits are collected until they are worth finding the path.  */
void __cilkprof_s_waited(uint64_t ns, const void *site) {
  struct sampled_thread *self = SELF;
  if (!self || !atomic_load(&__cilkprof_s_on))
    return;
  __cilkprof_s_transition_waited(ns, site);
  self->waited_ns += ns;
  if (self->waited_ns < 1000000000 / SAMPLER.hz)
    return;
  uint32_t node = site ? __cilkprof_s_call_at(site) : __cilkprof_s_context((uintptr_t)__builtin_frame_address(0), NULL);
  if (node) {
    __cilkprof_s_add(node, 0, 0, 0, self->waited_ns);
    self->waited_ns = 0;
  }
}
