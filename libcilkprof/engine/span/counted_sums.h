/* What counted calls did at each site: their time, divided as in the calls that were followed.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_COUNTED_SUMS_H
#define CILKPROF_COUNTED_SUMS_H

#include "libcilkprof/engine/span/counted.h"

/* What counted calls add to the values of a site.  Without parallelism, span and burdened span are the work.  */
struct counted_value {
  uint64_t count, work;
};
struct counted_values {
  struct counted_value local, top_call_site, top_caller;
};
struct counted_sums {
  struct counted_values on_work, on_span;
};

/* Adds the COUNTERS up to END to those that are read when the profile is written: an object with instrumented functions
   is loaded.  */
extern EXPORT void __cilkprof_counters_add(struct __cilkprof_counter *counters, struct __cilkprof_counter *end);

/* counters.c: calls READ for every counter of a site that was reached.  */
HIDDEN void __cilkprof_each_counter(void (*read)(const struct __cilkprof_counter *counter));

/* An object is unloaded, whose memory is from BEGIN to END: __cilkprof_list_counted lists the sites of calls in it that
   were only counted, before sites are moved, and __cilkprof_counters_moved keeps its counters.  */
HIDDEN void __cilkprof_list_counted(uint64_t begin, uint64_t end);
HIDDEN void __cilkprof_counters_moved(uint64_t begin, uint64_t end, site_t *(*moved)(site_t *site));

/* Divides what counted calls took among the sites inside.  ENTRIES are the sums of the log, or NULL.  */
HIDDEN void __cilkprof_divide_counted(const entry_t *entries);

/* Returns what counted calls add to SITE, after __cilkprof_divide_counted; NULL: nothing.  */
HIDDEN const struct counted_sums *__cilkprof_counted_sums(const site_t *site);

#endif
