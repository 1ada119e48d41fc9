/* The parallelism profile and the speedup estimate, as Cilkview prints them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
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
    "\n"
    " Work is what the program takes on one processor, span what it takes on any number of them: the longest chain "
    "of strands that must follow one another.  Parallelism is work / span: no speedup can be larger.  The burdened "
    "span adds the cost of moving work between processors (%s instructions) to every spawn on the chain.  The "
    "average maximal strand is work / (1 + 2 spawns + syncs); below 500 instructions the cost of spawning is "
    "noticeable.  A speedup estimate is the range in which the speedup on so many processors can be expected, from "
    "work / (work / P + 1.7 burdened span) to the smaller of P and the parallelism.  A measured speedup below it "
    "points to something that work and span do not show, such as memory bandwidth or locks.\n";

/* Prints a label and TEXT, which may take several lines, and frees TEXT.  Prints nothing if TEXT is NULL.  */
static void print_text(FILE *out, const char *label, char *text, const struct options *options) {
  enum { LABELS = 26 };
  if (text == NULL)
    return;
  fprintf(out, "  %-*s", LABELS - 2, label);
  print_field(out, text, LABELS, options->terminal_width);
  free(text);
}

static void print_program(FILE *out, const struct model *model, const struct options *options) {
  print_text(out, "Command:", command_text(&model->program), options);
  print_text(out, "Measured:", format_string("%s", mode_name(model->program.mode)), options);
  if (model->run_count > 1)
    fprintf(out, "  %-24s%zu, added up\n", "Runs:", model->run_count);
}

/* Prints a cost: instructions exactly, times with five digits.  */
static void print_cost(FILE *out, const struct model *model, const char *label, uint64_t value) {
  if (model->run.units_per_second == 0)
    fprintf(out, "  %-24s%s instructions\n", label, grouped(value).text);
  else
    fprintf(out, "  %-24s%s\n", label, quantity(model, (double)value, 5, " ").text);
}

/* Prints how reliable the times are.  */
static void print_timing(FILE *out, const struct model *model, const struct options *options) {
  struct timing timing = timing_of(model);
  print_text(out, "Time:", timing_text(model, &timing), options);
  print_text(out, "System time:", system_text(model, &timing), options);
}

/* Returns whether the profile has only work, as for a run that was killed.  */
static bool is_work_only(const struct model *model) {
  const uint64_t flags = CILKPROF_INCOMPLETE | CILKPROF_NO_ON_SPAN;
  return (model->program.flags & flags) == flags && model->totals.span == 0;
}

/* Prints the OpenMP locks that limit the speedup, because only one processor at a time can hold a lock.  Locks that are
   held for less than a thousandth of the work are omitted.  */
static void print_locks(FILE *out, const struct model *model, const struct options *options) {
  struct lock locks[MOST_LOCKS];
  size_t count = locks_find(model, locks);
  for (size_t i = 0; i < count && locks[i].span >= model->totals.work / 1000; i++)
    print_text(out, i == 0 ? "One at a time:" : "",
               format_string("%s: %s; no speedup is larger than %s", locks[i].name,
                             model->run.units_per_second == 0
                                 ? format_string("%s instructions", grouped(locks[i].span).text)
                                 : quantity(model, (double)locks[i].span, 5, " ").text,
                             parallelism(model->totals.work, locks[i].span).text),
               options);
}

static void print_profile(FILE *out, const struct model *model, const struct options *options) {
  const struct cilkprof_totals *totals = &model->totals;
  double strands = 1 + 2 * (double)totals->spawns + (double)totals->syncs;
  print_styled(out, options->color, STYLE_TITLE, "Parallelism profile");
  fputs("\n\n", out);
  print_program(out, model, options);
  print_timing(out, model, options);
  print_cost(out, model, "Work:", totals->work);
  if (is_work_only(model)) {
    fprintf(out, "  %-24s%s\n", "Span:", "not known");
    return;
  }
  print_cost(out, model, "Span:", totals->span);
  print_cost(out, model, "Burdened span:", totals->burdened_span);
  fprintf(out, "  %-24s%s\n", "Parallelism:", parallelism(totals->work, totals->span).text);
  fprintf(out, "  %-24s%s\n", "Burdened parallelism:", parallelism(totals->work, totals->burdened_span).text);
  print_locks(out, model, options);
  fprintf(out, "  %-24s%s\n", "Spawns:", grouped(totals->spawns).text);
  fprintf(out, "  %-24s%s\n", "Syncs:", grouped(totals->syncs).text);
  print_cost(out, model, "Average maximal strand:", (uint64_t)((double)totals->work / strands));
  if (model->run.preempted_strands > 0)
    fprintf(out, "  %-24s%s, without %s of interruptions\n",
            "Corrected strands:", grouped(model->run.preempted_strands).text,
            quantity(model, (double)model->run.preempted_units, 4, " ").text);
}

static void print_warning(FILE *out, const char *text, unsigned width) {
  fputs("\n  ", out);
  print_field(out, text, 2, width);
}

static void print_warnings(FILE *out, const struct model *model, unsigned width) {
  if (model->program.flags & CILKPROF_DAMAGED)
    print_warning(out, "The profile is damaged: what is lost of it is missing.", width);
  else if (model->program.flags & CILKPROF_FROM_LIVE)
    print_warning(
        out,
        "The run did not reach its end, and this is its live file: without spans, contexts, regions, roots and "
        "open calls.",
        width);
  else if (model->program.flags & CILKPROF_INCOMPLETE)
    print_warning(
        out, "The run did not reach its end, or could not be followed all the way: some of what it did is missing.",
        width);
  if (model->program.flags & CILKPROF_SATURATED)
    print_warning(out, "Some sums are larger than the largest number that is kept: they stay there, and are too small.",
                  width);
  if (model->program.flags & CILKPROF_NO_ON_SPAN && !(model->program.flags & CILKPROF_FROM_LIVE))
    print_warning(out, "Nothing is known of what is on the span: memory ran out, or the run was ended from outside.",
                  width);
  if (model->program.flags & CILKPROF_OTHER_THREADS)
    print_warning(out, "Instrumented code ran in other threads, which were not profiled.", width);
  if (model->program.flags & CILKPROF_CONTEXTS_CUT)
    print_warning(out, "There were more calling contexts than are kept: the others are part of those above them.",
                  width);
}

static void print_speedup(FILE *out, const struct model *model, unsigned processors) {
  fprintf(out, "  %3u processors:       %6.2f - %6.2f\n", processors, speedup_lower(&model->totals, processors),
          speedup_upper(&model->totals, processors));
}

/* Prints the speedups on powers of two processors and, unless it is 0, on ASKED_FOR processors, in ascending order.  */
static void print_speedups(FILE *out, const struct model *model, unsigned asked_for, bool color) {
  if (model->totals.span == 0)
    return;
  putc('\n', out);
  print_styled(out, color, STYLE_TITLE, "Speedup estimate");
  fputs("\n\n", out);
  for (unsigned processors = 2; processors <= 128; processors *= 2) {
    if (asked_for > processors / 2 && asked_for < processors)
      print_speedup(out, model, asked_for);
    print_speedup(out, model, processors);
  }
  if (asked_for > 128)
    print_speedup(out, model, asked_for);
}

static void print_explanation(FILE *out, const struct model *model, unsigned width) {
  char *text = format_string(explanation, grouped(model->program.burden).text);
  print_prose(out, text, width);
  free(text);
}

void print_summary(FILE *out, struct model *model, const struct options *options) {
  print_profile(out, model, options);
  print_warnings(out, model, options->terminal_width);
  print_speedups(out, model, options->asked_processors, options->color);
  if (!options->brief)
    print_explanation(out, model, options->terminal_width);
}
