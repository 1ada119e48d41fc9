/* Where tasks were created that any thread may run: the origin of the creating task, and the calls within it.
   SPDX-License-Identifier: MIT

   A program may create tasks by the million, and only few are sampled.  So a path in the tree is made for an origin
   only when a sample needs it.  */

#include <sys/mman.h>

#include "libcilkprof/sampler/origins.h"

enum { BATCH = 512 };

__thread struct origin_cache __cilkprof_s_origins;

/* Free records.  One thread may create tasks that others complete, so a thread with two batches of free records
   gives one of them to all.  Nobody waits for the list of batches: its holder may have been lost in a fork.  */
static __thread struct task_origin *free_ones, *spare;
static __thread unsigned free_count; /* length of FREE_ONES; SPARE is a whole batch or NULL */
static struct {
  atomic_flag busy;
  struct task_origin *first;
} batches = {ATOMIC_FLAG_INIT, NULL};

/* Acquires the list of free batches of task origins, for which nobody waits.  Returns false if another thread has
   it.  */
static bool try_lock_origin_batches(void) {
  return !atomic_flag_test_and_set_explicit(&batches.busy, memory_order_acquire);
}

/* Releases the list of free batches of task origins.  */
static void unlock_origin_batches(void) {
  atomic_flag_clear_explicit(&batches.busy, memory_order_release);
}

/* Puts BATCH, free records of this thread, on the list from which all threads take.  Returns false if another thread
   has the list; true if BATCH is NULL.  */
static bool share_origin_batch(struct task_origin *batch) {
  if (!batch || !try_lock_origin_batches())
    return !batch;
  batch->next_batch = batches.first;
  batches.first = batch;
  unlock_origin_batches();
  return true;
}

/* Takes a batch of free task origins from the list that all threads share; NULL if there is none, or if another thread
   has the list.  */
static struct task_origin *take_origin_batch(void) {
  if (!try_lock_origin_batches())
    return NULL;
  struct task_origin *batch = batches.first;
  if (batch)
    batches.first = batch->next_batch;
  unlock_origin_batches();
  return batch;
}

/* Allocates a batch of free task origins, linked by their creators; NULL if there is no memory.  */
static struct task_origin *map_origin_batch(void) {
  struct task_origin *batch =
      mmap(NULL, BATCH * sizeof *batch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (batch == MAP_FAILED)
    return NULL;
  for (size_t i = 0; i + 1 < BATCH; i++)
    batch[i].creator = &batch[i + 1];
  return batch;
}

/* Takes a free record for the origin of a task, and returns it with undefined contents; NULL if there is no memory.  */
struct task_origin *__cilkprof_s_origin_take(void) {
  struct task_origin *origin = free_ones;
  if (!origin) {
    origin = spare ? spare : take_origin_batch();
    spare = NULL;
    if (!origin && !(origin = map_origin_batch()))
      return NULL;
    free_count = BATCH;
  }
  free_ones = origin->creator;
  free_count--;
  return origin;
}

/* Adds the record ORIGIN to this thread's free ones.  If these are a whole batch already, that becomes the spare one,
   and the former spare one goes to all threads.  */
static void free_task_origin(struct task_origin *origin) {
  if (free_count >= BATCH && share_origin_batch(spare)) {
    spare = free_ones;
    free_ones = NULL;
    free_count = 0;
  }
  origin->creator = free_ones;
  free_ones = origin;
  free_count++;
}

/* Returns the return address of the call that created the task of ORIGIN; NULL if ORIGIN is NULL.  */
const void *__cilkprof_s_origin_code(const struct task_origin *origin) {
  return origin ? origin->code : NULL;
}

/* Removes the references OWNED to a record, and returns true if they were the last ones.  The last owner need not
   change their number, and most records have only one.  */
static bool drop_origin_references(struct origin_references owned) {
  return atomic_load_explicit(&owned.origin->references, memory_order_acquire) == owned.count ||
         atomic_fetch_sub_explicit(&owned.origin->references, owned.count, memory_order_acq_rel) == owned.count;
}

/* Takes COUNT references to ORIGIN in HAND, in place of those that this thread has there.  With its last reference a
   record is freed, and so is its reference to the origin of the creating task.  */
static void take_origin_in_hand(struct origin_references *hand, struct task_origin *origin, uint32_t count) {
  struct origin_references before = *hand;
  *hand = (struct origin_references){origin, count};
  while (before.origin && drop_origin_references(before)) {
    struct task_origin *creator = before.origin->creator;
    free_task_origin(before.origin);
    before = (struct origin_references){creator, 1};
  }
}

/* Adds a reference to ORIGIN; does nothing if it is NULL.  */
void __cilkprof_s_origin_share(struct task_origin *origin) {
  enum { AT_ONCE = 64 };
  struct origin_references *hand = hand_of_origin(origin);
  if (!origin)
    return;
  if (hand->origin != origin || hand->count == 1) {
    atomic_fetch_add_explicit(&origin->references, AT_ONCE, memory_order_relaxed);
    if (hand->origin == origin)
      hand->count += AT_ONCE;
    else
      take_origin_in_hand(hand, origin, AT_ONCE);
  }
  hand->count--;
}

/* Removes a reference to ORIGIN, which may be NULL.  With the last one the record is freed, and so is its reference to
   the origin of the creating task.  */
void __cilkprof_s_origin_release(struct task_origin *origin) {
  while (origin && atomic_load_explicit(&origin->references, memory_order_acquire) == 1) {
    struct task_origin *creator = origin->creator;
    free_task_origin(origin);
    origin = creator;
  }
  struct origin_references *hand = hand_of_origin(origin);
  if (origin && hand->origin == origin && hand->count < MOST_IN_HAND)
    hand->count++;
  else if (origin)
    take_origin_in_hand(hand, origin, 1);
}

/* Returns the record of the task that this thread created last; NULL if there is none.  The thread has a reference to
   it.  */
struct task_origin *__cilkprof_s_origin_last(void) {
  return __cilkprof_s_origins.in_hand[LAST_CREATED].origin;
}

/* Notes that this thread creates a task with the record ORIGIN, which has two references: one is for the task.  */
void __cilkprof_s_origin_created(struct task_origin *origin) {
  take_origin_in_hand(&__cilkprof_s_origins.in_hand[LAST_CREATED], origin, 1);
}

/* Gives the free records of this thread, which ends, to all threads.  If another thread has the list just then, their
   memory is lost.  */
void __cilkprof_s_origins_end(void) {
  for (int i = 0; i < HANDS; i++)
    take_origin_in_hand(&__cilkprof_s_origins.in_hand[i], NULL, 0);
  share_origin_batch(spare);
  share_origin_batch(free_ones);
  free_ones = spare = NULL;
  free_count = 0;
}

/* Returns the call path of ORIGIN, given the PATH of the task that created it: adds a node for each of its calls, the
   outermost first.  Returns 0 if there is no memory.  */
static uint32_t call_path_of_origin(uint32_t path, const struct task_origin *origin) {
  const enum cilkprof_stack_kind last = origin->is_task ? CILKPROF_STACK_SPAWN : CILKPROF_STACK_CALL;
  size_t i = origin->calls.count;
  do
    path = __cilkprof_s_child(path, i > 1 ? CILKPROF_STACK_CALL : last, origin->calls.pcs[i - 1]);
  while (path && --i > 0);
  return path;
}

/* Returns the call path of ORIGIN, made from that of the nearest creator whose path is known, or from the start of the
   thread.  Called in the signal handler.  Returns 0 if there is no memory.  */
uint32_t __cilkprof_s_origin_path(struct task_origin *origin) {
  struct task_origin *chain[MAX_DEPTH + 1];
  size_t count = 0;
  uint32_t path = 0;
  for (; origin && count <= MAX_DEPTH; origin = origin->creator) {
    path = atomic_load_explicit(&origin->path, memory_order_acquire);
    if (path || !origin->calls.count)
      break;
    chain[count++] = origin;
  }
  while (count > 0) {
    struct task_origin *next = chain[--count];
    if (!(path = call_path_of_origin(path, next)))
      return 0;
    atomic_store_explicit(
        &next->path, path,
        memory_order_release); /* release, because other threads of the region may not have seen the node yet */
  }
  return path;
}
