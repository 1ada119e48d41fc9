/* The forecasts that a report shows: schedules by numbers of processors, and what they mean.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_FORECASTS_H
#define CILKPROF_REPORT_FORECASTS_H

#include "cilkprof-report/emulation/overheads.h"
#include "cilkprof-report/emulation/uses.h"
#include "cilkprof-report/options/options.h"

struct forecasts {
  struct task_tree *tree; /* NULL: the profile has none */
  struct schedule *schedules;
  size_t schedule_count;
  const unsigned *processors;
  size_t processor_count;
  struct forecast *forecasts; /* those of a schedule one after another */
  struct overheads overheads; /* in nanoseconds */
  enum overheads_source source;
  struct section_uses uses; /* of memory */
  struct memory_machine memory;
  struct forecast *burdened; /* the same where memory is shared: NULL when that is not known; of numbers of processors
                                of which it is not known, they have no time */
};

/* PATH is the profile's file.  */
struct forecasts forecasts_make(const struct cilkprof_tree *tree, const char *path, const struct options *options);

static inline const struct forecast *forecast_at(const struct forecasts *forecasts, size_t schedule,
                                                 size_t processors) {
  return &forecasts->forecasts[schedule * forecasts->processor_count + processors];
}
/* The same schedules and processors where memory is shared, as if there were no others.  */
struct forecasts forecasts_with_memory(const struct forecasts *forecasts);
/* How many times as long a section takes then; 0: it is not known.  */
double forecast_burden(const struct forecasts *forecasts, const struct section_use *section, size_t processors);

/* How many times as fast as the program is now; 0: it is not known.  */
double forecast_speedup(const struct forecasts *forecasts, const struct forecast *forecast);
/* The schedule that is fastest on so many; of equals the first.  */
size_t forecasts_best(const struct forecasts *forecasts, size_t processors);
/* The number of processors (its place) from which on more gain little.  */
size_t forecasts_enough(const struct forecasts *forecasts);

/* What keeps the processors from working: the reasons with their shares of the processors' time, the largest first.  */
enum { LOSSES = 5 };
struct loss {
  enum { LOSS_SERIAL, LOSS_IMBALANCE, LOSS_LOCK, LOSS_OVERHEAD, LOSS_MEMORY } kind;
  double share;
  const struct tree_lock *lock;
};
void forecast_losses(const struct forecasts *forecasts, const struct forecast *forecast, unsigned processors,
                     struct loss losses[LOSSES]);

#endif
