/* Running times that were measured on some numbers of processors.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_TRIALS_H
#define CILKPROF_REPORT_TRIALS_H

#include "cilkprof-report/model/model.h"

struct trial {
  unsigned processors;
  double seconds, speedup;
};

struct trials {
  struct trial *trials;
  size_t count, room;
};

/* Reads lines of processors and seconds; # starts a comment.  A speedup is against the shortest run on one processor,
   or against the work of the profile where there is none.  Fails when a line is something else.  NULL has no trials. */
struct trials trials_read(const char *path, const struct model *model);

/* How many processors a plot shows: as many as the program is judged for or was tried on; and some more than a small
   machine has, to show where it leads.  */
unsigned trials_processors(const struct trials *trials, unsigned processors);

#endif
