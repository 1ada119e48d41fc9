/* The file: what is in it, and its writing.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_OUTPUT_H
#define CILKPROF_OUTPUT_H

#include "libcilkprof/engine/engine.h"

/* output.c */
HIDDEN void __cilkprof_output_start(void);
HIDDEN int __cilkprof_output(int pid);
/* What a profile begins with: all that is known before its sites.  */
HIDDEN void __cilkprof_write_preamble(struct cilkprof_writer *writer, uint64_t flags);

/* measures.c: ENTRIES are the sums of the log.  */
HIDDEN struct cilkprof_measure __cilkprof_measure_of(struct __cilkprof_total total);
HIDDEN void __cilkprof_limit_span(struct cilkprof_measure *measure);
HIDDEN struct cilkprof_measures __cilkprof_on_work(const site_t *site);
HIDDEN struct cilkprof_measures __cilkprof_on_span(const site_t *site, const entry_t *entries);

/* Where burdened spans may have exceeded 64 bits they are the largest number.  */
HIDDEN void __cilkprof_limit_burdened(struct cilkprof_measure *measures, size_t count);

/* parts.c: the contexts of the program, or of a root (roots/root.h); the latter, behind all else.  Every site's number
   stands in its FOLDED.  */
HIDDEN void __cilkprof_write_contexts(struct cilkprof_writer *writer, uint64_t tree, const entry_t *entries);
HIDDEN void __cilkprof_write_roots(struct cilkprof_writer *writer);

/* objects.c: the program, which is the first, and the libraries that hold sites and callees.  */
struct cilkprof_place {
  uint32_t object;  /* CILKPROF_NO_OBJECT: it is in none */
  uint64_t address; /* in the object's file */
};
HIDDEN void __cilkprof_objects_start(void);
HIDDEN struct cilkprof_place __cilkprof_place_of(const void *address);
HIDDEN const void *__cilkprof_place_after_unloading(const void *address); /* the same for place_of; NULL: it has none */
HIDDEN void __cilkprof_object_unloaded(uint32_t index);
HIDDEN void __cilkprof_object_range(uint32_t index, uint64_t *low, uint64_t *high); /* in memory; both 0: it is gone */
HIDDEN uint32_t __cilkprof_object_count(void);
HIDDEN struct cilkprof_object __cilkprof_object(uint32_t index); /* its path until the next one is asked for */
HIDDEN const uint64_t *__cilkprof_load_addresses(void);

#endif
