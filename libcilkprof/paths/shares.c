/* How evenly teams share work, for the speedup on other numbers of threads.
   SPDX-License-Identifier: MIT

   With fewer threads each would have what some neighbours have, as static schedules divide loops into blocks.  With
   more threads nothing is known, so that the longest share stays as long as it is.  */

#include "libcilkprof/paths/internal.h"

/* Returns how many shares there are of a team of SIZE.  */
static uint32_t share_count(uint32_t size) {
  return size < SHARES ? size : SHARES;
}

void share_add(struct shares **shares, const struct task *task, uint64_t work) {
  uint32_t size = task->team->size;
  if (!*shares)
    *shares = block_take();
  if (*shares && task->index < size)
    (*shares)->work[(uint64_t)task->index * share_count(size) / size] += work;
}

/* Returns the longest of the COUNT shares, as if THREADS had them, which may be fewer.  */
static uint64_t longest_share(const struct shares *shares, uint32_t count, uint32_t threads) {
  uint64_t sum = 0, longest = 0;
  for (uint32_t i = 0, group = 0; i < count; i++) {
    uint32_t now = threads < count ? (uint32_t)((uint64_t)i * threads / count) : i;
    sum = now == group ? sum + shares->work[i] : shares->work[i];
    group = now;
    longest = sum > longest ? sum : longest;
  }
  return longest;
}

void shares_end(struct shares *shares, uint32_t size, struct task *task, uint32_t site) {
  struct cilkprof_loop *loop = &path_self->loops[site];
  uint32_t count = share_count(size);
  if (!shares)
    return;
  uint64_t here = longest_share(shares, count, count);
  loop->executions++;
  loop->pieces += size;
  for (uint32_t i = 0; i < count; i++)
    loop->work += shares->work[i];
  for (uint32_t i = 0; i < CILKPROF_SHARES; i++) {
    uint64_t longest = longest_share(shares, count, 2u << i);
    loop->longest[i] += longest;
    if (longest > here)
      path_add(&task->path, key_of(KEY_MORE, site * 8 + i), (struct part){.work = longest - here});
  }
  block_give(shares);
}
