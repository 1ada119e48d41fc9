/* Finding the sources of a program.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_SOURCES_H
#define CILKPROF_REPORT_SOURCES_H

#include "cilkprof-report/names/functions.h"
#include "cilkprof-report/options/options.h"

/* Returns the path under which FILE can be opened, or NULL.  It is searched for in the directories of the options, where
   the compiler ran, under the name that the compiler used, and beside the program.  Allocated.  */
char *source_find(const struct functions *functions, const char *file, const struct options *options);

/* Protects FILE, which may be NULL, or the files in which FUNCTIONS are defined, from being overwritten by an output.  */
void source_keep(const struct functions *functions, const char *file, const struct options *options);
void functions_keep_sources(const struct functions *functions, const struct options *options);

#endif
