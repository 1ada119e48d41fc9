/* The compiler options and libraries of an object file.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_COMPILATION_H
#define CILKPROF_REPORT_COMPILATION_H

/* Returns the compiler options of the profiled sources in PATH, separated by blanks, without those of the profiler.
   Returns NULL if they are unknown or differ between sources.  The compiler does not record -D and -I.  Allocated.  */
char *object_compilation_options(const char *path);

/* Returns the options, separated by blanks, that link what the program PATH needs beside what the compiler links by
   itself: "-lm -lz", or "" if there is nothing.  Allocated.  */
char *object_library_options(const char *path);

#endif
