/* Terms for findings, which depend on the language of the program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <string.h>
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/regions.h"

/* Returns whether TEXT, the name of a construct, begins with WITH.  */
static bool finding_word_begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

/* Returns the construct that FUNCTION stands for, such as "omp for", if it is one, and otherwise its symbol.  */
static const char *finding_construct_word(const struct function *function) {
  return function->file != NULL ? function->construct : function->symbol;
}

bool is_team_in_finding(const struct model *model, const struct function *function) {
  return model->threads > 0 && function != NULL && function->file != NULL &&
         strcmp(function->construct, "omp task") != 0 && strcmp(function->construct, "omp single") != 0 &&
         is_openmp_in_finding(function);
}

bool is_lock_in_finding(const struct function *function) {
  const char *word = finding_construct_word(function);
  return strcmp(word, "omp critical") == 0 || strcmp(word, "omp lock") == 0 || strcmp(word, "omp ordered") == 0;
}

/* Returns whether FUNCTION stands for an OpenMP construct, so that findings use the words of OpenMP.  */
bool is_openmp_in_finding(const struct function *function) {
  return finding_word_begins(finding_construct_word(function), "omp ");
}

/* Returns whether LOOP is a taskloop of OpenMP, for which findings use words of its own.  */
static bool is_taskloop_in_finding(const struct function *loop) {
  return strcmp(finding_construct_word(loop), "omp taskloop") == 0;
}

/* Returns what LOOP is called in a finding: "cilk_for", or its OpenMP construct.  */
const char *finding_loop_word(const struct function *loop) {
  return finding_construct_word(loop);
}

/* Returns what a piece of LOOP is called in a finding: "grain" in Cilk, "chunk" or "task" in OpenMP.  */
const char *finding_loop_piece_word(const struct function *loop) {
  return is_taskloop_in_finding(loop) ? "task" : is_openmp_in_finding(loop) ? "chunk" : "grain";
}

/* Returns advice, a part of a sentence, on how to make the pieces of LOOP smaller.  */
const char *smaller_loop_pieces_finding_advice(const struct function *loop) {
  return is_taskloop_in_finding(loop) ? "lower its grainsize, or raise its num_tasks"
         : is_openmp_in_finding(loop) ? "use schedule(dynamic) with smaller chunks, or collapse it with the inner loop"
                                      : "lower its grainsize";
}

/* Returns advice, a part of a sentence, on how to make the pieces of LOOP larger.  */
const char *larger_loop_pieces_finding_advice(const struct function *loop) {
  return is_taskloop_in_finding(loop) ? "use a larger grainsize"
         : is_openmp_in_finding(loop)
             ? "use larger chunks or schedule(static), and nowait where the next loop need not wait"
             : "use a larger grainsize";
}

/* Returns advice, a part of a sentence, to make an enclosing loop parallel instead of LOOP.  */
const char *longer_loop_finding_advice(const struct function *loop) {
  return is_openmp_in_finding(loop) ? "move the parallel region outward, around an enclosing loop"
                                    : "move the cilk_for outward to an enclosing loop";
}

/* In what a program says what is parallel.  */
enum finding_language { IN_CILK, IN_OPENMP, IN_TBB, IN_STANDARD_CPP, BY_HAND, FINDING_LANGUAGES };

static bool is_own_task_in_finding(const struct site *spawn);

/* Returns in what the spawn, task or loop at SITE is written.  */
static enum finding_language finding_site_language(const struct site *site) {
  return strstr(site->file, "/lib/cilkprof/include/oneapi/") != NULL ? IN_TBB
         : strstr(site->file, "/lib/cilkprof/include/pstl/") != NULL ? IN_STANDARD_CPP
         : is_own_task_in_finding(site)                              ? BY_HAND
         : is_task_in_finding(site)                                  ? IN_OPENMP
                                                                     : IN_CILK;
}

/* Returns in what the program of MODEL is written: of several the first, and Cilk if nothing is parallel.  */
static enum finding_language finding_program_language(const struct model *model) {
  enum finding_language first = FINDING_LANGUAGES;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->kind != CILKPROF_SITE_SPAWN && site->kind != CILKPROF_SITE_LOOP && !is_task_in_finding(site))
      continue;
    enum finding_language language = finding_site_language(site);
    first = language < first ? language : first;
  }
  return first == FINDING_LANGUAGES ? IN_CILK : first;
}

/* Returns advice, a part of a sentence, on how to make a loop of the program of MODEL parallel.  */
const char *parallel_loop_finding_advice(const struct model *model) {
  static const char *const advice[] = {
      [IN_CILK] = "make it a cilk_for, with a reducer if it accumulates",
      [IN_OPENMP] = "put `#pragma omp parallel for' before it, with a reduction if it accumulates",
      [IN_TBB] = "make it a tbb::parallel_for, or a tbb::parallel_reduce if it accumulates",
      [IN_STANDARD_CPP] = "make it a std::for_each with std::execution::par, or a std::transform_reduce if it "
                          "accumulates",
      [BY_HAND] = "divide it among tasks, with a sum for each if it accumulates",
  };
  return advice[finding_program_language(model)];
}

/* Returns whether SPAWN makes a task, of OpenMP or of a library, so that findings call it a task instead of a
   spawn.  */
bool is_task_in_finding(const struct site *spawn) {
  return spawn->task || is_openmp_in_finding(spawn->callee) || is_library_task_in_finding(spawn);
}

/* Returns whether SPAWN makes a task of the program's own, which forks by hand.  */
static bool is_own_task_in_finding(const struct site *spawn) {
  const struct function *task = spawn->callee;
  return task->file != NULL && (strcmp(task->construct, "task") == 0 || finding_word_begins(task->construct, "task "));
}

/* Returns whether SPAWN makes a task of a library, or of the program's own.  */
bool is_library_task_in_finding(const struct site *spawn) {
  return finding_word_begins(finding_construct_word(spawn->callee), "tbb ") || is_own_task_in_finding(spawn);
}

/* Returns what SPAWN did in the words of a finding: "spawned" in Cilk, otherwise "made a task".  */
const char *finding_spawned_word(const struct site *spawn) {
  return is_task_in_finding(spawn) ? "made a task" : "spawned";
}

/* Returns what waits for SPAWN in the words of a finding: "cilk_sync", in OpenMP "taskwait or barrier", of a library's
   group of tasks "wait".  */
const char *finding_sync_word(const struct site *spawn) {
  return is_library_task_in_finding(spawn) ? "wait" : is_task_in_finding(spawn) ? "taskwait or barrier" : "cilk_sync";
}

/* Returns whether NAME is that of a single lock or mutex, which can limit the speedup.  Atomic operations that are
   named by source location may use different variables, and `omp locks' and `mutexes' are several: more than one
   processor can be inside these at once.  */
static bool is_single_lock_in_finding(const char *name) {
  return finding_word_begins(name, "omp critical") || finding_word_begins(name, "omp ordered") ||
         finding_word_begins(name, "omp lock ") || finding_word_begins(name, "omp atomic (") ||
         finding_word_begins(name, "mutex ");
}

/* Inserts LOCK into the COUNT longest locks, sorted by span; at most MAX_LOCKS are kept.  Returns the new count.  */
static size_t keep_longest_lock_for_verdict(struct lock *locks, size_t count, struct lock lock) {
  size_t place = count;
  while (place > 0 && locks[place - 1].span < lock.span)
    place--;
  if (lock.span == 0 || place == MAX_LOCKS)
    return count;
  count += count < MAX_LOCKS;
  memmove(&locks[place + 1], &locks[place], (count - 1 - place) * sizeof *locks);
  locks[place] = lock;
  return count;
}

/* Finds the locks with the largest spans, at most MAX_LOCKS, largest first.  Returns their number.  Partial regions
   are skipped: if one task sets a lock and another unsets it, not all code between holds the lock.  */
size_t find_locks_for_verdict(const struct model *model, struct lock *locks) {
  size_t count = 0;
  for (size_t i = 0; i < model->functions.count; i++) {
    const struct function *function = model->functions.list[i];
    if (function->file == NULL && is_single_lock_in_finding(function->symbol))
      count = keep_longest_lock_for_verdict(
          locks, count, (struct lock){function->name, function->brief_name, function->entered.span, function});
  }
  for (size_t i = 0; i < model->regions.count; i++) {
    const struct cilkprof_region *region = &model->regions.regions[i];
    if (model_region_is_lock(region) && !model_region_is_partial(region) && is_single_lock_in_finding(region->label))
      count = keep_longest_lock_for_verdict(locks, count,
                                            (struct lock){region->label, region->label, region->total.span, NULL});
  }
  return count;
}
