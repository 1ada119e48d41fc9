/* Bounds of the speedup: the smallest of all that are known.
   SPDX-License-Identifier: GPL-3.0-or-later

   No speedup exceeds the number of processors, nor work / span, nor work / the time under any one lock.  A loop with a
   static schedule is part of the span as its longest share on as many processors.  From below, the bound is that of a
   greedy scheduler (Cilkview, Section 5).  In it, a processor waits only while there is too little to do.  Processors
   that wait for a lock do so while it is held, and those whose share is shorter than the longest one for the rest of
   it; this is added.  */

#include <math.h>
#include "cilkprof-report/analysis/bounds.h"
#include "cilkprof-report/analysis/timing.h"
#include "cilkprof-report/analysis/words.h"

/* Returns what bounds the speedup of a program, or a part of one, of which only TOTALS are known.  */
enum { MOST_PROCESSORS = 2 << (CILKPROF_SHARES - 1) };

struct speedup_limits speedup_bounds_of_totals(const struct cilkprof_totals *totals) {
  return (struct speedup_limits){.totals = *totals, .most = MOST_PROCESSORS};
}

const char *reason_for_no_speedup_bounds(const struct model *model) {
  if (model->totals.span == 0)
    return "there is no span in the profile";
  if (model->totals.spawns == 0)
    return "nothing is spawned";
  return is_timed_run_mostly_waiting(model) ? "the run mostly waited, which work and span exclude" : NULL;
}

bool are_loop_pieces_serial_for_bounds(const struct cilkprof_loop *loop, const struct cilkprof_site *site) {
  return (double)loop->work >= 0.9 * (double)site->on_work.top_call_site.work;
}

/* Adds to LIMITS those of locks and static schedules in MODEL.  */
static void add_model_speedup_limits(struct speedup_limits *limits, const struct model *model) {
  struct lock locks[MAX_LOCKS];
  size_t count = find_locks_for_verdict(model, locks);
  for (size_t i = 0; i < count; i++)
    limits->locked += (double)locks[i].span;
  limits->longest_lock = count > 0 ? (double)locks[0].span : 0;
  for (size_t i = 0; i < model->loops.count; i++) {
    const struct cilkprof_loop *loop = &model->loops.loops[i];
    const struct cilkprof_site *site = model->sites[loop->site].measured;
    if (loop->longest[0] == 0)
      continue;
    if (are_loop_pieces_serial_for_bounds(loop, site))
      limits->shared += (double)site->on_span.top_call_site.span;
    for (int p = 0; p < CILKPROF_SHARES; p++) {
      limits->more[p] += (double)loop->more[p];
      limits->idle[p] += fmax(0, (double)loop->longest[p] - (double)loop->work / (2 << p));
    }
  }
  limits->shared = fmin(limits->shared, (double)model->totals.span);
}

/* Returns what it costs to make all tasks of OpenMP in MODEL and to hand out all chunks of its loops, in units: the
   burden of a task that moves is MAKING times that.  */
static double speedup_bound_making_cost(const struct model *model) {
  enum { MAKING = 16 };
  double burden = (double)(model->run.units_per_second == 0 ? model->program.burden : model->run.burden_units);
  double made = 0;
  for (size_t i = 0; i < model->site_count; i++)
    if (model->sites[i].kind == CILKPROF_SITE_SPAWN && model->sites[i].task)
      made += (double)model->sites[i].measured->on_work.local.count;
  for (size_t i = 0; i < model->loops.count; i++)
    if (model->loops.loops[i].longest[0] == 0 && is_openmp_in_finding(model->sites[model->loops.loops[i].site].callee))
      made += (double)model->loops.loops[i].pieces;
  return made * burden / MAKING;
}

struct speedup_limits speedup_bounds_of_model(const struct model *model) {
  struct speedup_limits limits = {.totals = model->totals, .most = MOST_PROCESSORS};
  if (model->threads > 1 && model->threads < limits.most)
    limits.most = (unsigned)model->threads;
  add_model_speedup_limits(&limits, model);
  limits.making = speedup_bound_making_cost(model);
  return limits;
}

/* Returns the value of VALUES, of which there is one for each power of two, on so many PROCESSORS.  Between two powers
   it is interpolated by shares of the work.  On fewer than two it is that for two, on more than the largest BEYOND.  */
static double speedup_bound_value_on(const double *values, double processors, double beyond) {
  if (processors <= 2)
    return values[0];
  for (int p = 1; p < CILKPROF_SHARES; p++) {
    double below = 1 << p, above = 2 << p;
    if (processors <= above)
      return values[p - 1] + (values[p] - values[p - 1]) * (1 / below - 1 / processors) / (1 / below - 1 / above);
  }
  return beyond;
}

double speedup_idle_time(const struct speedup_limits *limits, double processors) {
  double idle = speedup_bound_value_on(limits->idle, processors, limits->idle[CILKPROF_SHARES - 1]);
  return processors < 2 ? idle * 2 * (1 - 1 / processors) : idle; /* one processor never waits */
}

bool is_speedup_bound_interpolated(const struct speedup_limits *limits, unsigned processors) {
  bool measured = (processors & (processors - 1)) == 0 && processors <= 1u << CILKPROF_SHARES;
  return !measured && 100 * processors * speedup_idle_time(limits, processors) >= (double)limits->totals.work;
}

double speedup_bound_span(const struct speedup_limits *limits, double processors) {
  return (double)limits->totals.span + speedup_bound_value_on(limits->more, processors, 0);
}

/* Returns a lower bound of the speedup on P PROCESSORS: what a greedy scheduler reaches, with a burden, which is work /
   (work / P + 1.7 burdened span).  Locks and static schedules add the time for which they let processors wait; a loop
   of which all shares are known adds nothing else.  */
double speedup_lower_bound(const struct speedup_limits *limits, double processors) {
  double work = (double)limits->totals.work, locked = fmin(limits->locked, work);
  double time = (work - locked) / processors + locked + limits->making + speedup_idle_time(limits, processors) +
                1.7 * ((double)limits->totals.burdened_span - limits->shared);
  return fmin(work / time, speedup_upper_bound(limits, processors));
}

/* Returns an upper bound of the speedup on P PROCESSORS: the smallest of P, work / span on P processors, and work / the
   time under any lock.  */
double speedup_upper_bound(const struct speedup_limits *limits, double processors) {
  double work = (double)limits->totals.work, least = fmax(speedup_bound_span(limits, processors), limits->longest_lock);
  return fmin(processors, work / least);
}

double speedup_upper_bound_without(const struct speedup_limits *limits, double processors, double span) {
  struct speedup_limits rest = *limits;
  rest.totals.span = span < (double)limits->totals.span ? limits->totals.span - (uint64_t)span : 0;
  double least = fmax(speedup_bound_span(&rest, processors), limits->longest_lock);
  return least > 0 ? fmin(processors, (double)limits->totals.work / least) : processors;
}

double speedup_between_bounds(const struct speedup_limits *limits, double processors, double emulated) {
  double wasted = speedup_idle_time(limits, processors) + limits->making / processors;
  double speedup = 1 / (1 / emulated + wasted / (double)limits->totals.work);
  return fmin(fmax(speedup, speedup_lower_bound(limits, processors)), speedup_upper_bound(limits, processors));
}
