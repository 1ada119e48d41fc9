/* Programs that the report writes, compiles and runs, in a folder of their own.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OUTSIDE_H
#define CILKPROF_REPORT_OUTSIDE_H

#include <stdio.h>

struct outside {
  char *folder;
};

/* They fail when something cannot be done.  */
struct outside outside_make(void);
FILE *outside_write(const struct outside *outside, const char *name); /* a file in the folder */
void outside_written(FILE *file);                                     /* all of it: closes it */
void outside_write_text(const struct outside *outside, const char *name, const char *text);
void outside_remove(struct outside *outside);

/* Runs a command, which is ended by NULL, in the folder.  Returns what it printed, allocated; NULL when it failed or is
   not there, and then *SAID is the first line of what it said, or why it could not be run.  */
char *outside_run(const struct outside *outside, const char *const command[], char **said);

/* $CC, or cc.  */
const char *outside_compiler(void);
/* The compiler of Cilk that does not profile, allocated; NULL: there is none.  */
char *outside_cilk_compiler(const struct outside *outside);

#endif
