/* Writes, compiles and runs small programs in a temporary folder.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OUTSIDE_H
#define CILKPROF_REPORT_OUTSIDE_H

#include <stdio.h>

struct outside {
  char *folder;
};

/* Creates a temporary folder.  This and the next three functions end the report with a message if they fail.  */
struct outside outside_make(void);
FILE *outside_write(const struct outside *outside, const char *name); /* creates a file in the folder */
void outside_written(FILE *file);                                     /* closes the file */
void outside_write_text(const struct outside *outside, const char *name, const char *text);
/* Removes the folder and its files.  */
void outside_remove(struct outside *outside);

/* Runs COMMAND, which ends with NULL, in the folder.  Returns its output, which is allocated.  If it fails or does not
   exist, returns NULL, and *SAID is the first line of its error output, or tells why it could not be run.  */
char *outside_run(const struct outside *outside, const char *const command[], char **said);

/* Returns $CC, or cc.  */
const char *outside_compiler(void);
/* Returns the path of the Cilk compiler without instrumentation, or NULL if there is none.  The text is allocated.  */
char *outside_cilk_compiler(const struct outside *outside);

#endif
