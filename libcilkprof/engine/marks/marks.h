/* What the program says of itself: what the files of this room do for others.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_MARKS_H
#define CILKPROF_MARKS_H

#include "libcilkprof/engine/profiled_thread.h"

/* api.c: where FRAME's function is; it returns, and has named strands or begun regions.  */
extern EXPORT void __cilkprof_here(frame_t *frame, uint64_t local_work);
extern EXPORT void __cilkprof_strands_end(frame_t *frame, uint64_t local_work);
/* Around what a program asks for; the first returns whether it is recorded.  */
HIDDEN int __cilkprof_api_begins(void);
HIDDEN void __cilkprof_api_ends(void);

/* point.c: how far the program is, in FROM, a linked frame that is open.  */
HIDDEN struct cilkprof_point __cilkprof_point(const frame_t *from);
HIDDEN int __cilkprof_same_scope(const struct cilkprof_point *a, const struct cilkprof_point *b);

/* region.c */
HIDDEN void __cilkprof_region_start(const char *label);
HIDDEN void __cilkprof_region_stop(const char *label);
HIDDEN void __cilkprof_region_add(const char *label, uint64_t work, uint64_t span, uint64_t burdened_span);
HIDDEN void __cilkprof_regions_end(int end_here);
HIDDEN void __cilkprof_strand_begin(const char *name);
HIDDEN struct cilkprof_region *__cilkprof_region(const char *label, uint64_t kind); /* NULL: there is no memory */
/* locks.c: locks become regions.  */
HIDDEN void __cilkprof_locks_end(void);
/* root_region.c: the same for roots.  */
HIDDEN void __cilkprof_root_region_start(const char *label);
HIDDEN void __cilkprof_root_region_stop(const char *label);
HIDDEN void __cilkprof_root_region_jumped(const char *label);
HIDDEN void __cilkprof_root_regions_left(const frame_t *frame, const block_t *block, uint64_t local_work);
/* region.c again: all regions, one after the other: NULL begins, and ends.  */
HIDDEN const struct cilkprof_region *__cilkprof_next_region(const struct cilkprof_region *region);

#endif
