/* Cilkview's questions, as Cilk Plus has them: see cilkprof.h(3).  Reports become regions of the profile; without
   -fcilkprof only the time is known.
   SPDX-License-Identifier: MIT  */

#ifndef CILKTOOLS_CILKVIEW_H
#define CILKTOOLS_CILKVIEW_H

#pragma GCC system_header
#include <stddef.h>
#include <time.h>
#include <cilkprof.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifdef __cilkprof__
void __cilkprof_api_add(const char *label, uint64_t work, uint64_t span, uint64_t burdened_span)
    __attribute__((nothrow));
#else
#define __cilkprof_api_add(label, work, span, b) ((void)(label))
#endif

typedef struct {
  unsigned size, status;
  unsigned long long time; /* in milliseconds */
  unsigned long long work, span, burdened_span;
  unsigned long long spawns, syncs, strands, atomic_ins, frames; /* not counted here: 0 */
} cilkview_data_t;

enum { CV_REPORT_WRITE_TO_LOG = 1, CV_REPORT_WRITE_TO_RESULTS = 2 };

__CILKPROF_API unsigned long long __cilkview_getticks(void) {
#ifdef CLOCK_REALTIME
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (unsigned long long)now.tv_sec * 1000 + (unsigned long long)(now.tv_nsec / 1000000);
#else /* a standard without POSIX */
  return (unsigned long long)time(NULL) * 1000;
#endif
}

__CILKPROF_API void __cilkprof_cilkview_query(cilkview_data_t *data) {
  uint64_t values[3] = {0, 0, 0};
  cilkview_data_t here = {sizeof(cilkview_data_t), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  __cilkprof_api_point(values);
  here.time = __cilkview_getticks();
  here.work = values[0];
  here.span = values[1];
  here.burdened_span = values[2];
  *data = here;
}

/* END may be NULL: here.  */
__CILKPROF_API void __cilkprof_cilkview_report(const cilkview_data_t *start, const cilkview_data_t *end,
                                               const char *label, unsigned flags) {
  cilkview_data_t zero = {sizeof(cilkview_data_t), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, here;
  const cilkview_data_t *from = start ? start : &zero, *to = end ? end : &here;
  (void)flags;
  __cilkprof_cilkview_query(&here);
  __cilkprof_api_add(label ? label : "", to->work - from->work, to->span - from->span,
                     to->burdened_span - from->burdened_span);
}

#define __cilkview_query(data)                         __cilkprof_cilkview_query(&(data))
#define __cilkview_report(start, end, label, flags)    __cilkprof_cilkview_report(start, end, label, flags)
#define __cilkview_do_report(start, end, label, flags) __cilkprof_cilkview_report(start, end, label, flags)
#define __cilkview_workspan_start()                    cilkprof_start("cilkview")
#define __cilkview_workspan_stop()                     cilkprof_stop("cilkview")
#define __cilkview_workspan_reset()                    ((void)0)
#define __cilkview_workspan_suspend()                  ((void)0)
#define __cilkview_workspan_resume()                   ((void)0)
#ifdef __cilkprof__
#define __cilkview_workspan_connected() 1
#else
#define __cilkview_workspan_connected() 0
#endif

#ifdef __cplusplus
}
#endif
#endif
