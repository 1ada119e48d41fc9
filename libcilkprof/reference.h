/* What cilkprof-run and the programs that it runs say to each other.
   SPDX-License-Identifier: MIT

   Each variable begins with the number of a process and a colon: to other processes that inherit it, it says nothing of
   their own.  */

#ifndef CILKPROF_REFERENCE_H
#define CILKPROF_REFERENCE_H

#include <inttypes.h>

/* To a reference run: the file for what it took, which is there already.  All that inherit it run without events.  */
#define CILKPROF_REFERENCE_TO "CILKPROF_REFERENCE_TO"

/* To a run that is profiled: the number of reference runs before it, and what the shortest of them took.  */
#define CILKPROF_REFERENCE "CILKPROF_REFERENCE"

/* Of struct cilkprof_usage, in the file and in the variable.  */
#define CILKPROF_USAGE_WRITE "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
#define CILKPROF_USAGE_READ  "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64

#endif
