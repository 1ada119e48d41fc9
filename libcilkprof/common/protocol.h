/* What cilkprof-run and the programs that it runs say to each other.
   SPDX-License-Identifier: MIT

   Each variable begins with the number of a process and a colon: to other processes that inherit it, it says nothing of
   their own.  */

#ifndef CILKPROF_COMMON_PROTOCOL_H
#define CILKPROF_COMMON_PROTOCOL_H

#include <inttypes.h>

/* To a reference run: the file for what it took, which is there already.  All that inherit it run without events.  */
#define CILKPROF_REFERENCE_TO "CILKPROF_REFERENCE_TO"

/* To a run that is profiled: the number of reference runs before it, the exit status of all of them, what the shortest
   took, what long strands are worth beside those that are counted or learnt (CILKPROF_TIMED_SCALE: what they took), and
   a file for what it measured: all strands, and the long ones, in nanoseconds.  */
#define CILKPROF_REFERENCE   "CILKPROF_REFERENCE"
#define CILKPROF_TIMED_SCALE 65536
#define CILKPROF_MEASURED    "%" PRIu64 " %" PRIu64

/* To an OpenMP program that is recorded: the processors that it may use at once, a colon, and LD_PRELOAD as it was,
   which its own children are to find again.  */
#define CILKPROF_OPENMP "CILKPROF_OPENMP"

/* Of struct cilkprof_usage, in the file and in the variable.  */
#define CILKPROF_USAGE_WRITE "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
#define CILKPROF_USAGE_READ  "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64

#endif
