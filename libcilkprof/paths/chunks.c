/* Loops with a dynamic schedule: how long a team takes whose threads get a chunk whenever they have none.
   SPDX-License-Identifier: MIT

   Which thread got which chunk in this run is chance: another program had the processor, or there are fewer processors
   than threads.  So chunks are given to the thread of a team that would be free first, and all threads of the team go
   on when the last chunk would have ended.  What a thread did in its chunks stands for as much as that takes.  */

#include "libcilkprof/paths/internal.h"

/* When the threads of teams would be free: of this team, and of 2, 4, 8, 16 and 32 threads.  */
enum { TEAMS = 5 };
struct chunks {
  uint64_t *free[TEAMS + 1];
  uint32_t sizes[TEAMS + 1];
};

void chunks_release(struct chunks *chunks) {
  if (!chunks)
    return;
  for (int i = 0; i <= TEAMS; i++)
    if (chunks->free[i])
      block_give(chunks->free[i]);
  block_give(chunks);
}

/* Returns what is known of the chunks of a loop that a team of SIZE begins; NULL if there is no memory.  */
static struct chunks *new_chunks(uint32_t size) {
  struct chunks *chunks = block_take();
  for (int i = 0; chunks && i <= TEAMS; i++) {
    chunks->sizes[i] = i > 0 ? 1u << i : size < SHARES ? size : SHARES;
    chunks->free[i] = block_take();
    if (!chunks->free[i]) {
      chunks_release(chunks);
      return NULL;
    }
  }
  return chunks;
}

/* Gives a chunk that takes WORK to the one of COUNT threads that is FREE first.  */
static void give_chunk(uint64_t *free, uint32_t count, uint64_t work) {
  uint32_t first = 0;
  for (uint32_t i = 1; i < count; i++)
    if (free[i] < free[first])
      first = i;
  free[first] += work;
}

/* Returns when the last of COUNT threads is FREE.  */
static uint64_t last_free(const uint64_t *free, uint32_t count) {
  uint64_t last = 0;
  for (uint32_t i = 0; i < count; i++)
    last = free[i] > last ? free[i] : last;
  return last;
}

/* Ends the chunk that TASK has, of a loop at SITE.  Returns how long its team has needed until here.  */
static uint64_t end_chunk(struct task *task, uint32_t site) {
  struct team *team = task->team;
  uint64_t work = task->own - task->chunk_began, needed = task->chunks.span;
  task->chunk_began = task->own;
  lock(&team->locked);
  struct divided *all = divided_next(task, site);
  if (all && !all->chunks)
    all->chunks = new_chunks(team->size);
  if (all && all->chunks) {
    for (int i = 0; work && i <= TEAMS; i++)
      give_chunk(all->chunks->free[i], all->chunks->sizes[i], work);
    needed = last_free(all->chunks->free[0], all->chunks->sizes[0]);
    all->longest = needed > all->longest ? needed : all->longest;
  }
  unlock(&team->locked);
  return needed;
}

void paths_chunk_begins(struct task *task) {
  paths_strand_ends();
  if (!task->team || task->inside == task->site)
    return;
  if (task->in_chunks)
    end_chunk(task, task->inside);
  else
    task->chunk_began = task->own;
  task->in_chunks = true;
}

/* The part of what a thread did in its chunks that is on its path: TAKEN of DONE.  */
static __thread struct {
  struct path *path;
  uint64_t taken, done;
} scaled;

/* Adds as much of PART to the path.  */
static void add_scaled_part(const struct part *part) {
  uint64_t work = (uint64_t)((unsigned __int128)part->work * scaled.taken / scaled.done);
  path_add(scaled.path, part->key, (struct part){.count = part->count, .work = work});
}

void chunks_end(struct task *task, uint32_t site) {
  uint64_t needed = end_chunk(task, site), before = task->path.span;
  task->in_chunks = false;
  scaled.path = &task->path;
  scaled.taken = needed;
  scaled.done = task->chunks.span;
  if (scaled.done)
    path_visit(&task->chunks, add_scaled_part);
  else
    path_add(&task->path, key_of(KEY_LOCAL, site), (struct part){.work = needed});
  path_drop(&task->chunks);
  task->path.span = before + needed;
  task->path.burdened_span += needed;
}

uint32_t chunks_longest(const struct chunks *chunks, uint64_t *longest) {
  for (uint32_t i = 0; i < TEAMS; i++)
    longest[i] = last_free(chunks->free[i + 1], chunks->sizes[i + 1]);
  return TEAMS;
}
