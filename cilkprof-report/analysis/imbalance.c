/* Finds load imbalance: loops and groups of spawns of which one piece takes much more than its part.
   SPDX-License-Identifier: GPL-3.0-or-later

   Only pieces without parallelism of their own are looked at: they end no sooner on more processors.  A group of spawns
   is all those of a function, with its own calls of what it spawns, if every invocation of the function is on the
   critical path: then the spawns on the path are the longest ones.  */

#include <math.h>
#include "cilkprof-report/analysis/imbalance.h"
#include "cilkprof-report/analysis/findings.h"

enum { LARGE_SPAWN = 2 };         /* percent of the work of a spawn whose group is looked at */
enum { TOO_FEW = 2 };             /* fewer pieces of several iterations for each processor are too few */
static const double WORTH = 1.25; /* ratio of speedups that is worth a finding */
static const double UNEVEN = 1.2; /* ratio of the longest piece to the mean that is an imbalance */

/* Returns the value of LOOP for PROCESSORS, by which its longest shares exceed its part of the span.  */
static double imbalanced_static_loop_excess(const struct cilkprof_loop *loop, unsigned processors) {
  struct speedup_limits alone = {0};
  for (int p = 0; p < CILKPROF_SHARES; p++)
    alone.more[p] = (double)loop->more[p];
  return speedup_bound_span(&alone, processors);
}

/* Fills in NOW and THEN of IMBALANCE, the bounds of the speedup if it takes its time, and if it takes BALANCED.  */
static void compare_imbalance_speedups(struct imbalance *imbalance, const struct speedup_limits *limits,
                                       double balanced) {
  double work = (double)limits->totals.work, span = speedup_bound_span(limits, imbalance->processors);
  double least = fmax(span - imbalance->time + balanced, limits->longest_lock);
  imbalance->now = speedup_upper_bound(limits, imbalance->processors);
  imbalance->then = fmin(imbalance->processors, work / least);
}

/* Returns the imbalance of LOOP on PROCESSORS.  Its site is NULL if the pieces are about equal and not too few, or
   parallel themselves.  A dynamic schedule can only distribute the iterations that there are: so many rounds of equal
   ones.  */
static struct imbalance imbalance_of_loop(const struct model *model, const struct speedup_limits *limits,
                                          const struct cilkprof_loop *loop, unsigned processors) {
  const struct site *site = &model->sites[loop->site];
  const struct cilkprof_measure *on_span = &site->measured->on_span.top_call_site;
  bool is_static = loop->longest[0] > 0;
  double pieces = (double)loop->pieces / (double)loop->executions, work = (double)on_span->work;
  struct imbalance found = {.loop = loop, .pieces = pieces, .work = work, .processors = processors};
  if (on_span->count == 0 || pieces < 2 || !are_loop_pieces_serial_for_bounds(loop, site->measured))
    return found;
  found.time = (double)on_span->span + (is_static ? imbalanced_static_loop_excess(loop, processors) : 0);
  double balanced = work / processors, mean = work / fmin(pieces, is_static ? processors : pieces);
  if (is_static && model->threads == 0) /* else the longest share is on the span */
    balanced = fmax(balanced, (double)on_span->span);
  if (is_static && loop->single == loop->executions)
    balanced = fmax(balanced, ceil(pieces / processors) * work / pieces);
  if (model->threads > 0 && (double)one_thread_blocks_span(model) > found.time / 2)
    return found;
  compare_imbalance_speedups(&found, limits, balanced);
  bool uneven = found.time >= UNEVEN * mean;
  found.too_few = !uneven && !is_static && loop->single < loop->executions && pieces < TOO_FEW * processors;
  found.site = uneven || found.too_few ? site : NULL;
  return found;
}

/* Returns whether all invocations of FUNCTION are on the critical path, as far as they are counted.  */
static bool is_imbalanced_function_always_on_span(const struct model *model, const struct function *function) {
  uint64_t all = 0, on_span = 0;
  for (size_t i = 0; i < model->site_count; i++)
    if (model->sites[i].callee == function) {
      all += model->sites[i].measured->on_work.local.count;
      on_span += model->sites[i].measured->on_span.local.count;
    }
  return (all > 0 || model->threads > 0) && all == on_span;
}

/* Returns whether SITE belongs to the group of spawns of which SPAWN is one: it is another spawn of the same function,
   or calls what SPAWN spawns after it.  What is called before a spawn does not run beside it.  */
static bool is_site_in_imbalanced_spawns(const struct site *site, const struct site *spawn) {
  bool behind = site->line > spawn->line || (site->line == spawn->line && site->column > spawn->column);
  return site->caller == spawn->caller &&
         (site->kind == CILKPROF_SITE_SPAWN ||
          (site->kind == CILKPROF_SITE_CALL && site->callee == spawn->callee && behind));
}

/* Returns the imbalance of the group of spawns that SPAWN belongs to, on PROCESSORS.  Its site is NULL if they are
   about equal, parallel themselves, recursive, or not the whole group is known.  */
static struct imbalance imbalance_of_spawns(const struct model *model, const struct speedup_limits *limits,
                                            const struct site *spawn, unsigned processors) {
  struct imbalance found = {.processors = processors, .one_site = true};
  struct cilkprof_measure all = {0}, on_span = {0};
  const struct site *longest = spawn;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (!is_site_in_imbalanced_spawns(site, spawn))
      continue;
    if (is_nested_model_call(site->caller, site->callee))
      return found;
    add_model_measure(&all, &site->measured->on_work.top_call_site);
    add_model_measure(&on_span, &site->measured->on_span.top_call_site);
    found.one_site &= site == spawn;
    if (site->measured->on_span.top_call_site.span > longest->measured->on_span.top_call_site.span)
      longest = site;
  }
  if (on_span.count == 0 || all.count < 2 * on_span.count ||
      (double)on_span.work > NEARLY_SERIAL * (double)on_span.span ||
      !is_imbalanced_function_always_on_span(model, spawn->caller))
    return found;
  found.pieces = (double)all.count / (double)on_span.count;
  found.work = (double)all.work;
  found.time = (double)on_span.span;
  if (is_judged_region_by_thread_number(spawn->callee)) { /* its path has work of others that it waits for */
    found.time = (double)on_span.work;
    if (processors > found.pieces || (double)one_thread_blocks_span(model) > found.time / 2)
      return found;
  }
  compare_imbalance_speedups(&found, limits, found.work / processors);
  found.site = found.time >= UNEVEN * found.work / found.pieces ? longest : NULL;
  return found;
}

/* Keeps the better of *BEST and FOUND: the one whose end brings more, if it is worth a finding.  */
static void keep_largest_imbalance(struct imbalance *best, const struct imbalance *found) {
  if (found->site != NULL && found->then >= WORTH * found->now && (best->site == NULL || found->then > best->then))
    *best = *found;
}

/* Returns the imbalance whose end brings most on PROCESSORS.  STATIC_TOO: also of loops with a static schedule.  */
static struct imbalance largest_imbalance_on(const struct model *model, const struct speedup_limits *limits,
                                             unsigned processors, bool static_too) {
  struct imbalance best = {0};
  double least = (double)model->totals.work * LARGE_SPAWN / 100;
  for (size_t i = 0; i < model->loops.count; i++) {
    if (model->loops.loops[i].longest[0] > 0 && !static_too)
      continue;
    struct imbalance found = imbalance_of_loop(model, limits, &model->loops.loops[i], processors);
    keep_largest_imbalance(&best, &found);
  }
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->kind != CILKPROF_SITE_SPAWN || site->caller == NULL ||
        (double)site->measured->on_work.top_call_site.work < least)
      continue;
    struct imbalance found = imbalance_of_spawns(model, limits, site, processors);
    keep_largest_imbalance(&best, &found);
  }
  return best;
}

struct imbalance find_imbalance(const struct model *model, const struct speedup_limits *limits, unsigned processors) {
  struct imbalance best = {0};
  double parallelism = (double)limits->totals.work / (double)limits->totals.span;
  if (processors > 1)
    best = largest_imbalance_on(model, limits, processors, true);
  for (unsigned more = 2; parallelism < ENOUGH * processors && more < AMPLE * processors && best.site == NULL;
       more *= 2)
    if (more > processors)
      best = largest_imbalance_on(model, limits, more, false);
  return best;
}
