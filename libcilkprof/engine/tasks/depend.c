/* Tasks that depend on each other.
   SPDX-License-Identifier: MIT

   Such tasks are children of one task, whichever functions made them.  In a serial run, in which tasks run in the order
   in which they are made, a task ends before any that depends on it begins.  So the longest path to its end is known by
   then.  It begins where the region does: at the block of the parent task, or at the part of a loop or parallel region
   that one thread runs.  */

#include "libcilkprof/engine/tasks/paths.h"
#include "libcilkprof/engine/span/site.h"

/* Dependences as libgomp gets them, in one of two forms.  Either the number of addresses, how many of them are written,
   and the addresses; or 0, the number of all, of those that are written, that exclude each other and that are read, the
   addresses, and then objects of type omp_depend_t.  FIRST is the index of the first address; ENDS are the ends of the
   three kinds.  */
struct list {
  void *const *words;
  uint64_t count, first, ends[3];
};

/* Returns the list of an OpenMP task's dependences in DEPEND, which has the form in which libgomp gets them.  */
static struct list parse_task_depend_list(const void *depend) {
  void *const *words = depend;
  if (words[0]) {
    uint64_t count = (uint64_t)words[0], writes = (uint64_t)words[1];
    return (struct list){words, count, 2, {writes, writes, count}};
  }
  uint64_t writes = (uint64_t)words[2], excludes = writes + (uint64_t)words[3];
  return (struct list){words, (uint64_t)words[1], 5, {writes, excludes, excludes + (uint64_t)words[4]}};
}

/* Returns how a task uses the address with index I of LIST, its dependences, and stores that address in *ADDRESS.  */
static enum use task_use_of_address(const struct list *list, uint64_t i, const void **address) {
  enum { DEPEND_IN = 1, DEPEND_MUTEXINOUTSET = 4 };
  void *const *word = &list->words[list->first + i];
  *address = *word;
  if (i < list->ends[2])
    return i < list->ends[0] ? WRITE : i < list->ends[1] ? EXCLUDE : READ;
  void *const *object = *word;
  *address = object[0];
  return object[1] == (void *)DEPEND_IN ? READ : object[1] == (void *)DEPEND_MUTEXINOUTSET ? EXCLUDE : WRITE;
}

/* Copies the addresses in DEPEND, the dependences of a task as libgomp gets them, to ADDRESSES, which has room for ROOM
   of them.  Returns how many there are, which may be more.  */
uint64_t __cilkprof_task_depend_addresses(const void *depend, const void **addresses, uint64_t room) {
  struct list list = parse_task_depend_list(depend);
  for (uint64_t i = 0; i < list.count && i < room; i++)
    task_use_of_address(&list, i, &addresses[i]);
  return list.count;
}

/* The latest ends of the tasks that a task depends on: in the span, in the burdened span, and on every lane.  */
struct latest {
  const struct path *path, *burdened;
  lanes_t lanes;
};

/* Makes LATEST, the latest end of the tasks that a task depends on, as late as the end of PATH.  */
static void update_latest_task_end(struct latest *latest, const struct path *path) {
  if (path->span > (latest->path ? latest->path->span : 0))
    latest->path = path;
  if (path->burdened_span > (latest->burdened ? latest->burdened->burdened_span : 0))
    latest->burdened = path;
  __cilkprof_lanes_lengthen(&latest->lanes, path->lanes);
}

/* Returns the latest ends of the tasks in REGION that a task with the dependences LIST has to wait for.  Its members
   are NULL if there are none.  */
static struct latest find_latest_task_ends(uint64_t *region, const struct list *list) {
  struct latest latest = {NULL};
  for (uint64_t i = 0; i < list->count; i++) {
    const void *address;
    enum use use = task_use_of_address(list, i, &address);
    const struct access *access = __cilkprof_task_access(region, address);
    for (int other = READ; access && other < USES; other++)
      if (other != (int)use || use == WRITE)
        update_latest_task_end(&latest, &access->paths[other]);
  }
  return latest;
}

/* Keeps PATH, which leads to the end of a task in FRAME with the dependences LIST, in REGION, for the tasks that will
   depend on it.  */
static void keep_dependent_task_end(uint64_t *region, const struct list *list, const struct path *path,
                                    frame_t *frame) {
  for (uint64_t i = 0; i < list->count; i++) {
    const void *address;
    enum use use = task_use_of_address(list, i, &address);
    struct access *access = __cilkprof_task_access(region, address);
    if (access)
      __cilkprof_keep_task_path(&access->paths[use], path, frame);
  }
}

/* Returns the larger of A and B, the lengths of two paths to the ends of tasks.  */
static uint64_t longer_task_path(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

/* Returns the path to the end of the task with dependences that BLOCK of FRAME was, and keeps it for tasks that depend
   on this one.  The task begins when the last one that it depends on has ended.  The task's entries in the log end at
   TOP.  The next scratch path is set to the path to where the task was made.  NULL means that there is no region in
   which it could depend on others.  */
const struct path *__cilkprof_path_of_dependent_task(frame_t *frame, const block_t *block, const entry_t *top) {
  struct path *path = __cilkprof_scratch_task_path(0), *prefix = __cilkprof_scratch_task_path(1);
  uint64_t *region = __cilkprof_task_path_here(frame, block->outer_work, 0, prefix);
  if (!region)
    return NULL;
  struct list list = parse_task_depend_list(block->depend);
  struct latest latest = find_latest_task_ends(region, &list);
  const struct path *before = latest.path && latest.path->span > prefix->span ? latest.path : prefix;
  if (before != prefix)
    __cilkprof_root_invocations_wait_for(before->root_invocation);
  uint64_t burdened_prefix = prefix->burdened_span + THREAD.burden;
  if (latest.burdened && latest.burdened->burdened_span > burdened_prefix)
    __cilkprof_root_invocations_wait_for(latest.burdened->burdened_root_invocation);
  __cilkprof_sum_begin();
  __cilkprof_sum_task_path(before, 1);
  __cilkprof_sum_add(frame->segment, top, 1);
  path->span = before->span + THREAD.span;
  path->burdened_span =
      longer_task_path(latest.burdened ? latest.burdened->burdened_span : 0, burdened_prefix) + THREAD.burdened_span;
  __cilkprof_lanes_lengthen(&latest.lanes, prefix->lanes);
  path->lanes = __cilkprof_lanes_plus(latest.lanes, slot_lanes());
  path->root_invocation = path->burdened_root_invocation = __cilkprof_root_invocation();
  __cilkprof_set_task_path_entries(path, __cilkprof_sum_end());
  keep_dependent_task_end(region, &list, path, frame);
  return path;
}

/* Waits in FRAME for the tasks on which a task with the dependences DEPEND would depend: opens a scope in which these
   tasks are the only children, and ends it, which joins them.  */
void __cilkprof_wait_for_task_depend(frame_t *frame, uint64_t local_work, const void *depend) {
  if (!__cilkprof_keeps_task_paths())
    return;
  struct path *path = __cilkprof_scratch_task_path(0), *here = __cilkprof_scratch_task_path(1);
  uint64_t *region = __cilkprof_task_path_here(frame, local_work, 0, here);
  if (!region)
    return;
  struct list list = parse_task_depend_list(depend);
  struct latest latest = find_latest_task_ends(region, &list);
  const block_t *outer = frame->block;
  if (!latest.path)
    return;
  path->span = path->burdened_span = 0;
  __cilkprof_lengthen_task_path(path, latest.path);
  path->burdened_span = longer_task_path(path->burdened_span, latest.burdened->burdened_span);
  path->burdened_root_invocation = latest.burdened->burdened_root_invocation;
  path->lanes = latest.lanes;
  set_profile_flags(CILKPROF_TASKS);
  __cilkprof_block_begin(frame, local_work, NULL, __CILKPROF_BLOCK_SCOPE | __CILKPROF_BLOCK_OPEN);
  if (frame->block == outer)
    return; /* the scope is untracked */
  __cilkprof_join_task_path(frame, local_work, path, here);
  __cilkprof_block_end(frame, local_work);
}
