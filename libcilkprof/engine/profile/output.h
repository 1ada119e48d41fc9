/* Writing the profile.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_OUTPUT_H
#define CILKPROF_OUTPUT_H

#include "libcilkprof/engine/engine.h"

/* output.c.  */

/* Remembers what a profile needs from the start of the program: the time, the name of the file, the command line.  */
HIDDEN void __cilkprof_profile_output_start(void);
/* Writes the profile of process PID.  Returns 0, or -1 if it cannot be written.  */
HIDDEN int __cilkprof_profile_output(int pid);
/* Writes the beginning of a profile with FLAGS: everything before its totals and sites.  */
HIDDEN void __cilkprof_profile_write_preamble(struct cilkprof_writer *writer, uint64_t flags);

/* measures.c.  ENTRIES are the sums of the log (__cilkprof_log_sum).  */

/* Returns TOTAL as a measure of the profile, with its span limited.  */
HIDDEN struct cilkprof_measure __cilkprof_profile_measure_of(struct __cilkprof_total total);
/* Limits the span of MEASURE to its work, in a program with OpenMP's tasks.  */
HIDDEN void __cilkprof_profile_limit_span(struct cilkprof_measure *measure);
/* Returns the measures of SITE over all its invocations, and over those on the span.  */
HIDDEN struct cilkprof_measures __cilkprof_profile_on_work(const site_t *site);
HIDDEN struct cilkprof_measures __cilkprof_profile_on_span(const site_t *site, const entry_t *entries);

/* output.c: sets the burdened spans of COUNT measures to the largest number, if burdened spans may have exceeded 64
   bits in this run.  */
HIDDEN void __cilkprof_profile_limit_burdened(struct cilkprof_measure *measures, size_t count);

/* parts.c: writes the calling contexts of TREE, the program or a root (roots/root.h); writes all roots, at the end of
   the profile.  The number of every site in the profile must be in its FOLDED[0].  */
HIDDEN void __cilkprof_profile_write_contexts(struct cilkprof_writer *writer, uint64_t tree, const entry_t *entries);
HIDDEN void __cilkprof_profile_write_roots(struct cilkprof_writer *writer);

/* objects.c: the table of objects: first the program, then the libraries that hold sites or callees.  */

/* The position of an address in an object's file.  */
struct cilkprof_object_address {
  uint32_t object;  /* its index in the table, or CILKPROF_NO_OBJECT: the address is in no object */
  uint64_t address; /* in the object's file */
};
HIDDEN void __cilkprof_profile_objects_start(void);
/* Returns the position of ADDRESS.  Its object is added to the table if it is new.  */
HIDDEN struct cilkprof_object_address __cilkprof_profile_object_address(const void *address);
HIDDEN const void *__cilkprof_profile_address_after_unloading(const void *address);
/* Records that the object of INDEX is being unloaded.  */
HIDDEN void __cilkprof_profile_object_unloaded(uint32_t index);
/* Sets LOW and HIGH to the bounds of the object of INDEX in memory, or to 0 if it has been unloaded.  */
HIDDEN void __cilkprof_profile_object_range(uint32_t index, uint64_t *low, uint64_t *high);
HIDDEN uint32_t __cilkprof_profile_object_count(void);
/* Returns the object of INDEX.  Its path is valid until the next call.  */
HIDDEN struct cilkprof_object __cilkprof_profile_object(uint32_t index);
/* Returns the load addresses of all objects, in the order of the table.  */
HIDDEN const uint64_t *__cilkprof_profile_load_addresses(void);

#endif
