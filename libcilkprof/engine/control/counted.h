/* Counted calls that are under way.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_CONTROL_COUNTED_H
#define CILKPROF_CONTROL_COUNTED_H

#include "libcilkprof/engine/span/counted.h"
#include "libcilkprof/engine/span/span.h"

/* Returns what the counted call that is under way at SITE, a stand-in, has taken.  */
static inline uint64_t counted_call_cost(site_t *site) {
  struct call_cost *cost = &site->learnt.counted->cost;
  return THREAD.counted_since ? __cilkprof_call_end(cost, THREAD.counted_since) : cost->units;
}

/* Begins a counted call in FRAME, which is booked at SITE, a stand-in.  It costs what such calls did that were
   timed.  */
static inline void begin_plain_counted_call(frame_t *frame, site_t *site) {
  frame->site = (uint64_t)site | __CILKPROF_CALL_LEAF;
  THREAD.top = marked_log_top(frame->top);
  THREAD.counting = __CILKPROF_COUNTING_CALL;
  THREAD.counted_since = 0;
}

/* Begins a counted call in FRAME, which is booked at SITE, a stand-in, and may be spawned.  If TIMED, its time is
   measured, else it costs what such calls did that were timed.  */
static inline void begin_counted_call(frame_t *frame, site_t *site, int timed) {
  if (site->flags & __CILKPROF_SITE_SPAWN)
    __cilkprof_h_spawn(frame, frame->local_work, site);
  else
    frame->site = (uint64_t)site | __CILKPROF_CALL_LEAF;
  THREAD.top = marked_log_top(frame->top);
  THREAD.counting = __CILKPROF_COUNTING_CALL;
  THREAD.counted_since = timed ? __cilkprof_call_begin() : 0;
}

#endif
