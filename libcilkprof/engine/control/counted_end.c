/* The end of counted calls, and of calls that were followed as a sample: they return, or control leaves them.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/counted.h"

/* Ends the counted call that is under way in FRAME, the innermost one: what it took goes into the return slots, as a
   leaf would leave it there.  */
void __cilkprof_counted_left(frame_t *frame) {
  site_t *standing = called_site(frame);
  counted_t *counted = standing->learnt.counted;
  uint64_t cost = counted->loop ? __cilkprof_counted_iterations_left(frame, counted) : counted_call_cost(standing);
  THREAD.counting = 0;
  __cilkprof_h_bare(cost);
  THREAD.top = marked_log_top(frame->top);
}

/* Forgets that the call under way in FRAME is followed as a sample.  */
void __cilkprof_sample_left(frame_t *frame) {
  frame->sampled = 0;
  if (THREAD.sampling == frame)
    THREAD.following = 0;
}

/* Learns from the call under way in FRAME, which was followed as a sample and has returned: its totals are in the
   return slots.  */
void __cilkprof_sample_returned(frame_t *frame) {
  counted_t *counted = *counted_record_of(called_site(frame));
  __cilkprof_sample_left(frame);
  if (counted)
    __cilkprof_learn_parts(counted, frame->top, __cilkprof_p_log_top());
}
