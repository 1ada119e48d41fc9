/* What a program asks of OpenMP about the parallel regions that it is in.
   SPDX-License-Identifier: MIT

   To libgomp all that runs is outside of them.  A program may nest regions until it is deep enough; and what it sets in
   a region, as the number of threads, is as before when the region has ended.  What it keeps for each thread of a team
   it has for the one that there is, unless it asked for more: others leave nothing there.  */

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

#define WEAK __attribute__((weak)) /* libgomp's: it may not be there */
extern WEAK int omp_get_max_threads(void);
extern WEAK void omp_set_num_threads(int threads);
extern WEAK int omp_get_dynamic(void);
extern WEAK void omp_set_dynamic(int dynamic);
extern WEAK void omp_get_schedule(int *schedule, int *chunk);
extern WEAK void omp_set_schedule(int schedule, int chunk);

static __thread int nesting;
static __thread int asked, unasked; /* how many threads the program wants, 0: it did not say; and before it ever did */

static struct __cilkprof_region settings(void) {
  struct __cilkprof_region now = {.level = nesting, .threads = asked};
  if (!omp_set_schedule)
    return now;
  now.dynamic = omp_get_dynamic();
  omp_get_schedule(&now.schedule, &now.chunk);
  return now;
}

void __cilkprof_omp_region_begin(struct __cilkprof_region *before) {
  *before = settings();
  nesting++;
}

void __cilkprof_omp_region_end(const struct __cilkprof_region *before) {
  const struct __cilkprof_region now = settings();
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

int __cilkprof_omp_get_level(void) {
  return nesting;
}

int __cilkprof_omp_get_ancestor_thread_num(int level) {
  return level >= 0 && level <= nesting ? 0 : -1;
}

int __cilkprof_omp_get_team_size(int level) {
  return level >= 0 && level <= nesting ? 1 : -1;
}

int __cilkprof_omp_get_max_threads(void) {
  return asked ? asked : 1;
}

void __cilkprof_omp_set_num_threads(int threads) {
  if (!omp_set_num_threads)
    return;
  if (!unasked)
    unasked = omp_get_max_threads();
  omp_set_num_threads(threads);
  asked = omp_get_max_threads();
}

/* Without OMP_CANCELLATION=true nothing is cancelled, as without the profiler; libgomp knows whether that is so.  */
void __cilkprof_omp_cancel(_Bool condition, int (*is_on)(void)) {
  static int said;
  if (condition && is_on() && !__atomic_exchange_n(&said, 1, __ATOMIC_RELAXED))
    __cilkprof_say("OMP_CANCELLATION", "a program that is profiled cancels nothing", "all of its work is done");
}
