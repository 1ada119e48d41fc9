/* Paths to the ends of tasks, which are kept until a block ends.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_PATHS_H
#define CILKPROF_PATHS_H

#include "libcilkprof/engine/tasks/task.h"

/* A path from the beginning of a block, with its entries, summed by site.  An invocation that was open when the path
   was noted has only its local span in it.  The paths that are kept are in a list, the last one first.  */
struct path {
  uint64_t span, burdened_span;
  lanes_t lanes;
  /* The root invocations in which the path of SPAN, and that of BURDENED_SPAN, ends.  */
  uint64_t root_invocation, burdened_root_invocation;
  size_t count, room;
  entry_t *entries;
  struct path *before, *behind;
  const frame_t *frame; /* the innermost open frame in which it ends; NULL: it is in no list */
  const block_t *block;
};

/* How a task uses an address that it depends on.  Tasks that only read it do not wait for each other, nor do those of a
   mutexinoutset, whose order is open.  DEEP is for accesses without an address.  */
enum use { READ, EXCLUDE, WRITE, USES, DEEP = READ };

/* The longest paths to the ends of tasks that used an address.  If ADDRESS is NULL, the path DEEP is the longest to the
   end of a task that was made by a task which has itself ended.  */
struct access {
  uint64_t region; /* 0: the slot is free */
  const void *address;
  struct path paths[USES];
};
HIDDEN struct access *__cilkprof_task_access(uint64_t *region, const void *address);
HIDDEN const struct path *__cilkprof_deep_task_path(const uint64_t *region);

HIDDEN int __cilkprof_keeps_task_paths(void);
enum { SCRATCH_PATHS = 3 };
HIDDEN struct path *__cilkprof_scratch_task_path(int which);

HIDDEN void __cilkprof_set_task_path_entries(struct path *path, struct cilkprof_sum sum);
HIDDEN int __cilkprof_lengthen_task_path(struct path *known, const struct path *path);
HIDDEN void __cilkprof_keep_task_path(struct path *known, const struct path *path, frame_t *frame);

HIDDEN uint64_t *__cilkprof_task_path_here(frame_t *frame, uint64_t local_work, int to_group, struct path *path);
HIDDEN uint64_t *__cilkprof_task_path_length_here(frame_t *frame, uint64_t local_work, int to_group,
                                                  struct path *length);

HIDDEN void __cilkprof_reach_task_holder(frame_t *frame);

/* depend.c */
HIDDEN const struct path *__cilkprof_path_of_dependent_task(frame_t *frame, const block_t *block, const entry_t *top);

/* Returns by how much the path to the end of a task, of length LONGEST, outlasts the path of length END; 0 if it does
   not.  */
static inline uint64_t task_path_beyond(uint64_t longest, uint64_t end) {
  return longest > end ? longest - end : 0;
}

HIDDEN void __cilkprof_sum_task_path(const struct path *path, uint64_t sign);
HIDDEN struct cilkprof_sum __cilkprof_task_path_difference(const struct path *path, const struct path *here);
HIDDEN void __cilkprof_join_task_path(frame_t *frame, uint64_t local_work, const struct path *path,
                                      const struct path *here);

#endif
