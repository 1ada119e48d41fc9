/* Command-line arguments that are read from files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_ARGUMENTS_H
#define CILKPROF_REPORT_ARGUMENTS_H

/* Replaces every argument @FILE by the words in the file, as the GNU tools do: words are separated by white space that
   is neither quoted nor follows a backslash.  An argument stays as it is if a file has that name, with the @.  Fails if
   there is neither file.  */
void arguments_expand(int *argc, char ***argv);

#endif
