/* The samples of a run.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_SAMPLING_H
#define CILKPROF_SAMPLING_H

#include "libcilkprof/engine/span/span.h"

struct cilkprof_writer;

HIDDEN void __cilkprof_sampling_start(void);
HIDDEN void __cilkprof_sampling_stop(void);
/* Takes a sample at the end of a strand, at the CPU time NOW_NS, if the last one was long ago.  */
HIDDEN void __cilkprof_sampling_catch_up(uint64_t now_ns);
/* Lists the objects in which samples are in the profile, before it is written.  */
HIDDEN void __cilkprof_sampling_list_objects(void);
/* Writes the samples.  ENTRIES are the sums of the log, or NULL.  */
HIDDEN void __cilkprof_sampling_write(struct cilkprof_writer *writer, const entry_t *entries);

#endif
