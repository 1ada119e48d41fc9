/* Programs that switch between stacks by themselves: swapcontext, coroutines.
   SPDX-License-Identifier: MIT

   Invocations on two stacks do not nest, so they have no work and span in the papers' sense.  The first switch ends the
   measurement: what was done so far is written, marked as incomplete, and the program runs on without being recorded.
   The frames of each stack get memory of their own, so that those which wait stay as they are.

   Two functions are on one stack if they are in one mapping of memory: stacks have guard pages between them.  The
   system is asked for the mapping once, and again when the stack has grown beyond what it said.  Once a thread is known
   to switch, that is not enough: stacks may be parts of one mapping.  From then on it is the same stack only where the
   two are very near.  To be wrong about a function that is on the same stack does no harm: it gets frames elsewhere,
   and its caller finds its own.  */

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
  FARTHEST = 1 << 26, /* where the system does not tell: bytes of stack between two functions with instrumentation */
  GROWTH = 1 << 20,   /* of the first thread's stack, for which the system is not asked again */
  SLACK = 1 << 12,    /* the stack is not compared at the very call */
  NEAR = 1 << 12,     /* less than a stack has, more than most code takes that calls back */
  STACK_FRAMES = 1 << 16,
  STACK_BLOCKS = 1 << 14,
};

/* Of the frames and blocks of a stack.  */
struct stack {
  struct stack *next;
  frame_t *frames, *frames_end;
  block_t *blocks, *blocks_end;
  frame_t memory[]; /* as frames are aligned, of all but the first stack */
};

static __thread struct stack first_stack, *stacks; /* of this thread: the one it began with is the last */
static __thread int switches;

void __cilkprof_stack_start(frame_t *frames, frame_t *frames_end, block_t *blocks, block_t *blocks_end) {
  first_stack = (struct stack){NULL, frames, frames_end, blocks, blocks_end};
  stacks = &first_stack;
}

static void give_up(void) {
  switches = 1;
  if (!THREAD.recording)
    return;
  __cilkprof_say("the program switches stacks (swapcontext, coroutines)", "what it does from here on is not profiled",
                 NULL);
  flag(CILKPROF_INCOMPLETE);
  HOST.stopped(HOST.snapshot() == 0);
  ENGINE.finished = 1;
  stop_recording();
}

static struct stack *new_stack(void) {
  struct stack *stack =
      __cilkprof_reserve(sizeof *stack + (1 + STACK_FRAMES) * sizeof(frame_t) + STACK_BLOCKS * sizeof(block_t));
  if (!stack)
    return NULL;
  stack->frames = stack->memory + 1;                    /* before the first is one that calls nothing */
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
  THREAD.untracked_blocks = 0;
  THREAD.blocks_end = stack->blocks_end;
}

/* A line of /proc/self/maps: where the mapping begins if it holds FROM, else 0.  */
static uint64_t mapping_in(char *line, uint64_t from) {
  char *end;
  uint64_t begin = strtoull(line, &end, 16);
  if (*end != '-' || from < begin || from >= strtoull(end + 1, &end, 16))
    return 0;
  return strstr(end, "[stack]") ? begin - GROWTH : begin;
}

/* Where the mapping begins that holds FROM; 0: the system does not tell.  */
static uint64_t mapping_of(uint64_t from) {
  char text[4096];
  size_t filled = 0;
  uint64_t begin = 0;
  int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  for (ssize_t size; file >= 0 && !begin && (size = read(file, text + filled, sizeof text - 1 - filled)) > 0;) {
    char *line = text, *end;
    text[filled + (size_t)size] = 0;
    for (; !begin && (end = strchr(line, '\n')); line = end + 1) {
      *end = 0;
      begin = mapping_in(line, from);
    }
    filled = strlen(line) < sizeof text - 1 ? strlen(line) : 0; /* a name that is too long: its mapping is no stack */
    memmove(text, line, filled);
  }
  if (file >= 0)
    close(file);
  return begin;
}

/* Whether HERE, at the end of the stack, is on the one that reached to FROM.  */
static int is_below(uint64_t here, uint64_t from) {
  static __thread uint64_t begin = UINT64_MAX; /* of the mapping; 0: not told */
  if (here >= from + SLACK)
    return 0;
  if (switches)
    return from + SLACK - here < SLACK + NEAR;
  if (here < begin) {
    struct cilkprof_pause pause;
    int error = errno;
    __cilkprof_clock_pause(&pause);
    begin = mapping_of(from);
    if (THREAD.recording)
      __cilkprof_continue(&pause);
    errno = error;
  }
  return begin ? here >= begin : from + SLACK - here < FARTHEST;
}

void __cilkprof_stack_entered(uint64_t from) {
  uint64_t here = (uint64_t)__builtin_frame_address(0);
  if (is_below(here, from))
    return;
  give_up();
  struct stack *stack = free_stack();
  if (stack)
    use(stack, stack->frames - 1);
}

int __cilkprof_stack_returned(frame_t *frame) {
  struct stack *stack = stack_of(frame);
  if (stack == stack_of(THREAD.frames) && THREAD.frames >= frame)
    return 0;
  give_up();
  use(stack, frame);
  return 1;
}
