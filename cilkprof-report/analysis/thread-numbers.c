/* Findings about code that divides its work by thread numbers, which was run as a team of so many threads.
   SPDX-License-Identifier: GPL-3.0-or-later

   The compiler tells the threads of such regions apart by their names.  What the profile says of them is what a team of
   that size does, so no loop in them is to be parallelised.  */

#include <math.h>
#include <string.h>
#include "cilkprof-report/analysis/bottleneck-words.h"
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Adds a finding to VERDICT about SITE, which holds so much of the SPAN: what the threads of a watched program share,
   unless the span would hardly be shorter if they shared it evenly.  */
void add_team_finding(struct verdict *verdict, enum tone tone, const struct site *site, uint64_t span) {
  const struct cilkprof_measure *all = &site->measured->on_work.top_call_site;
  double percent = finding_span_percent(verdict, span), threads = (double)verdict->model->threads;
  double parallelism = finding_ratio(all->work, all->span);
  if (is_lock_in_finding(site->callee) ||
      percent * (1 - parallelism / threads) < LARGE_SHARE) /* locks have findings of their own */
    return;
  struct finding *finding =
      add_finding(verdict, FINDING_LOOP, tone,
                  format_string("%s takes %.1f%% of the span: its %.0f threads run it with a parallelism of %s.  Give "
                                "each thread as much to do.",
                                finding_construct_text(verdict->model, site), percent, threads,
                                model_parallelism_text(all->work, all->span).text));
  set_finding_place(verdict, finding, site->callee->name, site);
  set_finding_share(finding, percent, "span");
}

/* Returns whether FUNCTION is what each thread does of a parallel region that divides its work by thread numbers.  */
bool is_judged_region_by_thread_number(const struct function *function) {
  static const char name[] = "omp parallel thread ";
  return function != NULL && function->symbol != NULL && strncmp(function->symbol, name, strlen(name)) == 0;
}

/* Returns whether FUNCTION is a parallel region that divides its work by thread numbers, with all its threads.  */
static bool is_judged_region_of_team(const struct model *model, const struct function *function) {
  static const char name[] = "omp parallel ", thread[] = "omp parallel thread ";
  if (function == NULL || function->symbol == NULL || strncmp(function->symbol, name, strlen(name)) != 0)
    return false;
  for (size_t i = 0; i < model->site_count; i++)
    if (is_judged_region_by_thread_number(model->sites[i].callee) &&
        strcmp(model->sites[i].callee->symbol + strlen(thread), function->symbol + strlen(name)) == 0)
      return true;
  return false;
}

/* Returns whether a region of FUNCTION that divides its work by thread numbers holds most of SPAN.  */
static bool has_judged_function_such_region(const struct model *model, const struct function *function, uint64_t span) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->caller == function && is_judged_region_by_thread_number(site->callee) &&
        site->measured->on_span.top_call_site.span > span / 2)
      return true;
  }
  return false;
}

/* Returns whether BOTTLENECK is a loop of OpenMP that threads of a team may have divided: each has run its share of it,
   which is serial.  */
static bool is_bottleneck_share_of_team(const struct model *model, const struct bottleneck *bottleneck) {
  uint64_t in_teams = 0;
  for (size_t i = 0; i < model->site_count; i++)
    if (is_judged_region_by_thread_number(model->sites[i].callee))
      in_teams += model->sites[i].measured->on_span.top_call_site.span;
  return bottleneck->kind == BOTTLENECK_LOOP && is_openmp_in_finding(bottleneck->function) &&
         (double)bottleneck->held.span <= 1.05 * (double)in_teams &&
         (double)bottleneck->held.work < NEARLY_SERIAL * (double)bottleneck->held.span;
}

/* Returns how many threads the team of SITE had, on average: how often it was spawned for each time that the region was
   entered, whose site is at the same place.  */
static double judged_team_threads(const struct model *model, const struct site *site) {
  static const char name[] = "omp parallel ";
  uint64_t entered = 0;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *region = &model->sites[i];
    if (region != site && region->line == site->line && region->caller == site->caller && region->callee != NULL &&
        region->callee->symbol != NULL && strncmp(region->callee->symbol, name, strlen(name)) == 0 &&
        !is_judged_region_by_thread_number(region->callee))
      entered += region->measured->on_work.local.count;
  }
  return entered > 0 ? (double)site->measured->on_work.local.count / (double)entered : 1;
}

/* Returns whether most of the work of MODEL is in tasks, which any number of threads could run.  */
static bool is_work_mostly_in_tasks(const struct model *model) {
  uint64_t work = 0;
  for (size_t i = 0; i < model->site_count; i++)
    if (model->sites[i].kind == CILKPROF_SITE_SPAWN)
      model_add_saturating(&work, model->sites[i].measured->on_work.top_call_site.work);
  return work > model->totals.work / 2;
}

double judged_team_of_verdict(const struct verdict *verdict) {
  const struct model *model = verdict->model;
  if (model->threads > 0)
    return is_work_mostly_in_tasks(model) ? 0 : (double)model->threads;
  double threads = 1; /* of two regions that hold more than half of the span, one is nested in the other */
  for (size_t i = 0; i < model->site_count; i++)
    if (is_judged_region_by_thread_number(model->sites[i].callee) &&
        model->sites[i].measured->on_span.top_call_site.span > model->totals.span / 2)
      threads *= judged_team_threads(model, &model->sites[i]);
  return threads > 1 ? threads : 0;
}

bool has_judged_program_teams(const struct model *model) {
  for (size_t i = 0; i < model->site_count; i++)
    if (is_judged_region_by_thread_number(model->sites[i].callee))
      return true;
  return false;
}

/* Returns whether what BOTTLENECK does is divided between the threads of a team: on the critical path is only the part
   of one of them.  */
static bool is_bottleneck_divided_by_team(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  double team = judged_team_of_verdict(verdict), all = 0, on_span = 0;
  for (size_t i = 0; i < bottleneck->place_count; i++) {
    all += (double)bottleneck->places[i]->measured->on_work.top_call_site.work;
    on_span += (double)bottleneck->places[i]->measured->on_span.top_call_site.work;
  }
  return team > 0 && on_span > 0 && all >= fmax(1.5, team / 2) * on_span;
}

/* Returns whether BOTTLENECK is code that is divided by thread numbers: such a region, a loop in it, or a function of
   which it is most.  */
bool is_bottleneck_by_thread_number(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  const struct function *caller = bottleneck->place_count > 0 ? bottleneck->places[0]->caller : NULL;
  return is_bottleneck_share_of_team(verdict->model, bottleneck) ||
         is_bottleneck_divided_by_team(verdict, bottleneck) ||
         is_judged_region_by_thread_number(bottleneck->function) ||
         is_judged_region_of_team(verdict->model, bottleneck->function) ||
         (bottleneck->kind == BOTTLENECK_SERIAL_LOOP && is_judged_region_by_thread_number(caller)) ||
         (bottleneck->part != NULL && is_judged_region_by_thread_number(bottleneck->part->callee)) ||
         has_judged_function_such_region(verdict->model, bottleneck->function, bottleneck->held.span) ||
         (bottleneck->kind == BOTTLENECK_SERIAL_LOOP &&
          has_judged_function_such_region(verdict->model, caller, bottleneck->held.span));
}

/* Returns whether REGION, which one thread has run, may be so because it is inside of another one: there is one with
   several threads that has as much of the span.  */
static bool is_judged_region_nested(const struct model *model, const struct site *region) {
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site != region && is_judged_region_by_thread_number(site->callee) && judged_team_threads(model, site) > 1 &&
        site->measured->on_span.top_call_site.span >= region->measured->on_span.top_call_site.span)
      return true;
  }
  return false;
}

/* Returns whether REGION may be run by a team only because its sections wait for each other.  */
static bool has_judged_region_sections(const struct model *model, const struct site *region) {
  static const char name[] = "omp section ";
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    if (site->file == region->file && site->line > region->line && site->callee != NULL &&
        (site->caller == region->caller || site->caller == region->callee) && site->callee->symbol != NULL &&
        strncmp(site->callee->symbol, name, strlen(name)) == 0)
      return true;
  }
  return false;
}

/* Returns what the team of REGION means for the numbers of the verdict.  */
static const char *judged_team_words(const struct model *model, const struct site *region) {
  double threads = judged_team_threads(model, region);
  if (threads > 1)
    return format_string("All numbers are for a team of %.4g threads, which it was run with; measure again with "
                         "OMP_NUM_THREADS, or what else sets it, for another size.",
                         threads);
  if (is_judged_region_nested(model, region))
    return "It is nested in another region, and OpenMP gives a nested region one thread by default: it counts as "
           "serial, as it is without the profiler.  To give it a team of its own, set OMP_MAX_ACTIVE_LEVELS=2.";
  return "It was run with one thread, so it counts as serial: measure again with OMP_NUM_THREADS set to the size of a "
         "team.";
}

/* Adds a finding for each region that divides its work by thread numbers and holds a notable part of the span.  */
void judge_thread_numbers(struct verdict *verdict) {
  const struct model *model = verdict->model;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    uint64_t span = site->measured->on_span.top_call_site.span;
    if (!is_judged_region_by_thread_number(site->callee) || span < least_bottleneck_span(model))
      continue;
    double percent = model_percent_of_whole(span, model->totals.span);
    const char *why = has_judged_region_sections(model, site)
                          ? "needs a team, as its threads wait for each other or use their numbers"
                          : "divides its work by thread numbers";
    struct finding *finding = add_finding(verdict, FINDING_THREAD_NUMBERS, TONE_NOTICE,
                                          format_string("the parallel region at %s:%u, %.1f%% of the span, %s.  %s",
                                                        escape(base_name(site->file)), site->line, percent, why,
                                                        judged_team_words(model, site)));
    set_finding_place(verdict, finding, site->callee->name, site);
    set_finding_share(finding, percent, "span");
  }
}
