/* Loop schedules of OpenMP as implemented by the runtime of GCC.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "cilkprof-report/emulation/chunks.h"

static uint64_t least(uint64_t a, uint64_t b) {
  return a < b ? a : b;
}

/* Returns the size of chunks, which is 1 by default.  */
static uint64_t chunk_of(const struct schedule *schedule) {
  return schedule->chunk > 0 ? schedule->chunk : 1;
}

unsigned shares_wanted(const struct shares *shares) {
  uint64_t chunk = shares->schedule->kind == SCHEDULE_GUIDED ? 1 : chunk_of(shares->schedule);
  uint64_t chunks = shares->count / chunk + (shares->count % chunk > 0);
  return chunks < shares->members ? (unsigned)chunks : shares->members;
}

/* Returns the block of MEMBER.  If blocks cannot be equal, the first ones have one iteration more.  */
static struct chunk_range block_of(const struct shares *shares, unsigned member) {
  uint64_t size = shares->count / shares->members, more = shares->count % shares->members;
  uint64_t at = size * member + least(member, more);
  return (struct chunk_range){at, at + size + (member < more), UINT64_MAX};
}

struct chunk_range range_begin(const struct shares *shares, unsigned member) {
  if (!is_known_before(shares->schedule))
    return (struct chunk_range){0, 0, 0};
  if (shares->schedule->chunk == 0)
    return block_of(shares, member);
  uint64_t first = member < shares->count / shares->schedule->chunk + 1 ? shares->schedule->chunk * member : UINT64_MAX;
  return (struct chunk_range){0, 0, first};
}

/* Advances to the next chunk of a static schedule.  */
static bool next_static(struct chunk_range *range, const struct shares *shares) {
  if (range->next >= shares->count)
    return false;
  range->at = range->next;
  range->end = range->at + least(shares->schedule->chunk, shares->count - range->at);
  uint64_t step;
  if (__builtin_mul_overflow(shares->schedule->chunk, (uint64_t)shares->members, &step) ||
      __builtin_add_overflow(range->at, step, &range->next))
    range->next = UINT64_MAX;
  return true;
}

bool range_next(struct chunk_range *range, struct shares *shares) {
  if (is_known_before(shares->schedule))
    return next_static(range, shares);
  uint64_t left = shares->count - shares->taken, size = chunk_of(shares->schedule);
  if (left == 0)
    return false;
  if (shares->schedule->kind == SCHEDULE_GUIDED && left / shares->members + (left % shares->members > 0) > size)
    size = left / shares->members + (left % shares->members > 0);
  range->at = shares->taken;
  range->end = shares->taken += least(size, left);
  return true;
}

uint64_t range_skip(struct chunk_range *range, const struct shares *shares, uint64_t limit) {
  uint64_t end = least(range->end, limit), skipped = end - range->at;
  range->at = end;
  if (end < range->end || shares->schedule->chunk == 0 || range->next >= limit)
    return skipped;
  uint64_t chunk = shares->schedule->chunk, step = range->next - (range->end - chunk);
  uint64_t whole = limit - range->next >= chunk ? (limit - range->next - chunk) / step + 1 : 0;
  skipped += whole * chunk;
  range->next += whole * step;
  if (range->next < limit && next_static(range, shares)) {
    skipped += limit - range->at < range->end - range->at ? limit - range->at : range->end - range->at;
    range->at = least(limit, range->end);
  }
  return skipped;
}
