/* How far the program is: the work, the span and the burdened span up to where control is now.
   SPDX-License-Identifier: MIT

   They are sums over the open invocations.  Differences of two points are what lies between them, if both are on one
   serial path: in the same spawned child, the same grain of a cilk_for and the same call from code without
   instrumentation.  The innermost of these that is open is the point's scope.  */

#include "libcilkprof/engine/control/control.h"
#include "libcilkprof/engine/marks/marks.h"

struct walk {
  struct cilkprof_point sum; /* of what is inside */
  uint64_t inside;           /* the work inside the scope */
};

static void add(struct cilkprof_point *sum, const frame_t *frame, uint64_t local_work) {
  sum->work += frame->work + local_work;
  sum->span += frame->span + local_work - frame->off_span;
  sum->burdened_span += frame->burdened_span + local_work - frame->off_burdened_span;
}

static void leave_scope(struct walk *walk, const void *scope, uint64_t grain) {
  if (walk->sum.scope)
    return;
  walk->sum.scope = scope;
  walk->sum.grain = grain;
  walk->inside = walk->sum.work;
}

/* A cilk_scope is part of its function; the others are measured apart.  */
static void add_blocks(struct walk *walk, const frame_t *frame) {
  for (const block_t *block; (block = frame->block); frame = &block->outer)
    if (block->kind != __CILKPROF_BLOCK_SCOPE) {
      leave_scope(walk, block, frame->grains);
      add(&walk->sum, &block->outer, block->outer_work);
    }
}

static void add_foreign(struct walk *walk, const struct __cilkprof_foreign *foreign) {
  walk->sum.work += foreign->work + foreign->local_work;
  walk->sum.span += foreign->span + foreign->local_work;
  walk->sum.burdened_span += foreign->burdened_span + foreign->local_work;
}

struct cilkprof_point __cilkprof_point(const frame_t *from) {
  struct walk walk = {0};
  const struct __cilkprof_foreign *foreign = &THREAD.foreign;
  for (const frame_t *frame = THREAD.frames; frame >= first_frame(); frame--) {
    if (frame < from && frame->site & __CILKPROF_CALL_FOREIGN) {
      add_foreign(&walk, foreign);
      if (!foreign->instrumented)
        leave_scope(&walk, foreign, 0);
    }
    if (frame->site & __CILKPROF_CALL_FOREIGN)
      foreign = &frame->outer;
    if (frame > from)
      continue;
    if (frame < from && frame->site & __CILKPROF_CALL_SPAWN)
      leave_scope(&walk, frame, 0);
    add(&walk.sum, frame, frame->local_work);
    add_blocks(&walk, frame);
  }
  walk.sum.work += foreign->work;
  walk.sum.span += foreign->span;
  walk.sum.burdened_span += foreign->burdened_span;
  walk.sum.before = walk.sum.scope ? walk.sum.work - walk.inside : 0;
  return walk.sum;
}

int __cilkprof_same_scope(const struct cilkprof_point *a, const struct cilkprof_point *b) {
  return a->scope == b->scope && a->grain == b->grain && a->before == b->before;
}
