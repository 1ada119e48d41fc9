/* Regions that are roots (CILKPROF_ROOT): a root invocation is what lies between a start and a stop in one function.
   SPDX-License-Identifier: MIT

   What the function did itself in between is the root invocation's, and no site's.  Children that it spawned in between and did
   not join are joined at its end, as they are at a program's.  Where children from before are joined in between, or the
   function is left by a return, there is nothing that could be measured as a program.  */

#include <string.h>

#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/roots/root_invocation.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/common/system.h"

static struct root_invocation *innermost(void) {
  struct root_table *roots = profiled_thread()->roots;
  return &roots->invocations[roots->depth];
}

/* The root's part of the log begins here, and is not folded with what is before.  The children from before are there
   too: if something is done with them, from the base on, there is no root invocation to be measured.  */
static void begin(size_t number, frame_t *frame) {
  struct root_invocation *invocation = __cilkprof_root_invocation_begins(number);
  invocation->start = frame->top;
  invocation->frame = frame;
  invocation->before = *frame;
  invocation->around = frame;
  invocation->from = frame->block;
  frame->segment = frame->merge = frame->top;
  if (frame->spawned)
    frame->spawned = SPAWNED_BEFORE;
  else
    frame->base = frame->top;
}

/* Whether control is where the root invocation began, but later: in the same invocation, the same part of it, and with the same
   children or none from before.  */
static int is_there(const struct root_invocation *invocation, const frame_t *frame, uint64_t local_work) {
  const frame_t *before = &invocation->before;
  return frame == invocation->frame && frame->key == before->key && frame->block == before->block &&
         local_work >= before->local_work && frame->work >= before->work &&
         (!frame->block || frame->grains == before->grains) && (before->spawned ? frame->spawned == SPAWNED_BEFORE : 1);
}

static uint64_t span_of(const frame_t *frame) {
  return frame->span + frame->local_work - frame->off_span;
}

static uint64_t burdened_span_of(const frame_t *frame) {
  return frame->burdened_span + frame->local_work - frame->off_burdened_span;
}

/* From BEFORE to NOW, in the same frame.  */
static struct root_invocation_end difference(const frame_t *before, const frame_t *now) {
  uint64_t work = now->local_work - before->local_work, off_span = now->off_span - before->off_span;
  uint64_t off_burdened_span = now->off_burdened_span - before->off_burdened_span;
  return (struct root_invocation_end){
      .counts = 1,
      .top = now->top,
      .total = {1, now->work - before->work + work, span_of(now) - span_of(before),
                burdened_span_of(now) - burdened_span_of(before)},
      .own = {1, work, work - off_span, work - off_burdened_span},
  };
}

/* Where the frame is in which the root invocation began: a block that was begun since has it aside.  NULL: that part of the
   function has ended, or its grain of a loop.  */
static frame_t *part_of(const struct root_invocation *invocation) {
  frame_t *part = (frame_t *)(uintptr_t)invocation->frame;
  while (part && part->block != invocation->before.block)
    part = part->block ? &part->block->outer : NULL;
  return part && part->block && part->grains != invocation->before.grains ? NULL : part;
}

/* The frame as it is without the root invocation.  */
static void restore(const struct root_invocation *invocation, frame_t *frame) {
  const frame_t *before = &invocation->before;
  entry_t **segment = frame->site & __CILKPROF_CALL_SPAWN ? &frame->outer_segment : &frame->segment;
  if (*segment == invocation->start)
    *segment = before->segment;
  frame->base = before->base;
  if (frame->spawned == SPAWNED_BEFORE)
    frame->spawned = before->spawned;
}

static void end_at(frame_t *frame, uint64_t local_work) {
  struct root_invocation *invocation = innermost();
  frame_t now = *frame;
  now.local_work = local_work;
  uint64_t syncs = THREAD.syncs;
  if (frame->spawned && !invocation->before.spawned) {
    __cilkprof_p_join(&now, local_work);
    __cilkprof_p_lanes_sync(&now, local_work);
  }
  __cilkprof_lanes_between(&invocation->before, &now);
  struct root_invocation_end end = difference(&invocation->before, &now);
  __cilkprof_root_invocation_ends(&end);
  THREAD.syncs = syncs;
  restore(invocation, frame);
  frame->merge = frame->top;
}

static void give_up(const char *label) {
  struct root_table *roots = profiled_thread()->roots;
  struct root *root = &roots->roots[innermost()->tree - 1];
  if (!(root->kind & CILKPROF_ROOT_PARTIAL))
    __cilkprof_say(label, "the region cannot be measured as a root every time",
                   "it has to stop in the function in which it starts, and to join no children from before");
  root->kind |= CILKPROF_ROOT_PARTIAL;
  if (part_of(innermost()))
    restore(innermost(), part_of(innermost()));
  __cilkprof_root_invocation_ends(&(struct root_invocation_end){.counts = 0});
}

/* The invocation of the root with that label if it is open, NULL if not; *NUMBER is the root's, or their count.  */
static struct root_invocation *find(const char *label, size_t *number) {
  struct root_table *roots = profiled_thread()->roots;
  for (*number = 0; *number < roots->count && strcmp(roots->roots[*number].text, label) != 0;)
    ++*number;
  for (size_t i = roots->depth; i > 0; i--)
    if (roots->invocations[i].tree == *number + 1)
      return &roots->invocations[i];
  return NULL;
}

void __cilkprof_root_region_start(const char *label) {
  size_t number;
  struct root_invocation *open = profiled_thread()->roots ? find(label, &number) : NULL;
  if (open)
    open->nested++;
  else if (profiled_thread()->roots && number < profiled_thread()->roots->count && THREAD.frames != THREAD.frames_end)
    begin(number, THREAD.frames);
}

/* One that is inside of another, and so counts for nothing, is not going to stop: control jumped out of it.  */
void __cilkprof_root_region_jumped(const char *label) {
  size_t number;
  struct root_invocation *open = profiled_thread()->roots ? find(label, &number) : NULL;
  if (open && open->nested)
    open->nested--;
}

/* Others that began in between and did not stop cannot be measured.  */
void __cilkprof_root_region_stop(const char *label) {
  size_t number;
  struct root_invocation *open = profiled_thread()->roots ? find(label, &number) : NULL;
  if (!open || (!open->frame && !open->nested))
    return;
  if (open->nested) {
    open->nested--;
    return;
  }
  while (innermost() > open && innermost()->frame)
    give_up(profiled_thread()->roots->roots[innermost()->tree - 1].text);
  if (innermost() != open)
    return; /* it is stopped inside of a root invocation that it contains */
  if (is_there(open, THREAD.frames, THREAD.frames->local_work))
    end_at(THREAD.frames, THREAD.frames->local_work);
  else
    give_up(label);
}

/* A block of FRAME ends, or control leaves it for good: so do the root invocations that began there.  Where it ends without a
   stop, that may follow in a caller.  */
void __cilkprof_root_regions_left(const frame_t *frame, const block_t *block, uint64_t local_work) {
  while (profiled_thread()->roots && profiled_thread()->roots->depth && innermost()->frame == frame &&
         innermost()->before.block == block) {
    if (profiled_thread()->frames.leaving && is_there(innermost(), frame, local_work))
      end_at((frame_t *)(uintptr_t)frame, local_work);
    else
      give_up(profiled_thread()->roots->roots[innermost()->tree - 1].text);
  }
}
