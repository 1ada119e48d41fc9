/* Counted calls that are under way.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_CONTROL_COUNTED_H
#define CILKPROF_CONTROL_COUNTED_H

#include "libcilkprof/engine/span/counted.h"

/* Returns what the counted call that is under way at SITE, a stand-in, has taken.  */
static inline uint64_t counted_call_cost(site_t *site) {
  struct call_cost *cost = &site->learnt.counted->cost;
  return THREAD.counted_since ? __cilkprof_call_end(cost, THREAD.counted_since) : cost->units;
}

#endif
