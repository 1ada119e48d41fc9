/* Marks: what the program says about itself.  Declares what this folder provides for the others.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_MARKS_H
#define CILKPROF_MARKS_H

#include "libcilkprof/engine/profiled_thread.h"

/* api.c: notes how far FRAME's function is before it calls the engine; and ends the strands that it has named and the
   regions that it has begun, when it returns.  */
extern EXPORT void __cilkprof_here(frame_t *frame, uint64_t local_work);
extern EXPORT void __cilkprof_strands_end(frame_t *frame, uint64_t local_work);
/* Called before and after everything that the program asks of the engine.  The first returns whether this is
   recorded.  */
HIDDEN int __cilkprof_api_begins(void);
HIDDEN int __cilkprof_api_begins_in_counted(void);
HIDDEN void __cilkprof_api_ends(void);

/* point.c: returns the point that the program has reached, as seen in FROM, an open linked frame; and whether two
   points are on one serial path.  */
HIDDEN struct cilkprof_point __cilkprof_point(const frame_t *from);
HIDDEN int __cilkprof_point_same_scope(const struct cilkprof_point *a, const struct cilkprof_point *b);

/* region.c */
HIDDEN void __cilkprof_region_start(const char *label);
HIDDEN void __cilkprof_region_stop(const char *label);
HIDDEN void __cilkprof_region_add(const char *label, uint64_t work, uint64_t span, uint64_t burdened_span);
HIDDEN void __cilkprof_regions_end(int end_here);
HIDDEN void __cilkprof_strand_begin(const char *name);
/* Returns the region with LABEL and KIND, which is made if there is none; NULL: there is no memory.  */
HIDDEN struct cilkprof_region *__cilkprof_region(const char *label, uint64_t kind);
/* locks.c: turns the locks into regions, at the end.  */
HIDDEN void __cilkprof_marked_locks_end(void);
/* lock_places.c: returns whether the program has told which lock it set at some place.  */
HIDDEN int __cilkprof_has_lock_places(void);
/* Returns whether NAME is of a site whose invocations all held one lock, though the compiler did not know
   that; then TEXT, with room for SIZE characters, gets the name of that lock.  */
HIDDEN int __cilkprof_is_one_lock(const char *name, char *text, size_t size);
/* root_region.c: regions that are roots.  */
HIDDEN void __cilkprof_root_region_start(const char *label);
HIDDEN void __cilkprof_root_region_stop(const char *label);
HIDDEN void __cilkprof_root_region_jumped(const char *label);
HIDDEN void __cilkprof_root_regions_left(const frame_t *frame, const block_t *block, uint64_t local_work);
/* region.c: returns the region after REGION, or the first one if that is NULL; NULL: there are no more.  */
HIDDEN const struct cilkprof_region *__cilkprof_next_region(const struct cilkprof_region *region);

#endif
