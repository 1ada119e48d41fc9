/* Files that no output may overwrite.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_KEPT_H
#define CILKPROF_REPORT_KEPT_H

#include <stdbool.h>
#include <sys/stat.h>

/* Registers an input of this report, when it is read or when its name is known.  PATH may be NULL.  */
void keep_input_file(const struct stat *status);
void keep_named_file(const char *path);

/* Forgets all inputs, at the beginning of a report.  */
void forget_kept_files(void);

/* Returns whether the file has the magic number of a profile.  */
bool is_kept_file_profile(const char *path);

/* Returns why the file must not be overwritten, such as "a profile", or NULL if it may be.  */
const char *reason_to_keep_file(const char *path, const struct stat *status);

#endif
