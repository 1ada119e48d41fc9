/* Writes, compiles and runs small programs in a temporary folder.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OUTSIDE_H
#define CILKPROF_REPORT_OUTSIDE_H

#include <stdio.h>

struct outside {
  char *folder;
};

/* Creates a temporary folder.  This and the next three functions end the report with a message if they fail.  */
struct outside make_emulation_scratch_folder(void);
FILE *create_emulation_scratch_file(const struct outside *outside, const char *name); /* creates a file in the folder */
void close_emulation_scratch_file(FILE *file);                                        /* closes the file */
void write_emulation_scratch_text(const struct outside *outside, const char *name, const char *text);
/* Removes the folder and its files.  */
void remove_emulation_scratch_folder(struct outside *outside);

/* Runs COMMAND, which ends with NULL, in the folder.  Returns its output, which is allocated.  If it fails or does not
   exist, returns NULL, and *SAID is the first line of its error output, or tells why it could not be run.  */
char *run_emulation_scratch_command(const struct outside *outside, const char *const command[], char **said);

/* Returns $CC, or cc.  */
const char *emulation_scratch_compiler(void);
/* Returns the path of the Cilk compiler without instrumentation, or NULL if there is none.  The text is allocated.  */
char *emulation_scratch_cilk_compiler(const struct outside *outside);

#endif
