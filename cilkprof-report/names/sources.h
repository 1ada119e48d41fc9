/* Finds the source files of a program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SOURCES_H
#define CILKPROF_REPORT_SOURCES_H

#include "cilkprof-report/names/functions.h"
#include "cilkprof-report/options/options.h"

/* Returns the path under which FILE can be opened, or NULL.  Searches the directories of the options, the directories
   in which the compiler ran, the name that the compiler used, and the directory of the program.  Allocated.  */
char *find_function_source(const struct functions *functions, const char *file, const struct options *options);

/* Protect FILE, which may be NULL, or the files in which FUNCTIONS are defined, from being overwritten by an
   output.  */
void keep_function_source(const struct functions *functions, const char *file, const struct options *options);
void functions_keep_sources(const struct functions *functions, const struct options *options);

#endif
