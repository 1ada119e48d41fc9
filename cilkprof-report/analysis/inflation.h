/* Work inflation: which functions and lines take longer with several workers than with one, by how much, and why.
   SPDX-License-Identifier: GPL-3.0-or-later

   The same code on the same logical call path is compared in samples of runs with several workers and with one.
   Samples of copies of the program, which ran at once and share no data, tell why: code that is slower in copies too is
   slowed down by the machine, usually by its memory; otherwise it is slowed down by data that threads share.  Without
   copies, the processor's counters tell, if it counts loads of lines that another processor had modified.  */

#ifndef CILKPROF_REPORT_INFLATION_H
#define CILKPROF_REPORT_INFLATION_H

#include "cilkprof-report/samples/samples.h"

enum inflation_cause {
  INFLATION_LOCK,    /* it waits for locks */
  INFLATION_MEMORY,  /* copies of the program are slower as well */
  INFLATION_SHARING, /* copies are not: threads share data, maybe only lines of the cache, or spin */
  INFLATION_UNKNOWN, /* there are neither samples of copies nor counters that tell */
  INFLATION_CAUSES
};

/* Time of a function or a line, in nanoseconds per run, the number of its samples, and what the processor counted in
   them, per run.  Without counters there are no cycles; below 0 is not counted.  */
struct inflation_time {
  double ns, samples;
  double counted[COUNTERS];
};

/* A function, or a source line, that takes longer with several workers than with one.  */
struct inflation_row {
  const struct function *function; /* NULL: this is a line */
  const char *file;                /* of a line, as debugging information names it */
  uint32_t line;
  struct inflation_time several, one, copies; /* work and waiting for locks */
  double waiting;                             /* the part of SEVERAL that is waiting, in nanoseconds per run */
  double times;                               /* SEVERAL / ONE */
  double error;                               /* of TIMES, by the numbers of samples: two standard deviations */
  double copied;                              /* COPIES / ONE; 0: unknown */
  double lost;                                /* SEVERAL - ONE, in nanoseconds per run */
  enum inflation_cause cause;
};

struct inflation_rows {
  struct inflation_row *rows; /* sorted by lost time, largest first */
  size_t count, room;
  double lost; /* by all of them */
};

struct inflation {
  struct inflation_rows functions, lines;
};

/* Returns what takes longer in SAMPLES than in their reference, with one worker.  Nothing does if there is none.  The
   caller frees the rows.  */
struct inflation find_inflation(const struct samples *samples);

/* Returns whether the processor counted COUNTER in TIME.  */
bool is_inflation_counted(const struct inflation_time *time, enum counter counter);
/* Returns whether COUNTER was counted in any of ROWS, with several workers.  */
bool are_inflation_rows_counted(const struct inflation_rows *rows, enum counter counter);
/* Returns COUNTER of TIME for every thousand instructions; below 0 if it was not counted.  */
double inflation_count_rate(const struct inflation_time *time, enum counter counter);
/* Returns the name of CAUSE for a table, and for other programs.  */
const char *inflation_cause_name(enum inflation_cause cause);
/* Returns the name of the function or line of ROW.  Allocated.  */
char *inflation_row_name(const struct inflation_row *row);
/* Returns the largest inflation of a line, or else of a function, in words; NULL if there is none.  Allocated.  */
char *inflation_text(const struct inflation *inflation, const struct samples *samples);
/* Returns the largest inflation that is not waiting for locks, likewise; NULL also if its cause is not known.  */
char *inflated_work_text(const struct inflation *inflation, const struct samples *samples);

#endif
