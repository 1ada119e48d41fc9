/* Loops that processors divide.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef CILKPROF_REPORT_LOOPS_H
#define CILKPROF_REPORT_LOOPS_H

#include "cilkprof-report/support/table.h"
#include "fmt/profile.h"

/* The loops of several profiles, added up by site.  Initially {0}.  */
struct loops {
  struct cilkprof_loop *loops; /* SITE is the number of a site in the model */
  size_t count, room;
  struct table table;
};

/* Adds the loops of PROFILE.  PLACES[i] is the number in the model of its site number i.  */
void add_model_loops(struct loops *loops, const struct cilkprof_profile *profile, const uint32_t *places);

#endif
