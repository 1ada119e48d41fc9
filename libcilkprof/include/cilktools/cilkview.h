/* Cilkview's questions, as Cilk Plus has them: see cilkprof.h(3).  Reports become regions of the profile; without
   -fcilkprof only the time is known.
   SPDX-License-Identifier: MIT  */

#ifndef CILKTOOLS_CILKVIEW_H
#define CILKTOOLS_CILKVIEW_H

#pragma GCC system_header
#include <stddef.h>
#include <time.h>
#include <cilk/cilk_api.h>
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

typedef struct {
  cilkview_data_t *start, *end;
  const char *label;
  unsigned flags;
} cilkview_report_t;

enum { CV_REPORT_WRITE_TO_LOG = 1, CV_REPORT_WRITE_TO_RESULTS = 2 };

#define METACALL_TOOL_CILKVIEW 2
enum {
  CV_METACALL_PUTS,
  CV_METACALL_QUERY,
  CV_METACALL_START,
  CV_METACALL_STOP,
  CV_METACALL_RESET,
  CV_METACALL_USE_DEFAULT_GRAIN,
  CV_METACALL_CONNECTED,
  CV_METACALL_SUSPEND,
  CV_METACALL_RESUME,
  CV_METACALL_REPORT
};

/* Returns the time of day in milliseconds.  */
__CILKPROF_API unsigned long long __cilkview_getticks(void) {
#ifdef CLOCK_REALTIME
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (unsigned long long)now.tv_sec * 1000 + (unsigned long long)(now.tv_nsec / 1000000);
#else /* a standard without POSIX */
  return (unsigned long long)time(NULL) * 1000;
#endif
}

/* Sets *DATA to the time of day, and to the work, span and burdened span of the program up to here.  */
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

/* Adds what was done between START and END to the profile as the region LABEL.  START may be NULL for the beginning of
   the program, END may be NULL for now.  FLAGS are ignored.  */
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
#define __cilkview_connected(is_connected)  ((void)((is_connected) = __cilkview_workspan_connected()))
#define __cilkview_metacall(code, data)     ((void)(code), (void)(data))
#define __cilkview_puts(text)               ((void)(text))
#define __cilkview_use_default_grain_size() ((void)0)

#ifdef __cplusplus
}

namespace cilk {

/* Cilk++'s stopwatch.  Each part between start and stop is added; dump counts them as a region.  */
class cilkview {
  cilkview_data_t m_begin, m_sum;

public:
  /* Makes a stopwatch that shows 0.  */
  cilkview() {
    reset();
  }

  /* Sets the sum to 0.  */
  void reset() {
    cilkview_data_t zero = {sizeof(cilkview_data_t), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    m_begin = m_sum = zero;
  }

  /* Starts the stopwatch.  */
  void start() {
    __cilkview_query(m_begin);
  }

  /* Adds what was done since start to the sum.  */
  void stop() {
    cilkview_data_t end;
    __cilkview_query(end);
    m_sum.time += end.time - m_begin.time;
    m_sum.work += end.work - m_begin.work;
    m_sum.span += end.span - m_begin.span;
    m_sum.burdened_span += end.burdened_span - m_begin.burdened_span;
  }

  /* Returns the sum of the times between start and stop, in milliseconds.  */
  unsigned long accumulated_milliseconds() const {
    return (unsigned long)m_sum.time;
  }

  /* Adds the sum to the profile as the region NAME.  */
  void dump(const char *name, bool = true) const {
    __cilkview_report(0, &m_sum, name, CV_REPORT_WRITE_TO_RESULTS);
  }
};

} // namespace cilk
#endif
#endif
