/* Measured running times on given numbers of processors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/model/trials.h"
#include "cilkprof-report/support/support.h"

static const char blanks[] = " \t\r";
static const double SHORTEST = 1e-9, LONGEST = 1e9;      /* seconds that a program may take, from 1 ns to 30 years */
static const char mark[] = "# Trials of cilkprof-run: "; /* before the command, in the first line */

/* Reads the next number of *LINE and moves *LINE past it.  Returns NAN at the end of the line, or -1 if there is no
   valid number.  */
static double read_model_trial_seconds(char **line) {
  char *end;
  *line += strspn(*line, blanks);
  if (**line == 0 || **line == 'b')
    return NAN;
  double seconds = strtod(*line, &end);
  bool wrong = end == *line || strchr(" \t\r", *end) == NULL || !(seconds >= 0 && seconds <= LONGEST);
  *line = end;
  return wrong ? -1 : seconds;
}

/* Returns whether the rest of a line, *LINE, begins with the word "busy", and moves *LINE past it.  */
static bool read_model_trial_busy(char **line) {
  static const char word[] = "busy";
  *line += strspn(*line, blanks);
  bool busy = strncmp(*line, word, strlen(word)) == 0;
  *line += busy ? strlen(word) : 0;
  return busy;
}

/* Parses LINE, which is line NUMBER of the file PATH, into *TRIAL.  Returns false if it is empty but for a comment.
   Fails if it is malformed.  */
static bool read_model_trial(char *line, const char *path, unsigned number, struct trial *trial) {
  static const char word[] = "copies";
  char *end;
  line[strcspn(line, "#")] = 0;
  line += strspn(line, blanks);
  if (*line == 0)
    return false;
  bool copy = strncmp(line, word, strlen(word)) == 0 && strchr(blanks, line[strlen(word)]) != NULL;
  if (copy)
    line += strlen(word) + strspn(line + strlen(word), blanks);
  unsigned long processors = strtoul(line, &end, 10);
  bool wrong = *line < '0' || *line > '9' || strchr(blanks, *end) == NULL || processors < 1 || processors > 1000000;
  *trial = (struct trial){.copy = copy, .processors = (unsigned)processors};
  trial->seconds = read_model_trial_seconds(&end);
  trial->cpu_seconds = read_model_trial_seconds(&end);
  trial->system_seconds = read_model_trial_seconds(&end);
  trial->busy = read_model_trial_busy(&end);
  wrong |= !(trial->seconds >= SHORTEST) || trial->cpu_seconds < 0 || trial->system_seconds < 0;
  if (wrong || end[strspn(end, blanks)] != 0)
    fail(path, "line %u is not a number of processors and the seconds that the program took on them, from 1e-9 to 1e9",
         number);
  return true;
}

/* Callback of qsort: compares two running times, none of which is NAN.  */
static int compare_model_trial_times(const void *one, const void *other) {
  double a = *(const double *)one, b = *(const double *)other;
  return (a > b) - (a < b);
}

/* Computes the least and the median of the times at OFFSET in struct trial, over COUNT runs; NAN if one of them is
   unknown.  */
static void find_model_trial_times(const struct trial *group, size_t count, size_t offset, double *least,
                                   double *median) {
  double *values = allocate(count, sizeof *values), sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i] = *(const double *)((const char *)&group[i] + offset);
  if (!isnan(sum))
    qsort(values, count, sizeof *values, compare_model_trial_times);
  *least = isnan(sum) ? NAN : values[0];
  *median = isnan(sum) ? NAN : (values[(count - 1) / 2] + values[count / 2]) / 2;
  free(values);
}

/* Returns the row of COUNT runs on the same number of processors.  SERIAL is the running time on one processor in
   seconds.  */
static struct trial_row make_model_trial_row(const struct trial *group, size_t count, double serial) {
  size_t good = 0; /* those that were not disturbed come first */
  double least;
  while (good < count && !group[good].busy)
    good++;
  bool busy = good == 0;
  count = busy ? count : good;
  struct trial_row row = {.processors = group->processors, .runs = count, .busy = busy};
  find_model_trial_times(group, count, offsetof(struct trial, seconds), &row.seconds, &row.median_seconds);
  find_model_trial_times(group, count, offsetof(struct trial, cpu_seconds), &row.cpu_seconds, &row.median_cpu_seconds);
  find_model_trial_times(group, count, offsetof(struct trial, system_seconds), &least, &row.median_system_seconds);
  row.speedup = serial / row.seconds;
  return row;
}

/* Compares two trials by number of processors, and sorts copies after all other runs.  */
static int compare_model_trial_groups(const struct trial *a, const struct trial *b) {
  return a->copy != b->copy ? a->copy - b->copy : (a->processors > b->processors) - (a->processors < b->processors);
}

/* Callback of qsort: compares two trials by group, and sorts those that were disturbed after the others.  */
static int compare_model_trials(const void *one, const void *other) {
  const struct trial *a = one, *b = other;
  int order = compare_model_trial_groups(a, b);
  return order != 0 ? order : a->busy - b->busy;
}

/* Makes a row of TRIALS for each number of processors, and one for the copies with the largest number.  SERIAL is the
   running time on one processor in seconds.  */
static void make_model_trial_rows(struct trials *trials, double serial) {
  struct trial *sorted = allocate(trials->count, sizeof *sorted);
  size_t room = 0;
  memcpy(sorted, trials->trials, trials->count * sizeof *sorted);
  qsort(sorted, trials->count, sizeof *sorted, compare_model_trials);
  for (size_t first = 0, end; first < trials->count; first = end) {
    for (end = first + 1; end < trials->count && compare_model_trial_groups(&sorted[first], &sorted[end]) == 0;)
      end++;
    struct trial_row row = make_model_trial_row(sorted + first, end - first, serial);
    if (sorted[first].copy) {
      trials->copies = row; /* the last group has most processors */
      continue;
    }
    trials->rows = grow_array(trials->rows, trials->row_count, &room, sizeof *trials->rows);
    trials->rows[trials->row_count++] = row;
  }
  free(sorted);
}

/* Returns the seconds of the shortest run on one processor that was not disturbed, if there is one, or else of any; if
   there is none, SERIAL.  Fails if that is 0.  */
static double model_trial_serial_seconds(const struct trials *trials, double serial, const char *path) {
  double shortest[2] = {INFINITY, INFINITY}; /* not disturbed, disturbed */
  for (size_t i = 0; i < trials->count; i++) {
    const struct trial *trial = &trials->trials[i];
    if (!trial->copy && trial->processors == 1)
      shortest[trial->busy] = fmin(shortest[trial->busy], trial->seconds);
  }
  if (isfinite(shortest[0]) || isfinite(shortest[1]))
    return isfinite(shortest[0]) ? shortest[0] : shortest[1];
  if (serial == 0)
    fail(path, "it needs a line for one processor: the profile counts instructions, not seconds");
  return serial;
}

/* Reads all lines of the file PATH and adds their trials to TRIALS.  */
static void read_model_trial_lines(struct trials *trials, const char *path) {
  unsigned number = 0;
  struct file file = read_whole_file(path, NULL);
  char *text = reallocate(file.bytes, file.size + 1, 1), *line = text;
  text[file.size] = 0;
  for (char *next; line != NULL; line = next) {
    struct trial trial;
    next = strchr(line, '\n');
    if (next != NULL)
      *next++ = 0;
    if (number == 0 && strncmp(line, mark, strlen(mark)) == 0)
      trials->command = format_string("%s", line + strlen(mark));
    if (!read_model_trial(line, path, ++number, &trial))
      continue;
    trials->trials = grow_array(trials->trials, trials->count, &trials->room, sizeof *trials->trials);
    trials->trials[trials->count++] = trial;
  }
  free(text);
}

struct trials read_model_trials(const char *path, double serial) {
  struct trials trials = {0};
  if (path == NULL)
    return trials;
  read_model_trial_lines(&trials, path);
  if (trials.count == 0)
    fail(path, "it has no lines with a number of processors and seconds");
  serial = model_trial_serial_seconds(&trials, serial, path);
  for (size_t i = 0; i < trials.count; i++)
    trials.trials[i].speedup = trials.trials[i].copy ? 0 : serial / trials.trials[i].seconds;
  make_model_trial_rows(&trials, serial);
  if (trials.row_count == 0)
    fail(path, "it has copies only, and needs lines with a number of processors and seconds");
  return trials;
}

/* Returns the row of TRIALS for runs on this number of processors, or NULL.  */
const struct trial_row *model_trials_on_processors(const struct trials *trials, unsigned processors) {
  for (size_t i = 0; i < trials->row_count; i++)
    if (trials->rows[i].processors == processors)
      return &trials->rows[i];
  return NULL;
}

double model_trials_copy_growth(const struct trials *trials) {
  const struct trial_row *alone = model_trials_on_processors(trials, 1);
  bool known =
      alone != NULL && trials->copies.runs > 0 && alone->median_cpu_seconds > 0 && !alone->busy && !trials->copies.busy;
  return known ? trials->copies.median_cpu_seconds / alone->median_cpu_seconds : NAN;
}

unsigned model_trials_plot_processors(const struct trials *trials, unsigned processors) {
  enum { LEAST = 16 };
  unsigned most = processors > LEAST ? processors : LEAST;
  if (trials->row_count > 0 && trials->rows[trials->row_count - 1].processors > most)
    most = trials->rows[trials->row_count - 1].processors;
  return most;
}
