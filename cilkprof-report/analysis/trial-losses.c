/* What took the difference between a measured speedup and its bounds: overhead, work inflation, idleness or waiting, by
   the samples of a run on several workers and, for inflation, of one on a single worker.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/analysis/causes.h"
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/headline.h"
#include "cilkprof-report/analysis/inflation.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/support/support.h"

enum loss { LOSS_OVERHEAD, LOSS_INFLATION, LOSS_IDLENESS, LOSS_WAITING, LOSSES };

static const double NOTABLE_LOSS = 5;        /* percent of the processors' time that explain a difference, in all */
static const double PREEMPTION_ERROR = 0.03; /* about so much of the time of other programs may look like waiting */

/* Returns the time that was lost by WHICH, as CAUSES have it, in ns of all runs.  Overhead is not part of idleness.  */
static double trial_loss(const struct causes *causes, enum loss which) {
  switch (which) {
  case LOSS_OVERHEAD:
    return causes->overhead;
  case LOSS_INFLATION:
    return fmax(causes->lost[CAUSE_INFLATION], causes->inflation);
  case LOSS_IDLENESS:
    return causes->lost[CAUSE_PARALLELISM] + causes->lost[CAUSE_GRAIN] - causes->overhead;
  default:
    return cause_loss(causes, CAUSE_LOCK);
  }
}

/* Returns whether most of what CAUSES have as waiting is not for locks: the program slept, or waited for input, output
   or pages.  Nobody knows where.  */
static bool is_trial_mostly_blocked(const struct causes *causes) {
  return causes->blocked > causes->lost[CAUSE_LOCK];
}

/* Returns the function or loop to name for the loss WHICH, as CAUSES have it, or NULL.  For idleness it is that of the
   larger of its two causes.  */
static const struct function *trial_loss_culprit(const struct causes *causes, enum loss which) {
  static const enum cause by_loss[LOSSES] = {[LOSS_OVERHEAD] = CAUSE_GRAIN,
                                             [LOSS_INFLATION] = CAUSE_INFLATION,
                                             [LOSS_IDLENESS] = CAUSE_PARALLELISM,
                                             [LOSS_WAITING] = CAUSE_LOCK};
  enum cause cause = by_loss[which];
  if (which == LOSS_IDLENESS && causes->lost[CAUSE_GRAIN] - causes->overhead > causes->lost[CAUSE_PARALLELISM])
    cause = CAUSE_GRAIN;
  if (which == LOSS_INFLATION && causes->largest[CAUSE_INFLATION] == NULL && causes->most_inflated != NULL)
    return causes->most_inflated->function;
  return which == LOSS_WAITING && is_trial_mostly_blocked(causes) ? NULL : cause_culprit(causes, cause);
}

/* Returns the line that takes longer in SAMPLES than with one worker, and why, as far as that is known; otherwise NULL.
   Allocated.  */
static char *trial_inflation_text(const struct samples *samples) {
  struct inflation inflation = find_inflation(samples);
  char *text = inflation_text(&inflation, samples);
  free(inflation.functions.rows);
  free(inflation.lines.rows);
  return text;
}

/* Returns a sentence that advises what to do about the loss WHICH, as CAUSES have it.  */
static const char *trial_loss_advice(const struct causes *causes, enum loss which) {
  static const char *const advice[LOSSES] = {
      [LOSS_OVERHEAD] = "Do more work in each spawn, task or chunk.",
      [LOSS_INFLATION] = "The same code takes longer on several processors: look for cache lines that several of them "
                         "write, atomic operations, and memory bandwidth (cilkprof scale --copies).",
      [LOSS_IDLENESS] = "Processors find no work there: parallelise it, or make its pieces smaller and more equal.",
      [LOSS_WAITING] = "Hold locks for less time, or use several.",
  };
  if (which == LOSS_WAITING && is_trial_mostly_blocked(causes))
    return "It slept, or waited for input, output or pages: overlap these waits with work, or shorten them.";
  return advice[which];
}

/* Returns whether the samples of MODEL can tell what a run on several processors lost.  */
bool are_trial_losses_known(const struct model *model) {
  return are_causes_known(model) && model->samples->sampling.workers > 1 &&
         !are_samples_too_few_to_judge(model->samples);
}

/* Adds a finding to VERDICT that says which of overhead, work inflation, idleness and waiting took most of the
   processors' time in the sampled run of a program that is slower than its bounds, and where; or that none took much.
   Called if are_trial_losses_known.  */
void judge_trial_losses(struct verdict *verdict) {
  static const char *const names[LOSSES] = {"overhead", "work inflation", "idleness", "waiting"};
  const struct samples *samples = verdict->model->samples;
  struct causes causes = find_causes(verdict->model);
  double preempted = (double)divide_judged_absent_time(samples).preempted,
         whole = cause_lost_time_whole(samples) - preempted, share[LOSSES];
  causes.blocked = fmax(0, causes.blocked - PREEMPTION_ERROR * preempted);
  enum loss most = LOSS_OVERHEAD;
  double all = 0;
  for (enum loss each = 0; each < LOSSES; each++) {
    share[each] = whole > 0 ? fmax(0, 100 * trial_loss(&causes, each) / whole) : 0;
    all += share[each];
    most = share[each] > share[most] ? each : most;
  }
  const struct function *culprit = trial_loss_culprit(&causes, most);
  char *place = culprit != NULL ? headline_culprit_text(culprit) : NULL,
       *shares = format_string("overhead took %.0f%% of the processors' time in the sampled run, work inflation "
                               "%.0f%%, idleness %.0f%%, waiting %.0f%%",
                               share[LOSS_OVERHEAD], share[LOSS_INFLATION], share[LOSS_IDLENESS], share[LOSS_WAITING]);
  if (all < NOTABLE_LOSS)
    add_finding(verdict, FINDING_TRIAL_LOSS, TONE_NOTICE,
                format_string("%s: none of them explains it.  Was the machine busy when times were measured?", shares));
  else {
    char *inflated = most == LOSS_INFLATION ? trial_inflation_text(samples) : NULL;
    struct finding *finding = add_finding(
        verdict, FINDING_TRIAL_LOSS, TONE_BAD,
        format_string("%s.  Mostly %s%s%s.  %s", shares, names[most], place != NULL ? " in " : "",
                      place != NULL ? place : "", inflated != NULL ? inflated : trial_loss_advice(&causes, most)));
    free(inflated);
    if (culprit != NULL)
      set_finding_place(verdict, finding, culprit->name, NULL);
    set_finding_share(finding, share[most], "processors");
  }
  free(place);
  free(shares);
  free(causes.rows);
}
