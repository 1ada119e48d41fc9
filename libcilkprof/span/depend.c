/* Tasks that depend on each other.
   SPDX-License-Identifier: MIT

   They are children of one task, whichever functions made them.  Run serially, in the order in which they are made, a
   task ends before any that depends on it begins; so the longest path to its end is known by then, from the beginning of
   the region: of the block of the task, or of the part of a loop or parallel region that one thread runs.  */

#include <string.h>

#include "libcilkprof/span/site.h"
#include "libcilkprof/span/task.h"
#include "libcilkprof/support/support.h"

/* A path from the beginning of a region, with what is on it, summed by site.  */
struct path {
  uint64_t span, burdened_span;
  size_t count, room;
  entry_t *entries;
};

/* How a task uses what it depends on: those that only read it do not wait for each other, nor do those of a
   mutexinoutset, whose order is open.  */
enum use { READ, EXCLUDE, WRITE, USES };

/* The longest paths to the end of tasks that used an address.  */
struct access {
  uint64_t region; /* 0: this is free */
  const void *address;
  struct path paths[USES];
};

struct accesses {
  struct access *table;
  size_t size, used;
  uint64_t regions, open; /* names that were given to regions, and how many of these are open */
  char *arena, *arena_next, *arena_end;
  struct path path, prefix; /* scratch */
};

static struct accesses *accesses(void) {
  struct recorder_tasks *tasks = &recorder()->tasks;
  if (!tasks->accesses)
    tasks->accesses = __cilkprof_allocate(sizeof *tasks->accesses);
  return tasks->accesses;
}

/* Twice as large each time: what is then used again is as large as all before.  */
static void *from_arena(struct accesses *all, size_t bytes) {
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

static void set_entries(struct accesses *all, struct path *path, struct cilkprof_sum sum) {
  if (sum.count > path->room) {
    path->entries = from_arena(all, 2 * sum.count * sizeof(entry_t));
    path->room = path->entries ? 2 * sum.count : 0;
    if (!path->entries)
      flag(CILKPROF_NO_ON_SPAN);
  }
  path->count = path->room ? sum.count : 0;
  if (path->count)
    memcpy(path->entries, sum.entries, path->count * sizeof(entry_t));
}

static struct access *slot_of(struct access *table, size_t size, uint64_t region, const void *address) {
  uint64_t at = (region * 0x9e3779b97f4a7c15u ^ (uint64_t)address * 0xc2b2ae3d27d4eb4fu) >> 20;
  while (table[at % size].region && (table[at % size].region != region || table[at % size].address != address))
    at++;
  return &table[at % size];
}

static int grow(struct accesses *all) {
  enum { FIRST = 1024 };
  size_t size = all->size ? 2 * all->size : FIRST;
  struct access *table = __cilkprof_reserve(size * sizeof *table);
  if (!table)
    return -1;
  for (size_t i = 0; i < all->size; i++)
    if (all->table[i].region)
      *slot_of(table, size, all->table[i].region, all->table[i].address) = all->table[i];
  all->table = table;
  all->size = size;
  return 0;
}

/* What is known of an address, which may be nothing yet; NULL: there is no memory.  */
static struct access *access_of(struct accesses *all, uint64_t region, const void *address) {
  if (2 * all->used >= all->size && grow(all) < 0) {
    flag(CILKPROF_INCOMPLETE);
    return NULL;
  }
  struct access *access = slot_of(all->table, all->size, region, address);
  if (!access->region) {
    *access = (struct access){.region = region, .address = address};
    all->used++;
  }
  return access;
}

/* What libgomp is told, in one of two forms: the number of addresses, how many of them are written, and they themselves;
   or behind a 0 the number of all, of those that are written, exclude and are read, these, and then objects of type
   omp_depend_t.  */
struct list {
  void *const *words;
  uint64_t count, first, ends[3];
};

static struct list list_of(const void *depend) {
  void *const *words = depend;
  if (words[0]) {
    uint64_t count = (uint64_t)words[0], writes = (uint64_t)words[1];
    return (struct list){words, count, 2, {writes, writes, count}};
  }
  uint64_t writes = (uint64_t)words[2], excludes = writes + (uint64_t)words[3];
  return (struct list){words, (uint64_t)words[1], 5, {writes, excludes, excludes + (uint64_t)words[4]}};
}

static enum use use_of(const struct list *list, uint64_t i, const void **address) {
  enum { DEPEND_IN = 1, DEPEND_MUTEXINOUTSET = 4 };
  void *const *word = &list->words[list->first + i];
  *address = *word;
  if (i < list->ends[2])
    return i < list->ends[0] ? WRITE : i < list->ends[1] ? EXCLUDE : READ;
  void *const *object = *word;
  *address = object[0];
  return object[1] == (void *)DEPEND_IN ? READ : object[1] == (void *)DEPEND_MUTEXINOUTSET ? EXCLUDE : WRITE;
}

/* The last of those that a task waits for.  */
struct latest {
  const struct path *path, *burdened;
};

static void look_at(struct latest *latest, const struct path *path) {
  if (path->span > (latest->path ? latest->path->span : 0))
    latest->path = path;
  if (path->burdened_span > (latest->burdened ? latest->burdened->burdened_span : 0))
    latest->burdened = path;
}

static struct latest latest_of(struct accesses *all, uint64_t region, const struct list *list) {
  struct latest latest = {NULL, NULL};
  for (uint64_t i = 0; i < list->count; i++) {
    const void *address;
    enum use use = use_of(list, i, &address);
    const struct access *access = access_of(all, region, address);
    for (int other = READ; access && other < USES; other++)
      if (other != (int)use || use == WRITE)
        look_at(&latest, &access->paths[other]);
  }
  return latest;
}

/* The path to here, from the beginning of the region; returns that, or NULL where there is none.  */
static block_t *path_here(struct accesses *all, const frame_t *frame, uint64_t local_work, struct path *path) {
  struct cilkprof_level level = __cilkprof_level(frame, local_work);
  path->span = path->burdened_span = 0;
  __cilkprof_sum_begin();
  do {
    __cilkprof_sum_level(&level, NULL, level.own, 1);
    path->span += level.inside ? 0 : level.state->span + level.own;
    path->burdened_span += level.inside ? 0 : level.state->burdened_span + level.burdened_own;
  } while (__cilkprof_step_out(&level));
  set_entries(all, path, __cilkprof_sum_end());
  if (level.block && !level.block->region) {
    level.block->region = ++all->regions;
    all->open++;
  }
  return level.block;
}

static void sum_path(const struct path *path, uint64_t sign) {
  __cilkprof_sum_add(path->entries, path->entries + path->count, sign);
}

/* The difference of a path to the one that leads here.  */
static struct cilkprof_sum difference(const struct path *path, const struct path *here) {
  __cilkprof_sum_begin();
  sum_path(path, 1);
  sum_path(here, -(uint64_t)1);
  return __cilkprof_sum_end();
}

static uint64_t longer(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

static void note_end(struct accesses *all, uint64_t region, const struct list *list, const struct path *path) {
  for (uint64_t i = 0; i < list->count; i++) {
    const void *address;
    enum use use = use_of(list, i, &address);
    struct access *access = access_of(all, region, address);
    if (!access)
      return;
    struct path *known = &access->paths[use];
    known->burdened_span = longer(known->burdened_span, path->burdened_span);
    if (path->span <= known->span && known->span)
      continue;
    known->span = path->span;
    set_entries(all, known, (struct cilkprof_sum){path->entries, path->count});
  }
}

/* FRAME's part of the path is the usual one: what is not so is in the entries.  */
int __cilkprof_dependent_returned(frame_t *frame, const block_t *block, site_t *site) {
  struct accesses *all = THREAD.recording ? accesses() : NULL;
  uint64_t own = block->outer_work - frame->off_span, burdened_own = block->outer_work - frame->off_burdened_span;
  const block_t *region = all ? path_here(all, frame, block->outer_work, &all->prefix) : NULL;
  if (!region)
    return 0;
  struct list list = list_of(block->depend);
  struct latest latest = latest_of(all, region->region, &list);
  struct path *path = &all->path, *prefix = &all->prefix;
  int waits = latest.path && latest.path->span > prefix->span;
  entry_t *top = __cilkprof_p_book(site, frame->segment, frame->key);
  __cilkprof_sum_begin();
  sum_path(waits ? latest.path : prefix, 1);
  __cilkprof_sum_add(frame->segment, top, 1);
  set_entries(all, path, __cilkprof_sum_end());
  uint64_t start = waits ? latest.path->span : prefix->span;
  uint64_t burdened_start = longer(latest.burdened ? latest.burdened->burdened_span : 0, prefix->burdened_span);
  path->span = start + THREAD.span;
  path->burdened_span = burdened_start + THREAD.burdened_span;
  note_end(all, region->region, &list, path);
  if (waits)
    top = __cilkprof_log_push(frame->segment, difference(path, prefix));
  frame->site = 0;
  frame->work += THREAD.work;
  __cilkprof_p_child(frame, top, own, frame->span + own + (path->span - prefix->span), burdened_own,
                     frame->burdened_span + burdened_own + (path->burdened_span - prefix->burdened_span));
  frame->off_burdened_span -= THREAD.burden;
  return 1;
}

/* As if the tasks were the only ones since a scope began.  */
void __cilkprof_wait_for(frame_t *frame, uint64_t local_work, const void *depend) {
  struct accesses *all = THREAD.recording ? accesses() : NULL;
  const block_t *region = all ? path_here(all, frame, local_work, &all->prefix) : NULL;
  if (!region)
    return;
  struct list list = list_of(depend);
  struct latest latest = latest_of(all, region->region, &list);
  const struct path *here = &all->prefix;
  uint64_t span = latest.path ? longer(latest.path->span, here->span) : here->span,
           burdened = latest.burdened ? longer(latest.burdened->burdened_span, here->burdened_span)
                                      : here->burdened_span;
  if (span == here->span && burdened == here->burdened_span)
    return;
  recorder()->tasks.waited = 1;
  const block_t *before = frame->block;
  __cilkprof_block_begin(frame, local_work, NULL, __CILKPROF_BLOCK_SCOPE | __CILKPROF_BLOCK_OPEN);
  if (frame->block == before)
    return; /* it is untracked */
  uint64_t own = local_work - frame->off_span, burdened_own = local_work - frame->off_burdened_span;
  entry_t *top = span > here->span ? __cilkprof_log_push(frame->top, difference(latest.path, here)) : frame->top;
  __cilkprof_p_child(frame, top, own, frame->span + own + (span - here->span), burdened_own,
                     frame->burdened_span + burdened_own + (burdened - here->burdened_span));
  __cilkprof_block_end(frame, local_work);
}

/* With the last one all that is known goes.  */
void __cilkprof_region_ended(block_t *block) {
  struct accesses *all = recorder()->tasks.accesses;
  if (!block->region || !all)
    return;
  block->region = 0;
  if (--all->open || !all->used)
    return;
  memset(all->table, 0, all->size * sizeof *all->table);
  all->used = 0;
  all->arena_next = all->arena;
  all->path = all->prefix = (struct path){0};
}

void __cilkprof_paths_moved(site_t *(*moved)(site_t *site)) {
  const struct accesses *all = recorder()->tasks.accesses;
  for (size_t i = 0; all && i < USES * all->size; i++) {
    struct path *path = &all->table[i / USES].paths[i % USES];
    for (entry_t *entry = path->entries; entry < path->entries + path->count; entry++) {
      uint64_t kind = entry->key & __CILKPROF_ENTRY_KIND;
      entry->key = (uint64_t)moved((site_t *)(entry->key - kind)) | kind;
    }
  }
}
