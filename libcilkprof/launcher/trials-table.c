/* The table of measured running times.
   SPDX-License-Identifier: MIT  */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "libcilkprof/launcher/trials.h"

/* Summary of the runs with the same configuration: of those that nobody disturbed, if there are any.  */
struct row {
  unsigned number;
  size_t runs;
  bool busy; /* all were disturbed */
  double least, median, least_cpu, median_cpu;
};

/* Compares two numbers of type double, for qsort in ascending order.  */
static int compare_launched_trial_times(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

/* Sets *LEAST and *MEDIAN to the minimum and the median of the double at OFFSET in all trials with NUMBER workers or
   copies that were disturbed, if BUSY, or were not.  Returns how many there are; if there are none, sets nothing.  */
static size_t summarize_launched_trial_times(const struct trials *trials, bool copy, bool busy, unsigned number,
                                             size_t offset, double *least, double *median) {
  double *values = calloc(trials->count, sizeof *values);
  size_t count = 0;
  if (values == NULL)
    fail_without_memory();
  for (size_t i = 0; i < trials->count; i++) {
    const struct trial *trial = &trials->list[i];
    if (trial->copy == copy && trial->busy == busy && trial->number == number)
      values[count++] = *(const double *)((const char *)trial + offset);
  }
  if (count > 0) {
    qsort(values, count, sizeof *values, compare_launched_trial_times);
    *least = values[0];
    *median = (values[(count - 1) / 2] + values[count / 2]) / 2;
  }
  free(values);
  return count;
}

/* Returns the summary of all trials with NUMBER workers, or of NUMBER copies at once if COPY.  */
static struct row make_launched_trials_row(const struct trials *trials, bool copy, unsigned number) {
  struct row row = {.number = number};
  const size_t seconds = offsetof(struct trial, seconds), cpu_seconds = offsetof(struct trial, cpu_seconds);
  row.runs = summarize_launched_trial_times(trials, copy, false, number, seconds, &row.least, &row.median);
  row.busy = row.runs == 0;
  if (row.busy)
    row.runs = summarize_launched_trial_times(trials, copy, true, number, seconds, &row.least, &row.median);
  summarize_launched_trial_times(trials, copy, row.busy, number, cpu_seconds, &row.least_cpu, &row.median_cpu);
  return row;
}

/* Returns VALUE divided by BY; 0 if BY is not positive, as for a run too short to measure.  */
static double launched_trials_ratio(double value, double by) {
  return by > 0 ? value / by : 0;
}

/* Prints the line of ROW in the table of running times.  Speedup and efficiency are relative to ALONE, the runs with
   one worker.  */
static void print_launched_trials_row(const struct row *row, const struct row *alone) {
  double speedup = launched_trials_ratio(alone->least, row->least);
  printf("%10u %4zu %9.4f %9.4f %9.4f %9.4f %8.2f %9.0f%%%s\n", row->number, row->runs, row->least, row->median,
         row->least_cpu, row->median_cpu, speedup, 100 * speedup / row->number,
         row->busy || alone->busy ? " busy" : "");
}

/* Prints a note if one worker did not get a whole processor, or if there seem to be fewer workers than requested.  */
static void print_launched_trials_idleness(const struct row *alone, const struct row *row) {
  const double one = 1.1, mostly = 0.8;
  double used = launched_trials_ratio(row->median_cpu, row->median),
         used_alone = launched_trials_ratio(alone->median_cpu, alone->median);
  if (used_alone < mostly)
    printf("\nThe 1-worker run used only %.0f%% of its processor: it waits for something, or\n"
           "other programs are running; if so, measure again when the machine is idle.\n",
           100 * used_alone);
  else if (row->number > 1 && used < one)
    printf("\nIt used %.1f of %u processors.  Other programs were running, or it ignores\n"
           "CILK_NWORKERS and OMP_NUM_THREADS: write {} for the number of threads in its\narguments.\n",
           used, row->number);
}

/* Prints how much copies slow each other down: with one processor each, they share nothing but the machine.  */
static void print_launched_trials_copies(const struct row *row, const struct row *alone) {
  const double notable = 1.1;
  double growth = launched_trials_ratio(row->median_cpu, alone->median_cpu);
  const char *meaning = "They do not slow each other down: memory bandwidth is not the limit.";
  if (row->busy || alone->busy)
    meaning = "Other programs were running, so this means nothing.";
  else if (growth >= notable)
    meaning = "They slow each other down: the limit is the machine, usually its memory bandwidth.";
  printf("\n%u copies at once: each takes %.2f times the processor time of one alone.\n%s\n", row->number, growth,
         meaning);
}

/* Prints how many runs others disturbed, and what becomes of them, if there are any.  */
static void print_launched_trials_disturbed(const struct trials *trials) {
  size_t busy = 0;
  for (size_t i = 0; i < trials->count; i++)
    busy += trials->list[i].busy;
  if (busy == trials->count && busy > 0)
    printf("\nBusy machine: other programs were running during all %zu runs; do not trust\n"
           "these times.  Measure again when the machine is idle.\n",
           busy);
  else if (busy > 0)
    printf("\nBusy machine: other programs were running during %zu of %zu runs.  These are\n"
           "ignored where there are better ones; rows without any are marked: do not trust\nthem.\n",
           busy, trials->count);
}

/* Prints the speedups with the numbers of workers of PLAN as bars, with dots up to the ideal.  */
static void print_launched_trials_plot(const struct plan *plan, const struct trials *trials, const struct row *alone) {
  enum { WIDTH = 60 };
  unsigned most = plan->workers[plan->count - 1];
  if (most < 2)
    return;
  puts("\nSpeedup (dots: the ideal)\n");
  for (size_t i = 0; i < plan->count; i++) {
    struct row row = make_launched_trials_row(trials, false, plan->workers[i]);
    if (row.runs == 0)
      continue;
    double speedup = launched_trials_ratio(alone->least, row.least);
    int bar = (int)(speedup * WIDTH / most + 0.5), ideal = (int)((double)row.number * WIDTH / most + 0.5);
    printf("%10u |", row.number);
    bar = bar < WIDTH ? bar : WIDTH; /* a superlinear speedup */
    for (int column = 0; column < ideal || column < bar; column++)
      putchar(column < bar ? '#' : '.');
    putchar('\n');
  }
}

/* Prints the table of running times on standard output, with a row for each number of workers of PLAN that was run, and
   notes on idle processors and on copies.  */
void print_launched_trials_table(const struct plan *plan, const struct trials *trials) {
  struct row alone = make_launched_trials_row(trials, false, 1),
             copies = make_launched_trials_row(trials, true, plan->copies), last = {0};
  puts("                ----- seconds ----- -- processor time -\n"
       "processors runs   minimum    median   minimum    median  speedup efficiency");
  for (size_t i = 0; i < plan->count; i++) {
    struct row row = make_launched_trials_row(trials, false, plan->workers[i]);
    if (row.runs == 0)
      continue;
    print_launched_trials_row(&row, &alone);
    last = row;
  }
  print_launched_trials_plot(plan, trials, &alone);
  print_launched_trials_disturbed(trials);
  if (!alone.busy && !last.busy)
    print_launched_trials_idleness(&alone, &last);
  if (copies.runs > 0)
    print_launched_trials_copies(&copies, &alone);
}
