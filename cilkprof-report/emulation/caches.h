/* The last-level cache of this machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CACHES_H
#define CILKPROF_REPORT_CACHES_H

#include <stddef.h>

struct cache {
  size_t bytes, line;
  size_t ways; /* associativity, such that the number of sets is a power of two, as simulators require */
};

/* Returns the last-level cache as the system describes it, or a common one if the system does not.  */
struct cache last_level_cache_to_simulate(void);

#endif
