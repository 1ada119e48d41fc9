/* Running times that were measured on some numbers of processors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "cilkprof-report/analysis/trials.h"
#include "cilkprof-report/support/support.h"

/* Returns false for a line without anything.  */
static bool read_trial(char *line, const char *path, unsigned number, struct trial *trial) {
  char *end, *rest;
  line[strcspn(line, "#")] = 0;
  line += strspn(line, " \t\r");
  if (*line == 0)
    return false;
  unsigned long processors = strtoul(line, &end, 10);
  double seconds = strtod(end, &rest);
  bool wrong = *line < '0' || *line > '9' || rest == end || rest[strspn(rest, " \t\r")] != 0;
  if (wrong || processors < 1 || processors > 1000000 || !isfinite(seconds) || seconds <= 0)
    fail(path, "line %u is not a number of processors and the seconds that the program took on them", number);
  *trial = (struct trial){.processors = (unsigned)processors, .seconds = seconds};
  return true;
}

/* What the program takes on one processor.  */
static double serial_seconds(const struct trials *trials, const struct model *model, const char *path) {
  double shortest = INFINITY;
  for (size_t i = 0; i < trials->count; i++)
    if (trials->trials[i].processors == 1 && trials->trials[i].seconds < shortest)
      shortest = trials->trials[i].seconds;
  if (isfinite(shortest))
    return shortest;
  if (model->run.units_per_second == 0)
    fail(path, "it needs a line for one processor: the profile counts instructions, not seconds");
  return (double)model->totals.work / (double)model->run.units_per_second / (double)model->run_count;
}

struct trials trials_read(const char *path, const struct model *model) {
  struct trials trials = {0};
  unsigned number = 0;
  if (path == NULL)
    return trials;
  struct file file = file_read(path);
  char *text = reallocate(file.bytes, file.size + 1, 1), *line = text;
  text[file.size] = 0;
  for (char *next; line != NULL; line = next) {
    struct trial trial;
    next = strchr(line, '\n');
    if (next != NULL)
      *next++ = 0;
    if (!read_trial(line, path, ++number, &trial))
      continue;
    trials.trials = grow(trials.trials, trials.count, &trials.room, sizeof *trials.trials);
    trials.trials[trials.count++] = trial;
  }
  free(text);
  if (trials.count == 0)
    fail(path, "it has no lines with a number of processors and seconds");
  double serial = serial_seconds(&trials, model, path);
  for (size_t i = 0; i < trials.count; i++)
    trials.trials[i].speedup = serial / trials.trials[i].seconds;
  return trials;
}

unsigned trials_processors(const struct trials *trials, unsigned processors) {
  enum { LEAST = 16 };
  unsigned most = processors > LEAST ? processors : LEAST;
  for (size_t i = 0; i < trials->count; i++)
    if (trials->trials[i].processors > most)
      most = trials->trials[i].processors;
  return most;
}
