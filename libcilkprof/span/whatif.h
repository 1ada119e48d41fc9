/* What-if in the engine: where a candidate begins and ends, and the lanes of blocks and of foreign code.
   SPDX-License-Identifier: MIT

   In builds that answer no such questions most of this is empty.  */

#ifndef CILKPROF_WHATIF_H
#define CILKPROF_WHATIF_H

#include "libcilkprof/engine.h"

/* whatif.c */
HIDDEN void __cilkprof_whatif_start(void);

#ifdef __CILKPROF_WHATIF

/* A top-call-site invocation of SITE begins, and ends: its totals are in the return slots.  */
HIDDEN void __cilkprof_whatif_call(site_t *site);
HIDDEN void __cilkprof_whatif_returned(site_t *site);
/* What an indirect call called shows that it is FUNCTION.  */
HIDDEN void __cilkprof_whatif_entered(const function_t *function);
HIDDEN void __cilkprof_whatif_taken_back(site_t *site); /* it is as if the former had not happened */
/* A passage of a root (root.h) begins, and ends; COUNTS: it could be measured.  */
HIDDEN void __cilkprof_whatif_passage_begins(uint64_t tree);
HIDDEN void __cilkprof_whatif_passage_ends(uint64_t tree, int counts);
/* Those of TREE, which has that work.  */
HIDDEN void __cilkprof_whatif_write(struct cilkprof_writer *writer, uint64_t tree, uint64_t work);

/* lanes.c: what the real span does in block.c and foreign.c, on every lane.  */
HIDDEN void __cilkprof_lanes_block(block_t *block);
HIDDEN void __cilkprof_lanes_scope(frame_t *frame);
HIDDEN void __cilkprof_lanes_scope_left(frame_t *frame, const frame_t *outer);
HIDDEN void __cilkprof_lanes_grain(frame_t *frame, block_t *block, uint64_t local_work);
HIDDEN void __cilkprof_lanes_even_grains(block_t *block);
HIDDEN void __cilkprof_lanes_loop(frame_t *frame, const block_t *block, uint64_t work_beside);
HIDDEN void __cilkprof_lanes_settled(void);
HIDDEN void __cilkprof_lanes_foreign(uint64_t own);
HIDDEN void __cilkprof_lanes_cleared(void);
/* What lies between two moments of a frame, on every lane, is in the return slots.  */
HIDDEN void __cilkprof_lanes_between(const frame_t *before, const frame_t *now);

#else

#define __cilkprof_whatif_call(site)                     ((void)0)
#define __cilkprof_whatif_returned(site)                 ((void)0)
#define __cilkprof_whatif_entered(function)              ((void)0)
#define __cilkprof_whatif_taken_back(site)               ((void)0)
#define __cilkprof_whatif_passage_begins(tree)           ((void)0)
#define __cilkprof_whatif_passage_ends(tree, counts)     ((void)0)
#define __cilkprof_whatif_write(writer, tree, work)      ((void)0)
#define __cilkprof_lanes_block(block)                    ((void)0)
#define __cilkprof_lanes_scope(frame)                    ((void)0)
#define __cilkprof_lanes_scope_left(frame, outer)        ((void)0)
#define __cilkprof_lanes_grain(frame, block, local_work) ((void)0)
#define __cilkprof_lanes_even_grains(block)              ((void)0)
#define __cilkprof_lanes_loop(frame, block, work_beside) ((void)0)
#define __cilkprof_lanes_settled()                       ((void)0)
#define __cilkprof_lanes_foreign(own)                    ((void)0)
#define __cilkprof_lanes_cleared()                       ((void)0)
#define __cilkprof_lanes_between(before, now)            ((void)0)

#endif
#endif
