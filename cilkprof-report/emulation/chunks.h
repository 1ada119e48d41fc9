/* Loop schedules of OpenMP: which iterations a thread runs next.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CHUNKS_H
#define CILKPROF_REPORT_CHUNKS_H

#include "cilkprof-report/emulation/emulation.h"

/* A chunk: the iterations in [AT, END).  */
struct chunk_range {
  uint64_t at, end;
  uint64_t next; /* static schedules: start of the next chunk of the thread */
};

/* A loop that a team shares.  */
struct shares {
  const struct schedule *schedule;
  uint64_t count;   /* iterations */
  uint64_t taken;   /* dynamic schedules: iterations that have been taken */
  unsigned members; /* size of the team */
};

/* Returns how many members get any iterations.  */
unsigned emulated_members_with_iterations(const struct shares *shares);
struct chunk_range begin_emulated_chunks(const struct shares *shares, unsigned member);
/* Advances to the next chunk of the thread.  Returns false if there is none.  */
bool take_emulated_chunk(struct chunk_range *range, struct shares *shares);
/* Skips the iterations of the thread before LIMIT, over all its chunks, and returns their number.  For static schedules
   only.  */
uint64_t skip_emulated_iterations(struct chunk_range *range, const struct shares *shares, uint64_t limit);

/* Returns whether SCHEDULE is static: the chunks of each thread are known before the loop runs.  */
static inline bool is_emulated_static_schedule(const struct schedule *schedule) {
  return schedule->kind == SCHEDULE_STATIC;
}

#endif
