/* The table of measured running times.
   SPDX-License-Identifier: MIT  */

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "libcilkprof/launcher/trials.h"

/* Summary of the runs with the same configuration.  */
struct row {
  unsigned number;
  size_t runs;
  double least, median, least_cpu, median_cpu;
};

static int compare(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

/* Minimum and median of the double at OFFSET in the matching trials.  Returns their number.  */
static size_t find(const struct trials *trials, bool copy, unsigned number, size_t offset, double *least,
                   double *median) {
  double *values = calloc(trials->count, sizeof *values);
  size_t count = 0;
  if (values == NULL)
    fail_without_memory();
  for (size_t i = 0; i < trials->count; i++) {
    const struct trial *trial = &trials->list[i];
    if (trial->copy == copy && trial->number == number)
      values[count++] = *(const double *)((const char *)trial + offset);
  }
  if (count > 0) {
    qsort(values, count, sizeof *values, compare);
    *least = values[0];
    *median = (values[(count - 1) / 2] + values[count / 2]) / 2;
  }
  free(values);
  return count;
}

static struct row row_of(const struct trials *trials, bool copy, unsigned number) {
  struct row row = {.number = number};
  row.runs = find(trials, copy, number, offsetof(struct trial, seconds), &row.least, &row.median);
  find(trials, copy, number, offsetof(struct trial, cpu_seconds), &row.least_cpu, &row.median_cpu);
  return row;
}

static double per(double value, double by) {
  return by > 0 ? value / by : 0;
}

static void print_row(const struct row *row, const struct row *alone) {
  double speedup = per(alone->least, row->least);
  printf("%10u %5zu %9.4f %9.4f %9.4f %9.4f %8.2f %9.0f%%\n", row->number, row->runs, row->least, row->median,
         row->least_cpu, row->median_cpu, speedup, 100 * speedup / row->number);
}

/* Prints a note if one worker did not get a whole processor, or if there seem to be fewer workers than requested.  */
static void print_idle(const struct row *alone, const struct row *row) {
  const double one = 1.1, mostly = 0.8;
  double used = per(row->median_cpu, row->median), used_alone = per(alone->median_cpu, alone->median);
  if (used_alone < mostly)
    printf("\nWith one worker it had %.0f%% of its processor: it waits for something, or others run on this machine;\n"
           "then try again when they do not.\n",
           100 * used_alone);
  else if (row->number > 1 && used < one)
    printf("\nIt used %.1f of %u processors.  Others had them, or it obeys neither CILK_NWORKERS nor OMP_NUM_THREADS: "
           "write\n{} for the number of workers in its arguments.\n",
           used, row->number);
}

/* Prints how much copies slow each other down: with one processor each, they share nothing but the machine.  */
static void print_copies(const struct row *row, const struct row *alone) {
  const double notable = 1.1;
  double growth = per(row->median_cpu, alone->median_cpu);
  printf("\n%u copies at once: each takes %.2f times the processor time of one alone.\n%s\n", row->number, growth,
         growth >= notable ? "They slow each other: the machine limits the speedup, most often by its memory bandwidth."
                           : "They do not slow each other: memory bandwidth is no limit.");
}

void trials_table_print(const struct plan *plan, const struct trials *trials) {
  struct row alone = row_of(trials, false, 1), copies = row_of(trials, true, plan->copies), last = {0};
  puts("                 ----- seconds ----- -- processor time -\n"
       "processors  runs   minimum    median   minimum    median  speedup efficiency");
  for (size_t i = 0; i < plan->count; i++) {
    struct row row = row_of(trials, false, plan->workers[i]);
    if (row.runs == 0)
      continue;
    print_row(&row, &alone);
    last = row;
  }
  print_idle(&alone, &last);
  if (copies.runs > 0)
    print_copies(&copies, &alone);
}
