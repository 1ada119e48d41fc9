/* Arguments from files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_ARGUMENTS_H
#define CILKPROF_REPORT_ARGUMENTS_H

/* Replaces every argument @FILE by the words in the file, as the GNU tools do: blanks separate words unless they are
   quoted or follow a backslash; an @FILE that cannot be read stays as it is.  */
void arguments_expand(int *argc, char ***argv);

#endif
