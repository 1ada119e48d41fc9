/* What-if: what it means that a program would have another work and span.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

struct whatif_variant whatif_variant(const struct cilkprof_whatif *whatif) {
  double unit = whatif->faster > 0 ? (double)whatif->faster : 1;
  return (struct whatif_variant){(double)whatif->work / unit, (double)whatif->span / unit};
}

double percent_less(double from, double to) {
  return from > 0 ? 100 * (from - to) / from : 0;
}

uint64_t whatif_cost(const struct cilkprof_whatif *whatif, uint64_t value) {
  uint64_t unit = whatif->faster > 0 ? whatif->faster : 1;
  return value / unit + (value % unit >= unit - unit / 2);
}

/* What the candidate's calls hold of the span, in percent: by so much it could fall if there were no other path.  That
   is no more than their work, which the run knows exactly.  */
static double held(const struct model *model, const struct annotation *sites, uint64_t work_without) {
  uint64_t removed = model->totals.work > work_without ? model->totals.work - work_without : 0;
  return percent(sites->on_span.span < removed ? sites->on_span.span : removed, model->totals.span);
}

/* Without it the span stays as it is, or nearly.  */
static char *small(const struct model *model, const struct annotation *sites, struct whatif_variant without,
                   const struct function *library) {
  bool known = !(model->program.flags & CILKPROF_NO_ON_SPAN);
  if (library != NULL)
    return format_string("'%s' has no instrumentation, and this run counts instructions: what it takes is not seen.  "
                         "Take a profile with times, by -fcilkprof, and see --whatif there.",
                         library->brief_name);
  if (known && sites->on_span.count == 0 && without.span >= (double)model->totals.span)
    return format_string("in instructions it is not on the span, which stays as long without it.");
  if (known)
    return format_string("it holds less than 1%% of the span.");
  return format_string("without it the span falls by less than 1%%.");
}

/* What is gained on the processors that the report is for.  */
static char *gain(const struct model *model, struct whatif_variant without, unsigned processors) {
  double before = whatif_speedup(model, (double)model->totals.work, (double)model->totals.span, processors);
  double after = without.span > 0 ? whatif_speedup(model, without.work, without.span, processors) : 0;
  if (processors < 2 || after == 0)
    return format_string(".");
  return format_string("; on %u processors the speedup can then be %.2f instead of %.2f.", processors, after, before);
}

enum { NEARLY_ALL = 95 }; /* percent of the span */

struct finding whatif_judge(const struct model *model, const struct cilkprof_whatif *whatif, unsigned processors) {
  struct whatif_variant without = whatif_variant(whatif);
  struct annotation sites = whatif_sites(model, whatif->candidate);
  double falls = percent_less((double)model->totals.span, without.span), holds = held(model, &sites, whatif->work);
  const char *name = escape(whatif->candidate);
  bool ample = (double)model->totals.work >= AMPLE * (double)processors * (double)model->totals.span;
  if (falls < 1 && holds < 1)
    return (struct finding){TONE_NOTICE, name, small(model, &sites, without, whatif_library(model, whatif->candidate))};
  if (2 * falls < holds)
    return (struct finding){TONE_BAD, name,
                            format_string("it holds %.1f%% of the span, but removing it uncovers another path: the "
                                          "span falls by %.1f%% only%s",
                                          holds, falls, gain(model, without, processors))};
  if (falls >= NEARLY_ALL && percent(sites.local_span, model->totals.span) < NEARLY_ALL)
    return (struct finding){TONE_NOTICE, name, format_string("it is nearly all of the span: ask for parts of it.")};
  if (falls < LARGE_SHARE)
    return (struct finding){TONE_NOTICE, name,
                            format_string("it is worth little: without it the span falls by %.1f%%.", falls)};
  if (ample)
    return (struct finding){
        TONE_NOTICE, name,
        format_string("without it the span falls by %.1f%%, but the parallelism is ample as it is; its share of the "
                      "work, %.1f%%, is what counts.",
                      falls, percent_less((double)model->totals.work, without.work))};
  return (struct finding){TONE_GOOD, name,
                          format_string("it is worth the work: without it the span falls by %.1f%%%s", falls,
                                        gain(model, without, processors))};
}
