/* The forecasts that a report shows, for each schedule and number of processors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FORECASTS_H
#define CILKPROF_REPORT_FORECASTS_H

#include "cilkprof-report/emulation/overheads.h"
#include "cilkprof-report/emulation/uses.h"
#include "cilkprof-report/options/options.h"

struct forecasts {
  struct task_tree *tree; /* NULL: the profile has no tree */
  struct schedule *schedules;
  size_t schedule_count;
  const unsigned *processors;
  size_t processor_count;
  struct forecast *forecasts; /* sorted by schedule, then by processors */
  struct overheads overheads; /* in nanoseconds */
  enum overheads_source source;
  struct section_uses uses; /* memory use of sections */
  struct memory_machine memory;
  struct forecast *burdened; /* forecasts that include contention for memory, in the same order; NULL: unknown.  Their
                                time is 0 for numbers of processors for which contention is unknown.  */
};

/* Makes the forecasts that OPTIONS ask for.  PATH is the file of the profile.  */
struct forecasts make_forecasts(const struct cilkprof_tree *tree, const char *path, const struct options *options);
/* Returns the speedup of TREE under Cilk's work stealing on so many PROCESSORS; NaN if that takes too long to be found
   out.  */
double quick_forecast_speedup(const struct task_tree *tree, unsigned processors);

/* Returns the forecast for a schedule and a number of processors.  Here and below, SCHEDULE and PROCESSORS of type
   size_t are indices into arrays of FORECASTS.  */
static inline const struct forecast *forecast_at(const struct forecasts *forecasts, size_t schedule,
                                                 size_t processors) {
  return &forecasts->forecasts[schedule * forecasts->processor_count + processors];
}
/* Returns a copy of FORECASTS whose forecasts are those with contention for memory.  */
struct forecasts forecasts_with_memory(const struct forecasts *forecasts);
/* Returns the factor by which contention for memory slows SECTION down; 0: unknown.  */
double forecast_memory_burden(const struct forecasts *forecasts, const struct section_use *section, size_t processors);

/* Returns the speedup over the present program; 0: unknown.  */
double forecast_speedup(const struct forecasts *forecasts, const struct forecast *forecast);
/* Returns the fastest schedule on PROCESSORS, the first one of equals.  */
size_t best_forecast_schedule(const struct forecasts *forecasts, size_t processors);
/* Returns the index of the number of processors beyond which more processors gain little.  */
size_t enough_forecast_processors(const struct forecasts *forecasts);

/* A loss of processor time.  */
enum { LOSSES = 5 };
struct loss {
  enum { LOSS_SERIAL, LOSS_IMBALANCE, LOSS_LOCK, LOSS_OVERHEAD, LOSS_MEMORY } kind;
  double share;                 /* part of the processor time */
  const struct tree_lock *lock; /* LOSS_LOCK: the worst lock, or NULL */
};
/* Fills in LOSSES, largest first.  */
void forecast_losses(const struct forecasts *forecasts, const struct forecast *forecast, unsigned processors,
                     struct loss losses[LOSSES]);

#endif
