/* Prints emulated speedups of the program's parallel sections and tasks.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/foretold.h"
#include "cilkprof-report/emulation/synthesize.h"
#include "cilkprof-report/model/units.h"
#include "cilkprof-report/sections/sections.h"
#include "cilkprof-report/support/prose.h"
#include "cilkprof-report/support/support.h"
#include "cilkprof-report/support/terminal.h"

enum { CELL = 9, LEAST_NAMES = 12, EASY_WIDTH = 100 };

static const char explanation[] =
    "\n Predicted speedups over the program as it is now, if its sections ran in parallel under that schedule; * marks "
    "the best real schedule of a column.  static, dynamic and guided are OpenMP loop schedules, tasks are OpenMP "
    "tasks, cilk is work stealing (the mean of five seeds), and greedy is an ideal scheduler that none beats by more "
    "than a factor of two.\n The overheads of forking, locks and so on are those of this machine if cilkprof report "
    "--calibrate has measured them; --file-info shows them.\n With memory: work takes longer where processors compete "
    "for memory bandwidth, depending on the last-level cache misses per 1000 instructions of a section, its memory "
    "traffic on one processor, and the bandwidth of this machine.  It is shown for the numbers of processors that "
    "--calibrate measured.\n";

/* Returns the width of the column with the names of schedules in a table of emulated speedups.  */
static size_t emulation_table_names_width(const struct forecasts *forecasts) {
  size_t width = LEAST_NAMES;
  for (size_t i = 0; i < forecasts->schedule_count; i++)
    width = strlen(forecasts->schedules[i].name) > width ? strlen(forecasts->schedules[i].name) : width;
  return width;
}

/* Prints the emulated speedup under a schedule with a number of processors, both by index.  A star marks the best
   schedule; "never" means that the program deadlocks, and a dash that the speedup is unknown.  */
static void print_emulation_cell(FILE *out, const struct forecasts *forecasts, size_t schedule, size_t processors) {
  const struct forecast *forecast = forecast_at(forecasts, schedule, processors);
  bool best = best_forecast_schedule(forecasts, processors) == schedule && forecasts->schedule_count > 1;
  if (forecast->deadlock)
    fprintf(out, "%*s", CELL, "never ");
  else if (forecast->cut || forecast->time <= 0)
    fprintf(out, "%*s", CELL, "- ");
  else
    fprintf(out, "%*.2f%c", CELL - 1, forecast_speedup(forecasts, forecast), best ? '*' : ' ');
}

/* Prints the columns of a table of emulated speedups from number FIRST to before LAST, one for each number of
   processors.  */
static void print_emulation_block(FILE *out, const struct forecasts *forecasts, size_t first, size_t last) {
  int width = (int)emulation_table_names_width(forecasts);
  fprintf(out, "  %-*s", width, "processors");
  for (size_t p = first; p < last; p++)
    fprintf(out, "%*u ", CELL - 1, forecasts->processors[p]);
  fputs("\n", out);
  for (size_t s = 0; s < forecasts->schedule_count; s++) {
    fprintf(out, "  %-*s", width, forecasts->schedules[s].name);
    for (size_t p = first; p < last; p++)
      print_emulation_cell(out, forecasts, s, p);
    fputs("\n", out);
  }
}

/* Prints the emulated speedups as a table, in several blocks of columns if the terminal is narrow.  */
static void print_emulation_table(FILE *out, const struct forecasts *forecasts, const struct options *options) {
  size_t width = options->terminal_width > 0 ? options->terminal_width : options->wide ? SIZE_MAX : EASY_WIDTH;
  size_t room = width > emulation_table_names_width(forecasts) + 2 + CELL
                    ? (width - emulation_table_names_width(forecasts) - 2) / CELL
                    : 1;
  for (size_t first = 0; first < forecasts->processor_count; first += room) {
    size_t last = first + room < forecasts->processor_count ? first + room : forecasts->processor_count;
    fputs(first > 0 ? "\n" : "", out);
    print_emulation_block(out, forecasts, first, last);
  }
}

/* Prints the largest standard deviation that the emulated times have over the seeds of work stealing, relative to their
   mean.  */
static void print_emulation_spread(FILE *out, const struct forecasts *forecasts) {
  double most = 0;
  for (size_t i = 0; i < forecasts->schedule_count * forecasts->processor_count; i++)
    if (forecasts->forecasts[i].time > 0 && forecasts->forecasts[i].deviation / forecasts->forecasts[i].time > most)
      most = forecasts->forecasts[i].deviation / forecasts->forecasts[i].time;
  if (most > 0)
    fprintf(out, "\n  Standard deviation over the seeds of cilk: at most %.1f%%.\n", 100 * most);
}

/* Runs synthetic programs on this machine and prints their speedups, with emulated ones in parentheses.  Columns
   without a measurement, as for more processors than this machine has, are omitted.  */
static void print_synthesized_speedups(FILE *out, const struct forecasts *forecasts, const struct options *options) {
  const int cell = 16, width = (int)emulation_table_names_width(forecasts);
  double share, *seconds = measure_synthetic_programs(forecasts, options, &share);
  bool *shown = allocate(forecasts->processor_count, sizeof *shown);
  for (size_t i = 0; i < forecasts->schedule_count * forecasts->processor_count; i++)
    shown[i % forecasts->processor_count] |= seconds[i] > 0;
  fputs("\n", out);
  print_styled(out, options->color, STYLE_TITLE, "Speedup of synthetic programs on this machine (predicted)");
  fprintf(out, "\n\n  %-*s", width, "processors");
  for (size_t p = 0; p < forecasts->processor_count; p++)
    if (shown[p])
      fprintf(out, "%*u ", cell - 1, forecasts->processors[p]);
  fputs("\n", out);
  for (size_t s = 0; s < forecasts->schedule_count; s++) {
    if (forecasts->schedules[s].kind == SCHEDULE_GREEDY)
      continue;
    fprintf(out, "  %-*s", width, forecasts->schedules[s].name);
    for (size_t p = 0; p < forecasts->processor_count; p++) {
      double speedup = synthesized_speedup(forecasts, seconds, s, p);
      if (!shown[p])
        continue;
      if (speedup > 0)
        fprintf(out, "%*.2f (%.2f)", cell - 8, speedup, forecast_speedup(forecasts, forecast_at(forecasts, s, p)));
      else
        fprintf(out, "%*s ", cell - 1, "-");
    }
    fputs("\n", out);
  }
  if (share < ENOUGH_SHARE)
    fprintf(out,
            "\n  Other programs used %.0f%% of a processor, so the measured times are too long.  Try again when the "
            "machine is idle.\n",
            100 * (1 - share));
  free(seconds);
  free(shown);
}

/* Prints the memory use of the emulated sections, and the factors by which they take longer on several processors.  */
static void print_emulation_memory_uses(FILE *out, const struct forecasts *forecasts) {
  static const char *const sources[] = {[USES_COUNTED] = "counted by the processor",
                                        [USES_SIMULATED] = "simulated by callgrind",
                                        [USES_DIVIDED] =
                                            "simulated by cachegrind for the program, distributed by time"};
  const struct section_uses *uses = &forecasts->uses;
  unsigned most = memory_contention_threads(&forecasts->memory);
  fprintf(out, "\n\n  %-22s  %s\n\n", "Misses:", sources[uses->source]);
  fprintf(out, "  %10s %8s", "per 1000", "MB/s");
  for (size_t p = 0; p < forecasts->processor_count; p++)
    if (forecasts->processors[p] <= most)
      fprintf(out, "%*u ", CELL - 1, forecasts->processors[p]);
  fputs(" section\n", out);
  for (size_t i = 0; i < uses->count; i++) {
    const struct section_use *section = &uses->sections[i];
    double rate = section->use.instructions > 0 ? section->use.misses / section->use.instructions : 0;
    fprintf(out, "  %10.3f %8.0f", 1000 * rate, section->traffic);
    for (size_t p = 0; p < forecasts->processor_count; p++)
      if (forecasts->processors[p] <= most)
        fprintf(out, "%*.2f ", CELL - 1, forecast_memory_burden(forecasts, section, p));
    char *name = escape(section->name);
    fprintf(out, " %s\n", name[0] != 0 ? name : "(no name)");
    free(name);
  }
}

/* Prints the emulated speedups once more, for processors that share the memory of this machine.  */
static void print_emulation_with_memory(FILE *out, const struct forecasts *forecasts, const struct options *options) {
  struct forecasts with = forecasts_with_memory(forecasts);
  fputs("\n", out);
  print_styled(out, options->color, STYLE_TITLE, "Predicted speedup, with memory");
  print_emulation_memory_uses(out, forecasts);
  fputs("\n", out);
  print_emulation_table(out, &with, options);
}

/* Prints the section of --emulate: the speedups of the program's sections and tasks under schedules, and what follows
   from them.  */
void print_emulation(FILE *out, struct model *model, const struct options *options) {
  struct forecasts made = forecasts_of_analysed_model(model, options, "--emulate");
  const struct forecasts *forecasts = &made;
  const struct tree_node *root = emulated_tree_root(forecasts->tree);
  print_styled(out, options->color, STYLE_TITLE, "Predicted speedup");
  fprintf(out, "\n\n  %-22s  %s\n", "Work:", model_quantity(model, root->work, 5, " ").text);
  fprintf(out, "  %-22s  %s\n", "Span of the sections:", model_quantity(model, root->span, 5, " ").text);
  fprintf(out, "  %-22s  %s section%s, %s task%s\n\n", "Recorded:", model_grouped_number((uint64_t)root->sections).text,
          model_plural_ending((uint64_t)root->sections), model_grouped_number((uint64_t)root->all_tasks).text,
          model_plural_ending((uint64_t)root->all_tasks));
  print_emulation_table(out, forecasts, options);
  print_emulation_spread(out, forecasts);
  if (forecasts->burdened != NULL)
    print_emulation_with_memory(out, forecasts, options);
  if (options->synthesize)
    print_synthesized_speedups(out, forecasts, options);
  struct verdict verdict = verdict_of_forecasts(forecasts, options);
  fputs(verdict.count > 0 ? "\n" : "", out);
  for (size_t i = 0; i < verdict.count; i++)
    print_verdict_finding(out, &verdict.findings[i], options);
  if (!options->brief) {
    if (forecasts->burdened == NULL)
      print_advised_memory_commands(out, model, forecasts, options);
    print_prose(out, explanation, options->terminal_width);
  }
}
