/* The command line of cilkprof-report.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_OPTIONS_H
#define CILKPROF_REPORT_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

/* The parts of the report, as a set.  */
enum section {
  SECTION_VERDICT = 1 << 0,
  SECTION_SUMMARY = 1 << 1,
  SECTION_FLAT = 1 << 2,
  SECTION_GRAPH = 1 << 3,
  SECTION_SITES = 1 << 4,
  SECTION_CSV = 1 << 5,
};

struct options {
  const char *program;
  char **profiles;
  size_t profile_count;
  unsigned sections;         /* to print */
  unsigned processors;       /* for which the verdict is */
  unsigned asked_processors; /* the same, 0 when it is only this machine's number */
  bool brief;                /* no explanations */
  bool unused;               /* also what was never called */
  bool force;                /* also what does not match */
};

/* Exits with status 1 when the command line is wrong, with 0 after --help and --version.  */
struct options options_read(int argc, char **argv);

#endif
