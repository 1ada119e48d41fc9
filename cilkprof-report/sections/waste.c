/* The time that a parallel run wasted, in the whole program and in each function and loop.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/headline.h"
#include "cilkprof-report/analysis/stand-in.h"
#include "cilkprof-report/analysis/waste.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"
#include "cilkprof-report/tables/labels.h"
#include "cilkprof-report/tables/layout.h"
#include "cilkprof-report/tables/program.h"

static const char explanation[] =
    "\n Samples of a parallel run.  Work is the computation of the program.  Idleness is blamed on the code that was "
    "running meanwhile: if n - m of n processors are idle and m are working, each of the m is charged (n - m) / m of "
    "its own time.  Overhead is the cost of parallelism itself: the runtime, and code that the compiler added for it.  "
    "Waiting is for locks.  The effort is the sum of these.  The rest of the processors' time is neither: the program "
    "was blocked, asleep or waiting for input or output, or it was preempted by other programs.  Samples that could "
    "not be unwound are part of the effort, but of no function.\n\n % effort   \tthe function's or loop's share of the "
    "total effort, with its callees;\n of that    \thow that divides.  The rows with the most waste come first.\n "
    "judgement  \tparallel: little idleness and overhead; improve its serial performance.  larger pieces: much "
    "overhead.  smaller pieces: much idleness.  another way: much of both, so no grain size helps.  lock: much "
    "waiting.  Much is a tenth.  few samples: too few to judge.\n";

enum { LABELS = 26 };

/* Prints a line of the waste section: a label and TEXT, which may take several lines.  */
static void print_waste_label(FILE *out, const char *label, const char *text, const struct options *options) {
  fprintf(out, "  %-*s", LABELS - 2, label);
  print_prose_field(out, text, LABELS, options->terminal_width);
}

/* Returns a time in nanoseconds as text with a suitable unit.  */
static struct quantity printed_waste_time_text(uint64_t ns) {
  return model_quantity_ns((double)ns, 4, " ");
}

/* Prints the lines of the waste section about the parallel run and how it was sampled.  */
static void print_waste_sampling(FILE *out, const struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  const struct cilkprof_sampling *sampling = &samples->sampling;
  struct buffer buffer = {0};
  char *command = table_program_command_text(&samples->program);
  double seconds = (double)sampling->cpu_ns * 1e-9;
  double reached = seconds > 0 ? (double)(sampling->samples + sampling->idle_samples) / seconds : 0;
  print_waste_label(out, "Command:", command, options);
  free(command);
  print_waste_label(out, "Processors:",
                    buffer_print(&buffer, "%llu, %s workers: %llu", (unsigned long long)sampling->processors,
                                 sampled_runtime_name(sampling), (unsigned long long)sampling->workers),
                    options);
  if (samples->runtime != NULL) {
    char *runtime = headline_runtime_text(model);
    print_waste_label(out, "Runtime:", runtime, options);
    free(runtime);
  }
  print_waste_label(out, "Sampled:",
                    buffer_print(&buffer, "%s samples by %s, at %.0f Hz (%s requested); shares may be off by %.0f %%",
                                 model_grouped_number(sampling->samples).text,
                                 sampling->clock == CILKPROF_SAMPLING_PERF ? "perf" : "a timer of CPU time", reached,
                                 model_grouped_number(sampling->hz).text, ceil(judged_waste_share_error(samples))),
                    options);
  if (sampling->lost_samples > 0)
    print_waste_label(out, "Shortened paths:", model_grouped_number(sampling->lost_samples).text, options);
  if (sampling->elapsed_ns == 0)
    print_waste_label(out, "Elapsed:", "not known", options);
  else
    print_waste_label(out, "Elapsed:",
                      buffer_print(&buffer, sampling->runs > 1 ? "%s in %s runs" : "%s",
                                   printed_waste_time_text(sampling->elapsed_ns).text,
                                   model_grouped_number(sampling->runs).text),
                      options);
  if (samples->program.flags & CILKPROF_DAMAGED)
    print_waste_label(out, "Damaged:", "parts of the profile are lost", options);
  else if (samples->program.flags & CILKPROF_INCOMPLETE)
    print_waste_label(out, "Incomplete:", "the program did not finish", options);
  free(buffer.text);
}

/* Prints a label, a time in nanoseconds and its percentage of WHOLE, without a newline.  */
static void print_waste_part(FILE *out, const char *label, uint64_t part, uint64_t whole) {
  fprintf(out, "  %-*s%10s %6.2f %%", LABELS - 2, label, printed_waste_time_text(part).text,
          model_percent_of_whole(part, whole));
}

/* Prints the lines about time in which the program neither ran nor lacked work: how much of ALL time it was blocked or
   preempted, if the system provides that.  */
static void print_waste_absence(FILE *out, const struct samples *samples, uint64_t all) {
  struct absence absence = divide_judged_absent_time(samples);
  if (absence.known) {
    print_waste_part(out, "Blocked:", absence.blocked, all);
    fputs(", asleep or waiting for I/O\n", out);
    print_waste_part(out, "Preempted:", absence.preempted, all);
    bool own = samples->sampling.workers > samples->sampling.processors;
    fputs(own ? ", by its own threads or other programs\n" : ", by other programs\n", out);
  } else {
    print_waste_part(out, "Blocked or preempted:", judged_waste_absent_time(samples), all);
    putc('\n', out);
  }
}

/* Prints how the effort of the whole parallel run divides into work and waste, and what to do about it.  */
static void print_waste_whole(FILE *out, const struct samples *samples) {
  static const char *const labels[WASTE_KINDS] = {"  Work:", "  Idleness:", "  Overhead:", "  Waiting for locks:"};
  uint64_t effort = sample_waste_effort(&samples->total), all = judged_waste_available_time(samples);
  print_waste_part(out, "Effort:", effort, all > 0 ? all : effort);
  if (all > 0)
    fprintf(out, " of the processors' %s", printed_waste_time_text(all).text);
  putc('\n', out);
  for (enum waste_kind kind = 0; kind < WASTE_KINDS; kind++) {
    if (kind == WASTE_WAITING && samples->sampling.sampled == CILKPROF_SAMPLED_TBB) {
      fprintf(out, "  %-*s not known: it is idleness here\n", LABELS - 2, labels[kind]);
      continue;
    }
    print_waste_part(out, labels[kind], samples->total.of[kind], effort);
    fputs(kind == 0 ? " of the effort\n" : "\n", out);
  }
  if (sample_waste_effort(&samples->not_unwound) > 0) {
    print_waste_part(out, "  Not unwound:", sample_waste_effort(&samples->not_unwound), effort);
    fputs(", in the above\n", out);
  }
  if (sample_waste_effort(&samples->orphans) > 0) {
    print_waste_part(out, "  Of unknown tasks:", sample_waste_effort(&samples->orphans), effort);
    fputs(", in the above\n", out);
  }
  if (all > 0)
    print_waste_absence(out, samples, all);
}

enum { SHARE, BAR, WORK, IDLENESS, OVERHEAD, WAITING, JUDGEMENT, NAME, COLUMNS };
static const struct layout_column columns[COLUMNS] = {
    [SHARE] = {NULL, "% effort", 8, 0},        [BAR] = {NULL, "", -SHARE_BAR_WIDTH, 2},
    [WORK] = {"of that", "work", 6, 0},        [IDLENESS] = {"of that", "idle", 6, 0},
    [OVERHEAD] = {"of that", "over", 6, 0},    [WAITING] = {"of that", "wait", 6, 1},
    [JUDGEMENT] = {NULL, "judgement", -14, 0}, [NAME] = {NULL, "function or loop", -1, 0},
};
enum { LEAST_ROOM = 24 };

/* Prints the row of a function or loop in the waste section: its share of the effort, how it divides, and the
   judgement.  */
static void print_waste_function(FILE *out, const struct layout *layout, const struct samples *samples,
                                 const struct sample_function *of) {
  struct line line = {.out = out};
  uint64_t effort = sample_waste_effort(&of->all);
  layout_fixed_cell(layout, &line, SHARE, model_percent_of_whole(effort, sample_waste_effort(&samples->total)));
  if (layout_cell_gap(layout, &line, BAR))
    line_share_bar(&line, model_percent_of_whole(effort, sample_waste_effort(&samples->total)));
  for (enum waste_kind kind = 0; kind < WASTE_KINDS; kind++)
    layout_fixed_cell(layout, &line, WORK + kind, model_percent_of_whole(of->all.of[kind], effort));
  layout_string_cell(layout, &line, JUDGEMENT, judge_waste(&of->all, of->samples).brief);
  layout_name_cell(layout, &line, of->function->brief_name);
  line_flush(&line);
}

/* Prints the table of functions in the waste section, those with most waste first, and how many with little effort are
   left out.  */
static void print_waste_functions(FILE *out, const struct samples *samples, const struct options *options) {
  struct layout_column shown_columns[COLUMNS];
  memcpy(shown_columns, columns, sizeof columns);
  if (!options->bars)
    shown_columns[BAR].width = 0;
  struct layout layout = layout_fit_columns(shown_columns, COLUMNS, options->terminal_width, LEAST_ROOM);
  size_t shown = 0, small = 0;
  layout_print_headings(out, &layout);
  for (size_t i = 0; i < samples->function_count; i++) {
    const struct sample_function *of = samples->by_waste[i];
    bool is_small =
        model_percent_of_whole(sample_waste_effort(&of->all), sample_waste_effort(&samples->total)) < LEAST_WASTE_SHARE;
    small += is_small;
    if (is_small || (options->top > 0 && shown >= options->top))
      continue;
    print_waste_function(out, &layout, samples, of);
    shown++;
  }
  if (small > 0)
    fprintf(out, "\n  %s function%s with less than %d %% of the effort not shown; see --top-down=0.\n",
            model_grouped_number(small).text, model_plural_ending(small), LEAST_WASTE_SHARE);
}

/* Prints the headline of the waste section: the largest loss of the run in words.  Prints nothing if little was
   lost.  */
static void print_waste_headline(FILE *out, const struct model *model, const struct causes *causes,
                                 const struct options *options) {
  char *text = waste_headline(model, causes);
  if (text != NULL) {
    fputs("  ", out);
    print_prose_field(out, text, 2, options->terminal_width);
    if (!are_samples_too_few_to_judge(model->samples))
      putc('\n', out);
  }
  free(text);
}

/* Prints the time that the parallel run lost by each cause, as a share of the processors' time, and where most of
   it.  */
static void print_waste_losses(FILE *out, const struct samples *samples, const struct causes *causes) {
  static const char *const labels[CAUSES] = {
      "", "Too little parallelism:", "Grain:", "Work inflation:", "Lock contention:"};
  double all = cause_lost_time_whole(samples);
  fputs("\n", out);
  for (enum cause cause = CAUSE_NONE + 1; cause < CAUSES; cause++) {
    const struct function *function = cause_culprit(causes, cause);
    double lost = cause_loss(causes, cause);
    if (cause == CAUSE_LOCK && samples->sampling.sampled == CILKPROF_SAMPLED_TBB) {
      fprintf(out, "  %-*snot known: it is too little parallelism here\n", LABELS - 2, labels[cause]);
      continue;
    }
    if (cause == CAUSE_INFLATION && causes->reference <= REFERENCE_OTHER) {
      fprintf(out, "  %-*sunknown without samples of one worker (-j 1)%s\n", LABELS - 2, labels[cause],
              causes->reference == REFERENCE_OTHER ? ", same input" : "");
      continue;
    }
    fprintf(out, "  %-*s%10s %6.2f %%", LABELS - 2, labels[cause], printed_waste_time_text((uint64_t)lost).text,
            all > 0 ? 100 * lost / all : 0);
    if (function != NULL && lost > 0)
      fprintf(out, ", mostly in %s", function->brief_name);
    putc('\n', out);
  }
}

/* Prints the section of --waste: what a parallel run wasted, in the whole and by function, and the causes if they are
   known.  */
void print_waste(FILE *out, struct model *model, const struct options *options) {
  const struct samples *samples = model->samples;
  struct causes causes = find_causes(model);
  print_styled(out, options->color, STYLE_TITLE, "What the parallel run wasted");
  fputs("\n\n", out);
  print_waste_headline(out, model, &causes, options);
  if (!are_samples_too_few_to_judge(samples)) {
    print_waste_sampling(out, model, options);
    print_waste_whole(out, samples);
    print_waste_losses(out, samples, &causes);
    putc('\n', out);
    print_waste_functions(out, samples, options);
    if (!options->brief)
      print_prose(out, explanation, options->terminal_width);
    if (are_causes_known(model))
      print_waste_causes(out, model, &causes, options);
    print_waste_inflation(out, model, options);
  }
  free(causes.rows);
}
