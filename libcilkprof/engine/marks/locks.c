/* Mutexes, and locks of omp.h that are not set and unset by one function on every path: how long each is held.
   SPDX-License-Identifier: MIT

   A lock is identified by its address, and a source location that sets it by its name.  The work that is done while a
   lock is held is added up for each pair of the two.  At the end these sums become regions: `omp lock FILE:LINE' or
   `mutex FILE:LINE' for a location that only ever set one lock; for one that set several, `omp locks FILE:LINE' or
   `mutexes FILE:LINE' and another for the busiest of them.  Locations that only ever set one and the same lock are one
   region, named after that where it is held longest, unless one of them is partial.

   A lock that one task sets and another one unsets is held during all that lies between the two in this run, some of
   which could be done at other times: such a region is partial.

   Counted code has no events from which its work could be known, so there it is the timer that says how long a mutex is
   held.  */

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/time/clock.h"

enum { BUCKETS = 1 << 14, MAX_NAME = 200 };

struct lock_location {
  struct lock_location *next;
  struct cilkprof_measure total, busiest;
  uint64_t locks;
  int partial, busiest_partial;
  char name[MAX_NAME + 1];
};

struct use {
  struct use *next;
  struct lock_location *location;
  const char *name; /* of the location, in the program: most often it is the same string again */
  struct cilkprof_measure total;
  int partial;
};

struct lock {
  struct lock *next_in_bucket, *next;
  const void *address;
  struct use *uses, *held; /* HELD: the use that has set it; NULL: it is unset */
  uint64_t depth;
  struct cilkprof_point start;
  uint64_t counted_start; /* the timer when counted code had set it; 0: it was not counted code */
  uint64_t stolen;        /* the ticks until then in which other threads had the processor */
};

struct lock_table {
  struct lock *buckets[BUCKETS], *first, *last; /* LAST: the one that was looked for last */
  struct lock_location *locations;
};

extern EXPORT void __cilkprof_api_omp_lock(const void *address, const char *name, int taken, int nests);
extern EXPORT void __cilkprof_api_omp_mutex(const void *address, const char *name, int failed);
extern EXPORT void __cilkprof_api_omp_unlock(const void *address);

/* Returns the table of OpenMP locks of this thread, which is made if there is none; NULL: there is no memory.  */
static struct lock_table *marked_omp_lock_table(void) {
  if (!profiled_thread()->locks)
    profiled_thread()->locks = __cilkprof_reserve(sizeof(struct lock_table));
  return profiled_thread()->locks;
}

/* Returns the lock at ADDRESS, which is made if there is none and MAKE is set; NULL: there is none, or no memory for
   it.  */
static struct lock *find_marked_omp_lock(const void *address, int make) {
  struct lock_table *all = marked_omp_lock_table();
  if (!all)
    return NULL;
  if (all->last && all->last->address == address)
    return all->last;
  struct lock **bucket = &all->buckets[((uint64_t)address * 0x9E3779B97F4A7C15u >> 32) % BUCKETS], *lock = *bucket;
  while (lock && lock->address != address)
    lock = lock->next_in_bucket;
  all->last = lock;
  if (lock || !make || !(lock = __cilkprof_allocate(sizeof *lock)))
    return lock;
  lock->address = address;
  lock->next_in_bucket = *bucket;
  *bucket = lock;
  lock->next = all->first;
  return all->first = lock;
}

/* Returns the source location with NAME that sets locks, which is made if there is none; NULL: there is no memory.  */
static struct lock_location *find_marked_lock_location(const char *name) {
  struct lock_location *location = marked_omp_lock_table()->locations;
  while (location && strncmp(location->name, name, MAX_NAME) != 0)
    location = location->next;
  if (location || !(location = __cilkprof_allocate(sizeof *location)))
    return location;
  memcpy(location->name, name, strnlen(name, MAX_NAME));
  location->next = marked_omp_lock_table()->locations;
  return marked_omp_lock_table()->locations = location;
}

/* Returns the use of LOCK by the source location with NAME, which is made if there is none; NULL: there is no
   memory.  */
static struct use *find_marked_lock_use(struct lock *lock, const char *name) {
  struct use *use = lock->uses;
  while (use && use->name != name && strncmp(use->location->name, name, MAX_NAME) != 0)
    use = use->next;
  struct lock_location *location = use ? use->location : find_marked_lock_location(name);
  if (use || !location || !(use = __cilkprof_allocate(sizeof *use)))
    return use;
  use->location = location;
  use->name = name;
  use->next = lock->uses;
  return lock->uses = use;
}

/* Notes that the OpenMP lock at ADDRESS is set at the location with NAME; NESTS: it is a nestable lock.  If it is still
   held and does not nest, code without instrumentation has unset it, and how long it was held is not known.  */
static void note_marked_omp_lock_set(const void *address, const char *name, int nests) {
  struct lock *lock = find_marked_omp_lock(address, 1);
  if (!lock)
    return;
  if (lock->held && nests) {
    lock->depth++;
    return;
  }
  if (lock->held)
    lock->held->partial = 1;
  lock->held = find_marked_lock_use(lock, name);
  lock->depth = 1;
  lock->start = __cilkprof_point(THREAD.frames);
  lock->counted_start = 0;
}

/* Notes that counted code goes on, which has set the OpenMP lock that was looked for last.  */
static void time_marked_lock_in_counted_code(void) {
  struct lock *lock = profiled_thread()->locks ? profiled_thread()->locks->last : NULL;
  if (!lock || lock->depth != 1)
    return;
  lock->stolen = profiled_thread()->clock.stolen;
  lock->counted_start = __cilkprof_p_timer();
}

/* Returns the work of counted code since it has set LOCK.  It may turn out only now that other threads had the
   processor before.  */
static uint64_t counted_work_under_lock(const struct lock *lock) {
  uint64_t ticks = profiled_thread()->api.began - lock->counted_start;
  if (ticks > THREAD.look_after)
    __cilkprof_own_ticks();
  int64_t own = (int64_t)(ticks - (profiled_thread()->clock.stolen - lock->stolen) - ENGINE.timer_cost / 1024);
  return own > 0 ? __cilkprof_ticks_to_units((uint64_t)own) : 0;
}

/* Returns the current point, at which LOCK is unset.  Within one counted call the work is that of the time.  */
static struct cilkprof_point point_of_unset_lock(const struct lock *lock) {
  struct cilkprof_point stop = __cilkprof_point(THREAD.frames);
  if (!THREAD.counting || !lock->counted_start || stop.work != lock->start.work)
    return stop;
  uint64_t held = counted_work_under_lock(lock);
  stop.work += held;
  stop.span += held;
  stop.burdened_span += held;
  return stop;
}

/* Adds what lies between START and STOP to USE.  The program may have waited in between for tasks that were made before
   START, but the span is never taken to be more than the work.  */
static void book_marked_lock_use(struct use *use, const struct cilkprof_point *start,
                                 const struct cilkprof_point *stop) {
  int same = __cilkprof_point_same_scope(start, stop);
  uint64_t work = stop->work - start->work, span = stop->span - start->span,
           burdened_span = stop->burdened_span - start->burdened_span;
  if (!same || span > work)
    span = work;
  if (!same || burdened_span < span)
    burdened_span = span;
  use->total.count++;
  use->total.work += work;
  use->total.span += span;
  use->total.burdened_span += burdened_span;
  use->partial |= !same;
}

/* Notes that the OpenMP lock at ADDRESS is unset, and books how long it was held.  A lock that is not known to be held
   is ignored.  */
static void note_marked_omp_lock_unset(const void *address) {
  struct lock *lock = find_marked_omp_lock(address, 0);
  if (!lock || !lock->held || --lock->depth > 0)
    return;
  const struct cilkprof_point stop = point_of_unset_lock(lock);
  book_marked_lock_use(lock->held, &lock->start, &stop);
  lock->held = NULL;
}

/* Records that the program has called omp_set_lock or the like for the lock at ADDRESS, at the location with NAME.
   TAKEN: the lock was taken, not only tested; NESTS: it is a nestable lock.  */
void __cilkprof_api_omp_lock(const void *address, const char *name, int taken, int nests) {
  int error = errno;
  if (taken && __cilkprof_api_begins_in_counted()) {
    note_marked_omp_lock_set(address, name, nests);
    __cilkprof_api_ends();
    if (THREAD.counting)
      time_marked_lock_in_counted_code();
  }
  errno = error;
}

/* Records that the program has called pthread_mutex_lock or the like for the mutex at ADDRESS, at the location with
   NAME.  FAILED is its result: 0 if the mutex was locked.  One that is locked and is locked again is recursive.  */
void __cilkprof_api_omp_mutex(const void *address, const char *name, int failed) {
  __cilkprof_api_omp_lock(address, name, !failed, 1);
}

/* Records that the program unsets the OpenMP lock or unlocks the mutex at ADDRESS.  */
void __cilkprof_api_omp_unlock(const void *address) {
  int error = errno;
  if (__cilkprof_api_begins_in_counted()) {
    note_marked_omp_lock_unset(address);
    __cilkprof_api_ends();
  }
  errno = error;
}

/* Adds USE of a lock to the sums of LOCATION, its location, and makes it the busiest one there if it is.  */
static void add_marked_lock_use(struct lock_location *location, const struct use *use) {
  location->locks++;
  location->total.count += use->total.count;
  location->total.work += use->total.work;
  location->total.span += use->total.span;
  location->total.burdened_span += use->total.burdened_span;
  location->partial |= use->partial;
  if (location->locks == 1 || use->total.span > location->busiest.span) {
    location->busiest = use->total;
    location->busiest_partial = use->partial;
  }
}

/* Makes a region with NAME of TOTAL, the sums of locks; PARTIAL: not all of the time that they were held is known.  */
static void make_marked_lock_region(const char *name, const struct cilkprof_measure *total, int partial) {
  struct cilkprof_region *region = __cilkprof_region(name, CILKPROF_REGION_LOCK);
  if (!region)
    return;
  region->total = *total;
  region->kind |= partial ? CILKPROF_REGION_PARTIAL : 0;
}

/* Returns whether LOCK is set at several locations, none of which ever set another lock or is partial.  */
static int is_marked_lock_of_several_locations(const struct lock *lock) {
  for (const struct use *use = lock->uses; use; use = use->next)
    if (use->location->locks != 1 || use->partial)
      return 0;
  return lock->uses && lock->uses->next;
}

/* Makes one region of all uses of LOCK, which is set at several locations.  These have no regions of their own.  */
static void make_marked_region_of_locations(const struct lock *lock) {
  struct lock_location all = {.locks = 0};
  const struct lock_location *longest = lock->uses->location;
  char name[MAX_NAME + 40];
  for (const struct use *use = lock->uses; use; use = use->next) {
    add_marked_lock_use(&all, use);
    longest = use->total.span > longest->total.span ? use->location : longest;
    use->location->locks = 0;
  }
  snprintf(name, sizeof name, "%s and %llu other place%s", longest->name, (unsigned long long)all.locks - 1,
           all.locks > 2 ? "s" : "");
  make_marked_lock_region(name, &all.total, all.partial);
}

/* Makes the regions of LOCATION.  If it has always set the same lock, that is one region with its name; if it has set
   several locks, one region is their sum and another one the busiest of them.  There is none if another region has its
   locks already.  */
static void make_marked_regions_of_location(const struct lock_location *location) {
  static const char one[] = "omp lock", one_mutex[] = "mutex";
  char name[MAX_NAME + 40];
  int is_mutex = strncmp(location->name, one_mutex, sizeof one_mutex - 1) == 0;
  if (location->locks == 1)
    make_marked_lock_region(location->name, &location->total, location->partial);
  if (location->locks <= 1)
    return;
  snprintf(name, sizeof name, "%s%s", is_mutex ? "mutexes" : "omp locks",
           location->name + (is_mutex ? sizeof one_mutex : sizeof one) - 1);
  make_marked_lock_region(name, &location->total, location->partial);
  snprintf(name, sizeof name, "%s (the busiest of %llu)", location->name, (unsigned long long)location->locks);
  make_marked_lock_region(name, &location->busiest, location->busiest_partial);
}

/* Makes regions of all locks, at the end of the run.  Those that are still held are partial: they are not measured up
   to the end.  */
void __cilkprof_marked_locks_end(void) {
  struct lock_table *all = profiled_thread()->locks;
  for (struct lock *lock = all ? all->first : NULL; lock; lock = lock->next) {
    if (lock->held)
      lock->held->partial = 1;
    for (const struct use *use = lock->uses; use; use = use->next)
      add_marked_lock_use(use->location, use);
  }
  for (const struct lock *lock = all ? all->first : NULL; lock; lock = lock->next)
    if (is_marked_lock_of_several_locations(lock))
      make_marked_region_of_locations(lock);
  for (const struct lock_location *location = all ? all->locations : NULL; location; location = location->next)
    make_marked_regions_of_location(location);
}
