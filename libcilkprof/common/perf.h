/* The processor's counters of the calling thread, where the system provides them.
   SPDX-License-Identifier: MIT

   Most virtual machines have no such counters, and systems may forbid their use.  Then nothing is counted, without a
   message.  */

#ifndef CILKPROF_COMMON_PERF_H
#define CILKPROF_COMMON_PERF_H

#include <stdbool.h>
#include <stdint.h>

#include "libcilkprof/common/system.h"

enum {
  PERF_INSTRUCTIONS,
  PERF_CYCLES,
  PERF_MISSES, /* of the last-level cache */
  PERF_HITM,   /* loads of a line that another processor had modified */
  PERF_COUNTERS
};

/* Bits of PERF_WANTED.  */
#define PERF_BIT(counter) (1U << (counter))

/* Counters that are open.  Programs may close any descriptor and open other files with its number, so each is known by
   the system's number of its event, too.  */
struct perf_counters {
  unsigned opened; /* a bit for each counter */
  int files[PERF_COUNTERS];
  uint64_t ids[PERF_COUNTERS];
};

/* The counters at one moment.  Where others use the processor's counters as well, ours run for a part of the time.  */
struct perf_reading {
  uint64_t enabled, running; /* nanoseconds of the thread's time */
  uint64_t values[PERF_COUNTERS];
};

/* Opens the counters of the calling thread that are in WANTED, as far as there are any.  Returns false, with none open,
   if one that is in NEEDED is not available.  */
CILKPROF_HIDDEN bool __cilkprof_perf_open(struct perf_counters *counters, unsigned wanted, unsigned needed);
/* Reads them; returns false if that is not possible.  */
CILKPROF_HIDDEN bool __cilkprof_perf_read(const struct perf_counters *counters, struct perf_reading *reading);
/* Sets COUNTS to what was counted from BEGIN to END, as if the counters had run all the time.  Returns false if they
   did not run.  */
CILKPROF_HIDDEN bool __cilkprof_perf_difference(const struct perf_reading *begin, const struct perf_reading *end,
                                                uint64_t *counts);
CILKPROF_HIDDEN void __cilkprof_perf_close(struct perf_counters *counters);
/* Moves the descriptor FILE to a high number, because some programs rely on getting low ones.  Returns that, or FILE if
   it is not possible.  */
CILKPROF_HIDDEN int __cilkprof_perf_move(int file);

#endif
