/* What the thread that is profiled takes of the machine, and the reference that its time is checked by.
   SPDX-License-Identifier: MIT  */

#ifndef CILKPROF_USAGE_H
#define CILKPROF_USAGE_H

#include "libcilkprof/engine/engine.h"

/* usage.c.  Of this thread, up to now and since START was read.  */
HIDDEN struct cilkprof_usage __cilkprof_usage_now(void);
HIDDEN struct cilkprof_usage __cilkprof_usage_since(const struct cilkprof_usage *start);

/* The measurement begins; it ends, or pauses for a snapshot.  */
HIDDEN void __cilkprof_usage_start(void);
HIDDEN void __cilkprof_usage_stop(void);

/* The program ends with STATUS: where reference runs ended with another, they did something else.  */
HIDDEN void __cilkprof_usage_status(int status);

/* The profile of process PID is about to be written: where there is a reference, WORK is what that took.  */
HIDDEN void __cilkprof_usage_check(int pid, uint64_t work);
HIDDEN uint64_t __cilkprof_usage_units_per_second(void);
HIDDEN void __cilkprof_usage_write(struct cilkprof_writer *writer, int pid);

/* reference.c.  Whether this is a reference run; it ends, or becomes another program.  */
HIDDEN int __cilkprof_reference_run(void);
HIDDEN void __cilkprof_reference_end(void);
/* What the variable NAME says to this process; NULL: nothing.  */
HIDDEN const char *__cilkprof_reference_setting(const char *name);

#endif
