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
  uint64_t error; /* the standard error of the local work */
};

/* counters.c: adds the sites from BEGIN to END, those of an object that is loaded.  */
extern EXPORT void __cilkprof_sites_add(site_t *begin, site_t *end);
#ifdef __CILKPROF_PARALLEL
/* workers/recorder.c: notes that the object whose records are from BEGIN to END is unloaded.  */
HIDDEN void __cilkprof_recorders_remove_object(uint64_t begin, uint64_t end);
/* Gives all workers records of the object that was loaded last, with sites from BEGIN to END.  */
HIDDEN void __cilkprof_recorders_add_object(site_t *begin, site_t *end);
#endif

/* counters.c: lists the sites at which counted code made calls, in the objects whose records are from BEGIN to END; and
   forgets the sites of an object that is unloaded.  */
HIDDEN void __cilkprof_list_counted(uint64_t begin, uint64_t end);
HIDDEN void __cilkprof_sites_unloaded(uint64_t begin, uint64_t end);

/* Divides what counted calls took among the sites inside.  ENTRIES are the sums of the log, or NULL.  */
HIDDEN void __cilkprof_divide_counted(const entry_t *entries);

/* Returns what counted calls add to SITE, after __cilkprof_divide_counted; NULL: nothing.  */
HIDDEN const struct counted_sums *__cilkprof_counted_sums(const site_t *site);

#endif
