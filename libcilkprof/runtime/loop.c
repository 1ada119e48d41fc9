/* cilk_for: a range is split only when another worker would take a part of it.  The FIRST half of the remaining
   range is deferred and this thread continues with the second: a child continues the strand that spawns it, so the
   views of reducers stay in order.
   SPDX-License-Identifier: MIT  */

#include "libcilkprof/runtime/runtime.h"

struct range {
  void (*body)(void *);
  void *data;
  unsigned long low, high, grain;
  unsigned long least; /* no part of so few iterations is handed to another worker */
  const struct __cilkprof_r_pedigree *loop;
  struct open_loop *open;
};

static void run_parallel_range(void *data);

/* Defers the first half of the range R, as a child of FRAME, and leaves the second half in R.  Returns false if nothing
   could be deferred: there is no other worker, or no memory.  */
static bool split_parallel_range(struct frame *frame, struct range *r) {
  struct task *t = new_deferred_task(sizeof *r, _Alignof(struct range));
  if (!t)
    return false;
  struct range *first = t->closure;
  *first = *r;
  r->low = first->high = r->low + (r->high - r->low + 1) / 2;
  t->function = run_parallel_range;
  t->site = NULL;
  t->sampled.code = (const char *)(uintptr_t)r->body + 1; /* like a return address, after the code */
  __cilkprof_r_defer(frame, t, NULL);
  return true;
}

/* Returns whether another worker should get a part of the range R.  If steals are forced, it gets one in one of two
   cases, at random: so ranges are run in all orders that can be.  */
static bool is_part_wanted(const struct range *r) {
  return __atomic_load_n(&__cilkprof_r_want, __ATOMIC_RELAXED) && r->high - r->low > r->least &&
         !(__cilkprof_r_settings.forced && __cilkprof_r_self && next_worker_random(__cilkprof_r_self) >> 63);
}

/* Runs the next grain of the range R in this thread.  Returns the exception that the body kept.  */
static struct kept run_next_parallel_grain(struct range *r) {
  __cilkprof_r_pedigree = (struct __cilkprof_r_pedigree){r->low, r->loop}; /* independent of how the loop was split */
  __cilkprof_r_range.low = r->low;
  __cilkprof_r_range.high = r->low = r->high - r->low > r->grain ? r->low + r->grain : r->high;
  r->body(r->data);
  return take_kept_exception();
}

/* Runs the range of iterations DATA of a cilk_for, grain by grain, and defers parts of it while other workers want
   them.  Keeps the first exception in serial order.  The deferred iterations are lower than all that are run here, so
   their exceptions take precedence.  */
static void run_parallel_range(void *data) {
  struct range r = *(struct range *)data;
  struct frame frame;
  struct kept own = {NULL, NULL};
  unsigned long done = 0;
  uint64_t before = read_ticks();
  struct open_loop *outer = __cilkprof_r_loops;
  __cilkprof_r_loops = r.open;
  frame.deferred = 0;
  while (r.low < r.high && !own.functions) {
    if (is_part_wanted(&r) && split_parallel_range(&frame, &r))
      continue;
    done -= r.low;
    own = run_next_parallel_grain(&r);
    done += r.low;
  }
  __cilkprof_r_learn(r.open->site, done, read_ticks() - before, false);
  __cilkprof_r_loops = outer;
  if (frame.deferred) {
    struct kept first = __cilkprof_r_join_frame(&frame);
    if (first.functions) {
      forget_kept_exception(own);
      own = first;
    }
  }
  if (own.functions)
    __cilkprof_r_keep(own);
}

/* Returns the grain size for a cilk_for of COUNT iterations whose program gives none: eight grains per worker, of at
   most 2048 iterations, as in Cilk Plus.  A single worker runs the loop as one grain.  */
static unsigned long default_parallel_grain(unsigned long count) {
  __cilkprof_r_enter();
  unsigned long workers = (unsigned long)__cilkprof_r_settings.nworkers, size = count / (8 * workers);
  if (workers == 1 && !__cilkprof_r_settings.all)
    return count;
  return size < 1 ? 1 : size > 2048 ? 2048 : size;
}

/* Runs a cilk_for at SITE: calls BODY(DATA) for one range of iterations after another, in any worker, and returns when
   all are done.  How many iterations there are, and the grain size or 0, the caller has left in __cilkprof_r_range,
   where BODY then finds its range.  A loop that is too short to be divided is one range.  The exception that is kept is
   thrown by __cilkprof_r_loop_end; what is returned says whether there is one, so that compiled code need not look.  */
EXPORTED const void *__cilkprof_r_loop(void (*body)(void *), void *data, struct __cilkprof_r_site *site) {
  struct __cilkprof_r_pedigree loop = __cilkprof_r_pedigree;
  struct open_loop open;
  unsigned long high = __cilkprof_r_range.high, least = short_parallel_runs(site);
  struct range r = {body, data, 0, high, __cilkprof_r_range.grain, least, &loop, &open};
  if (!high)
    return NULL;
  if (__cilkprof_r_is_undivided(site, high)) {
    __cilkprof_r_pedigree = (struct __cilkprof_r_pedigree){0, &loop};
    call_undivided_by_worker(site, high, body, data);
  } else {
    if (!r.grain)
      r.grain = default_parallel_grain(high);
    if (r.least < r.grain)
      r.least = r.grain;
    __cilkprof_r_open_loop(&open, site);
    run_parallel_range(&r);
    __cilkprof_r_loops = open.outer;
  }
  loop.rank++;
  __cilkprof_r_pedigree = loop;
  return __cilkprof_r_range.thrown;
}

/* Rethrows the exception of the cilk_for that ended last in this thread, if there is one.  */
EXPORTED void __cilkprof_r_loop_end(void) {
  rethrow_kept_exception(take_kept_exception());
}
