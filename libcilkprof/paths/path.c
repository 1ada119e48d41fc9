/* Paths: which strands, invocations and samples the longest chain up to a point consists of.
   SPDX-License-Identifier: MIT

   A path is a chain of stretches, from the last one back to the start of the program.  Tasks that come from one another
   share the stretches before the fork; what is left of a path that was not the longest is freed.  A stretch that only
   the next one refers to becomes a part of that, so the chain is as long as there are tasks that may still go on from
   somewhere on it.  What stretches consist of is added up by key when there is much of it.

   Who refers to a stretch by the end of a path, and nobody else does, adds to it without a lock.  Others only lock it
   to make what is before it a part of it: they never read what it consists of.  */

#include <string.h>

#include "libcilkprof/paths/internal.h"

enum { LEAST_FOLDED = 16 }; /* blocks */

/* Returns whether only the caller refers to NODE.  */
static bool is_single(const struct path_node *node) {
  return atomic_load_explicit(&node->references, memory_order_acquire) == 1;
}

/* Frees the blocks of NODE.  */
static void free_node(struct path_node *node) {
  for (struct path_node *next; node; node = next) {
    next = node->more;
    block_give(node);
  }
}

/* Drops a reference to NODE, and all that only NODE refers to.  */
static void drop_node(struct path_node *node) {
  while (node && atomic_fetch_sub_explicit(&node->references, 1, memory_order_acq_rel) == 1) {
    struct path_node *before = node->before;
    free_node(node);
    node = before;
  }
}

/* Stores the sum of the parts of NODE by key in the scratch memory of this thread, a table of ROOM.  Returns how many
   keys there are.  */
static size_t sum_parts(const struct path_node *node, struct part *table, size_t room) {
  size_t count = 0;
  for (; node; node = node->more)
    for (uint32_t i = 0; i < node->used; i++) {
      const struct part *part = &node->parts[i];
      size_t at = part->key * UINT64_C(0x9E3779B97F4A7C15) >> 32 & (room - 1);
      while (table[at].work | table[at].count && table[at].key != part->key)
        at = (at + 1) & (room - 1);
      count += !(table[at].work | table[at].count);
      table[at].key = part->key;
      table[at].count += part->count;
      table[at].work += part->work;
      table[at].span += part->span;
    }
  return count;
}

/* Returns an empty table for COUNT parts, with *ROOM of them, which this thread uses again; NULL if there is no
   memory.  */
static struct part *empty_table(size_t count, size_t *room) {
  struct path_thread *self = path_self;
  size_t wanted = 256;
  while (wanted < 2 * count)
    wanted *= 2;
  if (self->scratch_room < wanted) {
    struct part *made = paths_map(wanted * sizeof *made);
    if (!made)
      return NULL;
    self->scratch = made; /* the smaller one is left: all of them together are as large as this */
    self->scratch_room = wanted;
  }
  *room = wanted;
  memset(self->scratch, 0, wanted * sizeof *self->scratch);
  return self->scratch;
}

/* Adds PART to the first block of NODE; the block that is full becomes one of the others.  */
static void push_part(struct path_node *node, const struct part *part) {
  if (node->used == PARTS) {
    struct path_node *block = block_take();
    if (!block)
      return;
    memcpy(block->parts, node->parts, sizeof node->parts);
    block->used = PARTS;
    block->more = node->more;
    node->more = block;
    if (!node->end)
      node->end = block;
    node->blocks++;
    node->used = 0;
  }
  node->parts[node->used++] = *part;
}

/* Adds up the parts of NODE by key, if it has become much larger since that was done.  */
static void fold(struct path_node *node) {
  size_t room;
  if (node->blocks < (node->fold_at ? node->fold_at : LEAST_FOLDED))
    return;
  struct part *table = empty_table((size_t)(node->blocks + 1) * PARTS, &room);
  if (!table)
    return;
  sum_parts(node, table, room);
  free_node(node->more);
  node->more = node->end = NULL;
  node->blocks = node->used = 0;
  for (size_t i = 0; i < room; i++)
    if (table[i].work | table[i].count)
      push_part(node, &table[i]);
  node->fold_at = 2 * node->blocks > LEAST_FOLDED ? 2 * node->blocks : LEAST_FOLDED;
}

/* Makes the stretch before NODE a part of it.  */
static void take_in(struct path_node *node, struct path_node *before) {
  node->before = before->before;
  if (!before->end)
    before->end = before;
  before->end->more = node->more;
  if (!node->end)
    node->end = before->end;
  node->more = before;
  node->blocks += before->blocks + 1;
}

/* Makes the stretches before NODE, which is locked, a part of it that nobody else refers to.  Who has locked one of
   them looks at what is before that.  */
static void merge_before(struct path_node *node) {
  while (node->before && is_single(node->before)) {
    struct path_node *before = node->before;
    lock(&before->locked);
    take_in(node, before);
    unlock(&before->locked);
  }
  fold(node);
}

/* Does so for NODE alone.  */
static void merge(struct path_node *node) {
  lock(&node->locked);
  merge_before(node);
  unlock(&node->locked);
}

/* Does so for NODE and all stretches before it, if there are many: tasks that have ended since referred to some.  All
   are locked meanwhile, each before the one before it.  */
static void tidy(struct path_node *node) {
  enum { FEW = 32 };
  uint32_t count = 1;
  if (node->depth < (node->tidy_at > FEW ? node->tidy_at : FEW))
    return;
  lock(&node->locked);
  for (struct path_node *at = node;; count++) {
    merge_before(at);
    if (!at->before)
      break;
    lock(&at->before->locked);
    at = at->before;
  }
  for (struct path_node *at = node, *before; at; at = before) {
    before = at->before;
    unlock(&at->locked);
  }
  node->depth = count;
  node->tidy_at = 2 * count;
}

void path_fork(struct path *path, const struct path *from) {
  *path = *from;
  if (!path->last)
    return;
  atomic_fetch_add_explicit(&path->last->references, 1, memory_order_relaxed);
  merge(path->last);
}

void path_drop(struct path *path) {
  drop_node(path->last);
  *path = (struct path){0};
}

void path_longer(struct path *path, const struct path *other) {
  if (other->span > path->span) {
    struct path_node *shorter = path->last;
    uint64_t burdened = path->burdened_span;
    path_fork(path, other);
    if (burdened > path->burdened_span)
      path->burdened_span = burdened;
    drop_node(shorter);
  } else if (other->burdened_span > path->burdened_span)
    path->burdened_span = other->burdened_span;
}

/* Returns the stretch to which PATH is extended: its last one, unless others refer to that, too; NULL if there is no
   memory.  */
static struct path_node *own_stretch(struct path *path) {
  if (path->last && is_single(path->last)) {
    merge(path->last);
    return path->last;
  }
  struct path_node *node = block_take();
  if (!node)
    return NULL;
  atomic_store_explicit(&node->references, 1, memory_order_relaxed);
  node->before = path->last;
  if (path->last) {
    node->depth = path->last->depth + 1;
    node->tidy_at = path->last->tidy_at;
  }
  path->last = node;
  tidy(node);
  return node;
}

void path_add(struct path *path, uint64_t key, struct part part) {
  if (!are_paths_on())
    return;
  struct path_node *node = own_stretch(path);
  part.key = (uint32_t)key;
  if (!node || !(part.work | part.count))
    return;
  for (uint32_t i = node->used; i-- > 0;)
    if (node->parts[i].key == part.key) {
      node->parts[i].count += part.count;
      node->parts[i].work += part.work;
      node->parts[i].span += part.span;
      return;
    }
  push_part(node, &part);
}

void path_visit(const struct path *path, void (*visit)(const struct part *part)) {
  for (const struct path_node *node = path->last; node; node = node->before)
    for (const struct path_node *block = node; block; block = block->more)
      for (uint32_t i = 0; i < block->used; i++)
        visit(&block->parts[i]);
}
