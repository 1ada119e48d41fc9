/* Who made a task that may be run anywhere: the task that did, and the calls within that one.
   SPDX-License-Identifier: MIT

   A path in the tree for each of many tasks would be too many, and the calls of each cannot be unwound in the time that
   it takes to make it.  So this thread remembers the last calls between a task's begin and a place that makes others:
   as long as the same words are on the stack, at the same places, they are the same.  */

#include <sys/mman.h>

#include "libcilkprof/sampler/unwind.h"

enum { MOST_CALLS = 10, MOST_DEPTH = 250, SETS = 32, WAYS = 4, BATCH = 512 };

/* From a place that makes tasks outward to the begin of the task that it is in, or of the thread; the first is where
   the maker's callee returns to.  */
struct calls {
  size_t count;
  uintptr_t pcs[MOST_CALLS];
};

struct samples_made {
  _Atomic uint32_t references;
  _Atomic uint32_t path; /* 0: nobody asked yet */
  uint32_t depth;        /* of makers */
  bool is_task;
  struct samples_made *maker; /* of the task that made it, or the next that is free; NULL: none did */
  union {
    struct calls calls;
    struct samples_made *next_batch; /* of one that is the first of several that are free */
  };
};

/* Calls as they were last found: where on the stack, seen from the maker's callee, each address was but the first.  */
struct trail {
  uintptr_t size; /* of the stack from there to the task's begin; 0: this one is not used */
  struct calls calls;
  ptrdiff_t places[MOST_CALLS];
};

/* Of a set, those with the same place and size, but another way between.  A thread has them once it makes a task: what
   libraries have for every thread must be little.  */
static __thread struct trail (*trails)[WAYS];
static __thread unsigned victim;

/* One thread may make tasks that others run and let end.  So a thread that has two batches of free ones leaves one to
   all.  Who finds others there does not wait for them, who may have been left behind by a fork.  */
static __thread struct samples_made *free_ones, *spare;
static __thread unsigned free_count; /* of the former; the latter is a batch or nothing */
static struct {
  atomic_flag busy;
  struct samples_made *first;
} batches = {ATOMIC_FLAG_INIT, NULL};

static bool has_trails(void) {
  if (!trails) {
    void *memory = mmap(NULL, SETS * sizeof *trails, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return false;
    trails = memory;
  }
  return true;
}

static bool is_there(const struct trail *trail, const void *site, uintptr_t size, uintptr_t here) {
  if (trail->size != size || trail->calls.pcs[0] != (uintptr_t)site)
    return false;
  for (size_t i = 1; i < trail->calls.count; i++)
    if (*(const uintptr_t *)(here + (uintptr_t)trail->places[i]) != trail->calls.pcs[i])
      return false;
  return true;
}

struct unwinding {
  uintptr_t site, boundary;
  struct calls calls;
  uintptr_t sps[MOST_CALLS];
  bool whole;
};

/* Whether to go on.  */
static bool collect(struct unwinding *found, uintptr_t pc, uintptr_t sp) {
  size_t count = found->calls.count;
  if (!count && pc != found->site)
    return sp < found->boundary;
  found->whole = count && sp >= found->boundary;
  if (found->whole || count == MOST_CALLS)
    return false;
  found->calls.pcs[count] = pc;
  found->sps[count] = sp;
  found->calls.count++;
  return true;
}

/* Remembers what was found, if every call of it would be found again.  */
static void remember(struct trail *trail, const struct unwinding *found, uintptr_t here) {
  trail->size = 0;
  for (size_t i = 1; i < found->calls.count; i++) {
    const uintptr_t *slot = __cilkprof_s_find_slot(found->sps[i - 1], found->sps[i], found->calls.pcs[i]);
    if (!slot)
      return;
    trail->places[i] = (ptrdiff_t)((uintptr_t)slot - here);
  }
  trail->calls = found->calls;
  trail->size = found->boundary - here;
}

/* Most are few.  */
static void copy(struct calls *to, const struct calls *from) {
  to->count = from->count;
  for (size_t i = 0; i < from->count; i++)
    to->pcs[i] = from->pcs[i];
}

/* The calls from SITE to the begin of the task at BOUNDARY; false: they are too many, or not to be found.  */
static bool find_calls(struct calls *calls, const void *site, uintptr_t boundary, uintptr_t here) {
  if (!has_trails())
    return false;
  struct trail *set = trails[((uintptr_t)site / 4 ^ (boundary - here) / 16) % SETS];
  for (int i = 0; i < WAYS; i++)
    if (is_there(&set[i], site, boundary - here, here)) {
      copy(calls, &set[i].calls);
      return true;
    }
  struct unwinding found = {.site = (uintptr_t)site, .boundary = boundary};
  struct unwinder at;
  unwind_here(&at);
  while (collect(&found, at.pc, at.registers[REGISTER_SP]) && __cilkprof_s_unwind(&at))
    ;
  found.whole |= found.calls.count && (!at.pc || at.registers[REGISTER_FP] == boundary);
  if (found.whole)
    remember(&set[victim++ % WAYS], &found, here);
  copy(calls, &found.calls);
  return found.whole;
}

static bool enter_batches(void) {
  return !atomic_flag_test_and_set_explicit(&batches.busy, memory_order_acquire);
}

static void leave_batches(void) {
  atomic_flag_clear_explicit(&batches.busy, memory_order_release);
}

static bool leave_to_all(struct samples_made *batch) {
  if (!batch || !enter_batches())
    return !batch;
  batch->next_batch = batches.first;
  batches.first = batch;
  leave_batches();
  return true;
}

static struct samples_made *take_batch(void) {
  if (!enter_batches())
    return NULL;
  struct samples_made *batch = batches.first;
  if (batch)
    batches.first = batch->next_batch;
  leave_batches();
  return batch;
}

static struct samples_made *new_batch(void) {
  struct samples_made *batch =
      mmap(NULL, BATCH * sizeof *batch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (batch == MAP_FAILED)
    return NULL;
  for (size_t i = 0; i + 1 < BATCH; i++)
    batch[i].maker = &batch[i + 1];
  return batch;
}

static struct samples_made *take(void) {
  struct samples_made *made = free_ones;
  if (!made) {
    made = spare ? spare : take_batch();
    spare = NULL;
    if (!made && !(made = new_batch()))
      return NULL;
    free_count = BATCH;
  }
  free_ones = made->maker;
  free_count--;
  return made;
}

static void give_back(struct samples_made *made) {
  if (free_count >= BATCH && leave_to_all(spare)) {
    spare = free_ones;
    free_ones = NULL;
    free_count = 0;
  }
  made->maker = free_ones;
  free_ones = made;
  free_count++;
}

void __cilkprof_s_made_end(void) {
  if (trails)
    munmap(trails, SETS * sizeof *trails);
  trails = NULL;
  leave_to_all(spare);
  leave_to_all(free_ones);
  free_ones = spare = NULL;
  free_count = 0;
}

/* Of tasks that make each other in an endless row, the last are as if the first had made them.  */
static struct samples_made *maker_of(const struct samples_task *task) {
  struct samples_made *maker = task->made;
  return maker->depth < MOST_DEPTH || !maker->maker ? maker : maker->maker;
}

struct samples_made *__cilkprof_s_make(const void *site, bool is_task) {
  uintptr_t here = (uintptr_t)__builtin_frame_address(0);
  struct samples_made *made = SELF ? take() : NULL;
  if (!made)
    return NULL;
  struct samples_task *task = RECORDER.agent->running();
  atomic_store_explicit(&made->references, 1, memory_order_relaxed);
  atomic_store_explicit(&made->path, 0, memory_order_relaxed);
  made->depth = 0;
  made->is_task = is_task;
  made->maker = NULL;
  if ((!task || task->made) && find_calls(&made->calls, site, task ? task->boundary : SELF->stack_end, here)) {
    if (task) {
      made->maker = maker_of(task);
      made->depth = made->maker->depth + 1;
      __cilkprof_s_made_share(made->maker);
    }
  } else {
    made->calls.count = 0;
    uint32_t path = is_task ? __cilkprof_s_context_at(site) : __cilkprof_s_call_at(site);
    atomic_store_explicit(&made->path, path, memory_order_relaxed);
  }
  return made;
}

void __cilkprof_s_made_share(struct samples_made *made) {
  if (made)
    atomic_fetch_add_explicit(&made->references, 1, memory_order_relaxed);
}

/* The last one need not say so to others, and most are released once.  */
static bool is_last(struct samples_made *made) {
  return atomic_load_explicit(&made->references, memory_order_acquire) == 1 ||
         atomic_fetch_sub_explicit(&made->references, 1, memory_order_acq_rel) == 1;
}

void __cilkprof_s_made_release(struct samples_made *made) {
  while (made && is_last(made)) {
    struct samples_made *maker = made->maker;
    give_back(made);
    made = maker;
  }
}

static uint32_t below(uint32_t path, const struct samples_made *made) {
  const enum cilkprof_stack_kind last = made->is_task ? CILKPROF_STACK_SPAWN : CILKPROF_STACK_CALL;
  size_t i = made->calls.count;
  do
    path = __cilkprof_s_child(path, i > 1 ? CILKPROF_STACK_CALL : last, made->calls.pcs[i - 1]);
  while (path && --i > 0);
  return path;
}

/* In a handler: from the next maker whose path is known, or from the thread's start, back to this one.  0: there is no
   memory.  */
uint32_t __cilkprof_s_path_of(struct samples_made *made) {
  struct samples_made *chain[MOST_DEPTH + 1];
  size_t count = 0;
  uint32_t path = 0;
  for (; made && count <= MOST_DEPTH; made = made->maker) {
    path = atomic_load_explicit(&made->path, memory_order_acquire);
    if (path || !made->calls.count)
      break;
    chain[count++] = made;
  }
  while (count > 0) {
    struct samples_made *next = chain[--count];
    if (!(path = below(path, next)))
      return 0;
    atomic_store_explicit(&next->path, path, memory_order_release); /* others of its region may be new to the node */
  }
  return path;
}
