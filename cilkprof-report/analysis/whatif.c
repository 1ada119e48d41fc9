/* What-if: findings about work and span of a program with a faster candidate.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/whatif.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Returns work and span, in units of the profile, of the program with the faster candidate of WHATIF.  */
struct judged_whatif_variant judged_whatif_variant(const struct cilkprof_whatif *whatif) {
  double unit = whatif->faster > 0 ? (double)whatif->faster : 1;
  return (struct judged_whatif_variant){(double)whatif->work / unit, (double)whatif->span / unit};
}

/* Returns by how many percent TO, a cost with a faster candidate, is less than FROM; 0 if FROM is 0.  */
double judged_whatif_percent_less(double from, double to) {
  return from > 0 ? 100 * (from - to) / from : 0;
}

/* Converts VALUE, the work or span of WHATIF, to the unit of other costs, and rounds it.  */
uint64_t judged_whatif_cost(const struct cilkprof_whatif *whatif, uint64_t value) {
  uint64_t unit = whatif->faster > 0 ? whatif->faster : 1;
  return value / unit + (value % unit >= unit - unit / 2);
}

/* Returns the percentage of the span that SITES, the calls of a what-if candidate, have: the most by which the span
   could fall if there were no other path.  It is limited by their work, which is known exactly from WORK_WITHOUT.  */
static double whatif_suggestion_span_percent(const struct model *model, const struct annotation *sites,
                                             uint64_t work_without) {
  uint64_t removed = model->totals.work > work_without ? model->totals.work - work_without : 0;
  return model_percent_of_whole(sites->on_span.span < removed ? sites->on_span.span : removed, model->totals.span);
}

/* Returns a sentence for a finding that explains why the span stays nearly the same without the what-if candidate.
   LIBRARY is the library function that it calls, or NULL.  The text is allocated.  */
static char *explain_judged_whatif_effect(const struct model *model, const struct annotation *sites,
                                          struct judged_whatif_variant without, const struct function *library) {
  bool known = !(model->program.flags & CILKPROF_NO_ON_SPAN);
  if (library != NULL)
    return format_string("'%s' is not instrumented, and this run counts instructions, so its cost is invisible.  Make "
                         "a profile with times (-fcilkprof) and see --whatif there.",
                         library->brief_name);
  if (known && sites->on_span.count == 0 && without.span >= (double)model->totals.span)
    return format_string("it is not on the critical path (in instructions): the span stays the same without it.");
  if (known)
    return format_string("it takes less than 1%% of the span.");
  return format_string("without it the span falls by less than 1%%.");
}

/* Upper bounds of the speedup on some processors, as the program is and without a what-if candidate; 0: unknown.  */
struct judged_whatif_gain {
  double before, after;
};

/* Returns the speedups of MODEL on PROCESSORS as it is and as the variant WITHOUT a candidate.  */
static struct judged_whatif_gain judged_whatif_gain(const struct model *model, struct judged_whatif_variant without,
                                                    unsigned processors) {
  if (processors < 2 || without.span <= 0)
    return (struct judged_whatif_gain){0};
  return (struct judged_whatif_gain){
      whatif_speedup(model, (double)model->totals.work, (double)model->totals.span, processors),
      whatif_speedup(model, without.work, without.span, processors)};
}

/* Returns the end of a sentence of a finding, with the speedups on PROCESSORS before and after the what-if candidate is
   removed.  The text is allocated.  */
static char *judged_whatif_speedup_text(struct judged_whatif_gain gain, unsigned processors) {
  if (gain.after == 0)
    return format_string(".");
  return format_string("; on %u processors the speedup could then be up to %.2f instead of %.2f.", processors,
                       gain.after, gain.before);
}

/* Returns whether GAIN, without a what-if candidate, is known and too small to be worth the work, however much shorter
   the span is: the work limits the program on these processors.  */
static bool is_judged_whatif_gain_small(struct judged_whatif_gain gain) {
  return gain.after > 0 && gain.after < (1 + LARGE_SHARE / 100.) * gain.before;
}

enum { NEARLY_ALL = 95 }; /* percent of the span */

/* Returns a finding that says whether the program gains if the candidate of WHATIF costs nothing.  */
struct finding judge_whatif(const struct model *model, const struct cilkprof_whatif *whatif, unsigned processors) {
  struct judged_whatif_variant without = judged_whatif_variant(whatif);
  struct annotation sites = sum_whatif_suggestion_sites(model, whatif->candidate);
  double falls = judged_whatif_percent_less((double)model->totals.span, without.span),
         holds = whatif_suggestion_span_percent(model, &sites, whatif->work);
  struct judged_whatif_gain gain = judged_whatif_gain(model, without, processors);
  const char *name = escape(whatif->candidate);
  bool ample = (double)model->totals.work >= AMPLE * (double)processors * (double)model->totals.span;
  if (falls < 1 && holds < 1)
    return make_finding(
        FINDING_WHATIF_NO_EFFECT, TONE_NOTICE, name,
        explain_judged_whatif_effect(model, &sites, without, whatif_suggestion_library(model, whatif->candidate)));
  if (2 * falls < holds)
    return make_finding(FINDING_WHATIF_OTHER_PATH, TONE_BAD, name,
                        format_string("it takes %.1f%% of the span, but without it another path is nearly as long: the "
                                      "span falls by only %.1f%%%s",
                                      holds, falls, judged_whatif_speedup_text(gain, processors)));
  if (falls >= NEARLY_ALL && model_percent_of_whole(sites.local_span, model->totals.span) < NEARLY_ALL)
    return make_finding(FINDING_WHATIF_NEARLY_ALL, TONE_NOTICE, name,
                        format_string("it is nearly the whole span: ask about parts of it."));
  if (falls < LARGE_SHARE)
    return make_finding(FINDING_WHATIF_WORTH_LITTLE, TONE_NOTICE, name,
                        format_string("not worth much: without it the span falls by %.1f%%.", falls));
  if (ample)
    return make_finding(FINDING_WHATIF_AMPLE, TONE_NOTICE, name,
                        format_string("without it the span falls by %.1f%%, but the parallelism is ample already; what "
                                      "counts is its share of the work, %.1f%%.",
                                      falls, judged_whatif_percent_less((double)model->totals.work, without.work)));
  if (is_judged_whatif_gain_small(gain))
    return make_finding(FINDING_WHATIF_WORTH_LITTLE, TONE_NOTICE, name,
                        format_string("not worth much here: without it the span falls by %.1f%%%s", falls,
                                      judged_whatif_speedup_text(gain, processors)));
  return make_finding(FINDING_WHATIF_WORTH_IT, TONE_GOOD, name,
                      format_string("worth the effort: without it the span falls by %.1f%%%s", falls,
                                    judged_whatif_speedup_text(gain, processors)));
}
