/* Files that no output may overwrite.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_KEPT_H
#define CILKPROF_REPORT_KEPT_H

#include <stdbool.h>
#include <sys/stat.h>

/* Registers an input of this report, when it is read or when its name is known.  PATH may be NULL.  */
void keep_input(const struct stat *status);
void keep_named(const char *path);

/* Forgets all inputs, at the beginning of a report.  */
void keep_nothing(void);

/* Returns whether the file has the magic number of a profile.  */
bool is_profile(const char *path);

/* Returns why the file must not be overwritten, such as "a profile", or NULL if it may be.  */
const char *kept_as(const char *path, const struct stat *status);

#endif
