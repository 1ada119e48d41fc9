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

/* Stores how long each of 2, 4, ... threads would have to work at most for what a team of SIZE DIVIDED, and returns how
   long this team had to.  */
static uint64_t longest_shares(const struct divided *divided, uint32_t size, uint64_t *longest) {
  uint32_t count = share_count(size), known = divided->chunks ? chunks_longest(divided->chunks, longest) : 0;
  for (uint32_t i = known; i < CILKPROF_SHARES; i++)
    longest[i] = known ? longest[i - 1] : longest_share(divided->shares, count, 2u << i);
  return divided->chunks ? divided->longest : longest_share(divided->shares, count, count);
}

void shares_drop(const struct divided *divided) {
  if (divided->shares)
    block_give(divided->shares);
  chunks_release(divided->chunks);
}

void shares_end(const struct divided *divided, uint32_t size, struct task *task) {
  struct cilkprof_loop *loop = &path_self->loops[divided->site];
  uint64_t longest[CILKPROF_SHARES];
  if (divided->shares) {
    uint64_t here = longest_shares(divided, size, longest);
    loop->executions++;
    loop->pieces += size;
    for (uint32_t i = 0; i < share_count(size); i++)
      loop->work += divided->shares->work[i];
    for (uint32_t i = 0; i < CILKPROF_SHARES; i++) {
      loop->longest[i] += longest[i];
      if (longest[i] > here)
        path_add(&task->path, key_of(KEY_MORE, divided->site * 8 + i), (struct part){.work = longest[i] - here});
    }
  }
  shares_drop(divided);
}
