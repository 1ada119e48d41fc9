/* How an object was compiled.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_COMPILATION_H
#define CILKPROF_REPORT_COMPILATION_H

/* The options of all profiled sources in the file, separated by blanks, without those of the profiler; NULL where they
   are not known or differ.  The compiler records no -D, -I and libraries.  Allocated.  */
char *compilation_options(const char *path);

#endif
