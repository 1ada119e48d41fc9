/* What-if in the engine: where a candidate begins and ends, and the lanes of blocks and of foreign code.
   SPDX-License-Identifier: MIT

   In builds that answer no such questions most of this is empty.  */

#ifndef CILKPROF_WHATIF_H
#define CILKPROF_WHATIF_H

#include "libcilkprof/engine/engine.h"

/* whatif.c */
HIDDEN void __cilkprof_whatif_start(void);

#ifdef __CILKPROF_WHATIF

typedef struct __cilkprof_lanes lanes_t;

/* A top-call-site invocation of SITE begins, and ends: its totals are in the return slots.  */
HIDDEN void __cilkprof_whatif_call(site_t *site);
HIDDEN void __cilkprof_whatif_returned(site_t *site);
/* What an indirect call called shows that it is FUNCTION.  */
HIDDEN void __cilkprof_whatif_entered(const function_t *function);
HIDDEN void __cilkprof_whatif_taken_back(site_t *site); /* it is as if the former had not happened */
/* A root invocation (root.h) begins, and ends; COUNTS: it could be measured.  */
HIDDEN void __cilkprof_whatif_root_invocation_begins(uint64_t tree);
HIDDEN void __cilkprof_whatif_root_invocation_ends(uint64_t tree, int counts);
/* Those of TREE, which has that work.  */
HIDDEN void __cilkprof_whatif_write(struct cilkprof_writer *writer, uint64_t tree, uint64_t work);

/* What a unit of work costs on every lane, inside of these candidates.  */
HIDDEN lanes_t __cilkprof_lane_units(uint64_t inside);

/* lanes.c: paths of tasks, on every lane.  The longer of two, and whether the one became longer; by how much LONGEST
   goes on behind END, nothing if it does not; the path to here, from the beginning of what STATE is the state of; and
   one of FRAME's children ends so much later than here.  */
HIDDEN lanes_t __cilkprof_lanes_plus(lanes_t a, lanes_t b);
HIDDEN lanes_t __cilkprof_lanes_minus(lanes_t a, lanes_t b);
HIDDEN int __cilkprof_lanes_lengthen(lanes_t *path, lanes_t other);
HIDDEN lanes_t __cilkprof_lanes_beyond(lanes_t longest, lanes_t end);
HIDDEN lanes_t __cilkprof_lanes_here(const frame_t *state, uint64_t local_work);
HIDDEN void __cilkprof_lanes_task(frame_t *frame, uint64_t local_work, lanes_t more);

static inline lanes_t slot_lanes(void) { /* of what returned */
  return THREAD.lanes;
}
static inline lanes_t longest_lanes(const frame_t *state) {
  return state->longest_lanes;
}

/* What the real span does in block.c and foreign.c, on every lane.  */
HIDDEN void __cilkprof_lanes_block(block_t *block);
HIDDEN void __cilkprof_lanes_scope(frame_t *frame);
HIDDEN void __cilkprof_lanes_scope_left(frame_t *frame, const frame_t *outer);
HIDDEN void __cilkprof_lanes_grain(frame_t *frame, block_t *block, uint64_t local_work);
HIDDEN void __cilkprof_lanes_even_grains(block_t *block);
HIDDEN void __cilkprof_lanes_loop(frame_t *frame, const block_t *block, uint64_t work_beside);
HIDDEN void __cilkprof_lanes_pending_booked(void);
HIDDEN void __cilkprof_lanes_foreign(uint64_t own);
HIDDEN void __cilkprof_lanes_cleared(void);
/* What lies between two moments of a frame, on every lane, is in the return slots.  */
HIDDEN void __cilkprof_lanes_between(const frame_t *before, const frame_t *now);

#else

#define __cilkprof_whatif_call(site)                         ((void)0)
#define __cilkprof_whatif_returned(site)                     ((void)0)
#define __cilkprof_whatif_entered(function)                  ((void)0)
#define __cilkprof_whatif_taken_back(site)                   ((void)0)
#define __cilkprof_whatif_root_invocation_begins(tree)       ((void)0)
#define __cilkprof_whatif_root_invocation_ends(tree, counts) ((void)0)
#define __cilkprof_whatif_write(writer, tree, work)          ((void)0)
#define __cilkprof_lanes_block(block)                        ((void)0)
#define __cilkprof_lanes_scope(frame)                        ((void)0)
#define __cilkprof_lanes_scope_left(frame, outer)            ((void)0)
#define __cilkprof_lanes_grain(frame, block, local_work)     ((void)0)
#define __cilkprof_lanes_even_grains(block)                  ((void)0)
#define __cilkprof_lanes_loop(frame, block, work_beside)     ((void)0)
#define __cilkprof_lanes_pending_booked()                    ((void)0)
#define __cilkprof_lanes_foreign(own)                        ((void)0)
#define __cilkprof_lanes_cleared()                           ((void)0)
#define __cilkprof_lanes_between(before, now)                ((void)0)

typedef struct {
} lanes_t;

static inline lanes_t __cilkprof_lanes_plus(lanes_t a, lanes_t b) {
  (void)b;
  return a;
}
static inline int __cilkprof_lanes_lengthen(lanes_t *path, lanes_t other) {
  (void)path, (void)other;
  return 0;
}
static inline lanes_t __cilkprof_lanes_here(const frame_t *state, uint64_t local_work) {
  (void)state, (void)local_work;
  return (lanes_t){};
}
static inline lanes_t slot_lanes(void) {
  return (lanes_t){};
}
static inline lanes_t longest_lanes(const frame_t *state) {
  (void)state;
  return (lanes_t){};
}
#define __cilkprof_lanes_minus(a, b)                         __cilkprof_lanes_plus(a, b)
#define __cilkprof_lanes_beyond(longest, end)                __cilkprof_lanes_plus(longest, end)
#define __cilkprof_lanes_task(frame, local_work, more)       ((void)(more))

#endif
#endif
