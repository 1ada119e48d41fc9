/* Arguments from files.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_ARGUMENTS_H
#define CILKPROF_REPORT_ARGUMENTS_H

/* Replaces every argument @FILE by the words in the file, as the GNU tools do: blanks separate words unless they are
   quoted or follow a backslash; fails when there is no such file, unless one is
   called @FILE, which is then an argument like others.  */
void arguments_expand(int *argc, char ***argv);

#endif
