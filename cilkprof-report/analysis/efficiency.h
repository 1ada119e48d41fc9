/* How efficient a parallel run was: factors that multiply, of which 1 is perfect.
   SPDX-License-Identifier: GPL-3.0-or-later

   Global efficiency is parallel efficiency, the part of the processors' time that is useful work, times computation
   scaling, the work with one worker divided by that with several.  That is the product of the scalings of instructions,
   instructions per cycle and cycles per second, where the processor counts these.  Parallel efficiency is the product
   of the factors below it: each is what remains of the time if one kind of loss is taken away, after those that follow
   it here.  */

#ifndef CILKPROF_REPORT_EFFICIENCY_H
#define CILKPROF_REPORT_EFFICIENCY_H

#include "cilkprof-report/samples/samples.h"

enum factor {
  FACTOR_GLOBAL,
  FACTOR_PARALLEL,
  FACTOR_BALANCE,      /* processors were idle while others ran pieces of parallel code */
  FACTOR_SERIAL,       /* processors were idle while code ran that is not parallel */
  FACTOR_SCHEDULING,   /* the runtime created and distributed tasks */
  FACTOR_WAITING,      /* threads waited for locks */
  FACTOR_AVAILABLE,    /* threads were blocked, or other programs had their processors */
  FACTOR_COMPUTATION,  /* the work itself took longer than with one worker */
  FACTOR_INSTRUCTIONS, /* because of more instructions.  This and the next ones need the processor's counters */
  FACTOR_IPC,          /* because instructions took more cycles */
  FACTOR_FREQUENCY,    /* because there were fewer cycles in a second of processor time */
  FACTORS
};

/* Time of the processors, in nanoseconds of all runs: useful work, and each kind of loss.  */
struct efficiency_times {
  double work, lost[FACTORS];
};

/* The factors of one number of workers.  A factor below 0 is not known.  */
struct efficiency {
  const struct samples *samples;
  struct efficiency_times times;
  double of[FACTORS];
  double speedup; /* elapsed time with one worker divided by this one's; below 0: not known */
};

/* A function, with its callees, in the runs with the most workers.  */
struct efficiency_function {
  const struct function *function;
  bool is_region; /* a parallel loop, region or task */
  double share;   /* its part of the time of the whole program */
  double of[FACTORS];
};

/* The worst factor of the runs with the most workers, and the code that lost most of it.  */
struct efficiency_worst {
  enum factor factor;              /* FACTOR_GLOBAL: nothing is lost */
  const struct function *function; /* NULL: unknown */
  double part;                     /* of the loss, that is lost there */
};

struct efficiencies {
  struct efficiency *columns; /* by number of workers, the smallest first */
  size_t count;
  struct efficiency_function *functions; /* by their parts of the time, largest first */
  size_t function_count;
  struct efficiency_worst worst;
};

/* Returns the efficiencies of the runs that SAMPLES is compared with, and of its functions.  */
struct efficiencies find_efficiencies(const struct samples *samples);

/* Returns whether VALUE, a factor, is so small that something should be done.  */
bool is_efficiency_low(double value);
/* Returns the name of FACTOR, as tables show it, and that for other programs, which never changes.  */
const char *efficiency_factor_name(enum factor factor);
const char *efficiency_factor_code(enum factor factor);
/* Returns how deep FACTOR is below the global efficiency, of which it is a factor.  */
int efficiency_factor_depth(enum factor factor);
/* Returns whether FACTOR needs no counters, or is known with the most workers of EFFICIENCIES.  */
bool is_efficiency_factor_shown(const struct efficiencies *efficiencies, enum factor factor);
/* Returns the worst factor in words, or NULL if there is none.  Allocated.  */
char *efficiency_worst_text(const struct efficiencies *efficiencies);

#endif
