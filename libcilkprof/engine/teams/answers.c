/* Answers to what a program asks OpenMP about the parallel regions that it is in.
   SPDX-License-Identifier: MIT

   libgomp sees the whole run as outside of parallel regions.  So they are counted here, as a program may nest regions
   until they are deep enough, and what it sets in a region, such as the number of threads, is restored when the region
   ends.  In a program that never asks for the number of a thread, the most threads are 1 unless it asked for more: data
   that it keeps for each thread is then kept for the only thread that there is, as others would leave nothing there.
   Else they are as many as a team has.  */

#include <ctype.h>
#include <limits.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/teams/teams.h"

struct __cilkprof_region {
  int level, threads, dynamic, schedule, chunk;
};

extern EXPORT void __cilkprof_omp_region_begin(struct __cilkprof_region *before);
extern EXPORT void __cilkprof_omp_region_end(const struct __cilkprof_region *before);
extern EXPORT int __cilkprof_omp_get_thread_num(void);
extern EXPORT int __cilkprof_omp_get_num_threads(void);
extern EXPORT int __cilkprof_omp_in_parallel(void);
extern EXPORT int __cilkprof_omp_get_level(void);
extern EXPORT int __cilkprof_omp_get_active_level(void);
extern EXPORT int __cilkprof_omp_get_ancestor_thread_num(int level);
extern EXPORT int __cilkprof_omp_get_team_size(int level);
extern EXPORT int __cilkprof_omp_get_max_threads(void);
extern EXPORT void __cilkprof_omp_set_num_threads(int threads);
extern EXPORT void __cilkprof_omp_cancel(_Bool condition, int (*is_on)(void));

#define WEAK __attribute__((weak)) /* functions of libgomp, which may not be linked */
extern WEAK int omp_get_max_threads(void);
extern WEAK void omp_set_num_threads(int threads);
extern WEAK int omp_get_max_active_levels(void);
extern WEAK int omp_get_dynamic(void);
extern WEAK void omp_set_dynamic(int dynamic);
extern WEAK void omp_get_schedule(int *schedule, int *chunk);
extern WEAK void omp_set_schedule(int schedule, int chunk);

/* Whether teams run regions: units that ask for the numbers of threads have their own definition, which is 1 and comes
   before this one when the program is linked.  */
extern WEAK EXPORT char __cilkprof_has_teams;
WEAK EXPORT char __cilkprof_has_teams = 0;

static __thread int nesting;
/* The number of threads that the program asked for, 0: it did not; and that of libgomp before it ever did.  */
static __thread int asked, unasked;

/* Returns the counter of the parallel regions that are open in this fiber or, outside of fibers, in this thread.  */
static int *open_regions(void) {
  return __cilkprof_fiber ? &__cilkprof_fiber->inner : &nesting;
}

/* Returns the number of threads at the beginning of TEXT, a list of such; 0: there is none.  */
static uint64_t threads_in_list(const char *text) {
  char *end;
  long given = strtol(text, &end, 10);
  while (isspace((unsigned char)*end))
    end++;
  return end > text && given > 0 && (*end == '\0' || *end == ',') ? (uint64_t)given : 0;
}

/* Returns how many threads OMP_NUM_THREADS gives to teams inside of LEVEL others: the number at that place of its list,
   or the last one.  If it is not set, returns how many processors this process may use.  A program that needs nothing
   else of libgomp is not linked with it, so libgomp cannot be asked.  */
static uint64_t threads_of_environment(int level) {
  const char *text = secure_getenv("OMP_NUM_THREADS");
  for (const char *next; level > 0 && text && (next = strchr(text, ',')); level--)
    text = next + 1;
  uint64_t given = text ? threads_in_list(text) : 0;
  static int said;
  cpu_set_t processors;
  if (given)
    return given;
  if (text && !omp_get_max_threads && !said++) /* libgomp has said so itself */
    __cilkprof_say("OMP_NUM_THREADS", "its value is no number of threads",
                   "a team has as many as there are processors");
  return sched_getaffinity(0, sizeof processors, &processors) == 0 ? (uint64_t)CPU_COUNT(&processors) : 1;
}

/* Returns how many teams may be inside of each other, as the environment says in libgomp's place: one, unless it names
   another number or the threads of inner teams.  */
static int levels_of_environment(void) {
  const char *levels = secure_getenv("OMP_MAX_ACTIVE_LEVELS"), *nested = secure_getenv("OMP_NESTED"),
             *threads = secure_getenv("OMP_NUM_THREADS");
  if (levels && *levels)
    return (int)strtol(levels, NULL, 10);
  return (nested && strcasecmp(nested, "true") == 0) || (threads && strchr(threads, ',')) ? INT_MAX : 1;
}

/* Returns how many threads CILKPROF_TEAM gives to teams, 0 if it is not set.  */
static uint64_t team_threads_given(void) {
  static uint64_t given;
  if (!given)
    given = 1 + __cilkprof_environment_number("CILKPROF_TEAM", 1, 0);
  return given - 1;
}

/* Returns how many threads a team inside of LEVEL others has if its region does not say: as many as CILKPROF_TEAM says,
   else as the program has asked for by omp_set_num_threads, else as OpenMP has.  */
static uint64_t usual_team_threads(int level) {
  if (team_threads_given())
    return team_threads_given();
  if (asked)
    return (uint64_t)asked;
  long threads = level == 0 && omp_get_max_threads ? omp_get_max_threads() : (long)threads_of_environment(level);
  return threads > 0 ? (uint64_t)threads : 1;
}

uint64_t __cilkprof_team_threads(uint64_t threads) {
  enum { MOST = 1024 };
  int active = __cilkprof_fiber ? __cilkprof_fiber->team->active_level : 0;
  if (active && active >= (omp_get_max_active_levels ? omp_get_max_active_levels() : levels_of_environment()))
    return 1;
  static int said;
  if (threads > INT_MAX && !said++)
    __cilkprof_say("omp parallel", "the number of threads that it asks for is negative",
                   "it has as many as it would have without");
  if (!threads || threads > INT_MAX || team_threads_given() == 1)
    threads = usual_team_threads(active);
  if (threads > MOST && !said++)
    __cilkprof_say("omp parallel", "it asks for more threads than a team of the profiler can have", "it has 1024");
  return threads > MOST ? MOST : threads;
}

int __cilkprof_team_level(void) {
  return (__cilkprof_fiber ? __cilkprof_fiber->team->level : 0) + *open_regions();
}

/* Returns the settings of OpenMP that the program can change in a parallel region, and how many regions are open in
   this fiber or thread.  Where libgomp is not linked, only the number of threads can be changed.  */
static struct __cilkprof_region marked_omp_settings(void) {
  struct __cilkprof_region now = {.level = *open_regions(), .threads = asked};
  if (!omp_set_schedule)
    return now;
  now.dynamic = omp_get_dynamic();
  omp_get_schedule(&now.schedule, &now.chunk);
  return now;
}

/* Begins an OpenMP parallel region, and stores the settings before it in BEFORE.  */
void __cilkprof_omp_region_begin(struct __cilkprof_region *before) {
  *before = marked_omp_settings();
  ++*open_regions();
  if (THREAD.recording)
    __cilkprof_team_watch_spins();
}

/* Ends an OpenMP parallel region, and restores the settings that the program has changed in it to BEFORE.  */
void __cilkprof_omp_region_end(const struct __cilkprof_region *before) {
  const struct __cilkprof_region now = marked_omp_settings();
  *open_regions() = before->level;
  __cilkprof_team_forget_copyin();
  if (now.threads != before->threads) {
    if (omp_set_num_threads)
      omp_set_num_threads(before->threads ? before->threads : unasked);
    asked = before->threads;
  }
  if (now.dynamic != before->dynamic)
    omp_set_dynamic(before->dynamic);
  if (now.schedule != before->schedule || now.chunk != before->chunk)
    omp_set_schedule(before->schedule, before->chunk);
}

/* Returns the number of this thread in its team, in place of omp_get_thread_num.  */
int __cilkprof_omp_get_thread_num(void) {
  const struct team_fiber *fiber = fiber_sharing_work();
  return fiber ? (int)fiber->number : 0;
}

/* Returns how many threads this one's team has, in place of omp_get_num_threads.  */
int __cilkprof_omp_get_num_threads(void) {
  const struct team_fiber *fiber = fiber_sharing_work();
  return fiber ? (int)fiber->team->threads : 1;
}

/* Returns whether a region is open whose team has several threads, in place of omp_in_parallel.  */
int __cilkprof_omp_in_parallel(void) {
  return __cilkprof_fiber != NULL;
}

/* Returns how deep parallel regions are nested here, in place of omp_get_level of libgomp, which sees none.  */
int __cilkprof_omp_get_level(void) {
  return __cilkprof_team_level();
}

/* Returns how many of the open parallel regions have a team of several threads, in place of omp_get_active_level.  */
int __cilkprof_omp_get_active_level(void) {
  return __cilkprof_fiber ? __cilkprof_fiber->team->active_level : 0;
}

/* Returns the fiber that runs the region at LEVEL, or NULL if that has no team of fibers.  */
static const struct team_fiber *fiber_at_level(int level) {
  const struct team_fiber *fiber = __cilkprof_fiber;
  while (fiber && fiber->team->level > level)
    fiber = fiber->team->outer;
  return fiber && fiber->team->level == level ? fiber : NULL;
}

/* Returns the number of the thread that runs the region at LEVEL, which this one is in; -1: no region is open there.
   In place of omp_get_ancestor_thread_num.  */
int __cilkprof_omp_get_ancestor_thread_num(int level) {
  const struct team_fiber *fiber = fiber_at_level(level);
  return fiber ? (int)fiber->number : level >= 0 && level <= __cilkprof_team_level() ? 0 : -1;
}

/* Returns the size of the team of the region at LEVEL, which this thread is in; -1: no region is open there.  In place
   of omp_get_team_size.  */
int __cilkprof_omp_get_team_size(int level) {
  const struct team_fiber *fiber = fiber_at_level(level);
  return fiber ? (int)fiber->team->threads : level >= 0 && level <= __cilkprof_team_level() ? 1 : -1;
}

/* Returns how many threads the next team can have, in place of omp_get_max_threads: if the program has no teams, as
   many as it asked for, or 1 if it did not.  */
int __cilkprof_omp_get_max_threads(void) {
  if (__cilkprof_has_teams)
    return (int)usual_team_threads(__cilkprof_fiber ? __cilkprof_fiber->team->active_level : 0);
  return asked ? asked : 1;
}

/* Asks libgomp for THREADS threads and notes how many it allows, in place of omp_set_num_threads.  Where
   libgomp is not linked, it allows any number.  */
void __cilkprof_omp_set_num_threads(int threads) {
  if (!omp_set_num_threads) {
    asked = threads > 0 ? threads : asked;
    return;
  }
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
