/* Writing the profile.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_OUTPUT_H
#define CILKPROF_OUTPUT_H

#include "libcilkprof/engine/engine.h"

/* output.c.  */

HIDDEN void __cilkprof_profile_output_start(void);
HIDDEN int __cilkprof_profile_output(int pid);
HIDDEN void __cilkprof_profile_write_preamble(struct cilkprof_writer *writer, uint64_t flags);

/* measures.c.  ENTRIES are the sums of the log (__cilkprof_log_sum).  */

HIDDEN struct cilkprof_measure __cilkprof_profile_measure_of(struct __cilkprof_total total);
HIDDEN void __cilkprof_profile_limit_span(struct cilkprof_measure *measure);
HIDDEN struct cilkprof_measures __cilkprof_profile_on_work(const site_t *site);
HIDDEN struct cilkprof_measures __cilkprof_profile_on_span(const site_t *site, const entry_t *entries);

/* output.c */
HIDDEN void __cilkprof_profile_limit_burdened(struct cilkprof_measure *measures, size_t count);

/* parts.c */
HIDDEN void __cilkprof_profile_write_contexts(struct cilkprof_writer *writer, uint64_t tree, const entry_t *entries);
HIDDEN void __cilkprof_profile_write_roots(struct cilkprof_writer *writer);

/* objects.c: the table of objects: first the program, then the libraries that hold sites or callees.  */

/* The position of an address in an object's file.  */
struct cilkprof_object_address {
  uint32_t object;  /* its index in the table, or CILKPROF_NO_OBJECT: the address is in no object */
  uint64_t address; /* in the object's file */
};
HIDDEN void __cilkprof_profile_objects_start(void);
HIDDEN struct cilkprof_object_address __cilkprof_profile_object_address(const void *address);
HIDDEN const void *__cilkprof_profile_address_after_unloading(const void *address);
HIDDEN void __cilkprof_profile_object_unloaded(uint32_t index);
HIDDEN void __cilkprof_profile_object_range(uint32_t index, uint64_t *low, uint64_t *high);
HIDDEN uint32_t __cilkprof_profile_object_count(void);
HIDDEN struct cilkprof_object __cilkprof_profile_object(uint32_t index);
HIDDEN const uint64_t *__cilkprof_profile_load_addresses(void);

#endif
