/* Shared parts of the events that are functions.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_OUTLINE_H
#define CILKPROF_OUTLINE_H

#include "libcilkprof/engine/span/site.h"

/* A slow path that is kept out of the function that jumps to it.  */
#define APART static __attribute__((noinline))

/* Declares the events.  */
#define CALLED(name, result, ...) extern EXPORT result __cilkprof_o_##name(__VA_ARGS__);
#define SHORT(name, result, ...)  extern EXPORT result __cilkprof_o_short_##name(__VA_ARGS__);
#include "libcilkprof/abi/events.def"

/* Hybrid mode: ends the charged call that FRAME made last.  If code of the program was entered during the call, and has
   removed its mark, that code is booked.  */
HIDDEN void __cilkprof_end_charged_call(frame_t *frame);

/* Finishes the call that is under way in FRAME, if it is a common one: not spawned, not of a leaf or of foreign code,
   and with room in the log.  Returns whether no call is under way any more.  */
static inline int finish_plain_call_of_frame(frame_t *frame) {
  uint64_t site = frame->site;
  if (!site)
    return 1;
  entry_t *top = __cilkprof_p_log_top();
  uint64_t work = THREAD.work;
  if (__CILKPROF_RARE(site & __CILKPROF_CALL_KIND || __CILKPROF_AT_LIMIT(top, frame->segment) ||
                      work & __CILKPROF_WORK_HOLDS))
    return 0;
  site_t *called = (site_t *)site;
  if (called->active != frame->key)
    top = book_plain_call_of_site(called, top);
  else if (called->flags & __CILKPROF_SITE_SIMPLE)
    top = book_top_call_of_site(called, frame->merge, top);
  else
    return 0;
  __cilkprof_p_returned(frame, top, work);
  return 1;
}

/* Finishes the call that is under way in FRAME, of whatever kind it is.  */
HIDDEN void __cilkprof_finish_any_call(frame_t *frame);

/* Divides the flag SERIAL of a site to get that of the log's top.  */
enum { SERIAL_FLAGS = __CILKPROF_SITE_SERIAL / __CILKPROF_TOP_SERIAL };

/* Begins a call of SITE in FRAME, or a spawn if SITE is one.  WORK is the local work of FRAME's function so far.  */
static inline void begin_call_of_frame(frame_t *frame, uint64_t work, site_t *site) {
  if (site->flags & __CILKPROF_SITE_SPAWN)
    __cilkprof_h_spawn(frame, work, site);
  else if (site->active || !(site->flags & __CILKPROF_SITE_SIMPLE) || !THREAD.recording)
    __cilkprof_h_call(frame, work, site);
  else {
    frame->local_work = work;
    frame->site = (uint64_t)site;
    THREAD.top = (entry_t *)((uint64_t)frame->top | (site->flags & __CILKPROF_SITE_SERIAL) / SERIAL_FLAGS);
    open_top_call_of_site(site, frame->key);
  }
}

/* Ends the current strand, in which no call is under way, and adds its cost to FRAME, the innermost one.  WORK is what
   was counted since the last event.  Returns the function's local work.  */
static inline uint64_t end_own_strand_of_frame(frame_t *frame, uint64_t work) {
  if (frame->begin) {
    __cilkprof_end_charged_call(frame);
    work = __cilkprof_h_timed(frame->local_work + work, frame->begin, frame->before_begin);
    frame->begin = 0;
    return frame->local_work = work;
  }
  return frame->local_work += work;
}

/* Ends the current strand and adds its cost to FRAME, the innermost one, with that of the call that is under way, if
   there is one.  WORK and the result are as above.  */
static inline uint64_t end_strand_of_frame(frame_t *frame, uint64_t work) {
  if (frame->site)
    __cilkprof_o_returned();
  return end_own_strand_of_frame(frame, work);
}

#endif
