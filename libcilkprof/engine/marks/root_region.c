/* Regions that are roots (CILKPROF_ROOT): a root invocation lies between a start and a stop in one function.
   SPDX-License-Identifier: MIT

   What the function did itself in between belongs to the root invocation and to no site.  Children that it spawned in
   between and did not join are joined at the end of the root invocation, as at the end of a program.  If children from
   before the start are joined in between, or if the function returns, nothing can be measured as a program.  */

#include <string.h>

#include "libcilkprof/engine/marks/marks.h"
#include "libcilkprof/engine/roots/root_invocation.h"
#include "libcilkprof/engine/whatif/whatif.h"
#include "libcilkprof/common/system.h"

/* Returns the innermost open root invocation, of a region or of another root.  */
static struct root_invocation *innermost_invocation_of_root_region(void) {
  struct root_table *roots = profiled_thread()->roots;
  return &roots->invocations[roots->depth];
}

/* Begins an invocation of the root with NUMBER, a region, in FRAME.  Its part of the log begins here, and is not folded
   with what precedes it.  The children from before stay in the log too: if anything is done with them, from the base
   on, the root invocation cannot be measured.  */
static void begin_root_region_invocation(size_t number, frame_t *frame) {
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

/* Returns whether control is where INVOCATION began, only later: in the same function invocation and the same part of
   it, and with the children from before unchanged, if there were any.  */
static int is_where_root_region_began(const struct root_invocation *invocation, const frame_t *frame,
                                      uint64_t local_work) {
  const frame_t *before = &invocation->before;
  return frame == invocation->frame && frame->key == before->key && frame->block == before->block &&
         local_work >= before->local_work && frame->work >= before->work &&
         (!frame->block || frame->grains == before->grains) && (before->spawned ? frame->spawned == SPAWNED_BEFORE : 1);
}

/* Returns the span of FRAME's invocation so far, with its callees.  */
static uint64_t root_region_frame_span_so_far(const frame_t *frame) {
  return frame->span + frame->local_work - frame->off_span;
}

/* Returns the burdened span of FRAME's invocation so far, with its callees.  */
static uint64_t root_region_frame_burdened_span(const frame_t *frame) {
  return frame->burdened_span + frame->local_work - frame->off_burdened_span;
}

/* Returns the values of a root region that lies between BEFORE and NOW, two states of one frame.  */
static struct root_invocation_end root_region_values_between(const frame_t *before, const frame_t *now) {
  uint64_t work = now->local_work - before->local_work, off_span = now->off_span - before->off_span;
  uint64_t off_burdened_span = now->off_burdened_span - before->off_burdened_span;
  return (struct root_invocation_end){
      .counts = 1,
      .top = now->top,
      .total = {1, now->work - before->work + work,
                root_region_frame_span_so_far(now) - root_region_frame_span_so_far(before),
                root_region_frame_burdened_span(now) - root_region_frame_burdened_span(before)},
      .own = {1, work, work - off_span, work - off_burdened_span},
  };
}

/* Returns the state of the part of the function in which INVOCATION began: the frame, or its copy in a block that was
   begun since.  NULL: that part, or that grain of a loop, has ended.  */
static frame_t *state_where_root_region_began(const struct root_invocation *invocation) {
  frame_t *part = (frame_t *)(uintptr_t)invocation->frame;
  while (part && part->block != invocation->before.block)
    part = part->block ? &part->block->outer : NULL;
  return part && part->block && part->grains != invocation->before.grains ? NULL : part;
}

/* Sets FRAME to what it would be without INVOCATION, that of a root region which ends.  */
static void restore_frame_without_root_region(const struct root_invocation *invocation, frame_t *frame) {
  const frame_t *before = &invocation->before;
  entry_t **segment = frame->site & __CILKPROF_CALL_SPAWN ? &frame->outer_segment : &frame->segment;
  if (*segment == invocation->start)
    *segment = before->segment;
  frame->base = before->base;
  if (frame->spawned == SPAWNED_BEFORE)
    frame->spawned = before->spawned;
}

/* Ends the innermost root invocation, that of a region which can be measured, in FRAME.  LOCAL_WORK is what FRAME's
   function did itself so far.  */
static void end_root_region_invocation(frame_t *frame, uint64_t local_work) {
  struct root_invocation *invocation = innermost_invocation_of_root_region();
  frame_t now = *frame;
  now.local_work = local_work;
  uint64_t syncs = THREAD.syncs;
  if (frame->spawned && !invocation->before.spawned) {
    __cilkprof_p_join(&now, local_work);
    __cilkprof_p_lanes_sync(&now, local_work);
  }
  __cilkprof_lanes_between(&invocation->before, &now);
  struct root_invocation_end end = root_region_values_between(&invocation->before, &now);
  __cilkprof_root_invocation_ends(&end);
  THREAD.syncs = syncs;
  restore_frame_without_root_region(invocation, frame);
  frame->merge = frame->top;
}

/* Ends the innermost root invocation, that of the region with LABEL, which cannot be measured, and reports this once
   for each root.  */
static void drop_root_region_invocation(const char *label) {
  struct root_table *roots = profiled_thread()->roots;
  struct root *root = &roots->roots[innermost_invocation_of_root_region()->tree - 1];
  if (!(root->kind & CILKPROF_ROOT_PARTIAL))
    __cilkprof_say(label, "the region could not be measured as a root every time",
                   "it must stop in the function where it started, and not sync children spawned before");
  root->kind |= CILKPROF_ROOT_PARTIAL;
  if (state_where_root_region_began(innermost_invocation_of_root_region()))
    restore_frame_without_root_region(innermost_invocation_of_root_region(),
                                      state_where_root_region_began(innermost_invocation_of_root_region()));
  __cilkprof_root_invocation_ends(&(struct root_invocation_end){.counts = 0});
}

/* Returns the open invocation of the root with LABEL; NULL: none is open.  Stores the number of the root in NUMBER, or
   the number of roots if there is no such root.  */
static struct root_invocation *find_open_root_region(const char *label, size_t *number) {
  struct root_table *roots = profiled_thread()->roots;
  for (*number = 0; *number < roots->count && strcmp(roots->roots[*number].text, label) != 0;)
    ++*number;
  for (size_t i = roots->depth; i > 0; i--)
    if (roots->invocations[i].tree == *number + 1)
      return &roots->invocations[i];
  return NULL;
}

/* Begins an invocation of the root that is the region with LABEL, if there is such a root.  If one is open already, the
   start is only counted.  */
void __cilkprof_root_region_start(const char *label) {
  size_t number;
  struct root_invocation *open = profiled_thread()->roots ? find_open_root_region(label, &number) : NULL;
  if (open)
    open->nested++;
  else if (profiled_thread()->roots && number < profiled_thread()->roots->count && THREAD.frames != THREAD.frames_end)
    begin_root_region_invocation(number, THREAD.frames);
}

/* Forgets a start inside of another one of the same label, if control jumped out of it: its stop will not come.  */
void __cilkprof_root_region_jumped(const char *label) {
  size_t number;
  struct root_invocation *open = profiled_thread()->roots ? find_open_root_region(label, &number) : NULL;
  if (open && open->nested)
    open->nested--;
}

/* Ends the invocation of the root with LABEL.  Others that began since and did not stop cannot be measured.  */
void __cilkprof_root_region_stop(const char *label) {
  size_t number;
  struct root_invocation *open = profiled_thread()->roots ? find_open_root_region(label, &number) : NULL;
  if (!open || (!open->frame && !open->nested))
    return;
  if (open->nested) {
    open->nested--;
    return;
  }
  while (innermost_invocation_of_root_region() > open && innermost_invocation_of_root_region()->frame)
    drop_root_region_invocation(profiled_thread()->roots->roots[innermost_invocation_of_root_region()->tree - 1].text);
  if (innermost_invocation_of_root_region() != open)
    return; /* it stops inside of a root invocation that it contains */
  if (is_where_root_region_began(open, THREAD.frames, THREAD.frames->local_work))
    end_root_region_invocation(THREAD.frames, THREAD.frames->local_work);
  else
    drop_root_region_invocation(label);
}

/* Ends the root invocations that began in BLOCK of FRAME, which ends or which control leaves for good.  If it ends
   normally, the stop may follow in a caller: then they cannot be measured.  */
void __cilkprof_root_regions_left(const frame_t *frame, const block_t *block, uint64_t local_work) {
  while (profiled_thread()->roots && profiled_thread()->roots->depth &&
         innermost_invocation_of_root_region()->frame == frame &&
         innermost_invocation_of_root_region()->before.block == block) {
    if (profiled_thread()->frames.leaving &&
        is_where_root_region_began(innermost_invocation_of_root_region(), frame, local_work))
      end_root_region_invocation((frame_t *)(uintptr_t)frame, local_work);
    else
      drop_root_region_invocation(
          profiled_thread()->roots->roots[innermost_invocation_of_root_region()->tree - 1].text);
  }
}
