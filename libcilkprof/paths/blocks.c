/* Memory for paths and tasks, in blocks of one size.
   SPDX-License-Identifier: MIT

   Each thread has a list of free blocks.  Tasks are often made by one thread and end in others, so threads exchange
   free blocks in batches.  Blocks are never returned to the system.  */

#include <string.h>
#include <sys/mman.h>

#include "libcilkprof/paths/internal.h"

enum { BATCH = 256, SLAB = 4096 * BLOCK_SIZE };

static atomic_flag locked = ATOMIC_FLAG_INIT;
static struct block *batches; /* each a list of BATCH blocks */

/* Maps SIZE bytes, which take memory only where they are used; NULL if there is none.  */
void *paths_map(size_t size) {
  void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return memory == MAP_FAILED ? NULL : memory;
}

/* Returns a block of SELF that was never used; NULL if there is no memory.  */
static struct block *take_new_block(struct path_thread *self) {
  if (self->slab == self->slab_end) {
    char *slab = paths_map(SLAB);
    if (!slab)
      return NULL;
    self->slab = slab;
    self->slab_end = slab + SLAB;
  }
  struct block *block = (struct block *)self->slab;
  self->slab += BLOCK_SIZE;
  return block;
}

/* Adds a batch that some thread gave away to the free blocks of SELF, which has none.  */
static void take_batch(struct path_thread *self) {
  lock(&locked);
  struct block *batch = batches;
  if (batch)
    batches = batch->next_batch;
  unlock(&locked);
  self->free = batch;
  self->free_count = batch ? BATCH : 0;
}

/* Gives a batch of the free blocks of SELF, which has two, to other threads.  */
static void give_batch(struct path_thread *self) {
  struct block *batch = self->free, *last = batch;
  for (int i = 1; i < BATCH; i++)
    last = last->next;
  self->free = last->next;
  self->free_count -= BATCH;
  last->next = NULL;
  lock(&locked);
  batch->next_batch = batches;
  batches = batch;
  unlock(&locked);
}

void *block_take(void) {
  struct path_thread *self = path_self;
  if (!self->free)
    take_batch(self);
  struct block *block = self->free;
  if (block) {
    self->free = block->next;
    self->free_count--;
    return memset(block, 0, BLOCK_SIZE);
  }
  block = take_new_block(self);
  if (!block)
    atomic_store(&paths_incomplete, true);
  return block;
}

void block_give(void *memory) {
  struct path_thread *self = path_self;
  struct block *block = memory;
  block->next = self->free;
  self->free = block;
  if (++self->free_count >= (size_t)2 * BATCH)
    give_batch(self);
}
