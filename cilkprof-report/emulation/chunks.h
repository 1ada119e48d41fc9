/* Which iterations of a loop a thread of OpenMP's runs next.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CHUNKS_H
#define CILKPROF_REPORT_CHUNKS_H

#include "cilkprof-report/emulation/emulation.h"

/* Iterations from AT to before END.  */
struct chunk_range {
  uint64_t at, end;
  uint64_t next; /* of schedules that are known before: where the thread's next chunk begins */
};

/* A loop that is shared.  */
struct shares {
  const struct schedule *schedule;
  uint64_t count;   /* iterations */
  uint64_t taken;   /* of schedules that are not known before */
  unsigned members; /* of the team */
};

/* How many members get anything.  */
unsigned shares_wanted(const struct shares *shares);
struct chunk_range range_begin(const struct shares *shares, unsigned member);
/* Whether there is another chunk for the thread.  */
bool range_next(struct chunk_range *range, struct shares *shares);
/* So many of the thread's own iterations lie before LIMIT, over all its chunks; the range goes on behind them.  For
   schedules that are known before.  */
uint64_t range_skip(struct chunk_range *range, const struct shares *shares, uint64_t limit);

static inline bool is_known_before(const struct schedule *schedule) {
  return schedule->kind == SCHEDULE_STATIC;
}

#endif
