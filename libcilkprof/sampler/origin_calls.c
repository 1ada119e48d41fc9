/* Where a thread creates a task: the calls between the start of the enclosing task and the call that creates the other.
   SPDX-License-Identifier: MIT

   Unwinding takes far longer than creating a task.  So each thread remembers the calls that it found last, with the
   stack slots of their return addresses: while the same addresses are in the same slots, the calls are the same.  */

#include <sys/mman.h>

#include "libcilkprof/sampler/origins.h"
#include "libcilkprof/sampler/unwind.h"

enum { SETS = 32, WAYS = 4 };

/* Entries of a set have the same call site and size, but other calls between.  The table is allocated when the
   thread creates its first task, because thread-local memory of libraries is scarce.  */
static __thread struct trail (*trails)[WAYS];
static __thread unsigned victim;

/* Allocates this thread's table of remembered calls, unless it has one.  Returns false if there is no memory.  */
static bool allocate_origin_trails(void) {
  if (!trails) {
    void *memory = mmap(NULL, SETS * sizeof *trails, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
      return false;
    trails = memory;
  }
  return true;
}

struct unwinding {
  uintptr_t site, boundary;
  struct calls calls;
  uintptr_t sps[MAX_CALLS];
  bool whole;
};

/* Adds the frame at PC and SP to the calls that were FOUND, from the call that creates the task outwards.  Returns
   whether to continue unwinding.  */
static bool collect_origin_call(struct unwinding *found, uintptr_t pc, uintptr_t sp) {
  size_t count = found->calls.count;
  if (!count && pc != found->site)
    return sp < found->boundary;
  found->whole = count && sp >= found->boundary;
  if (found->whole || count == MAX_CALLS)
    return false;
  found->calls.pcs[count] = pc;
  found->sps[count] = sp;
  found->calls.count++;
  return true;
}

/* Remembers the calls FOUND in TRAIL, with the stack slots of their return addresses relative to HERE, unless the stack
   slot of one of them is unknown.  */
static void remember_origin_trail(struct trail *trail, const struct unwinding *found, uintptr_t here) {
  trail->size = 0;
  for (size_t i = 1; i < found->calls.count; i++) {
    const uintptr_t *slot = __cilkprof_s_find_slot(found->sps[i - 1], found->sps[i], found->calls.pcs[i]);
    if (!slot)
      return;
    trail->places[i] = (ptrdiff_t)((uintptr_t)slot - here);
  }
  trail->calls = found->calls;
  trail->size = found->boundary - here;
  __cilkprof_s_origins.last_trail = trail;
}

/* Copies only the calls of FROM that are in use, which are usually few.  */
static void copy_origin_calls(struct calls *to, const struct calls *from) {
  to->count = from->count;
  for (size_t i = 0; i < from->count; i++)
    to->pcs[i] = from->pcs[i];
}

/* Returns the set of remembered trails for calls from SITE with the given SIZE of the stack from there to the start of
   the task.  */
static struct trail *origin_trails_of(const void *site, uintptr_t size) {
  return trails[((uintptr_t)site / 4 ^ size / 16) % SETS];
}

/* Finds the calls from SITE out to the start of the task at BOUNDARY by unwinding, and remembers them.  HERE is the
   address of the frame that creates the task.  Returns false if they are too many or cannot be unwound.  */
static __attribute__((noinline)) bool unwind_origin_calls(struct calls *calls, const void *site, uintptr_t boundary,
                                                          uintptr_t here) {
  __cilkprof_s_origins.last_trail = NULL;
  if (!allocate_origin_trails())
    return false;
  struct unwinding found = {.site = (uintptr_t)site, .boundary = boundary};
  struct unwinder at;
  unwind_here(&at);
  while (collect_origin_call(&found, at.pc, at.registers[REGISTER_SP]) && __cilkprof_s_unwind(&at))
    ;
  found.whole |= found.calls.count && (!at.pc || at.registers[REGISTER_FP] == boundary);
  if (found.whole)
    remember_origin_trail(&origin_trails_of(site, boundary - here)[victim++ % WAYS], &found, here);
  copy_origin_calls(calls, &found.calls);
  return found.whole;
}

/* Finds the calls from SITE out to the start of the task at BOUNDARY, by remembered trails or by unwinding.  HERE is
   the address of the frame that creates the task.  Returns false if they are too many or cannot be unwound.  */
static bool find_origin_calls(struct calls *calls, const void *site, uintptr_t boundary, uintptr_t here) {
  struct trail *trail = trails ? origin_trails_of(site, boundary - here) : NULL;
  for (int i = 0; trail && i < WAYS; i++, trail++)
    if (is_origin_trail_valid(trail, site, boundary - here, here)) {
      copy_origin_calls(calls, &trail->calls);
      __cilkprof_s_origins.last_trail = trail;
      return true;
    }
  return unwind_origin_calls(calls, site, boundary, here);
}

/* Frees this thread's table of remembered calls, when the thread ends.  */
void __cilkprof_s_origin_calls_end(void) {
  if (trails)
    munmap(trails, SETS * sizeof *trails);
  trails = NULL;
  __cilkprof_s_origins.last_trail = NULL;
}

/* Returns the origin of TASK, which creates another.  In a very long chain of tasks that create each other, the last
   ones are treated as siblings.  */
static struct task_origin *creating_task_origin(const struct sampled_task *task) {
  struct task_origin *creator = task->origin;
  return creator->depth < MAX_DEPTH || !creator->creator ? creator : creator->creator;
}

/* Returns true if ORIGIN, the record of the task that this thread created last, is also that of a task which TASK now
   creates in a call that returns to SITE, at the stack address HERE.  */
static bool is_same_origin(const struct task_origin *origin, const void *site, bool is_task,
                           const struct sampled_task *task, uintptr_t boundary, uintptr_t here) {
  return origin && __cilkprof_s_origins.last_trail && origin->is_task == is_task &&
         origin->creator == (task && task->origin ? creating_task_origin(task) : NULL) &&
         is_origin_trail_valid(__cilkprof_s_origins.last_trail, site, boundary - here, here);
}

/* Records where this thread creates a task, or a team of threads, in a call that returns to SITE, and returns the
   record: that of the last task, if it is the same.  HERE is an address in the frame of the caller.  Few tasks are ever
   sampled, so the call path is determined when a sample needs it.  NULL if there is no memory.  */
struct task_origin *__cilkprof_s_origin_new(const void *site, bool is_task, uintptr_t here) {
  if (!SELF)
    return NULL;
  struct sampled_task *task = SAMPLER.agent->running();
  uintptr_t boundary = task ? task->boundary : SELF->stack_end;
  struct task_origin *origin = __cilkprof_s_origin_last();
  if (is_same_origin(origin, site, is_task, task, boundary, here)) {
    __cilkprof_s_origin_share(origin);
    return origin;
  }
  origin = __cilkprof_s_origin_take();
  if (!origin)
    return NULL;
  atomic_store_explicit(&origin->references, 2, memory_order_relaxed);
  atomic_store_explicit(&origin->path, 0, memory_order_relaxed);
  origin->depth = 0;
  origin->is_task = is_task;
  origin->thread = SELF->index;
  origin->code = site;
  origin->creator = NULL;
  if ((!task || task->origin) && find_origin_calls(&origin->calls, site, boundary, here)) {
    if (task) {
      origin->creator = creating_task_origin(task);
      origin->depth = origin->creator->depth + 1;
      __cilkprof_s_origin_share(origin->creator);
    }
  } else {
    __cilkprof_s_origins.last_trail = NULL;
    origin->calls.count = 0;
    uint32_t path = is_task ? __cilkprof_s_context_at(site) : __cilkprof_s_call_at(site);
    atomic_store_explicit(&origin->path, path, memory_order_relaxed);
  }
  __cilkprof_s_origin_created(origin);
  return origin;
}
