/* What the program's language calls things.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/analysis/words.h"

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

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

/* An atomic operation that has the name of a place is not of one variable, and `omp locks' are several: there more than
   one can be inside at once.  */
static bool is_lock(const struct function *function) {
  return function->file == NULL &&
         (begins(function->symbol, "omp critical") || begins(function->symbol, "omp ordered") ||
          begins(function->symbol, "omp lock ") || begins(function->symbol, "omp atomic ("));
}

size_t locks_find(const struct model *model, struct lock *locks) {
  size_t count = 0;
  for (size_t i = 0; i < model->function_count; i++) {
    const struct function *function = model->functions[i];
    uint64_t work = function->entered.work;
    if (!is_lock(function) || work == 0)
      continue;
    size_t place = count;
    while (place > 0 && locks[place - 1].work < work)
      place--;
    if (place == MOST_LOCKS)
      continue;
    count += count < MOST_LOCKS;
    memmove(&locks[place + 1], &locks[place], (count - 1 - place) * sizeof *locks);
    locks[place] = (struct lock){function, work};
  }
  return count;
}
