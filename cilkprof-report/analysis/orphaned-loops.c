/* Findings about loops of OpenMP that were reached outside of all parallel regions, where one thread runs them.
   SPDX-License-Identifier: GPL-3.0-or-later

   Such a loop is in a function without a region, and was never run in parallel.  */

#include <string.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Returns whether SITE is a loop that only threads of a parallel region divide, of which nothing ran in parallel.  */
static bool is_judged_loop_serial(const struct site *site) {
  const struct cilkprof_measure *all = &site->measured->on_work.top_call_site;
  return site->kind == CILKPROF_SITE_LOOP && site->callee != NULL &&
         strcmp(finding_loop_word(site->callee), "omp for") == 0 && (double)all->span >= 0.999 * (double)all->work;
}

/* Returns whether LOOP was reached outside of all parallel regions, as far as the profile shows.  */
static bool is_judged_loop_orphaned(const struct model *model, const struct site *loop) {
  if (!is_judged_loop_serial(loop))
    return false;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct function *callee = model->sites[i].callee;
    if (model->sites[i].caller == loop->caller && callee != NULL && callee->symbol != NULL &&
        strncmp(callee->symbol, "omp parallel", strlen("omp parallel")) == 0)
      return false;
  }
  return true;
}

bool is_bottleneck_orphaned_loop(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  const struct model *model = verdict->model;
  for (size_t i = 0; i < model->site_count; i++)
    if (model->sites[i].measured->on_span.top_call_site.span > bottleneck->held.span / 2 &&
        is_judged_loop_orphaned(model, &model->sites[i]))
      return true;
  return false;
}

void judge_orphaned_loops(struct verdict *verdict) {
  const struct model *model = verdict->model;
  for (size_t i = 0; i < model->site_count; i++) {
    const struct site *site = &model->sites[i];
    uint64_t span = site->measured->on_span.top_call_site.span;
    if (span < least_bottleneck_span(model) || !is_judged_loop_orphaned(model, site))
      continue;
    double percent = model_percent_of_whole(span, model->totals.span);
    struct finding *finding = add_finding(
        verdict, FINDING_ORPHANED_LOOP, TONE_BAD,
        format_string("the omp for at %s, %.1f%% of the span, needs a parallel region: one thread ran all of its "
                      "iterations, as '%s' was called outside of all regions.  Call it in one, or make it an omp "
                      "parallel for.",
                      finding_user_place(model, site), percent, site->caller->brief_name));
    set_finding_place(verdict, finding, site->callee->name, site);
    set_finding_share(finding, percent, "span");
  }
}
