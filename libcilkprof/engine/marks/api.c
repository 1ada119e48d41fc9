/* Functions of the engine that a program calls (cilkprof.h, cilk/cilkscale.h).
   SPDX-License-Identifier: MIT

   The compiler keeps the frames of functions that call these in memory, and calls __cilkprof_here before each call.
   Their cost is not charged to the program.  */

#include <errno.h>

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/span/observer.h"
#include "libcilkprof/engine/host.h"
#include "libcilkprof/engine/time/clock.h"

extern EXPORT int __cilkprof_api_write(void);
extern EXPORT void __cilkprof_api_start(const char *label);
extern EXPORT void __cilkprof_api_stop(const char *label);
extern EXPORT void __cilkprof_api_strand(const char *name);
extern EXPORT int __cilkprof_api_point(uint64_t values[3]);
extern EXPORT void __cilkprof_api_add(const char *label, uint64_t work, uint64_t span, uint64_t burdened_span);
extern EXPORT uint64_t __cilkprof_api_units_per_second(void);

/* Notes that FRAME's function has done LOCAL_WORK itself so far, before it calls the engine, and that functions which
   are entered now are entered from outside.  */
void __cilkprof_here(frame_t *frame, uint64_t local_work) {
  frame->local_work = local_work;
  THREAD.top = marked_log_top(frame->top);
}

/* Ends the strand that FRAME's function has named and the root regions that it has begun, when it returns.  LOCAL_WORK
   is all that the function did itself.  */
void __cilkprof_strands_end(frame_t *frame, uint64_t local_work) {
  observe_strand_end(frame, NULL, local_work);
}

/* Notes how far the innermost frame's function is before it calls the engine.  WORK is what it did itself since its
   last event.  */
void __cilkprof_o_here(uint64_t work) {
  frame_t *frame = THREAD.frames;
  __cilkprof_here(frame, end_strand_of_frame(frame, work));
}

/* Ends the strand that the innermost frame's function has named and the root regions that it has begun, when it
   returns.  WORK is what it did itself since its last event.  */
void __cilkprof_o_strands_end(uint64_t work) {
  frame_t *frame = THREAD.frames;
  __cilkprof_strands_end(frame, end_strand_of_frame(frame, work));
}

/* Returns whether all that the program does is recorded in its serial order, as regions and the like need it.  Says
   that it is not, once.  */
static int is_recorded_in_serial_order(void) {
  static int said;
  if (ENGINE.in_order)
    return 1;
  if (!__atomic_load_n(&said, __ATOMIC_RELAXED) && !__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
    __cilkprof_say("regions, mutexes, strands, points and annotations", "not measured in a parallel run", NULL);
  return 0;
}

/* Begins something that the program asks of the engine, which may be counted code, and goes on being counted.  Returns
   whether it is recorded; if so, the time until __cilkprof_api_ends is not charged to the program.  */
int __cilkprof_api_begins_in_counted(void) {
  if (!ENGINE.started || ENGINE.finished || !THREAD.recording || !is_recorded_in_serial_order())
    return 0;
  if (ENGINE.mode != CILKPROF_MODE_COUNT)
    profiled_thread()->api.began = __cilkprof_p_timer();
  return 1;
}

/* Begins something that the program asks of the engine, and that counted code cannot do.  Returns whether it is
   recorded; if so, the time until __cilkprof_api_ends is not charged to the program.  */
int __cilkprof_api_begins(void) {
  if (!__cilkprof_api_begins_in_counted())
    return 0;
  if (THREAD.counting == __CILKPROF_COUNTING_CALL)
    __cilkprof_counted_entered();
  return 1;
}

/* Ends something that the program asked of the engine: the time since __cilkprof_api_begins is not charged to the
   program.  */
void __cilkprof_api_ends(void) {
  if (ENGINE.mode != CILKPROF_MODE_COUNT)
    __cilkprof_frames_skip_time(__cilkprof_p_timer() - profiled_thread()->api.began);
}

/* Writes the profile now, as if the program ended here, for cilkprof_write.  Returns 0, or -1 if it was not
   written.  */
int __cilkprof_api_write(void) {
  return HOST.snapshot();
}

/* Calls FUNCTION, which records something that the program says about itself, with NAME, if this thread is recorded.
   Preserves errno.  */
static void call_api_if_recorded(void (*function)(const char *name), const char *name) {
  int error = errno;
  if (__cilkprof_api_begins()) {
    function(name);
    __cilkprof_api_ends();
  }
  errno = error;
}

/* Starts the region with LABEL, for cilkprof_start.  */
void __cilkprof_api_start(const char *label) {
  call_api_if_recorded(__cilkprof_region_start, label);
}

/* Stops the region with LABEL, for cilkprof_stop.  */
void __cilkprof_api_stop(const char *label) {
  call_api_if_recorded(__cilkprof_region_stop, label);
}

/* Begins a strand with NAME in the calling function, and ends its current one, for cilkprof_strand.  NULL begins
   none.  */
void __cilkprof_api_strand(const char *name) {
  call_api_if_recorded(__cilkprof_strand_begin, name);
}

/* Stores the work, span and burdened span of the program up to here in VALUES.  Returns 0, or -1 if the thread is not
   recorded.  */
int __cilkprof_api_point(uint64_t values[3]) {
  if (!__cilkprof_api_begins())
    return -1;
  struct cilkprof_point point = __cilkprof_point(THREAD.frames);
  values[0] = point.work;
  values[1] = point.span;
  values[2] = point.burdened_span;
  __cilkprof_api_ends();
  return 0;
}

/* Adds an invocation with WORK, SPAN and BURDENED_SPAN, as the program has measured it between two points, to the
   region with LABEL, for cilktools/cilkview.h.  */
void __cilkprof_api_add(const char *label, uint64_t work, uint64_t span, uint64_t burdened_span) {
  int error = errno;
  if (__cilkprof_api_begins()) {
    __cilkprof_region_add(label, work, span, burdened_span);
    __cilkprof_api_ends();
  }
  errno = error;
}

/* Returns how many units of work are one second, for cilk/cilkscale.h; 0 in count mode, where the units are
   instructions.  */
uint64_t __cilkprof_api_units_per_second(void) {
  return __cilkprof_units_per_second();
}
