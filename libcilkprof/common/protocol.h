/* Environment variables by which cilkprof-run and the programs that it runs communicate.
   SPDX-License-Identifier: MIT

   Each value begins with a PID and a colon: other processes that inherit the variable ignore it.  */

#ifndef CILKPROF_COMMON_PROTOCOL_H
#define CILKPROF_COMMON_PROTOCOL_H

#include <inttypes.h>

/* For a reference run: the file for its usage, which exists already.  All processes that inherit it run without
   events.  */
#define CILKPROF_REFERENCE_TO "CILKPROF_REFERENCE_TO"

/* For a profiled run: the number of reference runs, their exit status, the usage of the shortest, the weight of long
   strands relative to those that are counted or estimated (CILKPROF_TIMED_SCALE: as measured), and a file for the
   measured time of all strands and of the long ones, in nanoseconds.  */
#define CILKPROF_REFERENCE   "CILKPROF_REFERENCE"
#define CILKPROF_TIMED_SCALE 65536
#define CILKPROF_MEASURED    "%" PRIu64 " %" PRIu64

/* For a run whose profile is wanted: the file whose first byte the process replaces when it has written its profile, or
   could not.  The byte is there already, so that this takes no room on a disk that is full.  */
#define CILKPROF_WRITTEN_TO  "CILKPROF_WRITTEN_TO"
#define CILKPROF_WRITTEN     "1"
#define CILKPROF_NOT_WRITTEN "0"

/* For a run whose profile has a name that the command line of cilkprof-run gives: the name, as in CILKPROF_OUT.  */
#define CILKPROF_OUT_TO "CILKPROF_OUT_TO"

/* For a run that is sampled: how often, for each second of a thread's CPU time; 0: as CILKPROF_SAMPLE_HZ says.  */
#define CILKPROF_SAMPLED_AT "CILKPROF_SAMPLED_AT"

/* For a run that is sampled: its work and span are wanted, too, of a program that has OpenMP or only forks by hand.  */
#define CILKPROF_WATCHED        "CILKPROF_WATCHED"
#define CILKPROF_WATCHED_OPENMP "openmp"
#define CILKPROF_WATCHED_FORKS  "forks"

/* For a recorded program that is sampled by a preloaded library: the number of processors that it may use, a colon, and
   the former LD_PRELOAD, which is restored for its children.  */
#define CILKPROF_PRELOADED "CILKPROF_PRELOADED"

/* The format of struct cilkprof_usage in the file and in the variable.  */
#define CILKPROF_USAGE_WRITE "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
#define CILKPROF_USAGE_READ  "%" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64

#endif
