/* The resources that the profiled thread uses, and the reference that its time is compared with.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_USAGE_H
#define CILKPROF_USAGE_H

#include "libcilkprof/engine/engine.h"

/* usage.c.  */

/* Returns what this thread has used so far, and since START.  */
HIDDEN struct cilkprof_usage __cilkprof_usage_now(void);
HIDDEN struct cilkprof_usage __cilkprof_usage_since(const struct cilkprof_usage *start);

/* Begins measuring what the run uses; records it, when the measurement ends or pauses for a snapshot.  */
HIDDEN void __cilkprof_usage_start(void);
HIDDEN void __cilkprof_usage_stop(void);

/* Drops the reference if its runs did not end with STATUS, that of the program: then they did something else.  */
HIDDEN void __cilkprof_usage_status(int status);

/* Chooses the unit of the profile of process PID, which is about to be written.  If there is a plausible reference,
   WORK units are the time that it took.  */
HIDDEN void __cilkprof_usage_check(int pid, uint64_t work);
/* Returns that unit, or the unit of the run if none was chosen yet.  */
HIDDEN uint64_t __cilkprof_usage_units_per_second(void);
/* Writes the record of what the run used, to the profile of process PID.  */
HIDDEN void __cilkprof_usage_write(struct cilkprof_writer *writer, int pid);

/* reference.c.  */

/* Returns whether nothing is to be profiled, as in a reference run.  */
extern EXPORT int __cilkprof_reference_start(void);
/* Makes this thread run without events, if this is a reference run.  */
HIDDEN void __cilkprof_reference_thread(void);
/* Writes what a reference run took, before the process ends or becomes another program.  */
HIDDEN void __cilkprof_reference_end(void);

#endif
