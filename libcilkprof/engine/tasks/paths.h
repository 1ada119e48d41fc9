/* Paths to the ends of tasks that are kept until a block ends.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_PATHS_H
#define CILKPROF_PATHS_H

#include "libcilkprof/engine/tasks/task.h"

/* A path from the beginning of a block, with what is on it, summed by site.  Of what was open where it was noted it has
   no more than local spans; those that are kept are in a list, the last first.  */
struct path {
  uint64_t span, burdened_span;
  lanes_t lanes;
  uint64_t root_invocation,
      burdened_root_invocation; /* of a root, in which its end was: of SPAN, and of BURDENED_SPAN */
  size_t count, room;
  entry_t *entries;
  struct path *before, *behind;
  const frame_t *frame; /* the innermost that is open and that it ends in; NULL: it is in no list */
  const block_t *block;
};

/* How a task uses what it depends on: those that only read it do not wait for each other, nor do those of a
   mutexinoutset, whose order is open.  */
enum use { READ, EXCLUDE, WRITE, USES, DEEP = READ };

/* The longest paths to the end of tasks that used an address.  No address: to the end of those that a task made which
   has itself ended; DEEP.  */
struct access {
  uint64_t region; /* 0: this is free */
  const void *address;
  struct path paths[USES];
};
HIDDEN struct access *__cilkprof_access(uint64_t *region, const void *address); /* NULL: there is no memory */
HIDDEN const struct path *__cilkprof_deep(const uint64_t *region);              /* NULL: there are no such tasks */

/* Whether there is memory for any; some are for one event.  */
HIDDEN int __cilkprof_keeps_paths(void);
enum { SCRATCH_PATHS = 3 };
HIDDEN struct path *__cilkprof_scratch(int which);

/* PATH becomes what is being summed up (span.h); KNOWN as long as PATH, if that is longer: returns whether it is.  */
HIDDEN void __cilkprof_set_entries(struct path *path, struct cilkprof_sum sum);
HIDDEN int __cilkprof_lengthen(struct path *known, const struct path *path);
/* The same of one that is kept: it ends in FRAME.  */
HIDDEN void __cilkprof_keep_path(struct path *known, const struct path *path, frame_t *frame);

/* The path to here, from the beginning of what has the region that is returned: of the task, or of a taskgroup in it if
   TO_GROUP.  NULL: the task is none of OpenMP's.  */
HIDDEN uint64_t *__cilkprof_path_here(frame_t *frame, uint64_t local_work, int to_group, struct path *path);
HIDDEN uint64_t *__cilkprof_length_here(frame_t *frame, uint64_t local_work, int to_group, struct path *length);

/* What is found there of a task's end is known to the same, TO_GROUP: no root invocation that it is outside of can be
   measured.  */
HIDDEN void __cilkprof_reach_holder(frame_t *frame);

/* depend.c: the path to the end of the task that BLOCK was, of which the log has entries up to TOP; and in the next
   scratch the one to its beginning.  NULL: there is no region in which it could depend on others.  */
HIDDEN const struct path *__cilkprof_path_of_dependent(frame_t *frame, const block_t *block, const entry_t *top);

/* By how much one path goes on behind another.  */
static inline uint64_t beyond(uint64_t longest, uint64_t end) {
  return longest > end ? longest - end : 0;
}

HIDDEN void __cilkprof_sum_path(const struct path *path, uint64_t sign);
HIDDEN struct cilkprof_sum __cilkprof_difference(const struct path *path, const struct path *here);
/* PATH becomes a child's of FRAME.  */
HIDDEN void __cilkprof_join_path(frame_t *frame, uint64_t local_work, const struct path *path, const struct path *here);

#endif
