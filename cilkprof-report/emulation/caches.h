/* The last-level cache of this machine.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_CACHES_H
#define CILKPROF_REPORT_CACHES_H

#include <stddef.h>

struct cache {
  size_t bytes, line;
  size_t ways; /* so that the number of its sets is a power of two, as simulators want it */
};

/* What the system says; where it says nothing, a common one.  */
struct cache last_level_cache(void);

#endif
