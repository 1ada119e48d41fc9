/* Findings about code that divides its work by thread numbers, which a profile of one thread sees as one strand.
   SPDX-License-Identifier: GPL-3.0-or-later

   The compiler tells such regions apart by their names.  What the profile says of them is not what a team does, so
   nothing is advised on them.  */

#include <string.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Returns whether FUNCTION is a parallel region that divides its work by thread numbers.  */
static bool is_judged_region_by_thread_number(const struct function *function) {
  static const char name[] = "omp parallel by thread number";
  return function != NULL && function->symbol != NULL && strncmp(function->symbol, name, strlen(name)) == 0;
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

/* Returns whether BOTTLENECK is code that is divided by thread numbers: such a region, a loop in it, or a function of
   which it is most.  */
bool is_bottleneck_by_thread_number(const struct verdict *verdict, const struct bottleneck *bottleneck) {
  const struct function *caller = bottleneck->place_count > 0 ? bottleneck->places[0]->caller : NULL;
  return is_judged_region_by_thread_number(bottleneck->function) ||
         (bottleneck->kind == BOTTLENECK_SERIAL_LOOP && is_judged_region_by_thread_number(caller)) ||
         (bottleneck->part != NULL && is_judged_region_by_thread_number(bottleneck->part->callee)) ||
         has_judged_function_such_region(verdict->model, bottleneck->function, bottleneck->held.span) ||
         (bottleneck->kind == BOTTLENECK_SERIAL_LOOP &&
          has_judged_function_such_region(verdict->model, caller, bottleneck->held.span));
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
    struct finding *finding = add_finding(
        verdict, FINDING_THREAD_NUMBERS, TONE_NOTICE,
        format_string("the parallel region at %s:%u divides its work by omp_get_thread_num.  While it is profiled a "
                      "team has one thread, so it counts as serial, %.1f%% of the span: no number below includes its "
                      "parallelism.  Sample a parallel run (cilkprof waste), or use `omp for'.",
                      escape(base_name(site->file)), site->line, percent));
    set_finding_place(verdict, finding, site->callee->name, site);
    set_finding_share(finding, percent, "span");
  }
}
