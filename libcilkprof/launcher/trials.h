/* Running times on several numbers of processors: what the parts of that share.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_LAUNCHER_TRIALS_H
#define CILKPROF_LAUNCHER_TRIALS_H

#include "libcilkprof/launcher/launcher.h"

/* What is run in every round: the program with one number of workers after another, then copies of it.  */
struct plan {
  unsigned workers[CPU_SETSIZE]; /* ascending, from 1 on */
  size_t count;
  unsigned copies; /* 0: none */
  unsigned runs;   /* rounds */
};

/* One process that ran.  */
struct sample {
  bool copy;
  unsigned number; /* of workers; of copies that ran at once */
  double seconds, cpu_seconds, system_seconds;
};

struct samples {
  struct sample *samples;
  size_t count, room;
};

/* plan.c: from the options; fails where they ask for what cannot be had.  */
struct plan plan_make(const struct options *options, const struct processors *processors);

/* outputs.c: whether all runs print the same.  */
int outputs_open(void);                           /* a file for what one run prints */
void outputs_compare(int file, unsigned workers); /* and closes it */
unsigned outputs_differ(void); /* a number of workers with which something else was printed than with one; 0: none */

/* trials-file.c: a file that is there when all of it is written.  */
void trials_file_check(const char *path); /* fails where it could not be written, before time is spent */
void trials_file_write(const char *path, const struct program *program, const struct samples *samples);

/* trials-table.c: what was measured, on standard output.  */
void trials_table_print(const struct plan *plan, const struct samples *samples);

#endif
