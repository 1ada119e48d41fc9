/* How a team divides a loop, in the brute-force emulation of teams.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "test/emulation/naive-teams.h"

/* Returns a new team of LEADER and other threads, which are idle at first; of LEADER alone if NESTED teams are not
   parallel.  */
struct crew *naive_make_crew(int leader, bool nested) {
  struct crew *crew = calloc(1, sizeof *crew);
  int used = 0;
  for (int i = 0; i < THREADS; i++)
    used += naive.runners[i].used;
  crew->size =
      nested && (naive.nesting == NESTING_SERIAL || used + (int)naive.processors > THREADS) ? 1 : naive.processors;
  crew->members[0] = leader;
  for (unsigned i = 1; i < crew->size; i++) {
    int thread = 0;
    while (naive.runners[thread].used)
      thread++;
    crew->members[i] = thread;
    naive.thread_count = thread >= naive.thread_count ? thread + 1 : naive.thread_count;
    naive.runners[thread] =
        (struct runner){.used = true,
                        .idle = true,
                        .crew = crew,
                        .member = (int)i,
                        .processor = (naive.runners[leader].processor + (int)i) % (int)naive.processors};
  }
  return crew;
}

/* Returns how many iterations a chunk has, 1 unless the schedule has a size.  */
static uint64_t naive_chunk_size(void) {
  return naive.schedule->chunk > 0 ? naive.schedule->chunk : 1;
}

/* Makes MEMBER of CREW enter LOOP, and decides on its part of the iterations, or on its first chunk.  */
static void naive_begin_member(struct crew *crew, unsigned member, struct loop *loop) {
  struct level level = {.kind = IN_LOOP, .loop = loop, .crew = crew, .section = loop->section};
  if (naive.schedule->kind == SCHEDULE_STATIC && naive.schedule->chunk == 0) {
    uint64_t at = 0;
    for (unsigned i = 0; i <= member; i++) {
      level.from = at;
      at += loop->count / crew->size + (i < loop->count % crew->size);
      level.to = at;
    }
    level.next = UINT64_MAX;
  } else {
    level.next = naive_chunk_size() * member;
  }
  naive_push(crew->members[member], level);
}

/* Sets the iterations of LEVEL to those of its next chunk.  Returns false if there is none.  */
bool naive_next_chunk(struct level *level) {
  struct loop *loop = level->loop;
  uint64_t size = naive_chunk_size();
  if (naive.schedule->kind == SCHEDULE_STATIC) {
    if (level->next >= loop->count)
      return false;
    level->from = level->next;
    level->next += size * level->crew->size;
  } else {
    uint64_t left = loop->count - loop->taken;
    if (left == 0)
      return false;
    if (naive.schedule->kind == SCHEDULE_GUIDED && (left + level->crew->size - 1) / level->crew->size > size)
      size = (left + level->crew->size - 1) / level->crew->size;
    level->from = loop->taken;
    loop->taken += size < left ? size : left;
  }
  level->to = level->from + size < loop->count ? level->from + size : loop->count;
  return true;
}

/* Returns a new loop over all tasks in SECTION, with a program for each iteration.  It is never freed.  */
static struct loop *naive_make_loop(const struct plain_node *section) {
  struct loop *loop = calloc(1, sizeof *loop);
  loop->section = section;
  for (size_t i = 0; i < section->count; i++)
    if (section->items[i].node != NULL && section->items[i].node->kind == 'T')
      loop->count += section->items[i].repeat;
  loop->iterations = calloc(loop->count + 1, sizeof *loop->iterations);
  uint64_t number = 0;
  for (size_t i = 0; i < section->count; i++)
    if (section->items[i].node != NULL && section->items[i].node->kind == 'T')
      for (uint64_t r = 0; r < section->items[i].repeat; r++)
        naive_write_iteration(&loop->iterations[number++], &section->items[i], naive.overheads.lock);
  return loop;
}

/* Makes CREW begin the loop of SECTION: its leader, and all idle threads for which there is a chunk.  */
void naive_begin_loop(struct crew *crew, const struct plain_node *section) {
  struct loop *loop = naive_make_loop(section);
  uint64_t size = naive.schedule->kind == SCHEDULE_GUIDED ? 1 : naive_chunk_size();
  uint64_t chunks = (loop->count + size - 1) / size;
  loop->unfinished = crew->size;
  crew->open++;
  if (crew->last != NULL)
    crew->last->next = loop;
  crew->last = loop;
  naive_begin_member(crew, 0, loop);
  for (unsigned i = 1; i < crew->size; i++) {
    struct runner *runner = &naive.runners[crew->members[i]];
    if (!runner->idle)
      continue;
    if (i >= chunks) {
      loop->unfinished--;
      continue;
    }
    runner->idle = false;
    naive_begin_member(crew, i, loop);
    naive_start(crew->members[i], 0);
  }
}

/* Makes THREAD leave the loop of LEVEL for the next one, or become idle.  The last thread wakes a leader that
   waits.  */
void naive_finish_member(int thread, struct level *level) {
  struct crew *crew = level->crew;
  struct loop *loop = level->loop, *next = loop->next;
  struct runner *runner = &naive.runners[thread];
  runner->depth--;
  if (crew->members[0] != thread && next != NULL)
    naive_begin_member(crew, (unsigned)runner->member, next);
  else if (crew->members[0] != thread)
    runner->idle = true;
  if (--loop->unfinished > 0)
    return;
  if (crew->last == loop)
    crew->last = NULL;
  if (--crew->open == 0 && crew->leader_waits) {
    crew->leader_waits = false;
    naive_start(crew->members[0], 0);
  }
}
