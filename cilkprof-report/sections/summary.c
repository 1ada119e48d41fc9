/* The parallelism profile and the speedup estimate, as Cilkview prints them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include "cilkprof-report/analysis/bounds.h"
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/analysis/timing.h"
#include "cilkprof-report/analysis/verdict.h"
#include "cilkprof-report/analysis/words.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/tables/program.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

static const char explanation[] =
    "\n Work is the running time on one processor; span is the length of the critical path, the running time on "
    "unlimited "
    "processors.  Parallelism is work / span: no speedup can exceed it.  The burdened span adds the cost of "
    "moving a task between processors (%s instructions) to every spawn on the critical path.  The average maximal "
    "strand is work / (1 + 2 spawns + syncs); below 500 instructions, spawning is a noticeable overhead.  A speedup "
    "estimate is a range, from work / (work / P + 1.7 burdened span) to the smaller of P and the parallelism; locks "
    "and static schedules lower both.  The expected speedup is that of an emulation of work stealing.  A measured "
    "speedup below that range has causes that work and span do not show, "
    "such as memory bandwidth.\n";

/* Prints a line of the summary: a label and TEXT, which may take several lines, and frees TEXT.  Prints nothing if TEXT
   is NULL.  */
static void print_summary_text(FILE *out, const char *label, char *text, const struct options *options) {
  enum { LABELS = 26 };
  if (text == NULL)
    return;
  fprintf(out, "  %-*s", LABELS - 2, label);
  print_prose_field(out, text, LABELS, options->terminal_width);
  free(text);
}

/* Prints the lines of the summary about the program: its command, how it was measured, and the number of runs.  */
static void print_summary_program(FILE *out, const struct model *model, const struct options *options) {
  print_summary_text(out, "Command:", table_program_command_text(&model->program), options);
  print_summary_text(out, "Measured:", format_string("%s", table_program_mode_text(model->program.mode)), options);
  if (model->run_count > 1)
    fprintf(out, "  %-24s%zu, added up\n", "Runs:", model->run_count);
}

/* Prints a line of the summary with a cost: instructions exactly, times with five digits.  */
static void print_summary_cost(FILE *out, const struct model *model, const char *label, uint64_t value) {
  if (model->run.units_per_second == 0)
    fprintf(out, "  %-24s%s instructions\n", label, model_grouped_number(value).text);
  else
    fprintf(out, "  %-24s%s\n", label, model_quantity(model, (double)value, 5, " ").text);
}

/* Prints the lines of the summary about how reliable the times are.  */
static void print_summary_timing(FILE *out, const struct model *model, const struct options *options) {
  struct timing timing = timing_reliability(model);
  print_summary_text(out, "Time:", timing_reliability_text(model, &timing), options);
  print_summary_text(out, "System time:", timing_system_text(model, &timing), options);
  struct cilkprof_estimate all = model_estimate_of_all(model);
  if (all.counted > 0)
    print_summary_text(
        out, "Sampled:",
        format_string(
            "how the time of code that does not spawn divides: %s of %s calls were followed, the others counted",
            model_grouped_number(all.followed).text,
            model_grouped_number(model_saturating_sum(all.followed, all.counted)).text),
        options);
}

/* Prints the lines of the summary about a run on several workers: how many, how long it took, and its speedup.  */
static void print_summary_workers(FILE *out, const struct model *model) {
  const struct cilkprof_workers *workers = &model->usages.workers;
  double speedup = speedup_of_this_run(model);
  if (workers->workers == 0)
    return;
  fprintf(out, "  %-24s%s; %s of %s stealable calls were stolen\n",
          "Workers:", model_grouped_number(workers->workers).text, model_grouped_number(workers->stolen).text,
          model_grouped_number(workers->deferred).text);
  fprintf(out, "  %-24s%s\n", "Elapsed time:", model_quantity_ns((double)workers->elapsed_ns, 5, " ").text);
  if (!isnan(speedup))
    fprintf(out, "  %-24s%.2f, work / elapsed time\n", "Speedup of this run:", speedup);
}

/* Returns whether the profile has only work and no span, as for a run that was killed.  */
static bool is_summary_work_only(const struct model *model) {
  const uint64_t flags = CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN;
  return (model->program.flags & flags) == flags && model->totals.span == 0;
}

/* Prints the OpenMP locks that limit the speedup, because only one processor at a time can hold a lock.  Locks that are
   held for less than a thousandth of the work are omitted.  */
static void print_summary_locks(FILE *out, const struct model *model, const struct options *options) {
  struct lock locks[MAX_LOCKS];
  size_t count = find_locks_for_verdict(model, locks);
  for (size_t i = 0; i < count && locks[i].span >= model->totals.work / 1000; i++)
    print_summary_text(out, i == 0 ? "Contention:" : "",
                       format_string("%s: %s; no speedup can exceed %s", locks[i].name,
                                     model->run.units_per_second == 0
                                         ? format_string("%s instructions", model_grouped_number(locks[i].span).text)
                                         : model_quantity(model, (double)locks[i].span, 5, " ").text,
                                     model_parallelism_text(model->totals.work, locks[i].span).text),
                       options);
}

/* Prints the first part of the summary, the parallelism profile: work, span, parallelism, spawns and strands.  */
static void print_summary_profile(FILE *out, const struct model *model, const struct options *options) {
  const struct cilkprof_totals *totals = &model->totals;
  double strands = 1 + 2 * (double)totals->spawns + (double)totals->syncs;
  print_styled(out, options->color, STYLE_TITLE, "Parallelism profile");
  fputs("\n\n", out);
  print_summary_program(out, model, options);
  print_summary_timing(out, model, options);
  print_summary_workers(out, model);
  print_summary_cost(out, model, "Work:", totals->work);
  if (is_summary_work_only(model)) {
    fprintf(out, "  %-24s%s\n", "Span:", "not known");
    return;
  }
  print_summary_cost(out, model, "Span:", totals->span);
  print_summary_cost(out, model, "Burdened span:", totals->burdened_span);
  fprintf(out, "  %-24s%s\n", "Parallelism:", model_parallelism_text(totals->work, totals->span).text);
  fprintf(out, "  %-24s%s\n",
          "Burdened parallelism:", model_parallelism_text(totals->work, totals->burdened_span).text);
  print_summary_locks(out, model, options);
  fprintf(out, "  %-24s%s\n", "Spawns:", model_grouped_number(totals->spawns).text);
  fprintf(out, "  %-24s%s\n", "Syncs:", model_grouped_number(totals->syncs).text);
  print_summary_cost(out, model, "Average maximal strand:", (uint64_t)((double)totals->work / strands));
  if (model->run.preempted_strands > 0)
    fprintf(out, "  %-24s%s, minus %s of interruptions\n",
            "Corrected strands:", model_grouped_number(model->run.preempted_strands).text,
            model_quantity(model, (double)model->run.preempted_units, 4, " ").text);
}

/* Prints a warning of the summary as a paragraph.  */
static void print_summary_warning(FILE *out, const char *text, unsigned width) {
  fputs("\n  ", out);
  print_prose_field(out, text, 2, width);
}

/* Prints a warning for each flag of the profile which says that some of its data is missing or wrong.  */
static void print_summary_warnings(FILE *out, const struct model *model, unsigned width) {
  if (model->program.flags & CILKPROF_DAMAGED)
    print_summary_warning(out, "The profile is damaged, and parts of it are missing.", width);
  else if (model->program.flags & CILKPROF_FROM_LIVE)
    print_summary_warning(out,
                          "The program did not finish, and this is its live file, which has no spans, contexts, "
                          "regions, roots or unfinished calls.",
                          width);
  else if (model->program.flags & CILKPROF_INCOMPLETE)
    print_summary_warning(
        out, "The program did not finish, or could not be followed to the end: part of its work is missing.", width);
  if (model->program.flags & CILKPROF_SATURATED)
    print_summary_warning(out, "Some totals exceed the largest number that can be stored, and are too small.", width);
  if (model->program.flags & CILKPROF_NO_ON_SPAN && !(model->program.flags & CILKPROF_FROM_LIVE))
    print_summary_warning(out, "The critical path is unknown: memory ran out, or the program was killed.", width);
  if (model->program.flags & CILKPROF_OTHER_THREADS)
    print_summary_warning(out, "Instrumented code ran in other threads, which were not profiled.", width);
  if (model->program.flags & CILKPROF_CONTEXTS_CUT)
    print_summary_warning(out, "There were too many calling contexts: the rest are part of those above them.", width);
}

/* Prints the range in which the speedup on so many processors can be expected, and what an emulation finds in it.  */
static void print_speedup_estimate(FILE *out, const struct model *model, const struct options *options,
                                   unsigned processors) {
  const struct speedup_limits limits = speedup_bounds_of_model(model);
  double expected = expected_speedup_on(model, options, processors);
  fprintf(out, "  %3u processors:       %6.2f - %6.2f", processors, speedup_lower_bound(&limits, processors),
          speedup_upper_bound(&limits, processors));
  if (!isnan(expected))
    fprintf(out, "   %6.2f expected", expected);
  putc('\n', out);
}

/* Prints the speedup estimates on powers of two processors and, if there are any, on those that the user asked for, in
   ascending order.  */
static void print_speedup_estimates(FILE *out, const struct model *model, const struct options *options) {
  unsigned asked_for = options->asked_processors;
  if (model->totals.span == 0)
    return;
  putc('\n', out);
  print_styled(out, options->color, STYLE_TITLE, "Speedup estimate");
  fputs("\n\n", out);
  if (reason_for_no_speedup_bounds(model) != NULL) {
    fprintf(out, "  none: %s\n", reason_for_no_speedup_bounds(model));
    return;
  }
  unsigned most = speedup_bounds_of_model(model).most;
  for (unsigned processors = 2; processors <= most; processors *= 2) {
    if (asked_for > processors / 2 && asked_for < processors)
      print_speedup_estimate(out, model, options, asked_for);
    print_speedup_estimate(out, model, options, processors);
  }
  if (asked_for > most)
    print_speedup_estimate(out, model, options, asked_for);
}

/* Prints the explanation of the summary, with the burden that the program assumed.  */
static void print_summary_explanation(FILE *out, const struct model *model, unsigned width) {
  char *text = format_string(explanation, model_grouped_number(model->program.burden).text);
  print_prose(out, text, width);
  free(text);
}

/* Prints the section of --summary: the parallelism profile, warnings, and the speedup estimate.  */
void print_summary(FILE *out, struct model *model, const struct options *options) {
  print_summary_profile(out, model, options);
  print_summary_warnings(out, model, options->terminal_width);
  print_speedup_estimates(out, model, options);
  if (!options->brief)
    print_summary_explanation(out, model, options->terminal_width);
}
