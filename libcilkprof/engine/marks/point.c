/* How far the program is: work, span and burdened span up to the current point.
   SPDX-License-Identifier: MIT

   These values are sums over the open invocations.  The difference of two points is what lies between them, if both are
   on one serial path: in the same spawned child, the same grain of a cilk_for and the same call from code without
   instrumentation.  The innermost open one of these is the scope of the point.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/marks/marks.h"

struct walk {
  struct cilkprof_point sum; /* of the frames and blocks inside */
  uint64_t inside;           /* of SUM.work, what is inside of the scope */
};

/* Adds the values of FRAME to SUM, the point that is being computed.  LOCAL_WORK is what its function did itself.  */
static void add_frame_to_point(struct cilkprof_point *sum, const frame_t *frame, uint64_t local_work) {
  sum->work += (frame->work & ~__CILKPROF_WORK_FLAGS) + local_work;
  sum->span += frame->span + local_work - frame->off_span;
  sum->burdened_span += frame->burdened_span + local_work - frame->off_burdened_span;
}

/* Notes that SCOPE, in the loop's grain GRAIN, is the scope of the point, if none inside of it was found.  */
static void note_point_scope(struct walk *walk, const void *scope, uint64_t grain) {
  if (walk->sum.scope)
    return;
  walk->sum.scope = scope;
  walk->sum.grain = grain;
  walk->inside = walk->sum.work;
}

/* Adds the values around the open blocks of FRAME to the point.  A cilk_scope is part of its function; other blocks are
   measured by themselves.  */
static void add_blocks_to_point(struct walk *walk, const frame_t *frame) {
  for (const block_t *block; (block = frame->block); frame = &block->outer)
    if (block->kind != __CILKPROF_BLOCK_SCOPE) {
      note_point_scope(walk, block, frame->grains);
      add_frame_to_point(&walk->sum, &block->outer, block->outer_work);
    }
}

/* Adds the values of FOREIGN, foreign code that a frame has called, to the point.  */
static void add_foreign_to_point(struct walk *walk, const struct __cilkprof_foreign *foreign) {
  walk->sum.work += foreign->work + foreign->local_work;
  walk->sum.span += foreign->span + foreign->local_work;
  walk->sum.burdened_span += foreign->burdened_span + foreign->local_work;
}

/* Returns the work, span and burdened span from the start of the program to the current point, as seen in FROM, an open
   linked frame: frames inside of it are left out.  */
struct cilkprof_point __cilkprof_point(const frame_t *from) {
  struct walk walk = {0};
  const struct __cilkprof_foreign *foreign = &THREAD.foreign;
  for (const frame_t *frame = THREAD.frames; frame >= first_frame(); frame--) {
    if (frame < from && frame->site & __CILKPROF_CALL_FOREIGN) {
      add_foreign_to_point(&walk, foreign);
      if (!foreign->instrumented)
        note_point_scope(&walk, foreign, 0);
    }
    if (frame->site & __CILKPROF_CALL_FOREIGN)
      foreign = &frame->outer;
    if (frame > from)
      continue;
    if (frame < from && frame->site & __CILKPROF_CALL_SPAWN)
      note_point_scope(&walk, frame, 0);
    add_frame_to_point(&walk.sum, frame, frame->local_work);
    add_blocks_to_point(&walk, frame);
  }
  walk.sum.work += foreign->work;
  walk.sum.span += foreign->span;
  walk.sum.burdened_span += foreign->burdened_span;
  walk.sum.before = walk.sum.scope ? walk.sum.work - walk.inside : 0;
  return walk.sum;
}

/* Returns whether the points A and B are on one serial path, so that their difference is what lies between them.  */
int __cilkprof_point_same_scope(const struct cilkprof_point *a, const struct cilkprof_point *b) {
  return a->scope == b->scope && a->grain == b->grain && a->before == b->before;
}
