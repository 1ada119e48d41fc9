/* Counted calls that turn out to spawn: they reach code with events.
   SPDX-License-Identifier: MIT

   A guarded function decides first of all whether it spawns.  If code with events called it, nothing has happened yet,
   and the call is followed as if it had not been counted at all.  But counted code that reaches a function with events
   has done other things before.  What lies between is treated as code without instrumentation.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/engine/span/counted.h"

/* Undoes the spawn of a counted call at SITE, a stand-in, by the innermost frame.  */
static void take_back_counted_spawn(frame_t *frame, site_t *site) {
  site->active = 0;
  caller_of_site(site)->open--;
  site->flags &= ~(uint64_t)__CILKPROF_SITE_TOP_CALLER;
  frame->segment = frame->outer_segment;
}

/* Turns the counted call that is under way into a call of code without instrumentation: it is about to enter a function
   with events, which may spawn.  Its site is not counted for a while.  */
void __cilkprof_counted_entered(void) {
  frame_t *frame = THREAD.frames;
  site_t *standing = called_site(frame);
  counted_t *counted = standing->learnt.counted;
  if (counted->loop) {
    __cilkprof_counted_iterations_entered(frame, counted);
    return;
  }
  uint64_t spawned = frame->site & __CILKPROF_CALL_SPAWN;
  uint64_t since = THREAD.counted_since;
  THREAD.counting = 0;
  __cilkprof_counted_spawned(counted);
  if (spawned)
    take_back_counted_spawn(frame, standing);
  frame->site = 0;
  __cilkprof_foreign_call(frame, counted->site, NULL, frame->local_work, spawned);
  THREAD.foreign.stack = frame->key;
  if (since)
    THREAD.foreign.started = since - profiled_thread()->clock.stolen;
}

/* Makes the counted call that is under way one that is followed.  It is that of a guarded function, which is about to
   spawn.  */
static void follow_counted_call(void) {
  frame_t *frame = THREAD.frames;
  site_t *standing = called_site(frame);
  counted_t *counted = standing->learnt.counted;
  THREAD.counting = 0;
  if (frame->site & __CILKPROF_CALL_SPAWN)
    take_back_counted_spawn(frame, standing);
  frame->site = 0;
  begin_call_of_frame(frame, frame->local_work, counted->site);
  __cilkprof_guarded_spawned(counted);
}

/* Notes that a guarded function, which runs without events, is about to spawn.  It begins anew, with events.  */
void __cilkprof_o_begin_anew(void) {
  uint64_t directly = THREAD.in_guard;
  THREAD.in_guard = 0;
  if (THREAD.counting == __CILKPROF_COUNTING_CALLBACKS)
    __cilkprof_callbacks_end();
  else if (THREAD.counting == __CILKPROF_COUNTING_CALL && directly)
    follow_counted_call();
  else if (THREAD.counting == __CILKPROF_COUNTING_CALL)
    __cilkprof_counted_entered();
}
