/* Counted calls: their events.
   SPDX-License-Identifier: MIT

   The event before such a call decides whether it is counted or followed.  While a counted call is under way its frame
   looks as if it called a leaf, and THREAD.counting makes the callee, and functions that others can enter, go on in
   their copies without events.  If counted code reaches a function with events all the same, because that function
   spawns or has no copy, the call is turned into one of code without instrumentation, and the site is not counted for
   a while.

   How often calls are followed: the first few, then ever fewer, at random intervals.  Inside of a call that is followed
   as a sample all calls are followed, up to a limit; beyond it each site decides anew.  So the sample of a short call
   is complete, and a long one is not slowed down.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/counted.h"
#include "libcilkprof/engine/control/leaves.h"
#include "libcilkprof/engine/control/outline.h"

enum {
  FOLLOWED_FIRST = 4, /* calls of a site that are followed at first */
  OFTEN = 32,         /* then one in 32 is, */
  SELDOM = 512,       /* and later one in 512 */
  MANY_FOLLOWED = 64, /* followed calls after which they become rarer by half */
};

/* Decides how many calls of COUNTED's site come before the next one that is followed.  */
static void choose_next_followed_counted_call(counted_t *counted) {
  uint64_t interval = OFTEN;
  if (++counted->followed < FOLLOWED_FIRST)
    return;
  for (uint64_t many = MANY_FOLLOWED; interval < SELDOM && counted->followed >= many; many *= 2)
    interval *= 2;
  counted->follow_after = __cilkprof_random_around(interval / 2);
}

/* Sets apart as many of the next calls of COUNTED's site as need no decision: they are neither timed nor followed.  */
static void set_plain_calls_apart(counted_t *counted) {
  uint64_t *follow = &counted->follow_after, *time = &counted->cost.time_after;
  if (counted->standing[OUTERMOST].flags & __CILKPROF_SITE_SPAWN)
    return;
  counted->plain = *follow < *time ? *follow : *time;
  *follow -= counted->plain;
  *time -= counted->plain;
}

/* Begins a counted call of COUNTED's site in FRAME.  */
static void count_call(frame_t *frame, counted_t *counted) {
  int timed = 0;
  if (counted->plain)
    counted->plain--;
  else {
    timed = !counted->cost.time_after;
    counted->cost.time_after -= !timed;
    counted->follow_after--;
    set_plain_calls_apart(counted);
  }
  begin_counted_call(frame, &counted->standing[counted->site->active != 0 ? INNER : OUTERMOST], timed);
}

/* Decides how the next call of SITE in FRAME runs.  If it is counted, begins it and returns 1; if it is to be followed
   as a sample, notes that.  */
static int begin_if_counted(frame_t *frame, site_t *site) {
  counted_t *counted = THREAD.recording ? __cilkprof_counted(site) : NULL;
  if (!counted || (counted->never && !__cilkprof_counts_again(counted)))
    return 0;
  if (THREAD.following) {
    THREAD.following--;
    return 0;
  }
  if (counted->plain || counted->follow_after) {
    count_call(frame, counted);
    return 1;
  }
  choose_next_followed_counted_call(counted);
  frame->sampled = 1;
  THREAD.following = FOLLOWED_INSIDE;
  THREAD.sampling = frame;
  return 0;
}

/* Keeps the entries in the log of the call that begins in FRAME apart from those before, if it is a sample.  */
static void keep_counted_sample_apart(const frame_t *frame) {
  if (frame->sampled)
    THREAD.top = (entry_t *)((uint64_t)THREAD.top & ~(uint64_t)__CILKPROF_TOP_SERIAL);
}

/* Begins a call of SITE in the uncommon cases: a call or a timed strand must be ended before, or the call may have to
   be followed.  */
APART void counted_call_slow(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  end_strand_of_frame(frame, work);
  if (begin_if_counted(frame, site))
    return;
  begin_call_of_frame(frame, frame->local_work, site);
  keep_counted_sample_apart(frame);
}

/* Returns whether a call of SITE, of code that may have no instrumentation, can be counted: it was followed before, so
   that it is known whether the callee is instrumented, and if it is, it can run without events.  */
static int is_countable_foreign_call(const site_t *site) {
  uint64_t countable = (uint64_t)1 << __CILKPROF_SITE_COUNTABLE;
  return (site->count || known_counted_calls(site)) && !(site->flags & __CILKPROF_SITE_SPAWN) &&
         (site->flags & (__CILKPROF_SITE_KNOWN | countable)) != __CILKPROF_SITE_KNOWN && !ENGINE.requests;
}

/* Begins a call by SITE in FRAME of CALLEE, which may have no instrumentation.  LOCAL_WORK is what FRAME's function did
   itself so far.  Most are counted: whatever instrumented functions such code calls back cannot spawn, mostly.  */
void __cilkprof_call_foreign(frame_t *frame, site_t *site, const void *callee, uint64_t local_work) {
  frame->local_work = local_work;
  if (is_countable_foreign_call(site) && begin_if_counted(frame, site))
    return;
  __cilkprof_foreign_call(frame, site, callee, local_work, site->flags & __CILKPROF_SITE_SPAWN);
  keep_counted_sample_apart(frame);
}

/* Begins a call of SITE in the less common cases: it may have to be timed or followed, or the caller's last call has
   not been finished.  */
APART void counted_call_medium(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  counted_t *counted = site->learnt.counted;
  if (__CILKPROF_RARE(!counted || !(counted->plain | counted->follow_after) || frame->begin || THREAD.following ||
                      !THREAD.recording || counted->never || !finish_plain_call_of_frame(frame)))
    counted_call_slow(site, work);
  else {
    frame->local_work += work;
    count_call(frame, counted);
  }
}

/* Begins a call of SITE, whose callee seldom spawns, in the innermost frame.  WORK is what the caller did itself since
   its last event.  */
void __cilkprof_o_counted_call(site_t *site, uint64_t work) {
  frame_t *frame = THREAD.frames;
  counted_t *counted = site->learnt.counted;
  if (__CILKPROF_RARE(!counted || !counted->plain || frame->begin | THREAD.following | frame->site ||
                      !THREAD.recording)) {
    counted_call_medium(site, work);
    return;
  }
  counted->plain--;
  frame->local_work += work;
  begin_plain_counted_call(frame, &counted->standing[site->active != 0 ? INNER : OUTERMOST]);
}

/* Begins a call of SITE, whose callee seldom spawns, in the innermost frame.  The flags of SITE contain what the caller
   did itself since its last event.  */
void __cilkprof_o_counted_call_here(site_t *site) {
  __cilkprof_o_counted_call(site, site->flags >> __CILKPROF_SITE_WORK);
}

/* Begins a call of SITE, whose callee is guarded, in the innermost frame.  WORK is what the caller did itself since its
   last event.  */
void __cilkprof_o_guarded_call(site_t *site, uint64_t work) {
  __cilkprof_o_counted_call(site, work);
  THREAD.in_guard = THREAD.counting;
  if (__CILKPROF_RARE(!THREAD.counting && site->learnt.counted))
    site->learnt.counted->guarded = 1;
}

/* Begins a call of SITE, whose callee is countable and has a guard, in the innermost frame.  If calls of SITE have
   spawned, those that pass the guard begin anew.  WORK is what the caller did itself since its last event.  */
void __cilkprof_o_guarded_countable_call(site_t *site, uint64_t work) {
  __cilkprof_o_counted_call(site, work);
  counted_t *counted = site->learnt.counted;
  if (THREAD.counting)
    THREAD.in_guard = (uint64_t)counted->anew;
  else if (counted)
    counted->guard = 1;
}

/* Ends a counted call in FRAME that is booked at SITE, a stand-in, and took COST.  */
static inline void book_counted_call(frame_t *frame, site_t *site, uint64_t cost) {
  THREAD.counting = 0;
  frame->site = 0;
  if (merge_leaves_in_log(site, 1, cost, frame->merge, frame->top))
    add_leaf_work_to_frame(frame, cost);
  else
    __cilkprof_book_leaves(frame, site, 1, cost);
}

/* Finishes a call by FRAME's function that could be counted, where it was not, or where it was spawned.  */
APART void counted_returned_slow(frame_t *frame) {
  THREAD.began_anew = 0; /* this call is booked in any case */
  if (THREAD.counting == __CILKPROF_COUNTING_CALL && THREAD.frames == frame) {
    __cilkprof_counted_left(frame);
    __cilkprof_finish_any_call(frame);
  } else
    __cilkprof_o_foreign_returned(frame);
}

/* Finishes a call by FRAME's function that could be counted, in the less common cases: it was timed, or not
   counted.  */
APART void counted_returned_medium(frame_t *frame) {
  uint64_t site = frame->site - __CILKPROF_CALL_LEAF;
  if (__CILKPROF_RARE(THREAD.counting != __CILKPROF_COUNTING_CALL || THREAD.frames != frame ||
                      site & __CILKPROF_CALL_KIND))
    counted_returned_slow(frame);
  else
    book_counted_call(frame, (site_t *)site, counted_call_cost((site_t *)site));
}

/* Finishes a call by FRAME's function that could be counted: books what it took.  */
void __cilkprof_o_counted_returned(frame_t *frame) {
  uint64_t site = frame->site - __CILKPROF_CALL_LEAF;
  if (__CILKPROF_RARE(THREAD.counting != __CILKPROF_COUNTING_CALL || THREAD.frames != frame ||
                      site & __CILKPROF_CALL_KIND || THREAD.counted_since))
    counted_returned_medium(frame);
  else
    book_counted_call(frame, (site_t *)site, ((site_t *)site)->learnt.counted->cost.units);
}
