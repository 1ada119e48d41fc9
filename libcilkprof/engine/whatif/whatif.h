/* What-if questions: where a candidate begins and ends, and the lanes of blocks, tasks and foreign code.
   SPDX-License-Identifier: MIT

   In builds that answer no what-if questions, most of this is empty.  */

#ifndef CILKPROF_WHATIF_H
#define CILKPROF_WHATIF_H

#include "libcilkprof/engine/engine.h"

HIDDEN void __cilkprof_whatif_start(void);

#ifdef __CILKPROF_WHATIF

typedef struct __cilkprof_lanes lanes_t;

HIDDEN void __cilkprof_whatif_call(site_t *site);

HIDDEN void __cilkprof_whatif_returned(site_t *site);

HIDDEN void __cilkprof_whatif_entered(const function_t *function);

HIDDEN void __cilkprof_whatif_taken_back(site_t *site);
HIDDEN void __cilkprof_whatif_set_aside(const site_t *site, int back); /* of a fiber */

HIDDEN void __cilkprof_whatif_root_invocation_begins(uint64_t tree);
HIDDEN void __cilkprof_whatif_root_invocation_ends(uint64_t tree, int counts);

HIDDEN void __cilkprof_whatif_write(struct cilkprof_writer *writer, uint64_t tree, uint64_t work);

HIDDEN lanes_t __cilkprof_lane_units(uint64_t inside);

/* lanes.c */
HIDDEN lanes_t __cilkprof_lanes_plus(lanes_t a, lanes_t b);
HIDDEN lanes_t __cilkprof_lanes_minus(lanes_t a, lanes_t b);

HIDDEN int __cilkprof_lanes_lengthen(lanes_t *path, lanes_t other);

HIDDEN lanes_t __cilkprof_lanes_beyond(lanes_t longest, lanes_t end);

HIDDEN lanes_t __cilkprof_lanes_here(const frame_t *state, uint64_t local_work);

HIDDEN void __cilkprof_lanes_task(frame_t *frame, uint64_t local_work, lanes_t more);
HIDDEN void __cilkprof_lanes_add(frame_t *frame, lanes_t more);

/* Returns the what-if lanes in the return slots: those of the invocation that has just returned.  */
static inline lanes_t slot_lanes(void) {
  return THREAD.lanes;
}

/* Returns, on every what-if lane, the longest path to the end of a child of the frame or block whose state is
   STATE.  */
static inline lanes_t longest_lanes(const frame_t *state) {
  return state->longest_lanes;
}

/* The functions below do on every lane what tasks/block.c, tasks/loop.c, control/ and slots.c do for the real span.  */

HIDDEN void __cilkprof_lanes_block(block_t *block); /* BLOCK begins */
HIDDEN void __cilkprof_lanes_scope(frame_t *frame); /* a cilk_scope begins */
HIDDEN void __cilkprof_lanes_scope_left(frame_t *frame, const frame_t *outer);
HIDDEN void __cilkprof_lanes_grain(frame_t *frame, block_t *block, uint64_t local_work); /* a grain ends */
HIDDEN void __cilkprof_lanes_even_grains(block_t *block); /* all grains of the loop are equally long */
HIDDEN void __cilkprof_lanes_loop(frame_t *frame, const block_t *block, uint64_t work_beside); /* a loop ends */
HIDDEN void __cilkprof_lanes_pending_booked(void);  /* adds the return slots, of its last callee, to foreign code */
HIDDEN void __cilkprof_lanes_foreign(uint64_t own); /* foreign code returns, after OWN work of its own */
HIDDEN void __cilkprof_lanes_cleared(void);         /* makes the invocation that returns cost nothing */

HIDDEN void __cilkprof_lanes_between(const frame_t *before, const frame_t *now);

#else

#define __cilkprof_whatif_call(site)                         ((void)0)
#define __cilkprof_whatif_returned(site)                     ((void)0)
#define __cilkprof_whatif_entered(function)                  ((void)0)
#define __cilkprof_whatif_taken_back(site)                   ((void)0)
#define __cilkprof_whatif_set_aside(site, back)              ((void)0)
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

/* Returns A: in builds that answer no what-if questions, lanes are empty.  */
static inline lanes_t __cilkprof_lanes_plus(lanes_t a, lanes_t b) {
  (void)b;
  return a;
}
/* Returns 0: in builds that answer no what-if questions, lanes are empty, and none is longer than another.  */
static inline int __cilkprof_lanes_lengthen(lanes_t *path, lanes_t other) {
  (void)path, (void)other;
  return 0;
}
/* Returns empty lanes, as builds that answer no what-if questions have no others.  */
static inline lanes_t __cilkprof_lanes_here(const frame_t *state, uint64_t local_work) {
  (void)state, (void)local_work;
  return (lanes_t){};
}

/* Returns empty lanes, as builds that answer no what-if questions have no others.  */
static inline lanes_t slot_lanes(void) {
  return (lanes_t){};
}

/* Returns empty lanes, as builds that answer no what-if questions have no others.  */
static inline lanes_t longest_lanes(const frame_t *state) {
  (void)state;
  return (lanes_t){};
}
#define __cilkprof_lanes_minus(a, b)                         __cilkprof_lanes_plus(a, b)
#define __cilkprof_lanes_beyond(longest, end)                __cilkprof_lanes_plus(longest, end)
#define __cilkprof_lanes_task(frame, local_work, more)       ((void)(more))
#define __cilkprof_lanes_add(frame, more)                    ((void)(more))

#endif
#endif
