/* Counted calls that are under way.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_CONTROL_COUNTED_H
#define CILKPROF_CONTROL_COUNTED_H

#include "libcilkprof/engine/span/counted.h"
#include "libcilkprof/engine/span/span.h"

/* Calls that are followed inside of a sampled call, or of sampled iterations.  */
enum { FOLLOWED_INSIDE = 4096 };

/* Returns what the counted call that is under way at SITE, a stand-in, has taken.  */
static inline uint64_t counted_call_cost(site_t *site) {
  struct call_cost *cost = &site->learnt.counted->cost;
  return THREAD.counted_since ? __cilkprof_call_end(cost, THREAD.counted_since) : cost->units;
}

/* Returns what ITERATIONS of the loop of COUNTED take: what those took on average that were timed in the body without
   events, or else those of the samples.  0: there was none.  */
static inline uint64_t counted_cost_of_iterations(const counted_t *counted, uint64_t iterations) {
  return (uint64_t)(counted->iteration_cost * (double)iterations);
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
  list_stand_ins(site->learnt.counted);
  if (site->flags & __CILKPROF_SITE_SPAWN)
    __cilkprof_h_spawn(frame, frame->local_work, site);
  else
    frame->site = (uint64_t)site | __CILKPROF_CALL_LEAF;
  THREAD.top = marked_log_top(frame->top);
  THREAD.counting = __CILKPROF_COUNTING_CALL;
  THREAD.counted_since = timed ? __cilkprof_call_begin() : 0;
}

/* counted_loops.c: begins to follow some iterations of the loop of COUNTED in FRAME, to learn from them, and notes
   SAMPLE.  Returns how many these are, at most MOST.  */
HIDDEN uint64_t __cilkprof_iterations_sampled(frame_t *frame, counted_t *counted, struct __cilkprof_sample *sample,
                                              uint64_t most);
/* Ends SAMPLE, if there is one, in FRAME, and learns from it.  LEFT iterations of it did not begin.  SPAWNED: some that
   did have spawned.  */
HIDDEN void __cilkprof_iterations_learnt(frame_t *frame, counted_t *counted, struct __cilkprof_sample *sample,
                                         uint64_t left, int spawned);

#endif
