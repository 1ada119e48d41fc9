/* Constructs of OpenMP that divide work between the threads of a team: loops, sections, single; and critical sections
   and locks, which a fiber may hold while others run.
   SPDX-License-Identifier: MIT

   Compiled programs call these functions in place of libgomp's.  Where no team of fibers is, one thread has all of the
   work.  Loops with a static schedule are divided by the program itself, which asks for the number of the thread.  */

#include <errno.h>
#include <pthread.h>
#include <stddef.h>

#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/teams/teams.h"

typedef struct __cilkprof_omp_lock omp_lock_t; /* one of libgomp's */

#define WEAK __attribute__((weak)) /* functions of libgomp, which may not be linked */
extern WEAK void omp_get_schedule(int *schedule, int *chunk);
extern WEAK void omp_set_lock(omp_lock_t *lock);
extern WEAK int omp_test_lock(omp_lock_t *lock);
extern WEAK int __cxa_guard_acquire(char *guard); /* of the library of C++ */

extern EXPORT _Bool __cilkprof_omp_loop_start(uint64_t kind, uint64_t down, uint64_t start, uint64_t end, uint64_t step,
                                              uint64_t chunk, uint64_t *from, uint64_t *to);
extern EXPORT _Bool __cilkprof_omp_loop_next(uint64_t *from, uint64_t *to);
extern EXPORT _Bool __cilkprof_omp_block(uint64_t count, uint64_t *from, uint64_t *to);
extern EXPORT unsigned __cilkprof_omp_sections_start(unsigned count);
extern EXPORT unsigned __cilkprof_omp_sections_next(unsigned last, unsigned count);
extern EXPORT void __cilkprof_omp_share_end(void);
extern EXPORT _Bool __cilkprof_omp_single_start(void);
extern EXPORT void *__cilkprof_omp_single_copy_start(void);
extern EXPORT void __cilkprof_omp_single_copy_end(void *data);
extern EXPORT void __cilkprof_omp_critical_start(const void *name);
extern EXPORT void __cilkprof_omp_critical_end(const void *name);
extern EXPORT void __cilkprof_omp_set_lock(omp_lock_t *lock);
extern EXPORT int __cilkprof_omp_lock_mutex(pthread_mutex_t *mutex);
extern EXPORT int __cilkprof_omp_guard_acquire(char *guard);

/* Sets the kind and the chunk of SHARE, a loop with schedule(runtime), to what the program or the environment has set,
   or to chunks of one iteration where libgomp is not linked.  */
static void set_team_runtime_schedule(struct team_share *share) {
  enum { STATIC = 1, DYNAMIC, GUIDED, MONOTONIC = INT32_MIN };
  int schedule = DYNAMIC, chunk = 1;
  if (omp_get_schedule)
    omp_get_schedule(&schedule, &chunk);
  schedule &= ~MONOTONIC;
  share->kind = schedule == DYNAMIC  ? __CILKPROF_SCHEDULE_DYNAMIC
                : schedule == GUIDED ? __CILKPROF_SCHEDULE_GUIDED
                                     : __CILKPROF_SCHEDULE_STATIC;
  share->chunk = chunk > 0 ? (uint64_t)chunk : 0;
}

/* Returns the loop or the sections that FIBER has reached, which it is in from now on.  They are made, with VALUES,
   when the first fiber of the team reaches them.  NULL: there is no memory.  */
static struct team_share *reach_team_share(struct team_fiber *fiber, const struct team_share *values) {
  struct team *team = fiber->team;
  uint64_t number = fiber->shares++;
  struct team_share *share = team->shares;
  fiber->chunks = 0;
  while (share && share->number != number)
    share = share->next;
  if (share)
    return fiber->share = share;
  if ((share = team->unused_shares))
    team->unused_shares = share->next;
  else if (!(share = __cilkprof_allocate(sizeof *share)))
    return NULL;
  *share = *values;
  share->number = number;
  share->next = team->shares;
  team->shares = share;
  if (share->kind == __CILKPROF_SCHEDULE_RUNTIME)
    set_team_runtime_schedule(share);
  return fiber->share = share;
}

/* Gives FIBER its next chunk of SHARE, a loop with a static schedule: the iterations from *FIRST to before *LAST.
   Without a chunk size there is one chunk for each thread.  Returns whether there is one.  */
static int take_static_team_chunk(struct team_fiber *fiber, const struct team_share *share, uint64_t *first,
                                  uint64_t *last) {
  uint64_t threads = fiber->team->threads, round = fiber->chunks++;
  if (!share->chunk) {
    uint64_t each = share->count / threads, more = share->count % threads, number = fiber->number;
    *first = number * each + (number < more ? number : more);
    *last = *first + each + (number < more);
    return !round && *first < *last;
  }
  *first = (round * threads + fiber->number) * share->chunk;
  *last = share->count - *first < share->chunk ? share->count : *first + share->chunk;
  return *first < share->count;
}

/* Gives FIBER the next chunk of SHARE, as its schedule says: the iterations from *FIRST to before *LAST.  Returns
   whether there is one.  */
static int take_team_chunk(struct team_fiber *fiber, struct team_share *share, uint64_t *first, uint64_t *last) {
  if (share->kind == __CILKPROF_SCHEDULE_STATIC)
    return take_static_team_chunk(fiber, share, first, last);
  uint64_t left = share->count - share->taken, chunk = share->chunk ? share->chunk : 1;
  if (share->kind == __CILKPROF_SCHEDULE_GUIDED) {
    uint64_t part = (left + fiber->team->threads - 1) / fiber->team->threads;
    chunk = part > chunk ? part : chunk;
  }
  *first = share->taken;
  share->taken += chunk < left ? chunk : left;
  *last = share->taken;
  return left != 0;
}

/* Sets *FROM and *TO to where the next iterations of the loop that this fiber is in begin and end.  Returns whether
   there are any.  */
_Bool __cilkprof_omp_loop_next(uint64_t *from, uint64_t *to) {
  struct team_fiber *fiber = fiber_sharing_work();
  struct team_share *share = fiber ? fiber->share : NULL;
  uint64_t first, last;
  if (!share || !take_team_chunk(fiber, share, &first, &last))
    return 0;
  *from = share->start + first * share->step;
  *to = share->start + last * share->step;
  return 1;
}

/* Begins a loop from START to END by STEP, which is negative if DOWN, whose KIND of schedule is one of
   __CILKPROF_SCHEDULE_..., with CHUNK iterations at a time or 0.  Sets *FROM and *TO to where the first iterations of
   this thread begin and end.  Returns whether there are any.  */
_Bool __cilkprof_omp_loop_start(uint64_t kind, uint64_t down, uint64_t start, uint64_t end, uint64_t step,
                                uint64_t chunk, uint64_t *from, uint64_t *to) {
  struct team_fiber *fiber = fiber_sharing_work();
  uint64_t distance = down ? start - end : end - start, by = down ? -step : step;
  int none = kind & __CILKPROF_SCHEDULE_UNSIGNED
                 ? (down ? start <= end : start >= end)
                 : (down ? (int64_t)start <= (int64_t)end : (int64_t)start >= (int64_t)end);
  uint64_t count = none ? 0 : (distance - 1) / by + 1;
  struct team_share values = {.kind = (int)(kind & __CILKPROF_SCHEDULE_KIND),
                              .chunk = (int64_t)chunk > 0 ? chunk : 0,
                              .count = count,
                              .start = start,
                              .step = step};
  if (fiber && reach_team_share(fiber, &values))
    return __cilkprof_omp_loop_next(from, to);
  *from = start;
  *to = start + count * step;
  return count != 0;
}

/* Sets *FROM and *TO to where the iterations of this thread begin and end in a loop with COUNT iterations that is
   divided into one part for each.  Returns whether there are any.  */
_Bool __cilkprof_omp_block(uint64_t count, uint64_t *from, uint64_t *to) {
  struct team_fiber *fiber = fiber_sharing_work();
  struct team_share all = {.count = count};
  *from = 0;
  *to = count;
  if (!fiber)
    return count != 0;
  fiber->chunks = 0;
  return take_static_team_chunk(fiber, &all, from, to) != 0;
}

/* Returns the number of the next section for this thread, from 1 on; 0: there is none.  LAST is the one before, and
   COUNT says how many there are.  */
unsigned __cilkprof_omp_sections_next(unsigned last, unsigned count) {
  struct team_fiber *fiber = fiber_sharing_work();
  uint64_t from, to;
  if (!fiber || !fiber->share)
    return last < count ? last + 1 : 0;
  return take_team_chunk(fiber, fiber->share, &from, &to) ? (unsigned)from + 1 : 0;
}

/* Begins COUNT sections.  Returns the number of the first one for this thread; 0: there is none.  */
unsigned __cilkprof_omp_sections_start(unsigned count) {
  struct team_fiber *fiber = fiber_sharing_work();
  struct team_share values = {.kind = __CILKPROF_SCHEDULE_DYNAMIC, .count = count};
  if (fiber)
    reach_team_share(fiber, &values);
  return __cilkprof_omp_sections_next(0, count);
}

/* Ends the loop or the sections that this thread is in.  */
void __cilkprof_omp_share_end(void) {
  struct team_fiber *fiber = fiber_sharing_work();
  struct team_share *share = fiber ? fiber->share : NULL;
  if (!share)
    return;
  fiber->share = NULL;
  if (++share->left < fiber->team->threads)
    return;
  struct team_share **place = &fiber->team->shares;
  while (*place != share)
    place = &(*place)->next;
  *place = share->next;
  share->next = fiber->team->unused_shares;
  fiber->team->unused_shares = share;
}

/* Returns whether this thread executes the single construct that it has reached: the first one does.  */
_Bool __cilkprof_omp_single_start(void) {
  struct team_fiber *fiber = fiber_sharing_work();
  if (!fiber)
    return 1;
  if (fiber->singles++ < fiber->team->singles)
    return 0;
  fiber->team->singles++;
  return 1;
}

/* Returns whether the single construct of TEAM has left what its copyprivate clause names.  */
static int has_team_copied(void *team) {
  return ((const struct team *)team)->copied != NULL;
}

/* Returns NULL if this thread executes the single construct that it has reached, which has a copyprivate clause; else
   waits for the thread that does, and returns what that has left.  */
void *__cilkprof_omp_single_copy_start(void) {
  struct team_fiber *fiber = fiber_sharing_work();
  if (!fiber)
    return NULL;
  if (__cilkprof_omp_single_start()) {
    fiber->team->copied = NULL;
    return NULL;
  }
  __cilkprof_fiber_wait_until(has_team_copied, fiber->team);
  return fiber->team->copied;
}

/* Leaves DATA, what the copyprivate clause of a single construct names, for the threads that do not execute it.  */
void __cilkprof_omp_single_copy_end(void *data) {
  struct team_fiber *fiber = fiber_sharing_work();
  if (fiber)
    fiber->team->copied = data;
}

/* The critical sections that fibers are in.  */
enum { CRITICAL_MOST = 32 };
static __thread struct team_critical {
  const void *name;
  const struct team_fiber *owner; /* NULL: nobody is in it */
} criticals[CRITICAL_MOST];

/* Returns the place of the critical section with NAME if a fiber is in it, or else one that is free; NULL: there is
   none, as fibers are in too many sections.  */
static struct team_critical *find_team_critical(const void *name) {
  struct team_critical *unused = NULL;
  for (int i = 0; i < CRITICAL_MOST; i++) {
    if (criticals[i].owner && criticals[i].name == name)
      return &criticals[i];
    if (!criticals[i].owner && !unused)
      unused = &criticals[i];
  }
  return unused;
}

/* Returns whether no other fiber is in the critical section with NAME.  */
static int is_team_critical_free(void *name) {
  const struct team_critical *critical = find_team_critical(name);
  return !critical || !critical->owner || critical->owner == __cilkprof_fiber;
}

/* Does to memory what libgomp does where a critical section begins or ends, as STATE says, and nobody waits for it: so
   the program takes as long, with and without events.  */
static void take_time_of_team_lock(int state) {
  static int word;
  __atomic_exchange_n(&word, state, __ATOMIC_ACQ_REL);
}

/* Enters the critical section with NAME, NULL if it has none.  While another fiber is in it, others run.  A single
   thread waits for nobody, not even for itself: a task that threads would run later may be run inside of a section.  */
void __cilkprof_omp_critical_start(const void *name) {
  take_time_of_team_lock(1);
  if (!__cilkprof_fiber)
    return;
  __cilkprof_fiber_wait_until(is_team_critical_free, (void *)(uintptr_t)name);
  struct team_critical *critical = find_team_critical(name);
  if (critical)
    *critical = (struct team_critical){name, __cilkprof_fiber};
}

/* Leaves the critical section with NAME.  */
void __cilkprof_omp_critical_end(const void *name) {
  take_time_of_team_lock(0);
  struct team_critical *critical = __cilkprof_fiber ? find_team_critical(name) : NULL;
  if (critical)
    critical->owner = NULL;
}

/* Sets LOCK if nobody holds it.  Returns whether that was so.  */
static int could_set_team_lock(void *lock) {
  return omp_test_lock(lock);
}

/* Sets LOCK, in place of omp_set_lock.  While another fiber holds it, others run: libgomp would wait for ever for a
   fiber of the same thread.  */
void __cilkprof_omp_set_lock(omp_lock_t *lock) {
  if (__cilkprof_fiber && omp_test_lock)
    __cilkprof_fiber_wait_until(could_set_team_lock, lock);
  else if (omp_set_lock)
    omp_set_lock(lock);
}

/* A mutex that a fiber needs, and what pthread_mutex_trylock has returned for it.  */
struct team_mutex {
  pthread_mutex_t *mutex;
  int result;
};

/* Returns whether the mutex in ARGUMENT, a struct team_mutex, could be locked, or never can.  */
static int could_lock_team_mutex(void *argument) {
  struct team_mutex *tried = argument;
  tried->result = pthread_mutex_trylock(tried->mutex);
  return tried->result != EBUSY;
}

/* Locks MUTEX, in the place of pthread_mutex_lock: another fiber may hold it, which is the same thread, and has to run
   until it does not.  Returns what that returns.  */
int __cilkprof_omp_lock_mutex(pthread_mutex_t *mutex) {
  struct team_mutex tried = {mutex, EBUSY};
  if (!__cilkprof_fiber)
    return pthread_mutex_lock(mutex);
  __cilkprof_fiber_wait_until(could_lock_team_mutex, &tried);
  return tried.result == EBUSY ? EDEADLK : tried.result;
}

/* Returns whether no fiber is in the initializer whose guard is at ARGUMENT.  The first byte says that it has ended,
   the second one that it has begun.  */
static int has_team_initializer_ended(void *argument) {
  const volatile char *guard = argument;
  return guard[0] || !guard[1];
}

/* Returns whether the caller must initialize the static variable with GUARD, in the place of __cxa_guard_acquire, for
   which another fiber that does so is the same thread: the program would end.  */
int __cilkprof_omp_guard_acquire(char *guard) {
  if (__cilkprof_fiber)
    __cilkprof_fiber_wait_until(has_team_initializer_ended, guard);
  return __cxa_guard_acquire(guard);
}
