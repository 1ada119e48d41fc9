/* From the place where a task was created, in another thread that waits for it, to its call path.
   SPDX-License-Identifier: MIT

   The function that creates such a task cannot return before the task has ended, nor can any of its callers.  So their
   frames stay as they are, and whoever runs the task can unwind them when a sample needs its path.  */

#include "libcilkprof/sampler/unwind.h"

/* Stores the return addresses from the call at PLACE outwards in CALLS, at most MOST, and their number in *COUNT.
   Returns whether these are all, up to the start of the task in which they are, or of the thread.  */
static bool collect_place_calls(const struct sampled_place *place, uintptr_t *calls, size_t most, size_t *count) {
  uintptr_t boundary = place->task ? place->task->boundary : UINTPTR_MAX;
  struct unwinder at = {.pc = place->pc, .stack = place->sp, .stack_end = place->stack_end};
  bool more = true;
  at.registers[REGISTER_SP] = place->sp;
  at.registers[REGISTER_FP] = place->fp;
  for (*count = 0; more && at.registers[REGISTER_SP] < boundary && *count < most; more = __cilkprof_s_unwind(&at))
    calls[(*count)++] = at.pc;
  return more ? at.registers[REGISTER_SP] >= boundary : !at.pc;
}

/* Returns the call path of a task that was created at PLACE, in one with the path OUTER; 0 if there is no memory.  */
static uint32_t call_path_of_place(uint32_t outer, const struct sampled_place *place) {
  enum { MOST = 64 };
  uintptr_t calls[MOST];
  size_t count;
  bool whole = collect_place_calls(place, calls, MOST, &count);
  uint32_t path = whole ? outer : __cilkprof_s_child(0, CILKPROF_STACK_UNKNOWN, 0);
  while (count-- > 0)
    if (!(path = __cilkprof_s_child(path, count ? CILKPROF_STACK_CALL : CILKPROF_STACK_SPAWN, calls[count])))
      return 0;
  return path;
}

/* Returns the call path of a task that was created at PLACE; 0 if there is no memory.  In a long chain of tasks that
   create each other it begins with an unknown part.  */
uint32_t __cilkprof_s_place_path(const struct sampled_place *place) {
  enum { MOST = 32 };
  const struct sampled_place *chain[MOST];
  size_t count = 0;
  uint32_t path = 0;
  for (; place && !path && count < MOST; place = place->task ? place->task->place : NULL) {
    chain[count++] = place;
    path = place->task ? atomic_load_explicit(&place->task->origin_path, memory_order_acquire) : 0;
  }
  if (!path && place)
    path = __cilkprof_s_child(0, CILKPROF_STACK_UNKNOWN, 0);
  while (count-- > 0) {
    if (!(path = call_path_of_place(path, chain[count])))
      return 0;
    if (count)
      atomic_store_explicit(&chain[count - 1]->task->origin_path, path, memory_order_release);
  }
  return path;
}
