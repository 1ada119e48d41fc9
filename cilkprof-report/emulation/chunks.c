/* Loop schedules of OpenMP as implemented by the runtime of GCC.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/emulation/chunks.h"

/* Returns the smaller of two numbers of iterations.  */
static uint64_t fewer_emulated_iterations(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Returns the size of the chunks of SCHEDULE in iterations, which is 1 by default.  */
static uint64_t emulated_chunk_size(const struct schedule *schedule) {
  return schedule->chunk > 0 ? schedule->chunk : 1;
}

/* Returns how many members of a team get any iterations of the emulated loop SHARES.  */
unsigned emulated_members_with_iterations(const struct shares *shares) {
  uint64_t chunk = shares->schedule->kind == SCHEDULE_GUIDED ? 1 : emulated_chunk_size(shares->schedule);
  uint64_t chunks = shares->count / chunk + (shares->count % chunk > 0);
  return chunks < shares->members ? (unsigned)chunks : shares->members;
}

/* Returns the block of iterations that MEMBER runs under a static schedule without chunks.  If blocks cannot be equal,
   the first ones have one iteration more.  */
static struct chunk_range emulated_static_block(const struct shares *shares, unsigned member) {
  uint64_t size = shares->count / shares->members, more = shares->count % shares->members;
  uint64_t at = size * member + fewer_emulated_iterations(member, more);
  return (struct chunk_range){at, at + size + (member < more), UINT64_MAX};
}

/* Returns the first iterations of MEMBER in the emulated loop SHARES: its block, or an empty range from which
   take_emulated_chunk goes on.  */
struct chunk_range begin_emulated_chunks(const struct shares *shares, unsigned member) {
  if (!is_emulated_static_schedule(shares->schedule))
    return (struct chunk_range){0, 0, 0};
  if (shares->schedule->chunk == 0)
    return emulated_static_block(shares, member);
  uint64_t first = member < shares->count / shares->schedule->chunk + 1 ? shares->schedule->chunk * member : UINT64_MAX;
  return (struct chunk_range){0, 0, first};
}

/* Advances RANGE to the next chunk of its thread under a static schedule.  Returns false if there is none.  */
static bool take_emulated_static_chunk(struct chunk_range *range, const struct shares *shares) {
  if (range->next >= shares->count)
    return false;
  range->at = range->next;
  range->end = range->at + fewer_emulated_iterations(shares->schedule->chunk, shares->count - range->at);
  uint64_t step;
  if (__builtin_mul_overflow(shares->schedule->chunk, (uint64_t)shares->members, &step) ||
      __builtin_add_overflow(range->at, step, &range->next))
    range->next = UINT64_MAX;
  return true;
}

/* Advances RANGE to the next chunk of its thread, as the schedule of the emulated loop SHARES says.  Returns false if
   there is none.  */
bool take_emulated_chunk(struct chunk_range *range, struct shares *shares) {
  if (is_emulated_static_schedule(shares->schedule))
    return take_emulated_static_chunk(range, shares);
  uint64_t left = shares->count - shares->taken, size = emulated_chunk_size(shares->schedule);
  if (left == 0)
    return false;
  if (shares->schedule->kind == SCHEDULE_GUIDED && left / shares->members + (left % shares->members > 0) > size)
    size = left / shares->members + (left % shares->members > 0);
  range->at = shares->taken;
  range->end = shares->taken += fewer_emulated_iterations(size, left);
  return true;
}

/* Skips the iterations of a thread before LIMIT, over all its chunks, and returns their number.  For static schedules
   only.  */
uint64_t skip_emulated_iterations(struct chunk_range *range, const struct shares *shares, uint64_t limit) {
  uint64_t end = fewer_emulated_iterations(range->end, limit), skipped = end - range->at;
  range->at = end;
  if (end < range->end || shares->schedule->chunk == 0 || range->next >= limit)
    return skipped;
  uint64_t chunk = shares->schedule->chunk, step = range->next - (range->end - chunk);
  uint64_t whole = limit - range->next >= chunk ? (limit - range->next - chunk) / step + 1 : 0;
  skipped += whole * chunk;
  range->next += whole * step;
  if (range->next < limit && take_emulated_static_chunk(range, shares)) {
    skipped += limit - range->at < range->end - range->at ? limit - range->at : range->end - range->at;
    range->at = fewer_emulated_iterations(limit, range->end);
  }
  return skipped;
}
