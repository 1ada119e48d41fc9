/* Unwinding by remembered frame layouts.
   SPDX-License-Identifier: MIT

   The unwinder reads tables that are seldom in the cache.  But samples hit the same instructions again and again,
   where a frame usually has the same layout.  If a frame has another one, the address that is read as its return
   address leads to no known frame: a path that is found this way counts only if it ends at a frame that is
   remembered from the last sample, with the same code at the same stack address.  Nothing outside of the thread's
   stack is read.  */

#include "libcilkprof/sampler/state.h"

/* Returns the place in a thread's table of frame layouts for code at PC: a hash of PC.  */
static size_t frame_shape_index(uintptr_t pc) {
  return (pc >> 2 ^ pc >> 13) % SHAPES;
}

/* Remembers the layout of the frame INNER, whose caller is at PC with the stack pointer SP: its size, and where its
   return address is.  LINK is the link register; for a leaf function it may be the return address.  */
void __cilkprof_s_learn(struct sampled_thread *self, const struct frame *inner, uintptr_t pc, uintptr_t sp,
                        uintptr_t link) {
  enum { LARGE = 1 << 20 };
  struct shape *shape = &self->shapes[frame_shape_index(inner->pc)];
  if (sp < inner->sp || sp - inner->sp > LARGE)
    return;
  if (inner->slot)
    *shape = (struct shape){inner->pc, (uint32_t)(sp - inner->sp), (uint32_t)((uintptr_t)inner->slot - inner->sp)};
  else if (inner->exact && link == pc)
    *shape = (struct shape){inner->pc, (uint32_t)(sp - inner->sp), NO_SLOT};
}

/* Finds the caller of INNER by the layout that was remembered for INNER's code, and sets OUTER to it.  LINK is the link
   register.  Returns false if nothing is known; what it finds may be wrong.  */
bool __cilkprof_s_caller(const struct sampled_thread *self, struct frame *inner, struct frame *outer, uintptr_t link) {
  const struct shape *shape = &self->shapes[frame_shape_index(inner->pc)];
  if (shape->pc != inner->pc || inner->sp >= self->stack_end || shape->size >= self->stack_end - inner->sp)
    return false;
  if (shape->slot == NO_SLOT) {
    if (!inner->exact)
      return false;
    outer->pc = link;
    inner->slot = NULL;
  } else {
    inner->slot = (const uintptr_t *)(inner->sp + shape->slot);
    outer->pc = *inner->slot;
  }
  outer->sp = inner->sp + shape->size;
  outer->exact = false;
  return true;
}

/* Returns the stack slot of the frame at SP that holds the return address PC into the frame at OUTER; NULL if it is not
   found.  Searches first where return addresses usually are, then near both ends of the frame.  */
const uintptr_t *__cilkprof_s_find_slot(uintptr_t sp, uintptr_t outer, uintptr_t pc) {
  enum { NEAR = 64 };
  const uintptr_t *low = (const uintptr_t *)sp, *high = (const uintptr_t *)outer;
  size_t words = (size_t)(high - low);
  if (outer <= sp || outer % sizeof *low)
    return NULL;
#ifdef __x86_64__
  if (high[-1] == pc)
    return high - 1;
#endif
  for (size_t i = 0; i < words && i < NEAR; i++)
    if (low[i] == pc)
      return &low[i];
  for (size_t i = 1; i <= words && i < NEAR; i++)
    if (high[-(ptrdiff_t)i] == pc)
      return &high[-(ptrdiff_t)i];
  return NULL;
}
