/* Programs that switch between stacks by themselves: swapcontext, coroutines.
   SPDX-License-Identifier: MIT

   Invocations on two stacks do not nest, so they have no work and span in the sense of the papers.  The first switch
   ends the measurement: what was done so far is written and marked as incomplete, and the program runs on without being
   recorded.  Every stack gets memory of its own for frames, so that the frames of stacks that wait do not change.

   Two functions are on one stack if they are in one mapping of memory, because stacks have guard pages between them.
   The system is asked for the mapping once, and again when the stack has grown beyond the answer.  For a thread that is
   known to switch this is not enough, as stacks may be parts of one mapping: then two functions are on one stack only
   if they are very near.  A wrong answer for two functions on one stack does no harm: the callee gets frames elsewhere,
   and the caller finds its own.  */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/host.h"
#include "libcilkprof/common/system.h"
#include "libcilkprof/engine/memory.h"
#include "libcilkprof/engine/time/clock.h"

enum {
  FARTHEST = 1 << 26, /* if the system does not tell: the most bytes of stack between two instrumented functions */
  GROWTH = 1 << 20,   /* of the first thread's stack, before the system is asked again */
  SLACK = 1 << 12,    /* the ends of the stack that are compared are not those at the very call */
  NEAR = 1 << 12,     /* less than a stack has, more than most code that calls back takes */
  STACK_FRAMES = 1 << 16,
  STACK_BLOCKS = 1 << 14,
};

/* The frames and blocks of a stack.  */
struct stack {
  struct stack *next;
  frame_t *frames, *frames_end;
  block_t *blocks, *blocks_end;
  frame_t memory[]; /* aligned for frames; used by all stacks but the first */
};

/* The stacks of this thread.  The one that it began with is the last in the list.  */
static __thread struct stack first_stack, *stacks;
static __thread int switches;

/* Notes the frames and blocks of the stack with which this thread begins.  BLOCKS may be NULL.  */
void __cilkprof_stack_start(frame_t *frames, frame_t *frames_end, block_t *blocks, block_t *blocks_end) {
  first_stack = (struct stack){NULL, frames, frames_end, blocks, blocks_end};
  stacks = &first_stack;
}

/* Ends the measurement, because the program switches stacks: writes what was measured so far, and reports this.  */
static void stop_at_frame_stack_switch(void) {
  switches = 1;
  if (!THREAD.recording)
    return;
  __cilkprof_say("the program switches stacks (swapcontext, coroutines)", "it is not profiled from here on", NULL);
  set_profile_flags(CILKPROF_INCOMPLETE);
  HOST.stopped(HOST.snapshot() == 0);
  ENGINE.finished = 1;
  stop_thread_recording();
}

/* Returns memory for the frames and blocks of another stack of this thread; NULL: there is none.  */
static struct stack *new_frame_stack(void) {
  struct stack *stack =
      __cilkprof_reserve(sizeof *stack + (1 + STACK_FRAMES) * sizeof(frame_t) + STACK_BLOCKS * sizeof(block_t));
  if (!stack)
    return NULL;
  stack->frames = stack->memory + 1;                    /* the one before the first calls nothing */
  stack->frames_end = stack->frames + STACK_FRAMES - 1; /* deeper ones share the last */
  stack->blocks = (block_t *)(stack->frames_end + 1);
  stack->blocks_end = stack->blocks + STACK_BLOCKS;
  stack->next = stacks;
  return stacks = stack;
}

/* Returns the stack that FRAME is on.  */
static struct stack *stack_of_frame(const frame_t *frame) {
  struct stack *stack = stacks;
  while (stack != &first_stack && (frame < stack->frames || frame > stack->frames_end))
    stack = stack->next;
  return stack;
}

/* Returns a stack on which no function waits for the return of a call; NULL: there is no memory.  */
static struct stack *find_unused_frame_stack(void) {
  for (struct stack *stack = stacks; stack != &first_stack; stack = stack->next)
    if (!stack->frames[0].site && stack != stack_of_frame(THREAD.frames))
      return stack;
  return new_frame_stack();
}

/* Makes STACK the current one, and FRAME its innermost frame.  */
static void switch_to_frame_stack(const struct stack *stack, frame_t *frame) {
  block_t *block = NULL;
  for (const frame_t *open = frame; open >= stack->frames && !block; open--)
    block = open->block;
  THREAD.frames = frame;
  THREAD.frames_end = stack->frames_end;
  THREAD.blocks = block ? block : stack->blocks ? stack->blocks - 1 : NULL;
  THREAD.untracked_blocks = 0;
  THREAD.blocks_end = stack->blocks_end;
}

/* Returns where the mapping in LINE of /proc/self/maps begins; 0 if it does not contain FROM.  */
static uint64_t frame_stack_mapping_in_line(char *line, uint64_t from) {
  char *end;
  uint64_t begin = strtoull(line, &end, 16);
  if (*end != '-' || from < begin || from >= strtoull(end + 1, &end, 16))
    return 0;
  return strstr(end, "[stack]") ? begin - GROWTH : begin;
}

/* Returns where the mapping of memory that contains FROM, the end of a stack, begins; 0: the system does not tell.  */
static uint64_t frame_stack_mapping_begin(uint64_t from) {
  char text[4096];
  size_t filled = 0;
  uint64_t begin = 0;
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  for (ssize_t size; file >= 0 && !begin && (size = read(file, text + filled, sizeof text - 1 - filled)) > 0;) {
    char *line = text, *end;
    text[filled + (size_t)size] = 0;
    for (; !begin && (end = strchr(line, '\n')); line = end + 1) {
      *end = 0;
      begin = frame_stack_mapping_in_line(line, from);
    }
    filled = strlen(line) < sizeof text - 1 ? strlen(line) : 0; /* a name that is too long: this mapping is no stack */
    memmove(text, line, filled);
  }
  if (file >= 0)
    close(file);
  return begin;
}

/* Returns whether HERE, the current end of the stack, is on the stack whose end was FROM before.  */
static int is_on_same_frame_stack(uint64_t here, uint64_t from) {
  static __thread uint64_t begin = UINT64_MAX; /* of the mapping; 0: not known */
  if (here >= from + SLACK)
    return 0;
  if (switches)
    return from + SLACK - here < SLACK + NEAR;
  if (here < begin) {
    struct cilkprof_pause pause;
    int error = errno;
    __cilkprof_clock_pause(&pause);
    begin = frame_stack_mapping_begin(from);
    if (THREAD.recording)
      __cilkprof_frames_continue(&pause);
    errno = error;
  }
  return begin ? here >= begin : from + SLACK - here < FARTHEST;
}

/* Checks whether a function that foreign code enters runs on the stack whose end was FROM when the foreign code was
   called.  If it does not, the program switches stacks: the measurement ends, and the function gets frames of its
   own.  */
void __cilkprof_stack_entered(uint64_t from) {
  uint64_t here = (uint64_t)__builtin_frame_address(0);
  if (is_on_same_frame_stack(here, from))
    return;
  stop_at_frame_stack_switch();
  struct stack *stack = find_unused_frame_stack();
  if (stack)
    switch_to_frame_stack(stack, stack->frames - 1);
}

/* Makes FRAME's stack the current one if control came back to FRAME from another stack, which ends the measurement.
   Returns whether it did.  */
int __cilkprof_stack_returned(frame_t *frame) {
  struct stack *stack = stack_of_frame(frame);
  if (stack == stack_of_frame(THREAD.frames) && THREAD.frames >= frame)
    return 0;
  stop_at_frame_stack_switch();
  switch_to_frame_stack(stack, frame);
  return 1;
}
