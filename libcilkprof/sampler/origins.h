/* What each thread remembers of the tasks that it created or completed last, for those that are the same: in the code
   of the caller, because some agents do this for each task.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SAMPLER_ORIGINS_H
#define CILKPROF_SAMPLER_ORIGINS_H

#include "libcilkprof/sampler/state.h"

/* Calls that were found before, and the stack offset of each return address but the first, relative to the frame
   that creates the task.  */
struct trail {
  uintptr_t size; /* size of the stack from there to the start of the task; 0 if this entry is unused */
  struct calls calls;
  ptrdiff_t places[MAX_CALLS];
};

/* References that a thread has in hand: to the record of the task that it created last, and to another one.  Most tasks
   that it creates or completes one after the other have the same record, or the same creator.  All threads change the
   number of references to these: this way each thread does so once for many tasks.  It has at least one of each that is
   in hand.  */
struct origin_references {
  struct task_origin *origin;
  uint32_t count;
};
enum { LAST_CREATED, OTHER, HANDS };
enum { MOST_IN_HAND = 1024 };

struct origin_cache {
  struct origin_references in_hand[HANDS];
  const struct trail *last_trail; /* that of the task that this thread created last; NULL if there is none */
};
extern SAMPLER_HIDDEN __thread struct origin_cache __cilkprof_s_origins __attribute__((tls_model("initial-exec")));

/* Returns where this thread has references to ORIGIN in hand, or may take them.  */
static inline struct origin_references *hand_of_origin(const struct task_origin *origin) {
  struct origin_references *in_hand = __cilkprof_s_origins.in_hand;
  return &in_hand[origin == in_hand[LAST_CREATED].origin ? LAST_CREATED : OTHER];
}

/* Returns true if TRAIL holds the calls from SITE outwards on the stack as it is now: the return addresses are still in
   their slots.  HERE is the address of the frame that creates the task, and SIZE the distance from there to the start
   of the enclosing task.  */
static inline bool is_origin_trail_valid(const struct trail *trail, const void *site, uintptr_t size, uintptr_t here) {
  if (trail->size != size || trail->calls.pcs[0] != (uintptr_t)site)
    return false;
  for (size_t i = 1; i < trail->calls.count; i++)
    if (*(const uintptr_t *)(here + (uintptr_t)trail->places[i]) != trail->calls.pcs[i])
      return false;
  return true;
}

/* Returns the record of the task that this thread created last, with another reference, if TASK now creates the same
   again in a call that returns to SITE; NULL if it may be another one.  HERE is an address in the caller's frame.  */
static inline struct task_origin *share_last_origin(const struct sampled_task *task, const void *site, uintptr_t here) {
  struct origin_cache *cache = &__cilkprof_s_origins;
  struct origin_references *hand = &cache->in_hand[LAST_CREATED];
  struct task_origin *origin = hand->origin;
  if (!cache->last_trail || hand->count < 2 || !task->boundary || origin->creator != task->origin || !origin->is_task ||
      !is_origin_trail_valid(cache->last_trail, site, task->boundary - here, here))
    return NULL;
  hand->count--;
  return origin;
}

/* Removes a reference to ORIGIN, which may be NULL.  */
static inline void release_origin_to_hand(struct task_origin *origin) {
  struct origin_references *hand = hand_of_origin(origin);
  if (origin && hand->origin == origin && hand->count < MOST_IN_HAND)
    hand->count++;
  else
    __cilkprof_s_origin_release(origin);
}

#endif
