/* Terms for findings, which depend on the language of the program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/regions.h"

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* Returns the construct that FUNCTION stands for, if it is one, and otherwise its symbol.  */
static const char *construct_of(const struct function *function) {
  return function->file != NULL ? function->construct : function->symbol;
}

bool is_openmp(const struct function *function) {
  return begins(construct_of(function), "omp ");
}

static bool is_taskloop(const struct function *loop) {
  return strcmp(construct_of(loop), "omp taskloop") == 0;
}

const char *loop_word(const struct function *loop) {
  return construct_of(loop);
}

const char *piece_word(const struct function *loop) {
  return is_taskloop(loop) ? "task" : is_openmp(loop) ? "chunk" : "grain";
}

const char *smaller_pieces(const struct function *loop) {
  return is_taskloop(loop) ? "lower its grainsize, or raise its num_tasks"
         : is_openmp(loop) ? "let schedule(dynamic) give it smaller chunks, or collapse it with the loop inside"
                           : "lower its grainsize";
}

const char *larger_pieces(const struct function *loop) {
  return is_taskloop(loop) ? "give it a larger grainsize"
         : is_openmp(loop) ? "give it larger chunks, or schedule(static), and nowait where the next loop need not wait"
                           : "give it a larger grainsize";
}

const char *longer_loop(const struct function *loop) {
  return is_openmp(loop) ? "move the parallel region outward, around an enclosing loop"
                         : "move the cilk_for outward to an enclosing loop";
}

bool is_task(const struct site *spawn) {
  return spawn->task || is_openmp(spawn->callee);
}

const char *spawned_word(const struct site *spawn) {
  return is_task(spawn) ? "made a task" : "spawned";
}

const char *sync_word(const struct site *spawn) {
  return is_task(spawn) ? "taskwait or barrier" : "cilk_sync";
}

/* Returns whether NAME is that of a single lock.  Atomic operations that are named by source location may use different
   variables, and `omp locks' are several locks: more than one processor can be inside these at once.  */
static bool is_lock_name(const char *name) {
  return begins(name, "omp critical") || begins(name, "omp ordered") || begins(name, "omp lock ") ||
         begins(name, "omp atomic (");
}

/* Inserts LOCK into the COUNT longest locks.  Returns the new count.  */
static size_t add_lock(struct lock *locks, size_t count, struct lock lock) {
  size_t place = count;
  while (place > 0 && locks[place - 1].span < lock.span)
    place--;
  if (lock.span == 0 || place == MOST_LOCKS)
    return count;
  count += count < MOST_LOCKS;
  memmove(&locks[place + 1], &locks[place], (count - 1 - place) * sizeof *locks);
  locks[place] = lock;
  return count;
}

/* Partial regions are skipped: if one task sets a lock and another unsets it, not all code between holds the lock.  */
size_t locks_find(const struct model *model, struct lock *locks) {
  size_t count = 0;
  for (size_t i = 0; i < model->functions.count; i++) {
    const struct function *function = model->functions.list[i];
    if (function->file == NULL && is_lock_name(function->symbol))
      count = add_lock(locks, count, (struct lock){function->name, function->brief_name, function->entered.span});
  }
  for (size_t i = 0; i < model->regions.count; i++) {
    const struct cilkprof_region *region = &model->regions.regions[i];
    if (region_is_lock(region) && !region_is_partial(region) && is_lock_name(region->label))
      count = add_lock(locks, count, (struct lock){region->label, region->label, region->total.span});
  }
  return count;
}
