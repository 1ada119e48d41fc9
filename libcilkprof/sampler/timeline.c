/* The timeline of a thread: how long it worked in each interval of the run.  Intervals become longer with the run.
   SPDX-License-Identifier: MIT  */

#include <string.h>

#include "libcilkprof/sampler/state.h"

enum { SHORTEST_NS = 1000000 };

/* Doubles the length of the intervals in the timeline of THREAD, adding up pairs of them, until it is at least
   BUCKET_NS.  */
void __cilkprof_s_timeline_widen(struct sampled_thread *thread, uint64_t bucket_ns) {
  if (!thread->bucket_ns)
    thread->bucket_ns = SHORTEST_NS;
  while (thread->bucket_ns < bucket_ns) {
    for (int i = 0; i < BUCKETS / 2; i++)
      thread->work_ns[i] = thread->work_ns[2 * i] + thread->work_ns[2 * i + 1];
    memset(thread->work_ns + BUCKETS / 2, 0, sizeof thread->work_ns / 2);
    thread->bucket_ns *= 2;
  }
}

/* Adds work of WORK_NS that ended now to the timeline of THREAD.  It may have begun in an earlier interval.  */
void __cilkprof_s_timeline_add(struct sampled_thread *thread, uint64_t work_ns) {
  uint64_t now = sampler_clock_ns(CLOCK_MONOTONIC) - SAMPLER.monotonic_ns;
  if (!thread->bucket_ns)
    thread->bucket_ns = SHORTEST_NS;
  while (now >= thread->bucket_ns * BUCKETS)
    __cilkprof_s_timeline_widen(thread, 2 * thread->bucket_ns);
  for (uint64_t bucket = now / thread->bucket_ns, end = now; work_ns;) {
    uint64_t here = end - bucket * thread->bucket_ns;
    if (here > work_ns || bucket == 0)
      here = work_ns;
    thread->work_ns[bucket] += here;
    work_ns -= here;
    end = bucket * thread->bucket_ns;
    bucket -= bucket > 0;
  }
}
