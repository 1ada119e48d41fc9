/* The verdict: applies the rules of the papers to a profile.
   SPDX-License-Identifier: GPL-3.0-or-later

   The rules about parallelism and bandwidth, and those of grain.c, are from Section 5 of the Cilkview paper.  That
   about bottlenecks (bottleneck-findings.c) is from Section 2 of the Cilkprof paper.  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/analysis/findings.h"
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/support/support.h"

/* Adds findings about defects of the profile, which make all other findings doubtful.  */
static void judge_profile_defects(struct verdict *verdict) {
  uint64_t flags = verdict->model->program.flags;
  if (flags & CILKPROF_DAMAGED)
    add_finding(verdict, FINDING_DAMAGED_PROFILE, TONE_BAD, format_string("parts of it are lost and missing below."));
  else if (flags & CILKPROF_INCOMPLETE)
    add_finding(
        verdict, FINDING_INCOMPLETE_RUN, TONE_BAD,
        format_string(
            "the program did not finish, or could not be followed to the end; part of its work is missing below."));
  if (flags & CILKPROF_SATURATED)
    add_finding(verdict, FINDING_SATURATED, TONE_BAD,
                format_string("some totals exceed the largest number that can be stored; they are too small below."));
  if (flags & CILKPROF_NO_ON_SPAN)
    add_finding(
        verdict, FINDING_NO_SPAN_DATA, TONE_BAD,
        format_string(
            "memory ran out, or the program was killed; which call sites are on the critical path is unknown."));
  if (flags & CILKPROF_OTHER_THREADS)
    add_finding(verdict, FINDING_OTHER_THREADS, TONE_NOTICE,
                format_string("instrumented code ran in threads that were not profiled; it is missing below."));
}

/* Returns whether the program has parallelism that the profile does not see: that of other threads, or of regions that
   divide their work by thread numbers.  */
static bool is_judged_parallelism_unseen(const struct verdict *verdict) {
  bool by_number = false;
  for (size_t i = 0; i < verdict->count; i++)
    by_number |= verdict->findings[i].code == FINDING_THREAD_NUMBERS;
  return by_number || verdict->model->program.flags & CILKPROF_OTHER_THREADS;
}

/* Returns whether the processors of VERDICT can make use of its parallelism: no lock and no static schedule keeps the
   speedup clearly below their number.  */
static bool is_judged_parallelism_usable(const struct verdict *verdict) {
  return verdict->parallelism < verdict->processors ||
         speedup_upper_bound(&verdict->limits, verdict->processors) >= 0.9 * verdict->processors;
}

/* Returns whether static schedules leave the processors of VERDICT idle for longer than serial code does.  A loop with
   a static schedule is over when all processors have done their share, so nothing runs beside the serial code.  */
static bool are_judged_schedules_to_blame(const struct verdict *verdict) {
  double work = (double)verdict->model->totals.work, processors = verdict->processors;
  double time = work / speedup_upper_bound(&verdict->limits, processors);
  double unequal = speedup_idle_time(&verdict->limits, processors);
  return unequal >= time - unequal - work / processors;
}

/* Returns what keeps the processors of VERDICT from its parallelism, for a finding: the longest lock, serial code, or
   the loop whose static schedule adds most to the critical path on so many.  The text is allocated.  */
static char *unusable_parallelism_cause(const struct verdict *verdict) {
  const struct model *model = verdict->model;
  struct lock locks[MAX_LOCKS];
  double work = (double)model->totals.work;
  const struct site *longest = NULL;
  uint64_t most = 0;
  int power = 0;
  while (power + 1 < CILKPROF_SHARES && (2u << power) < verdict->processors)
    power++;
  if (find_locks_for_verdict(model, locks) > 0 && work / (double)locks[0].span < 0.9 * verdict->processors)
    return format_string("'%s'", locks[0].brief_name);
  if (!are_judged_schedules_to_blame(verdict))
    return format_string("serial code between parallel loops");
  for (size_t i = 0; i < model->loops.count; i++)
    if (model->loops.loops[i].more[power] > most) {
      most = model->loops.loops[i].more[power];
      longest = &model->sites[model->loops.loops[i].site];
    }
  if (longest == NULL)
    return format_string("a static schedule");
  return format_string("%s of the %s at %s",
                       model->loops.count > 1 ? "static schedules, most that" : "the static schedule",
                       finding_loop_word(longest->callee), finding_user_place(model, longest));
}

/* A parallelism below this part of the processors leaves them idle; above it, that would be for 0% of the time.  */
#define NEARLY_ALL 0.995

/* Adds a finding that compares the parallelism with the number of processors.  */
static void judge_parallelism(struct verdict *verdict) {
  const struct cilkprof_totals *totals = &verdict->model->totals;
  unsigned processors = verdict->processors;
  double ratio = verdict->parallelism, team = judged_team_of_verdict(verdict);
  const char *value = format_string("%s", model_parallelism_text(totals->work, totals->span).text);
  if (processors == 1)
    add_finding(verdict, FINDING_ONE_PROCESSOR, TONE_NOTICE,
                format_string("the parallelism is %s; --processors=P judges the program for P processors.", value));
  else if (ratio < NEARLY_SERIAL && is_judged_parallelism_unseen(verdict))
    add_finding(
        verdict, FINDING_NO_PARALLELISM, TONE_NOTICE,
        format_string("it is %s as far as the profile sees; the work of other threads is not included.", value));
  else if (ratio < NEARLY_SERIAL)
    add_finding(verdict, FINDING_NO_PARALLELISM, TONE_BAD,
                format_string("it is %s: the program is serial, and more processors will not make it faster.", value));
  else if (team > 0 && team <= processors && ratio >= 0.9 * team && ratio <= 1.05 * team)
    add_finding(verdict, FINDING_NO_RESERVE, TONE_GOOD,
                format_string("%s, nearly all that a team of %.4g threads can have.", value, team));
  else if (team > 0 && ratio < NEARLY_ALL * processors)
    add_finding(verdict, FINDING_TOO_LITTLE_PARALLELISM, TONE_BAD,
                format_string("%s for %u processors: they are idle at least %.0f%% of the time (a team of %.4g threads "
                              "can use %.4g of them).",
                              value, processors, 100 * (1 - ratio / processors), team, fmin(team, processors)));
  else if (ratio < NEARLY_ALL * processors)
    add_finding(verdict, FINDING_TOO_LITTLE_PARALLELISM, TONE_BAD,
                format_string("%s for %u processors: they are idle at least %.0f%% of the time (aim for %u).", value,
                              processors, 100 * (1 - ratio / processors), AMPLE * processors));
  else if (!is_judged_parallelism_usable(verdict))
    add_finding(verdict, FINDING_OUT_OF_REACH, TONE_NOTICE,
                format_string("%s is %.1f times the %u processors, but the speedup is limited by %s.", value,
                              ratio / processors, processors, unusable_parallelism_cause(verdict)));
  else if (ratio < ENOUGH * (double)processors)
    add_finding(
        verdict, FINDING_NO_RESERVE, TONE_NOTICE,
        format_string("%s is only %.1f times the %u processors, which will not all be busy (%d times is enough; "
                      "aim for %u).",
                      value, ratio / processors, processors, ENOUGH, AMPLE * processors));
  else if (ratio < AMPLE * (double)processors)
    add_finding(verdict, FINDING_NO_RESERVE, TONE_NOTICE,
                format_string("%s, enough for %u processors, with little slack (aim for %u).", value, processors,
                              AMPLE * processors));
  else
    add_finding(verdict, FINDING_AMPLE_PARALLELISM, TONE_GOOD,
                format_string("%s, %.1f times the %u processors (%d times is ample).", value, ratio / processors,
                              processors, AMPLE));
}

/* Returns whether scheduling may make the program slower on PROCESSORS than on one: the lower bound of the speedup is
   below 1, and the burden lowers it by more than a fifth.  Without burden, a bound below 1 only means that there is no
   parallelism to speak of.  */
static bool is_judged_program_slowed_by_burden(const struct speedup_limits *limits, unsigned processors) {
  struct speedup_limits unburdened = *limits;
  unburdened.totals.burdened_span = unburdened.totals.span;
  unburdened.making = 0;
  double lower = speedup_lower_bound(limits, processors);
  return lower < 1 && lower < 0.8 * speedup_lower_bound(&unburdened, processors);
}

/* Adds a finding with the bounds of the speedup on the processors of VERDICT, if these are several, and with what is
   expected between them.  A program that spawns nothing, or mostly waits, has none.  */
static void judge_speedup(struct verdict *verdict, const struct options *options) {
  const struct speedup_limits *limits = &verdict->limits;
  unsigned processors = verdict->processors;
  double lower = speedup_lower_bound(limits, processors), upper = speedup_upper_bound(limits, processors);
  if (processors == 1 || reason_for_no_speedup_bounds(verdict->model) != NULL)
    return;
  double expected = verdict->expected = expected_speedup_on(verdict->model, options, processors);
  char *text = isnan(expected) ? format_string(".") : format_string("; %.2f expected.", expected);
  add_finding(
      verdict, FINDING_SPEEDUP,
      lower < 1                  ? TONE_BAD
      : lower < processors / 2.0 ? TONE_NOTICE
                                 : TONE_GOOD,
      format_string(
          "between %s%.2f and %.2f on %u processors%s%s%s",
          is_speedup_bound_interpolated(limits, processors) ? "about " : "", lower, upper, processors, text,
          is_speedup_bound_interpolated(limits, processors)
              ? "  Static schedules are measured on powers of two, and interpolated for others."
              : "",
          is_judged_program_slowed_by_burden(limits, processors) ? "  It may run slower than on one processor." : ""));
  free(text);
}

/* Adds a finding about the longest lock or mutex, if it limits the program.  One processor at a time executes the code
   under it, so that work / its span is a bound of the speedup.  */
static void judge_locks(struct verdict *verdict) {
  const struct model *model = verdict->model;
  struct lock locks[MAX_LOCKS];
  if (find_locks_for_verdict(model, locks) == 0 || model->totals.spawns == 0)
    return;
  double bound = finding_ratio(model->totals.work, locks[0].span);
  if (bound >= AMPLE * (double)verdict->processors)
    return;
  const struct site *site = locks[0].function != NULL ? largest_call_for_finding(model, locks[0].name) : NULL;
  struct finding *finding =
      add_finding(verdict, FINDING_LOCK, bound < verdict->processors ? TONE_BAD : TONE_NOTICE,
                  format_string("'%s'%s%s covers %.1f%% of the work, one processor at a time: no speedup can exceed "
                                "%s.  Hold it for less time, or reduce into private copies instead.",
                                locks[0].brief_name, site != NULL ? " at " : "",
                                site != NULL ? finding_user_place(model, site) : "",
                                model_percent_of_whole(locks[0].span, model->totals.work),
                                model_parallelism_text(model->totals.work, locks[0].span).text));
  set_finding_place(verdict, finding, locks[0].name, largest_call_for_finding(model, locks[0].name));
  set_finding_share(finding, model_percent_of_whole(locks[0].span, model->totals.work), "work");
}

/* Adds a finding about causes of slowness that work and span do not show, if these are good and no speedups were
   measured.  */
static void judge_causes_elsewhere(struct verdict *verdict) {
  if (verdict->model->trials.count == 0 && verdict->processors > 1 && is_judged_parallelism_usable(verdict) &&
      verdict->burdened_parallelism >= AMPLE * (double)verdict->processors)
    add_finding(verdict, FINDING_ELSEWHERE, TONE_GOOD,
                format_string("the cause is not in work and span: look for memory bandwidth, false sharing and locks.  "
                              "cilkprof scale --copies measures it, and also runs %u copies at once, on one processor "
                              "each: if they slow each other down, it is memory bandwidth.",
                              verdict->processors));
}

/* Applies all rules to MODEL.  Returns the verdict, with findings in the order in which they should be read.  */
struct verdict find_verdict(struct model *model, const struct options *options) {
  const struct cilkprof_totals *totals = &model->totals;
  struct verdict verdict = {
      .model = model, .processors = options->processors, .limits = speedup_bounds_of_model(model), .expected = NAN};
  judge_profile_defects(&verdict);
  judge_thread_numbers(&verdict);
  judge_compiler_notes(&verdict);
  judge_timed_part(&verdict);
  judge_timing(&verdict);
  if (totals->work == 0)
    add_finding(&verdict, FINDING_NOTHING_MEASURED, TONE_BAD, format_string("the profile contains no work."));
  if (totals->span == 0)
    return verdict;
  verdict.parallelism = (double)totals->work / (double)totals->span;
  verdict.burdened_parallelism = (double)totals->work / (double)totals->burdened_span;
  judge_run_length(&verdict);
  judge_parallelism(&verdict);
  judge_speedup(&verdict, options);
  judge_this_run(&verdict);
  judge_watched_run(&verdict);
  judge_beside_bounds(&verdict);
  judge_trials(&verdict);
  judge_grain(&verdict);
  judge_locks(&verdict);
  judge_orphaned_loops(&verdict);
  judge_main_imbalance(&verdict);
  judge_bottlenecks(&verdict);
  judge_other_imbalance(&verdict);
  if (model->threads == 0)
    judge_next_bottlenecks(&verdict);
  judge_strands(&verdict);
  judge_causes_elsewhere(&verdict);
  judge_watched(&verdict);
  return verdict;
}
