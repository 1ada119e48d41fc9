/* Findings about grain size: Section 5 of the Cilkview paper on burden, and its Section 4 on strands.
   SPDX-License-Identifier: GPL-3.0-or-later

   Code to coarsen is chosen by the gain for the burdened span, not by the size of its burden: a cilk_for with long
   iterations has the same burden as one with short iterations, but for it the burden is worthwhile.  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/library.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Returns whether the burden makes the parallelism much smaller, and too small for PROCESSORS: the grain is too
   fine.  */
static bool is_burdened_grain_too_fine(double parallelism, double burdened_parallelism, unsigned processors) {
  return burdened_parallelism * FAR_BELOW < parallelism && burdened_parallelism < ENOUGH * (double)processors;
}

/* Returns whether the grain of the whole program is too fine: the burden divides its parallelism by more than
   FAR_BELOW, and what remains is not enough.  */
bool is_grain_too_fine(const struct verdict *verdict) {
  return is_burdened_grain_too_fine(verdict->parallelism, verdict->burdened_parallelism, verdict->processors);
}

/* Returns whether the grain of LOOP, which is on the critical path, is too fine, or it is the loop that VERDICT advises
   to coarsen: it would not gain from a smaller grain.  */
bool is_loop_grain_too_fine(const struct verdict *verdict, const struct site *loop) {
  const struct cilkprof_measure *all = &loop->measured->on_span.top_call_site;
  return loop->callee == verdict->to_coarsen ||
         is_burdened_grain_too_fine(finding_ratio(all->work, all->span), finding_ratio(all->work, all->burdened_span),
                                    verdict->processors);
}

/* Returns the burden of a continuation edge in units of the profile, for findings about grain size; 0: unknown.  */
static uint64_t grain_finding_burden(const struct model *model) {
  return model->run.units_per_second == 0 ? model->program.burden : model->run.burden_units;
}

/* Returns the burden that the calls of SITE add to the span themselves, without their callees.  */
static double grain_finding_local_burden(const struct site *site) {
  const struct cilkprof_measure *local = &site->measured->on_span.local;
  return local->burdened_span > local->span ? (double)(local->burdened_span - local->span) : 0;
}

/* Returns the burdened span of a cilk_for with that WORK if it is divided into the best number of equal pieces.  Each
   halving of the loop adds a BURDEN.  If the burden is unknown, the loop is taken as serial.  */
static double grain_finding_best_span(double work, double burden) {
  double pieces = burden > 0 ? work * M_LN2 / burden : 0;
  return pieces > 1 ? burden * log2(pieces) + work / pieces : work;
}

/* Returns whether a call of that WORK could be made at least twice as fast despite the cost of stealing, so that advice
   to parallelise it makes sense.  */
bool is_bottleneck_worth_dividing(const struct model *model, double work) {
  double burden = (double)grain_finding_burden(model);
  return burden == 0 || FAR_BELOW * grain_finding_best_span(work, burden) <= work;
}

/* Adds a finding if the run is so short that the start and end of the program make up most of it, and notes that in
   VERDICT.  */
void judge_run_length(struct verdict *verdict) {
  const struct model *model = verdict->model;
  double work = (double)model->totals.work, burden = (double)grain_finding_burden(model);
  verdict->short_run = work < SHORT_RUN * burden && !(model->program.flags & CILKPROF_OTHER_THREADS);
  if (verdict->short_run)
    add_finding(verdict, FINDING_SHORT_RUN, TONE_NOTICE,
                format_string("the work, %s, is only %.0f times the cost of moving a task to another processor.  "
                              "Measure a longer run before changing anything.",
                              model->run.units_per_second == 0
                                  ? format_string("%s instructions", model_grouped_number(model->totals.work).text)
                                  : model_quantity(model, work, 3, " ").text,
                              ceil(work / burden)));
}

/* Returns by how much the burdened span becomes shorter if the calls of SITE are coarsened.  A loop gets the best
   number of pieces; an OpenMP team begins all of them at once.  Other calls, such as the small problems of a recursion,
   lose their burden and do their own work serially.  */
static double coarsening_gain(const struct model *model, const struct site *site) {
  const struct cilkprof_measures *on_span = &site->measured->on_span;
  const struct cilkprof_measure *all = &on_span->top_call_site, *local = &on_span->local;
  if (site->kind != CILKPROF_SITE_LOOP || all->count == 0)
    return grain_finding_local_burden(site) - ((double)local->work - (double)local->span);
  double count = (double)all->count, burden = (double)grain_finding_burden(model), work = (double)all->work / count;
  double best = !is_openmp_in_finding(site->callee) ? grain_finding_best_span(work, burden)
                : burden > 0 && burden < work       ? burden
                                                    : work;
  return grain_finding_local_burden(site) + (double)all->span - count * best;
}

/* Sum of all calls of a function on the span.  */
struct grain {
  const struct site *site;  /* one of the calls; NULL: there are none */
  const struct site *where; /* the loop, spawn or task to coarsen, as far as it is known, for the finest one */
  double burden, gain;
  double share; /* percent of the burden of all functions */
};

/* Returns whether a function with GRAIN gains more from coarsening than OTHER; if neither gains, whether it has more
   burden.  */
static bool is_finer_grain_to_judge(const struct grain *grain, const struct grain *other) {
  if (grain->gain > 0 || other->gain > 0)
    return grain->gain > other->gain;
  return grain->burden > other->burden;
}

/* Returns the function of MODEL that gains most from coarsening.  Its share refers to the sum of all local burdens on
   the span, not to the difference of burdened span and span: the two may be different paths.  */
static struct grain find_finest_grain_to_judge(const struct model *model) {
  struct grain *grains = allocate(model->functions.count, sizeof *grains), finest = {0};
  double all = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    struct grain *grain = &grains[site->callee->number];
    grain->site = site;
    grain->burden += grain_finding_local_burden(site);
    grain->gain += coarsening_gain(model, site);
    all += grain_finding_local_burden(site);
  }
  for (size_t i = 0; i < model->functions.count; i++)
    if (grains[i].burden > 0 && is_finer_grain_to_judge(&grains[i], &finest))
      finest = grains[i];
  free(grains);
  finest.share = all > 0 ? 100 * finest.burden / all : 0;
  return finest;
}

/* Returns the most frequent call site of KIND in FUNCTION, or in the program if FUNCTION is NULL.  NULL: there is
   none.  */
static const struct site *most_frequent_site_to_coarsen(const struct model *model, const struct function *function,
                                                        enum cilkprof_site_kind kind) {
  const struct site *most = NULL;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    bool more = most == NULL || site->measured->on_work.local.count > most->measured->on_work.local.count;
    if (site->kind == kind && !is_lock_in_finding(site->callee) && (function == NULL || site->caller == function) &&
        more)
      most = site;
  }
  return most;
}

const struct site *most_frequent_construct(const struct model *model) {
  const struct site *spawn = most_frequent_site_to_coarsen(model, NULL, CILKPROF_SITE_SPAWN);
  const struct site *loop = most_frequent_site_to_coarsen(model, NULL, CILKPROF_SITE_LOOP);
  if (spawn == NULL || loop == NULL)
    return spawn != NULL ? spawn : loop;
  return spawn->measured->on_work.local.count >= loop->measured->on_work.local.count ? spawn : loop;
}

/* Returns the beginning of advice on grain size: a remark if FINEST has less than half of the burden, otherwise an
   empty text.  */
static const char *grain_spread_remark(const struct grain *finest) {
  enum { MOST_OF_IT = 50 };
  return finest->share < MOST_OF_IT ? "Many places contribute; begin with the largest: " : "";
}

/* Returns the task that CONSTRUCT of OpenMP makes in a loop: each execution makes many.  NULL: there is none.  */
static const struct site *looped_task_to_coarsen(const struct model *model, const struct site *construct) {
  enum { MANY = 10 };
  const struct site *task = most_frequent_site_to_coarsen(model, construct->caller, CILKPROF_SITE_SPAWN);
  uint64_t passes = construct->measured->on_work.local.count;
  bool many = task != NULL && is_task_in_finding(task) && task->measured->on_work.local.count / MANY >= passes;
  return many ? task : NULL;
}

/* Returns what to coarsen in SITE, a call with too fine a grain: a loop itself, or the most frequent spawn, task or
   loop of what is called.  NULL: unknown.  */
static const struct site *place_to_coarsen(const struct model *model, const struct site *site) {
  if (site->kind == CILKPROF_SITE_LOOP)
    return site;
  if (is_openmp_in_finding(site->callee))
    return looped_task_to_coarsen(model, site);
  const struct site *spawn = most_frequent_site_to_coarsen(model, site->callee, CILKPROF_SITE_SPAWN);
  return spawn != NULL ? spawn : most_frequent_site_to_coarsen(model, site->callee, CILKPROF_SITE_LOOP);
}

/* Returns advice about FINEST, an OpenMP construct that is not a loop, such as a region, whose grain is too fine.  */
static char *grain_construct_advice(const struct model *model, const struct grain *finest) {
  return format_string(
      "%s%.0f%% of that cost is in '%s', which splits work that is already short.  %s", grain_spread_remark(finest),
      finest->share, finest->site->callee->brief_name,
      finest->where != NULL
          ? format_string("Create fewer, longer tasks at %s, for example by a taskloop with a grainsize.",
                          finding_user_place(model, finest->where))
          : "Make the tasks longer, or do not split small problems (if clause).");
}

/* Returns advice, a part of a sentence, on how to coarsen SITE in a library that stands in for another.  */
static const char *coarser_library_call_advice(const struct site *site) {
  return is_library_task_in_finding(site) ? "do more in each task, or call its function instead"
                                          : "call it for larger ranges, or serially";
}

/* Returns advice on how to coarsen FINEST, whose grain is too fine at SITE in a library that stands in for another.  */
static char *library_grain_advice(const struct model *model, const struct grain *finest, const struct site *site) {
  return format_string("%s%.0f%% of that cost is in %s: %s.", grain_spread_remark(finest), finest->share,
                       finding_construct_text(model, site), coarser_library_call_advice(site));
}

/* Returns advice on how to coarsen FINEST, whose grain is too fine: a loop, an OpenMP construct, or a function that
   spawns.  */
static char *coarsening_advice(const struct verdict *verdict, const struct grain *finest) {
  const struct model *model = verdict->model;
  const struct site *most = model->threads > 0 ? most_frequent_construct(model) : NULL;
  if (finest->site == NULL && most != NULL)
    return format_string("%s began %s times: do more in each.", finding_construct_text(model, most),
                         model_grouped_number(most->measured->on_work.local.count).text);
  if (finest->site == NULL)
    return format_string("Spawn larger pieces.");
  const struct function *loop = finest->site->callee;
  if (finest->site->kind == CILKPROF_SITE_LOOP && verdict->system_bound)
    return format_string("%.0f%% of that cost is in %s, which is short compared to its system time.", finest->share,
                         finding_construct_text(model, finest->site));
  if (finest->site->kind == CILKPROF_SITE_LOOP && is_finding_site_of_library(model, finest->site))
    return library_grain_advice(model, finest, finest->site);
  if (finest->site->kind == CILKPROF_SITE_LOOP)
    return format_string("%s%.0f%% of that cost is in %s: %s, or %s.", grain_spread_remark(finest), finest->share,
                         finding_construct_text(model, finest->site), longer_loop_finding_advice(loop),
                         larger_loop_pieces_finding_advice(loop));
  if (is_openmp_in_finding(loop))
    return grain_construct_advice(model, finest);
  const struct site *inner = finest->where;
  if (inner != NULL && inner->kind == CILKPROF_SITE_LOOP)
    return format_string("%s%.0f%% of that cost is in '%s', most often in its %s at %s: %s, or %s.",
                         grain_spread_remark(finest), finest->share, finest->site->callee->brief_name,
                         finding_loop_word(inner->callee), finding_user_place(model, inner),
                         longer_loop_finding_advice(inner->callee), larger_loop_pieces_finding_advice(inner->callee));
  const struct site *spawn = finest->where;
  if (spawn != NULL && is_finding_site_of_library(model, spawn))
    return library_grain_advice(model, finest, spawn);
  bool tasks = spawn != NULL && is_task_in_finding(spawn);
  return format_string(
      "%s%.0f%% of that cost is in '%s'%s%s: spawn larger pieces, so that small problems are called instead of %s.",
      grain_spread_remark(finest), finest->share, finest->site->callee->brief_name,
      spawn == NULL ? ""
      : tasks       ? ", which creates tasks at "
                    : ", which spawns at ",
      spawn != NULL ? finding_user_place(model, spawn) : "", tasks ? "made tasks, with if or final" : "spawned");
}

/* Adds a finding if the grain of the program is too fine, with advice on what to coarsen, and notes that function in
   VERDICT.  */
void judge_grain(struct verdict *verdict) {
  const struct cilkprof_totals *totals = &verdict->model->totals;
  if (!is_grain_too_fine(verdict))
    return;
  struct grain finest = find_finest_grain_to_judge(verdict->model);
  if (finest.site != NULL) {
    finest.where = place_to_coarsen(verdict->model, finest.site);
    verdict->to_coarsen = finest.site->callee;
  }
  struct finding *finding = add_finding(verdict, FINDING_GRAIN, TONE_BAD,
                                        format_string("scheduling costs reduce the parallelism to %s.  %s",
                                                      model_parallelism_text(totals->work, totals->burdened_span).text,
                                                      coarsening_advice(verdict, &finest)));
  if (finest.site == NULL)
    return;
  set_finding_place(verdict, finding, finest.site->callee->name, finest.where != NULL ? finest.where : finest.site);
  set_finding_share(finding, finest.share, "burden");
}

/* Converts UNITS of the profile to instructions; -1: unknown.  The burden is known in both units.  */
static double strand_finding_instructions(const struct model *model, double units) {
  if (model->run.units_per_second == 0)
    return units;
  return model->run.burden_units > 0 ? units * (double)model->program.burden / (double)model->run.burden_units : -1;
}

/* Returns the loop of MODEL whose pieces are the shortest for what they cost; if that is no loop, the most frequent
   one. NULL: there is none.  */
static const struct site *finest_loop_to_coarsen(const struct model *model) {
  const struct site *finest = find_finest_grain_to_judge(model).site;
  const struct site *where = finest != NULL ? place_to_coarsen(model, finest) : NULL;
  return where != NULL && where->kind == CILKPROF_SITE_LOOP
             ? where
             : most_frequent_site_to_coarsen(model, NULL, CILKPROF_SITE_LOOP);
}

/* Returns advice to make the pieces of LOOP larger; if it is NULL, of all loops.  */
static const char *larger_grains_advice(const struct model *model, const struct site *loop) {
  if (loop == NULL)
    return "  Use larger chunks in the parallel loops.";
  return format_string("  Use larger %ss in %s.", finding_loop_piece_word(loop->callee),
                       finding_construct_text(model, loop));
}

/* Returns the number of chunks that only exist because an OpenMP team has several threads: up to one for each further
   thread and loop.  A smaller team makes fewer of them.  All other chunks are the choice of the program.  */
static double strand_finding_team_chunks(const struct model *model) {
  double in_loops = (double)model->totals.spawns, of_teams = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    double count = (double)site->measured->on_work.local.count;
    if (site->kind == CILKPROF_SITE_SPAWN)
      in_loops -= count;
    else if (site->kind == CILKPROF_SITE_LOOP && is_openmp_in_finding(site->callee))
      of_teams += count * ((double)model->program.loop_workers - 1);
  }
  return fmax(fmin(in_loops, of_teams), 0);
}

/* Returns a sentence for a finding about short strands that names SPAWN, the most frequent one, and how often it was
   executed.  Of a library the user knows the function, and not what it spawns.  */
static const char *frequent_spawn_sentence(const struct model *model, const struct site *spawn) {
  const struct quantity times = model_grouped_number(spawn->measured->on_work.local.count);
  return is_finding_site_of_library(model, spawn)
             ? format_string("  Most often %s spawns (%s times).", finding_construct_text(model, spawn), times.text)
             : format_string("  Most often '%s' is %s, at %s (%s times).", spawn->callee->brief_name,
                             finding_spawned_word(spawn), finding_user_place(model, spawn), times.text);
}

/* Returns the advice for a finding about short strands, where SPAWN is the most frequent one.  */
static const char *frequent_spawn_advice(const struct model *model, const struct site *spawn) {
  return is_finding_site_of_library(model, spawn)
             ? format_string("  To make them longer, %s.", coarser_library_call_advice(spawn))
             : "  Stop the parallel recursion earlier, with plain calls.";
}

/* Adds a finding if the strands of the program are so short on average that the cost of spawning is noticeable, with
   the most frequent spawn.  */
void judge_strands(struct verdict *verdict) {
  const struct model *model = verdict->model;
  double spawned = (double)model->totals.spawns - strand_finding_team_chunks(model);
  double strands = 1 + 2 * spawned + (double)model->totals.syncs - strand_finding_team_chunks(model);
  double strand = strand_finding_instructions(model, (double)model->totals.work / strands);
  const struct site *spawn = most_frequent_site_to_coarsen(model, NULL, CILKPROF_SITE_SPAWN);
  if (spawned <= 0 || strand < 0 || strand >= SHORT_STRAND)
    return;
  bool spawns = spawn != NULL && spawn->measured->on_work.local.count > 0;
  const struct site *loop = spawns ? NULL : finest_loop_to_coarsen(model);
  const char *where = spawns ? frequent_spawn_sentence(model, spawn) : "";
  const char *advice = is_grain_too_fine(verdict) ? "" /* judge_grain has given it */
                       : spawns                   ? frequent_spawn_advice(model, spawn)
                       : verdict->system_bound    ? ""
                                                  : larger_grains_advice(model, loop);
  struct finding *finding = add_finding(
      verdict, FINDING_SHORT_STRANDS, TONE_NOTICE,
      format_string(
          "%.0f instructions on average; below %d, spawning is a noticeable overhead even on one processor.%s%s",
          floor(strand), SHORT_STRAND, where, advice));
  const struct site *place = spawns ? spawn : loop;
  if (place != NULL)
    set_finding_place(verdict, finding, place->callee->name, place);
}
