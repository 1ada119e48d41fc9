/* Answers to what a program asks OpenMP about the parallel regions that it is in.
   SPDX-License-Identifier: MIT

   libgomp sees the whole run as outside of parallel regions.  So they are counted here, as a program may nest regions
   until they are deep enough, and what it sets in a region, such as the number of threads, is restored when the region
   ends.  The most threads are 1 unless the program asked for more: data that it keeps for each thread is then kept for
   the only thread that there is, as others would leave nothing there.  */

#include <stddef.h>

#include "libcilkprof/engine/engine.h"
#include "libcilkprof/common/system.h"

struct __cilkprof_region {
  int level, threads, dynamic, schedule, chunk;
};

extern EXPORT void __cilkprof_omp_region_begin(struct __cilkprof_region *before);
extern EXPORT void __cilkprof_omp_region_end(const struct __cilkprof_region *before);
extern EXPORT int __cilkprof_omp_get_level(void);
extern EXPORT int __cilkprof_omp_get_ancestor_thread_num(int level);
extern EXPORT int __cilkprof_omp_get_team_size(int level);
extern EXPORT int __cilkprof_omp_get_max_threads(void);
extern EXPORT void __cilkprof_omp_set_num_threads(int threads);
extern EXPORT void __cilkprof_omp_cancel(_Bool condition, int (*is_on)(void));

#define WEAK __attribute__((weak)) /* functions of libgomp, which may not be linked */
extern WEAK int omp_get_max_threads(void);
extern WEAK void omp_set_num_threads(int threads);
extern WEAK int omp_get_dynamic(void);
extern WEAK void omp_set_dynamic(int dynamic);
extern WEAK void omp_get_schedule(int *schedule, int *chunk);
extern WEAK void omp_set_schedule(int schedule, int chunk);

static __thread int nesting;
/* The number of threads that the program asked for, 0: it did not; and that of libgomp before it ever did.  */
static __thread int asked, unasked;

/* Returns the settings of OpenMP that the program can change in a parallel region, and how deep regions are nested.  */
static struct __cilkprof_region marked_omp_settings(void) {
  struct __cilkprof_region now = {.level = nesting, .threads = asked};
  if (!omp_set_schedule)
    return now;
  now.dynamic = omp_get_dynamic();
  omp_get_schedule(&now.schedule, &now.chunk);
  return now;
}

/* Begins an OpenMP parallel region, and stores the settings before it in BEFORE.  */
void __cilkprof_omp_region_begin(struct __cilkprof_region *before) {
  *before = marked_omp_settings();
  nesting++;
}

/* Ends an OpenMP parallel region, and restores the settings that the program has changed in it to BEFORE.  */
void __cilkprof_omp_region_end(const struct __cilkprof_region *before) {
  const struct __cilkprof_region now = marked_omp_settings();
  nesting = before->level;
  if (now.threads != before->threads) {
    omp_set_num_threads(before->threads ? before->threads : unasked);
    asked = before->threads;
  }
  if (now.dynamic != before->dynamic)
    omp_set_dynamic(before->dynamic);
  if (now.schedule != before->schedule || now.chunk != before->chunk)
    omp_set_schedule(before->schedule, before->chunk);
}

/* Returns how deep parallel regions are nested here, in place of omp_get_level of libgomp, which sees none.  */
int __cilkprof_omp_get_level(void) {
  return nesting;
}

/* Returns 0, the number of the only thread, or -1 if no parallel region is open at LEVEL, in place of
   omp_get_ancestor_thread_num.  */
int __cilkprof_omp_get_ancestor_thread_num(int level) {
  return level >= 0 && level <= nesting ? 0 : -1;
}

/* Returns 1, the size of every team in a serial run, or -1 if no parallel region is open at LEVEL, in place of
   omp_get_team_size.  */
int __cilkprof_omp_get_team_size(int level) {
  return level >= 0 && level <= nesting ? 1 : -1;
}

/* Returns the number of threads that the program asked for, or 1 if it did not, in place of omp_get_max_threads.  */
int __cilkprof_omp_get_max_threads(void) {
  return asked ? asked : 1;
}

/* Asks libgomp for THREADS threads and notes how many it allows, in place of omp_set_num_threads.  Does nothing if
   libgomp is not linked.  */
void __cilkprof_omp_set_num_threads(int threads) {
  if (!omp_set_num_threads)
    return;
  if (!unasked)
    unasked = omp_get_max_threads();
  omp_set_num_threads(threads);
  asked = omp_get_max_threads();
}

/* Reports once that a profiled program cancels nothing, if CONDITION, that of an OpenMP cancel construct, holds.
   Unless OMP_CANCELLATION is true nothing is cancelled without the profiler either; IS_ON, a function of libgomp, says
   whether it is.  */
void __cilkprof_omp_cancel(_Bool condition, int (*is_on)(void)) {
  static int said;
  if (condition && is_on() && !__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
    __cilkprof_say("OMP_CANCELLATION", "cancellation is ignored while profiling", "all iterations and tasks run");
}
