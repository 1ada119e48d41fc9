/* Running times that were measured on some numbers of processors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TRIALS_H
#define CILKPROF_REPORT_TRIALS_H

#include <stdbool.h>
#include <stddef.h>

/* One run.  Times that are not known are NAN.  */
struct trial {
  bool copy;           /* one of several that ran at once, on one processor each */
  unsigned processors; /* as many as these */
  double seconds, cpu_seconds, system_seconds;
  double speedup; /* 0 of a copy */
};

/* The runs on one number of processors: the least and the median.  */
struct trial_row {
  unsigned processors;
  size_t runs;
  double seconds, median_seconds, cpu_seconds, median_cpu_seconds, median_system_seconds;
  double speedup; /* by the least */
};

struct trials {
  struct trial *trials;
  size_t count, room;
  struct trial_row *rows; /* without copies, by processors */
  size_t row_count;
  struct trial_row copies; /* of the most that ran at once; without runs where there are none */
};

/* Reads lines of processors and seconds, which may have the processor time and what of it is the system's behind them,
   and the word "copies" before them; # starts a comment.  A speedup is against the shortest run on one processor, or
   against SERIAL seconds where there is none, and 0 says that this is not known.  Fails when a line is something else.
   NULL has no trials.  */
struct trials trials_read(const char *path, double serial);

/* The row of so many processors, or NULL.  */
const struct trial_row *trials_on(const struct trials *trials, unsigned processors);

/* By how much more processor time a copy takes than a run alone; NAN: not known.  */
double trials_copy_growth(const struct trials *trials);

/* How many processors a plot shows: as many as the program is judged for or was tried on; and some more than a small
   machine has, to show where it leads.  */
unsigned trials_processors(const struct trials *trials, unsigned processors);

#endif
