/* Calling loops: serial loops with two bodies, of which one has no events.
   SPDX-License-Identifier: MIT

   A function that spawns is always followed.  Where it has a serial loop that calls short functions, the events around
   these calls would take longer than the calls.  So such a loop is treated like that of a cilk_for (counted_loops.c):
   iterations run without events in stretches, whose time is measured as a whole, and those that are followed in
   between, at random intervals, say how it divides.

   But nobody can tell beforehand how many iterations there are, so control may leave the loop in the midst of a
   stretch.  And the loop has no row in the profile: what its iterations do themselves is the work of its function.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/counted.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/span/series.h"

enum {
  FEW = 6,             /* a loop that mostly has fewer iterations is not worth a stretch */
  FOLLOWED_PLAIN = 64, /* iterations that are followed at a time, where they are few or long */
  USUAL_AT_FIRST = 64, /* how many iterations a loop is taken to have that never ended */
  USUAL_WEIGHT = 8,    /* how many times the usual number counts as much as that of the loop that ends */
};

/* Finishes the call or stretch that is under way in FRAME, and adds WORK, what its function did itself since its last
   event.  The strand does not end here: iterations of a serial loop are no strands.  Series of leaves and locks go
   on.  */
static inline void go_on_in_calling_loop(frame_t *frame, uint64_t work) {
  if (frame->site & ~(uint64_t)SERIES_PENDING)
    __cilkprof_o_returned();
  frame->local_work += work;
}

/* Makes some iterations of LOOP be followed, but not as a sample: the calls in them may be counted themselves.  */
static inline void follow_plain_iterations(calling_loop_t *loop) {
  uint64_t *next = &loop->counted->follow_after;
  loop->left = *next < FOLLOWED_PLAIN ? *next : FOLLOWED_PLAIN;
  *next -= loop->left;
}

/* Begins a serial loop with two bodies, whose site is SITE, in the innermost frame.  WORK is what its function did
   itself since its last event.  The first iteration decides in which body it runs, unless there are mostly few.  */
void __cilkprof_o_calling_loop(site_t *site, uint64_t work, calling_loop_t *loop) {
  counted_t *counted = THREAD.recording ? site->learnt.counted : NULL; /* other threads leave it alone */
  go_on_in_calling_loop(THREAD.frames, work);
  loop->left = loop->passed = loop->sample.iterations = 0;
  loop->counted = counted;
  if (counted && counted->usual < FEW && counted->follow_after && !counted->never && !THREAD.following) {
    follow_plain_iterations(loop);
    loop->passed = loop->left;
  }
}

/* Returns what is known of the loop at SITE; NULL: all its iterations are to be followed.  */
static counted_t *counted_calling_loop(site_t *site) {
  if (!THREAD.recording)
    return NULL;
  site->flags |= (uint64_t)1 << __CILKPROF_SITE_CALLING;
  counted_t *counted = __cilkprof_counted(site);
  if (!counted || counted->never)
    return NULL;
  if (!counted->calling)
    counted->usual = USUAL_AT_FIRST;
  counted->loop = counted->calling = 1;
  return counted;
}

/* Begins a stretch of LOOP in the body without events, in FRAME.  It ends before the next sample, or with the loop.
   Its time is measured, unless it is known to be shorter than reading the timer.  */
static void begin_calling_stretch(frame_t *frame, calling_loop_t *loop) {
  counted_t *counted = loop->counted;
  uint64_t stretch = counted->follow_after, usual = (uint64_t)counted->usual;
  uint64_t cost = counted_cost_of_iterations(counted, stretch < usual ? stretch : usual);
  int timed = !counted->cost.time_after || cost >= __cilkprof_short_stretch();
  counted->cost.time_after -= !timed;
  counted->follow_after = 0;
  loop->passed += stretch;
  frame->counted_left = stretch;
  begin_counted_call(frame, &counted->standing[OUTERMOST], timed);
}

/* Makes some iterations of LOOP be followed, because it is in a call that is followed as a sample.  There iterations
   count as calls do.  */
static void follow_inside_of_sample(calling_loop_t *loop) {
  loop->left = THREAD.following < FOLLOWED_PLAIN ? THREAD.following : FOLLOWED_PLAIN;
  THREAD.following -= loop->left;
}

/* Begins a stretch of iterations of LOOP, whose site is SITE, in FRAME.  Decides in which body they run.  */
static void begin_stretch_of_calling_loop(frame_t *frame, site_t *site, calling_loop_t *loop) {
  counted_t *counted = loop->counted = counted_calling_loop(site);
  frame->counted_left = 0;
  if (counted)
    end_strand_of_frame(frame, 0);
  if (!counted)
    loop->left = UINT64_MAX;
  else if (THREAD.following)
    follow_inside_of_sample(loop);
  else if (!counted->follow_after)
    loop->left = __cilkprof_iterations_sampled(frame, counted, &loop->sample, UINT64_MAX);
  else if ((!loop->passed && counted->usual < FEW) ||
           counted_cost_of_iterations(counted, 1) >= __cilkprof_long_sample())
    follow_plain_iterations(loop);
  else {
    begin_calling_stretch(frame, loop);
    return;
  }
  loop->passed += loop->left;
  loop->left--;
}

/* Begins an iteration of LOOP in the uncommon cases: a call is under way, or the iteration before was the last of a
   stretch.  */
APART void calling_iterate_slow(site_t *site, uint64_t work, calling_loop_t *loop) {
  frame_t *frame = THREAD.frames;
  go_on_in_calling_loop(frame, work);
  if (loop->left) {
    loop->left--;
    return;
  }
  if (loop->sample.iterations) {
    end_strand_of_frame(frame, 0);
    __cilkprof_iterations_learnt(frame, loop->counted, &loop->sample, 0, 0);
  }
  begin_stretch_of_calling_loop(frame, site, loop);
}

/* Begins an iteration of LOOP, whose site is SITE, in the innermost frame.  WORK is what the function did itself since
   its last event.  */
void __cilkprof_o_calling_iterate(site_t *site, uint64_t work, calling_loop_t *loop) {
  frame_t *frame = THREAD.frames;
  if (__CILKPROF_RARE(frame->site & ~(uint64_t)SERIES_PENDING || !loop->left))
    calling_iterate_slow(site, work, loop);
  else {
    frame->local_work += work;
    loop->left--;
  }
}

/* Ends LOOP in the innermost frame.  LEFT is how many iterations the stretch had left that was under way in the body
   without events, with the one in which the loop ends; 0: that one was followed.  WORK is what the function did itself
   since its last event.  */
void __cilkprof_o_calling_loop_end(uint64_t work, calling_loop_t *loop, uint64_t left) {
  frame_t *frame = THREAD.frames;
  counted_t *counted = loop->counted;
  uint64_t unused = left ? left - 1 : loop->left;
  if (left && counted && frame->counted_left > unused) /* else the stretch turned out to spawn */
    frame->counted_left -= unused;
  go_on_in_calling_loop(frame, work);
  if (!counted)
    return;
  if (loop->sample.iterations) {
    end_strand_of_frame(frame, 0);
    __cilkprof_iterations_learnt(frame, counted, &loop->sample, loop->left, 0);
  } else
    counted->follow_after += unused;
  counted->usual += ((double)(loop->passed - unused) - counted->usual) / USUAL_WEIGHT;
}
