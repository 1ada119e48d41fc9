/* Files that no output may take the place of.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_KEPT_H
#define CILKPROF_REPORT_KEPT_H

#include <stdbool.h>
#include <sys/stat.h>

/* From now on the file is an input of this report.  Whoever reads a file says so; whoever was told its name, before it
   is read.  NULL is no file.  */
void keep_input(const struct stat *status);
void keep_named(const char *path);

/* A report begins, without inputs.  */
void keep_nothing(void);

/* Whether the file begins as a profile does.  */
bool is_profile(const char *path);

/* What a file is that must not be overwritten, such as "a profile"; NULL when it may be.  */
const char *kept_as(const char *path, const struct stat *status);

#endif
