/* Findings about watched programs: what the run lost beside its bounds, and for how many threads it speaks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include "cilkprof-report/analysis/efficiency.h"
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/headline.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

enum {
  MOSTLY_BLOCKED = 90,     /* percent of its time that a run hardly computed */
  LONG_RUN_NS = 100000000, /* a run that is not too short to sample */
  MOSTLY_OVERHEAD = 50,    /* percent of the effort */
};

/* Adds a finding if the run was not short, but has few SAMPLES, as it slept or waited for input most of the time.  */
static void judge_blocked_run(struct verdict *verdict, const struct samples *samples) {
  struct absence absence = divide_judged_absent_time(samples);
  double blocked = model_percent_of_whole(absence.blocked, judged_waste_available_time(samples));
  if (!absence.known || blocked < MOSTLY_BLOCKED || samples->sampling.elapsed_ns < LONG_RUN_NS)
    return;
  set_finding_share(
      add_finding(verdict, FINDING_WAITING, TONE_BAD,
                  format_string("the program slept or waited for input or output for %.0f%% of its time, which work "
                                "and span leave out.  Overlap these waits with work, or shorten them.",
                                blocked)),
      blocked, "elapsed");
}

/* Adds a finding if the runtime took most of the effort to make and to distribute pieces that do too little.  Where
   much is done under a lock, it is the lock that takes it.  */
static void judge_overhead(struct verdict *verdict, const struct samples *samples) {
  double effort = (double)sample_waste_effort(&samples->total);
  double percent = effort > 0 ? 100 * (double)samples->total.of[WASTE_OVERHEAD] / effort : 0;
  if (percent < MOSTLY_OVERHEAD || 4 * verdict->limits.longest_lock > (double)verdict->model->totals.work)
    return;
  const struct site *site = most_frequent_construct(verdict->model);
  struct finding *finding = add_finding(
      verdict, FINDING_GRAIN, TONE_BAD,
      format_string("the runtime took %.0f%% of the effort to make pieces of work and to distribute them%s%s."
                    "  Do more in each of them.",
                    percent, site != NULL ? ", mostly of " : "",
                    site != NULL ? finding_construct_text(verdict->model, site) : ""));
  if (site != NULL)
    set_finding_place(verdict, finding, site->callee->name, site);
  set_finding_share(finding, percent, "effort");
}

void judge_watched_run(struct verdict *verdict) {
  const struct samples *samples = verdict->model->samples;
  if (verdict->model->threads == 0 || samples == NULL)
    return;
  if (are_samples_too_few_to_judge(samples))
    judge_blocked_run(verdict, samples);
  else
    judge_overhead(verdict, samples);
}

void judge_watched(struct verdict *verdict) {
  if (verdict->model->threads == 0)
    return;
  add_finding(verdict, FINDING_WATCHED, TONE_GOOD,
              format_string("measured with %llu; speedups on more processors are not known.  cilkprof -j%llu ./prog "
                            "measures twice as many, on any machine.",
                            (unsigned long long)verdict->model->threads,
                            (unsigned long long)verdict->model->threads * 2));
}
