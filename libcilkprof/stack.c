/* Programs that switch between stacks by themselves: swapcontext, coroutines.
   SPDX-License-Identifier: MIT

   Invocations on two stacks do not nest, so they have no work and span in the papers' sense.  The first switch ends the
   measurement: what was done so far is written, marked as incomplete, and the program runs on without being recorded.
   The frames of each stack get memory of their own, so that those which wait stay as they are.  */

#include "libcilkprof/live.h"

enum {
  FARTHEST = 1 << 26, /* bytes of stack that code without instrumentation may use between two functions with it */
  SLACK = 1 << 12,    /* the stack is not compared at the very call */
  STACK_FRAMES = 1 << 16,
  STACK_BLOCKS = 1 << 14,
};

/* Of the frames and blocks of a stack.  */
struct stack {
  struct stack *next;
  frame_t *frames, *frames_end;
  block_t *blocks, *blocks_end;
};

static __thread struct stack first_stack, *stacks; /* of this thread: the one it began with is the last */

void __cilkprof_stack_start(frame_t *frames, frame_t *frames_end, block_t *blocks, block_t *blocks_end) {
  first_stack = (struct stack){NULL, frames, frames_end, blocks, blocks_end};
  stacks = &first_stack;
}

static void stop_recording(void) {
  if (!THREAD.recording)
    return;
  __cilkprof_say("the program switches stacks (swapcontext, coroutines)", "what it does from here on is not profiled",
                 NULL);
  ENGINE.flags |= CILKPROF_INCOMPLETE;
  __cilkprof_live_end(__cilkprof_snapshot() == 0);
  ENGINE.finished = 1;
  THREAD.recording = 0;
  THREAD.limit = NULL;
  THREAD.fold_bytes = 0;
}

static struct stack *new_stack(void) {
  struct stack *stack =
      __cilkprof_reserve(sizeof *stack + STACK_FRAMES * sizeof(frame_t) + STACK_BLOCKS * sizeof(block_t));
  if (!stack)
    return NULL;
  stack->frames = (frame_t *)(stack + 1);
  stack->frames_end = stack->frames + STACK_FRAMES - 1; /* those deeper share the last one */
  stack->blocks = (block_t *)(stack->frames_end + 1);
  stack->blocks_end = stack->blocks + STACK_BLOCKS;
  stack->next = stacks;
  return stacks = stack;
}

static struct stack *stack_of(const frame_t *frame) {
  struct stack *stack = stacks;
  while (stack != &first_stack && (frame < stack->frames || frame > stack->frames_end))
    stack = stack->next;
  return stack;
}

/* One on which no function waits for the return of a call.  */
static struct stack *free_stack(void) {
  for (struct stack *stack = stacks; stack != &first_stack; stack = stack->next)
    if (!stack->frames[0].site && stack != stack_of(THREAD.frames))
      return stack;
  return new_stack();
}

static void use(const struct stack *stack, frame_t *frame) {
  block_t *block = NULL;
  for (const frame_t *open = frame; open >= stack->frames && !block; open--)
    block = open->block;
  THREAD.frames = frame;
  THREAD.frames_end = stack->frames_end;
  THREAD.blocks = block ? block : stack->blocks ? stack->blocks - 1 : NULL;
  THREAD.lost_blocks = 0;
  THREAD.blocks_end = stack->blocks_end;
}

void __cilkprof_stack_entered(uint64_t from) {
  uint64_t here = (uint64_t)__builtin_frame_address(0), start = from + SLACK;
  if (here < start && start - here < FARTHEST)
    return;
  stop_recording();
  struct stack *stack = free_stack();
  if (stack)
    use(stack, stack->frames - 1);
}

int __cilkprof_stack_returned(frame_t *frame) {
  struct stack *stack = stack_of(frame);
  if (stack == stack_of(THREAD.frames) && THREAD.frames >= frame)
    return 0;
  stop_recording();
  use(stack, frame);
  return 1;
}
