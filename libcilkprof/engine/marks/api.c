/* Functions of the engine that a program calls (cilkprof.h, cilk/cilkscale.h).
   SPDX-License-Identifier: MIT

   The compiler keeps the frames of functions that call these in memory, and calls __cilkprof_here before each call.
   Their cost is not charged to the program.  */

#include <errno.h>

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/control/outline.h"
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

void __cilkprof_here(frame_t *frame, uint64_t local_work) {
  frame->local_work = local_work;
  THREAD.top = marked(frame->top);
}

void __cilkprof_strands_end(frame_t *frame, uint64_t local_work) {
  strand_ends(frame, NULL, local_work);
}

void __cilkprof_o_here(uint64_t work) {
  frame_t *frame = THREAD.frames;
  __cilkprof_here(frame, end_strand(frame, work));
}

void __cilkprof_o_strands_end(uint64_t work) {
  frame_t *frame = THREAD.frames;
  __cilkprof_strands_end(frame, end_strand(frame, work));
}

int __cilkprof_api_begins(void) {
  if (!ENGINE.started || ENGINE.finished || !THREAD.recording)
    return 0;
  if (ENGINE.mode != CILKPROF_MODE_COUNT)
    profiled_thread()->api.began = __cilkprof_p_timer();
  return 1;
}

void __cilkprof_api_ends(void) {
  if (ENGINE.mode != CILKPROF_MODE_COUNT)
    __cilkprof_skip_time(__cilkprof_p_timer() - profiled_thread()->api.began);
}

int __cilkprof_api_write(void) {
  return HOST.snapshot();
}

/* Calls FUNCTION with NAME, if this thread is recorded.  */
static void call_if_recorded(void (*function)(const char *name), const char *name) {
  int error = errno;
  if (__cilkprof_api_begins()) {
    function(name);
    __cilkprof_api_ends();
  }
  errno = error;
}

void __cilkprof_api_start(const char *label) {
  call_if_recorded(__cilkprof_region_start, label);
}

void __cilkprof_api_stop(const char *label) {
  call_if_recorded(__cilkprof_region_stop, label);
}

void __cilkprof_api_strand(const char *name) {
  call_if_recorded(__cilkprof_strand_begin, name);
}

/* Stores work, span and burdened span up to here in VALUES.  Returns -1 if the thread is not recorded.  */
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

void __cilkprof_api_add(const char *label, uint64_t work, uint64_t span, uint64_t burdened_span) {
  int error = errno;
  if (__cilkprof_api_begins()) {
    __cilkprof_region_add(label, work, span, burdened_span);
    __cilkprof_api_ends();
  }
  errno = error;
}

uint64_t __cilkprof_api_units_per_second(void) {
  return __cilkprof_units_per_second();
}
