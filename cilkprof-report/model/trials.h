/* Measured running times on given numbers of processors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TRIALS_H
#define CILKPROF_REPORT_TRIALS_H

#include <stdbool.h>
#include <stddef.h>

/* A run of the program.  Unknown times are NAN.  */
struct trial {
  bool copy;           /* one of several serial runs at the same time */
  unsigned processors; /* of the run; of a copy: number of copies that ran at the same time */
  double seconds, cpu_seconds, system_seconds;
  bool busy;      /* other programs had a part of its processors */
  double speedup; /* 0 if it is a copy */
};

/* The runs on one number of processors that others did not disturb; all of them if there is no such run.  Times are the
   least of all runs, or the median where the name says so.  */
struct trial_row {
  unsigned processors;
  size_t runs;
  bool busy; /* others disturbed all of them: the times are not to be trusted */
  double seconds, median_seconds, cpu_seconds, median_cpu_seconds, median_system_seconds;
  double speedup; /* computed from SECONDS */
};

struct trials {
  char *command; /* as cilkprof-run wrote it; NULL: not known */
  struct trial *trials;
  size_t count, room;
  struct trial_row *rows; /* one for each number of processors, in ascending order, without copies */
  size_t row_count;
  struct trial_row copies; /* copies with the largest number at the same time; RUNS is 0 if there are none */
};

/* Reads a file with lines of a number of processors and seconds, optionally followed by processor time and the system's
   part of it, preceded by the word "copies" and followed by the word "busy".  A # starts a comment.  Speedups are
   relative to the shortest run on one processor or, if there is none, to SERIAL seconds, where 0 means unknown.  Fails
   if a line has another form.  If PATH is NULL, there are no trials.  */
struct trials read_model_trials(const char *path, double serial);

/* Returns the row for PROCESSORS, or NULL.  */
const struct trial_row *model_trials_on_processors(const struct trials *trials, unsigned processors);

/* Returns the processor time of a copy divided by that of a run alone, or NAN if it is unknown.  */
double model_trials_copy_growth(const struct trials *trials);

/* Returns the number of processors up to which a plot extends: the largest of PROCESSORS, the number that the report
   assumes, the number of any trial, and a minimum that shows the trend on small machines.  */
unsigned model_trials_plot_processors(const struct trials *trials, unsigned processors);

#endif
