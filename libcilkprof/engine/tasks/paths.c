/* Paths to the ends of tasks, from the beginning of a block.
   SPDX-License-Identifier: MIT

   The log has the path to the end of a child only while the function that made it is known.  Two kinds of tasks are
   needed for longer: those on which later tasks depend, and those of a task that has ended and did not wait for them.
   So the paths to their ends are kept apart from the log, by the block that they are in and the address that they use,
   until that block ends.  */

#include <string.h>

#include "libcilkprof/engine/tasks/paths.h"
#include "libcilkprof/engine/roots/root.h"
#include "libcilkprof/engine/memory.h"

/* A test builds the engine with a small table, which grows often.  */
#ifndef CILKPROF_FIRST_ACCESSES
#define CILKPROF_FIRST_ACCESSES 1024
#endif

/* Everything that is kept: a table of accesses, an arena for the entries of their paths, and the list of paths.  */
struct accesses {
  struct access *table;
  size_t size, used;
  uint64_t regions, open; /* numbers that were given to blocks, and how many of these blocks are open */
  char *arena, *arena_next, *arena_end;
  struct path *last; /* the path that was kept last */
  struct path scratch[SCRATCH_PATHS];
};

/* Returns all paths to the ends of tasks that this thread keeps, by region and address; NULL if there is no memory.  */
static struct accesses *task_accesses(void) {
  struct profiled_tasks *tasks = &profiled_thread()->tasks;
  if (!tasks->accesses)
    tasks->accesses = __cilkprof_allocate(sizeof *tasks->accesses);
  return tasks->accesses;
}

/* Returns whether paths to the ends of tasks can be kept: the thread is recorded, and there is memory.  */
int __cilkprof_keeps_task_paths(void) {
  return THREAD.recording && task_accesses();
}

/* Returns one of the SCRATCH_PATHS paths that are for use within one event: the one with index WHICH.
   __cilkprof_keeps_task_paths must have returned 1.  */
struct path *__cilkprof_scratch_task_path(int which) {
  return &task_accesses()->scratch[which];
}

/* Returns BYTES of memory for the entries of a path from the arena of ALL; NULL if there is none.  A full arena is
   replaced by one that is at least twice as large, so the one that is used again later is as large as all earlier ones
   together.  */
static void *allocate_task_path_memory(struct accesses *all, size_t bytes) {
  enum { ARENA = 1 << 20 };
  if ((size_t)(all->arena_end - all->arena_next) < bytes) {
    size_t size = ARENA + bytes + 2 * (size_t)(all->arena_end - all->arena);
    char *memory = __cilkprof_reserve(size);
    if (!memory)
      return NULL;
    all->arena = all->arena_next = memory;
    all->arena_end = memory + size;
  }
  all->arena_next += bytes;
  return all->arena_next - bytes;
}

/* Makes a copy of SUM (span.h) the entries of PATH, a path to the end of a task.  If there is no memory for it, the
   profile will have no on-span values.  */
void __cilkprof_set_task_path_entries(struct path *path, struct cilkprof_sum sum) {
  if (sum.count > path->room) {
    path->entries = allocate_task_path_memory(task_accesses(), 2 * sum.count * sizeof(entry_t));
    path->room = path->entries ? 2 * sum.count : 0;
    if (!path->entries)
      set_profile_flags(CILKPROF_NO_ON_SPAN);
  }
  path->count = path->room ? sum.count : 0;
  if (path->count)
    memcpy(path->entries, sum.entries, path->count * sizeof(entry_t));
}

/* Returns the slot of ADDRESS in REGION in TABLE, the hash table with SIZE slots of the addresses that tasks depend on,
   or the free slot where it belongs.  */
static struct access *task_access_slot(struct access *table, size_t size, uint64_t region, const void *address) {
  uint64_t at = (region * 0x9e3779b97f4a7c15u ^ (uint64_t)address * 0xc2b2ae3d27d4eb4fu) >> 20;
  while (table[at % size].region && (table[at % size].region != region || table[at % size].address != address))
    at++;
  return &table[at % size];
}

/* Takes PATH out of the list of paths to the ends of tasks that ALL keeps, if it is there.  */
static void unlink_kept_task_path(struct accesses *all, struct path *path) {
  if (!path->frame)
    return;
  *(path->behind ? &path->behind->before : &all->last) = path->before;
  if (path->before)
    path->before->behind = path->behind;
  path->frame = NULL;
}

/* Moves FROM, the paths to the ends of tasks that used an address, from the old hash table to TO in the new one.  The
   paths are relinked one after the other, as neighbours in the list may be in the same access.  */
static void move_task_access(struct accesses *all, struct access *to, const struct access *from) {
  to->region = from->region;
  to->address = from->address;
  for (int i = 0; i < USES; i++) {
    struct path *path = &to->paths[i];
    *path = from->paths[i];
    if (!path->frame)
      continue;
    *(path->behind ? &path->behind->before : &all->last) = path;
    if (path->before)
      path->before->behind = path;
  }
}

/* Doubles the hash table in ALL of the addresses that tasks depend on.  Returns 0, or -1 if there is no memory.  */
static int grow_task_access_table(struct accesses *all) {
  size_t size = all->size ? 2 * all->size : CILKPROF_FIRST_ACCESSES;
  struct access *table = __cilkprof_reserve(size * sizeof *table);
  if (!table)
    return -1;
  for (size_t i = 0; i < all->size; i++)
    if (all->table[i].region)
      move_task_access(all, task_access_slot(table, size, all->table[i].region, all->table[i].address), &all->table[i]);
  all->table = table;
  all->size = size;
  return 0;
}

/* Returns the longest paths to the ends of tasks that used ADDRESS in *REGION, which gets a number if it has none.
   They are added if there are none.  NULL means that there is no memory, and the profile becomes incomplete.  */
struct access *__cilkprof_task_access(uint64_t *region, const void *address) {
  struct accesses *all = task_accesses();
  if (!all || (2 * all->used >= all->size && grow_task_access_table(all) < 0)) {
    set_profile_flags(CILKPROF_INCOMPLETE);
    return NULL;
  }
  if (!*region) {
    *region = ++all->regions;
    all->open++;
  }
  struct access *access = task_access_slot(all->table, all->size, *region, address);
  if (!access->region) {
    *access = (struct access){.region = *region, .address = address};
    all->used++;
  }
  return access;
}

/* Returns the longest path to the end of a task that was made, in *REGION, by a task which has itself ended; NULL if
   there are no such tasks.  */
const struct path *__cilkprof_deep_task_path(const uint64_t *region) {
  const struct accesses *all = profiled_thread()->tasks.accesses;
  if (!region || !*region || !all)
    return NULL;
  const struct access *access = task_access_slot(all->table, all->size, *region, NULL);
  return access->region ? &access->paths[DEEP] : NULL;
}

/* Makes KNOWN, a path to the end of a task, as long as PATH wherever PATH is longer.  Returns whether its span, and
   with it the entries, changed.  */
int __cilkprof_lengthen_task_path(struct path *known, const struct path *path) {
  if (path->burdened_span > known->burdened_span) {
    known->burdened_span = path->burdened_span;
    known->burdened_root_invocation = path->burdened_root_invocation;
  }
  __cilkprof_lanes_lengthen(&known->lanes, path->lanes);
  if (path->span <= known->span && known->span)
    return 0;
  known->span = path->span;
  known->root_invocation = path->root_invocation;
  __cilkprof_set_task_path_entries(known, (struct cilkprof_sum){path->entries, path->count});
  return 1;
}

/* Marks the calls that are under way in the current task, from FRAME outwards, so that __cilkprof_adopt is called where
   they return.  */
static void mark_open_calls_of_task(frame_t *frame) {
  struct cilkprof_enclosing enclosing = __cilkprof_innermost_in_task(frame, 0);
  for (const frame_t *inner = frame; __cilkprof_step_out_in_task(&enclosing); inner = enclosing.frame)
    if (enclosing.frame != inner)
      mark_call_leaving_tasks(enclosing.frame);
}

/* Lengthens KNOWN, a path to the end of a task that is kept, to PATH, which ends in FRAME, and puts it at the head of
   the list of kept paths if that changes it.  */
void __cilkprof_keep_task_path(struct path *known, const struct path *path, frame_t *frame) {
  struct accesses *all = task_accesses();
  if (!__cilkprof_lengthen_task_path(known, path))
    return;
  unlink_kept_task_path(all, known);
  known->frame = frame;
  known->block = THREAD.blocks;
  known->before = all->last;
  known->behind = NULL;
  if (all->last)
    all->last->behind = known;
  all->last = known;
  mark_open_calls_of_task(frame);
}

/* Copies to OWN the log's entries with which the invocation of SITE that has just returned was booked, to add them to
   paths of tasks: one for the site, and those for its context and for roots.  Returns their number.  Their local span
   is set to 0, because the path already has the part of it that is on the path.  */
static size_t booked_entries_for_task_paths(site_t *site, entry_t own[MAX_BOOKED]) {
  THREAD.work &= ~__CILKPROF_WORK_FLAGS; /* the frame has them */
  size_t count = profiled_thread()->roots ? __cilkprof_root_booked(site, own) : 0;
  if (count) {
    own[0].local_off_span = own[0].local_work;
    return count;
  }
  uint64_t kind = site->active || profiled_thread()->roots ? __CILKPROF_ENTRY_PLAIN
                  : caller_of_site(site)->open             ? __CILKPROF_ENTRY_TOP_SITE
                                                           : __CILKPROF_ENTRY_TOP_CALLER;
  context_t *around = profiled_thread()->contexts.current,
            *context = around && kind != __CILKPROF_ENTRY_PLAIN ? __cilkprof_context_enter(around, site) : NULL;
  own[0] = (entry_t){.key = (uint64_t)site | kind,
                     .count = 1,
                     .local_work = THREAD.local_work,
                     .local_off_span = THREAD.local_work,
                     .local_off_burdened_span = THREAD.local_off_burdened_span,
                     .work = THREAD.work,
                     .span = THREAD.span,
                     .burdened_span = THREAD.burdened_span};
  if (context)
    __cilkprof_log_push_tally(&context->tally, &own[1]);
  return context ? 2 : 1;
}

/* Adds the invocation of SITE that has just returned to FRAME to all kept paths of tasks that end in it.  BLOCK is the
   block that it was, or NULL if it was a function.  Its totals are in the return slots.  Paths that were kept while the
   invocation ran come first in the list.  */
void __cilkprof_task_paths_left(const frame_t *frame, const block_t *block, site_t *site) {
  const struct accesses *all = profiled_thread()->tasks.accesses;
  entry_t own[MAX_BOOKED];
  size_t count = 0;
  for (struct path *path = all && THREAD.recording ? all->last : NULL; path; path = path->before) {
    if (path->frame <= frame && (!block || path->block < block))
      break;
    if (!count)
      count = booked_entries_for_task_paths(site, own);
    __cilkprof_sum_begin();
    __cilkprof_sum_task_path(path, 1);
    __cilkprof_sum_add(own, own + count, 1);
    __cilkprof_set_task_path_entries(path, __cilkprof_sum_end());
    path->frame = frame;
    path->block = THREAD.blocks;
  }
}

/* Returns whether ENCLOSING is in a taskgroup, if paths to the ends of tasks are to begin there (TO_GROUP).  */
static int is_taskgroup_holding_paths(const struct cilkprof_enclosing *enclosing, int to_group) {
  return to_group && enclosing->block && enclosing->block->kind == __CILKPROF_BLOCK_SCOPE;
}

/* Returns the region of the task or taskgroup that ENCLOSING is in; NULL if it is not an OpenMP task.  If the task is a
   call, its region is in the frame that called it.  What is in no task and was not spawned has a region too: a library
   makes tasks there.  */
static uint64_t *task_region_of(const struct cilkprof_enclosing *enclosing) {
  if (enclosing->block)
    return &enclosing->block->region;
  frame_t *maker = enclosing->frame - 1;
  if (enclosing->frame <= profiled_thread()->frames.first || !maker->site)
    return &profiled_thread()->tasks.outermost;
  if (!(maker->site & __CILKPROF_CALL_TASK))
    return NULL;
  mark_call_leaving_tasks(maker);
  return &maker->region;
}

/* Marks the root invocations inside the current task, or the innermost taskgroup in it, as impossible to measure: the
   end of a task that is found in them is known outside of them.  */
void __cilkprof_reach_task_holder(frame_t *frame) {
  struct cilkprof_enclosing enclosing = __cilkprof_innermost_in_task(frame, 0);
  while (!is_taskgroup_holding_paths(&enclosing, 1) && __cilkprof_step_out_in_task(&enclosing))
    ;
  __cilkprof_root_invocations_reach_out(enclosing.frame, enclosing.block, enclosing.state->spawned);
}

/* Sets span, burdened span and lanes of LENGTH, but not its entries, to those of the path to the current point in
   FRAME, from the beginning of the current task or, if TO_GROUP, of the innermost taskgroup in it.  Returns the region
   of that task or taskgroup; NULL if it is not an OpenMP task.  */
uint64_t *__cilkprof_task_path_length_here(frame_t *frame, uint64_t local_work, int to_group, struct path *length) {
  struct cilkprof_enclosing enclosing = __cilkprof_innermost_in_task(frame, local_work);
  length->span = length->burdened_span = 0;
  length->lanes = (lanes_t){};
  do {
    length->span += enclosing.inside ? 0 : enclosing.state->span + enclosing.own;
    length->burdened_span += enclosing.inside ? 0 : enclosing.state->burdened_span + enclosing.burdened_own;
    length->lanes = __cilkprof_lanes_plus(length->lanes, enclosing.lanes);
  } while (!is_taskgroup_holding_paths(&enclosing, to_group) && __cilkprof_step_out_in_task(&enclosing));
  return task_region_of(&enclosing);
}

/* Sets PATH to the path to the current point in FRAME, from the beginning of the current task or, if TO_GROUP, of the
   innermost taskgroup in it.  Returns the region of that task or taskgroup; NULL if it is not an OpenMP task.  */
uint64_t *__cilkprof_task_path_here(frame_t *frame, uint64_t local_work, int to_group, struct path *path) {
  struct cilkprof_enclosing enclosing = __cilkprof_innermost_in_task(frame, local_work);
  __cilkprof_sum_begin();
  do
    __cilkprof_sum_enclosing_in_task(&enclosing, NULL, enclosing.own, 1);
  while (!is_taskgroup_holding_paths(&enclosing, to_group) && __cilkprof_step_out_in_task(&enclosing));
  __cilkprof_set_task_path_entries(path, __cilkprof_sum_end());
  return __cilkprof_task_path_length_here(frame, local_work, to_group, path);
}

/* Adds the entries of PATH, a path to the end of a task, to the sum under way (span.h), times SIGN.  */
void __cilkprof_sum_task_path(const struct path *path, uint64_t sign) {
  __cilkprof_sum_add(path->entries, path->entries + path->count, sign);
}

/* Returns the sum of the entries of PATH, a path to the end of a task, minus those of HERE, the path to the current
   point.  */
struct cilkprof_sum __cilkprof_task_path_difference(const struct path *path, const struct path *here) {
  __cilkprof_sum_begin();
  __cilkprof_sum_task_path(path, 1);
  __cilkprof_sum_task_path(here, -(uint64_t)1);
  return __cilkprof_sum_end();
}

/* Makes PATH, which leads to the end of a task, a child of FRAME, if it is longer than HERE, the path to the current
   point.  The log gets their difference.  */
void __cilkprof_join_task_path(frame_t *frame, uint64_t local_work, const struct path *path, const struct path *here) {
  uint64_t own = local_work - frame->off_span, burdened_own = local_work - frame->off_burdened_span;
  uint64_t more = task_path_beyond(path->span, here->span),
           burdened_more = task_path_beyond(path->burdened_span, here->burdened_span);
  lanes_t lanes_more = __cilkprof_lanes_beyond(path->lanes, here->lanes);
  entry_t *top = frame->top;
  __cilkprof_lanes_task(frame, local_work, lanes_more);
  if (!more && !burdened_more)
    return;
  set_profile_flags(CILKPROF_TASKS);
  if (more)
    __cilkprof_root_invocations_wait_for(path->root_invocation);
  if (burdened_more)
    __cilkprof_root_invocations_wait_for(path->burdened_root_invocation);
  THREAD.syncs -= !frame->spawned; /* the sync that follows does not count if it joins nothing else */
  if (more)
    top = __cilkprof_log_push(top, __cilkprof_task_path_difference(path, here));
  frame->outer_segment = frame->segment;
  frame->segment = frame->top;
  __cilkprof_p_child(frame, top, own, frame->span + own + more, burdened_own,
                     frame->burdened_span + burdened_own + burdened_more);
}

/* Forgets the paths in ALL that end with BLOCK.  When a task ends, all paths that were kept in it end.  When a scope
   ends, only the path to tasks that were made by ended tasks does; the others belong to the task around the scope.  */
static void forget_task_paths(struct accesses *all, block_t *block) {
  if (block->kind == __CILKPROF_BLOCK_SCOPE) {
    if (block->region)
      unlink_kept_task_path(all, &task_access_slot(all->table, all->size, block->region, NULL)->paths[DEEP]);
    for (struct path *path = all->last; path && path->block >= block; path = path->before)
      path->block = block - 1;
  } else if (!(block->flags & __CILKPROF_BLOCK_OPEN))
    while (all->last && all->last->block >= block)
      unlink_kept_task_path(all, all->last);
}

/* Ends *REGION, in which paths to the ends of tasks were kept in ALL.  When the last open region ends, everything that
   is kept is dropped.  */
static void end_task_region(struct accesses *all, uint64_t *region) {
  *region = 0;
  if (--all->open || !all->used)
    return;
  memset(all->table, 0, all->size * sizeof *all->table);
  all->used = 0;
  all->arena_next = all->arena;
  all->last = NULL;
  memset(all->scratch, 0, sizeof all->scratch);
}

/* Forgets the paths to the ends of tasks that are kept for BLOCK, which ends.  */
void __cilkprof_task_region_ended(block_t *block) {
  struct accesses *all = profiled_thread()->tasks.accesses;
  if (all && all->last)
    forget_task_paths(all, block);
  if (all && block->region)
    end_task_region(all, &block->region);
}

/* Forgets the paths to the ends of tasks that are kept for the task that FRAME called, which ends.  */
void __cilkprof_task_call_region_ended(frame_t *frame) {
  struct accesses *all = profiled_thread()->tasks.accesses;
  while (all && all->last && all->last->frame > frame)
    unlink_kept_task_path(all, all->last);
  if (all && frame->region)
    end_task_region(all, &frame->region);
}

/* Replaces the sites in the entries of all kept paths of tasks by what MOVED returns for them: a shared library with
   sites has been unloaded.  */
void __cilkprof_task_paths_moved(site_t *(*moved)(site_t *site)) {
  const struct accesses *all = profiled_thread()->tasks.accesses;
  for (size_t i = 0; all && i < USES * all->size; i++) {
    struct path *path = &all->table[i / USES].paths[i % USES];
    for (entry_t *entry = path->entries; entry < path->entries + path->count; entry++) {
      uint64_t kind = entry->key & __CILKPROF_ENTRY_KIND;
      entry->key = (uint64_t)moved((site_t *)(entry->key - kind)) | kind;
    }
  }
}
