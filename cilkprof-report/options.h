/* The command line of cilkprof-report.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OPTIONS_H
#define CILKPROF_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

struct options {
  const char *program;
  char **profiles;
  size_t profile_count;
  bool summary, flat, graph, sites; /* the sections to print */
  bool csv;                         /* the sites as CSV instead of the sections */
  bool brief;                       /* no explanations */
  bool unused;                      /* also what was never called */
  bool force;                       /* also what does not match */
};

/* Exits with status 1 when the command line is wrong, with 0 after --help and --version.  */
struct options options_read(int argc, char **argv);

#endif
