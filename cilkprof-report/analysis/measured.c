/* Findings about measured speedups: whether work and span explain them, and other causes if they do not.
   SPDX-License-Identifier: GPL-3.0-or-later

   Section 5 of the Cilkview paper: if there is enough parallelism and its grain is not too fine, the remaining causes
   are memory bandwidth, false sharing and locks.  Running several copies of the program at once separates bandwidth
   from the others.  Processor time distinguishes threads that wait actively from those that sleep.  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/model/commands.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

static const double NOTABLE = 1.1; /* ratio that is not noise */
static const double NEAR = 1.05;   /* ratio by which a bound may be missed */
static const double MOSTLY = 0.8;  /* processor time per elapsed time of a program that computes undisturbed */
static const double OTHER = 1.5;   /* ratio of two times that are not of the same input */

/* Returns how the speedup in ROW, which trials measured, stands to the bounds that work and span of MODEL set.  */
enum standing judged_trial_standing(const struct model *model, const struct trial_row *row) {
  const struct speedup_limits limits = speedup_bounds_of_model(model);
  if (row->speedup * NEAR < speedup_lower_bound(&limits, row->processors))
    return STANDING_BELOW;
  return row->speedup > NEAR * speedup_upper_bound(&limits, row->processors) ? STANDING_ABOVE : STANDING_WITHIN;
}

/* Returns the word for STANDING, how a measured speedup compares with its bounds: "below", "within" or "above".  */
const char *judged_trial_standing_name(enum standing standing) {
  static const char *const names[] = {
      [STANDING_BELOW] = "below", [STANDING_WITHIN] = "within", [STANDING_ABOVE] = "above"};
  return names[standing];
}

/* Returns the trial on the processors for which the program is judged, or on the largest number that was tried; NULL if
   there is none on several processors.  */
static const struct trial_row *judged_trial_row(const struct verdict *verdict) {
  const struct trials *trials = &verdict->model->trials;
  const struct trial_row *row = model_trials_on_processors(trials, verdict->processors);
  if ((row == NULL || row->processors == 1) && trials->row_count > 0)
    row = &trials->rows[trials->row_count - 1];
  return row != NULL && row->processors > 1 ? row : NULL;
}

/* Returns sentences for a finding that tell from processor times why the trial ROW is slow.  ALONE is the trial with
   one worker; COPIES is the growth of processor time when copies of the program run at once.  The text is
   allocated.  */
static char *trial_waiting_finding(const struct trial_row *row, const struct trial_row *alone, double copies) {
  double work = alone->median_cpu_seconds, growth = row->median_cpu_seconds / work;
  double in_system = (row->median_system_seconds - alone->median_system_seconds) / work;
  if (in_system > NOTABLE - 1)
    return format_string("  System time grows by %.0f%% of the 1-worker run: look for page faults, locks that put "
                         "threads to sleep, and memory that is freed and allocated again.",
                         100 * in_system);
  if (growth > NOTABLE * copies)
    return format_string("  Together the processors take %.2f times the time of one worker%s: look for false sharing "
                         "(cache lines written by several processors), locks, and workers that search for work.",
                         growth, copies >= NOTABLE ? ", more than the copies do" : "");
  if (growth < NOTABLE)
    return format_string("  Together the processors take no more time than one worker, so they are idle or used by "
                         "other programs: look for locks, input and output, and workers that find no work.");
  return format_string("%s", "");
}

/* Returns sentences for a finding about causes other than work and span why the trial ROW is slow.  The text is
   allocated.  */
static char *trial_remaining_causes_finding(const struct trials *trials, const struct trial_row *row) {
  const struct trial_row *alone = model_trials_on_processors(trials, 1);
  double used = row->median_cpu_seconds / row->median_seconds, copies = model_trials_copy_growth(trials);
  bool known = alone != NULL && alone->median_cpu_seconds > 0 && !isnan(used);
  if (known && alone->median_cpu_seconds < MOSTLY * alone->median_seconds)
    return format_string("  The 1-worker run used only %.0f%% of its processor: it waits for something, or other "
                         "programs are running; if so, measure again when the machine is idle.",
                         100 * alone->median_cpu_seconds / alone->median_seconds);
  if (known && used < NOTABLE)
    return format_string(
        "  It used %.1f of them: other programs ran, or it ignores both CILK_NWORKERS and OMP_NUM_THREADS.", used);
  const char *bandwidth = isnan(copies)       ? "  To test for memory bandwidth: cilkprof scale --copies."
                          : copies >= NOTABLE ? "  Memory bandwidth is a cause."
                                              : "  Memory bandwidth is not the cause.";
  char *waiting = known ? trial_waiting_finding(row, alone, isnan(copies) ? 1 : copies)
                        : format_string("  Look for locks and false sharing.");
  char *text = format_string("%s%s", bandwidth, waiting);
  free(waiting);
  return text;
}

/* Adds a finding that compares the speedup measured in the trial ROW with its bounds.  */
static void judge_trial_standing(struct verdict *verdict, const struct trial_row *row) {
  double lower = speedup_lower_bound(&verdict->limits, row->processors),
         upper = speedup_upper_bound(&verdict->limits, row->processors);
  enum standing standing = judged_trial_standing(verdict->model, row);
  bool sampled = are_trial_losses_known(verdict->model);
  char *remaining =
      standing == STANDING_BELOW && !sampled ? trial_remaining_causes_finding(&verdict->model->trials, row) : NULL;
  if (standing == STANDING_BELOW) {
    add_finding(verdict, FINDING_SLOWER_THAN_BOUNDS, TONE_BAD,
                format_string("measured %.2f on %u processors; work and span predict at least %.2f.%s", row->speedup,
                              row->processors, lower, remaining != NULL ? remaining : ""));
    if (sampled)
      judge_trial_losses(verdict);
  } else if (standing == STANDING_ABOVE)
    add_finding(verdict, FINDING_FASTER_THAN_BOUNDS, TONE_NOTICE,
                format_string("measured %.2f on %u processors; work and span allow at most %.2f.  More of the data "
                              "fits into the caches of several processors, or the profile is of another input.",
                              row->speedup, row->processors, upper));
  else if (row->speedup < lower || row->speedup > upper)
    add_finding(
        verdict, FINDING_WITHIN_BOUNDS, TONE_GOOD,
        format_string("measured %.2f on %u processors, close to the %s bound of %.2f: work and span explain it.",
                      row->speedup, row->processors, row->speedup < lower ? "lower" : "upper",
                      row->speedup < lower ? lower : upper));
  else
    add_finding(verdict, FINDING_WITHIN_BOUNDS, TONE_GOOD,
                format_string("measured %.2f on %u processors, between %.2f and %.2f: work and span explain it.",
                              row->speedup, row->processors, lower, upper));
  free(remaining);
}

/* Adds a finding that says whether copies of the program that run at once slow each other down, which shows a lack of
   memory bandwidth.  */
static void judge_trial_copies(struct verdict *verdict) {
  const struct trials *trials = &verdict->model->trials;
  double growth = model_trials_copy_growth(trials);
  unsigned copies = trials->copies.processors;
  if (isnan(growth))
    return;
  if (growth >= NOTABLE)
    add_finding(verdict, FINDING_MEMORY_BANDWIDTH, TONE_BAD,
                format_string("%u copies at once, which share nothing but the machine, each take %.2f times the "
                              "processor time of one alone.  That limits the speedup to %.2f on %u processors: access "
                              "memory less, or in blocks that fit the caches.",
                              copies, growth, copies / growth, copies));
  else
    add_finding(
        verdict, FINDING_ENOUGH_BANDWIDTH, TONE_GOOD,
        format_string("%u copies at once each take %.2f times the processor time of one alone.", copies, growth));
}

/* Adds a finding if the measured time with one worker differs so much from the work of the profile that the bounds may
   not apply.  */
static void judge_serial_trial(struct verdict *verdict) {
  const struct model *model = verdict->model;
  const struct trial_row *alone = model_trials_on_processors(&model->trials, 1);
  double work = model_work_seconds(model);
  if (alone == NULL || work == 0 || (alone->seconds < OTHER * work && work < OTHER * alone->seconds))
    return;
  add_finding(verdict, FINDING_OTHER_WORK, TONE_NOTICE,
              format_string("it took %.4g s, %.1fx the profiled work of %.4g s.  %s", alone->seconds,
                            alone->seconds / work, work,
                            alone->seconds > work ? "Was the input the same?  If so, spawning is expensive."
                                                  : "Was the input the same?"));
}

/* Adds findings about measured speedups: how they compare with their bounds, and why.  */
void judge_trials(struct verdict *verdict) {
  const struct trials *trials = &verdict->model->trials;
  const struct trial_row *row = judged_trial_row(verdict), *alone = model_trials_on_processors(trials, 1);
  if (!is_model_command_text(&verdict->model->program, trials->command)) {
    add_finding(verdict, FINDING_OTHER_COMMAND, TONE_BAD,
                format_string("the trials ran %s, but the profile is of a run with other arguments, so its bounds do "
                              "not apply.  Run both with the same input.",
                              escape(trials->command)));
    return;
  }
  if ((row != NULL && row->busy) || (alone != NULL && alone->busy)) {
    add_finding(verdict, FINDING_DISTURBED_TRIALS, TONE_BAD,
                format_string("other programs were running during every run on %u processor%s; do not trust the "
                              "measured speedups.  Measure again when the machine is idle.",
                              row != NULL && row->busy ? row->processors : 1, row != NULL && row->busy ? "s" : ""));
    if (row != NULL && are_trial_losses_known(verdict->model)) /* samples count only what the program had */
      judge_trial_losses(verdict);
    return;
  }
  if (row != NULL)
    judge_trial_standing(verdict, row);
  judge_trial_copies(verdict);
  judge_serial_trial(verdict);
}

/* Returns a verdict that has only the findings about measured speedups of MODEL.  */
struct verdict verdict_of_trials(struct model *model, unsigned processors) {
  struct verdict verdict = {.model = model, .processors = processors, .limits = speedup_bounds_of_model(model)};
  judge_trials(&verdict);
  return verdict;
}
